"""What the machine has: by its tables, and really."""

import os

import pytest

from killpoint.compose import machine
from killpoint.compose.machine import free_memory, memory_available, processors

TABLE = "MemTotal:  8000000 kB\nMemFree:  100 kB\nMemAvailable:  2048 kB\nHugePages_Total:  0\n"


def test_memory_that_is_available_is_more_than_what_is_free() -> None:
    assert free_memory(TABLE) == 2 * 1024 * 1024


def test_a_container_has_what_its_limit_leaves(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path_factory.mktemp("group")
    limit, used = folder / "memory.max", folder / "memory.current"
    monkeypatch.setattr(machine, "_GROUPS", ((limit, used),))
    whole = memory_available()
    assert whole > 1024 * 1024
    limit.write_text("max\n")
    used.write_text("1000\n")
    assert memory_available() > 1024 * 1024
    limit.write_text("5000\n")
    assert memory_available() == 4000


def test_processors() -> None:
    assert 1 <= processors() <= (os.cpu_count() or 1)
