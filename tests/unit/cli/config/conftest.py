"""A folder with a right configuration, and ways to spoil it."""

from collections.abc import Callable
from pathlib import Path

import pytest

VALID = """\
[target]
command = ["{python}", "counter.py"]
env = { BATCH_SIZE = "3" }

[source]
topic = "clicks"
partitions = 2
events = "clicks.jsonl"

[database]
schema = "schema.sql"

[[check]]
name = "clicks per link"
expected = "select value->>'code' as code, count(*) as clicks from events group by 1"
actual = "select code, clicks from click_counts"

[run]
require = "at least once"
"""

Spoil = Callable[[str, str], Path]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a right configuration and the files that it names."""
    (tmp_path / "killpoint.toml").write_text(VALID, encoding="utf-8")
    (tmp_path / "clicks.jsonl").write_text('{"key": "a", "value": {"code": "a"}}\n')
    (tmp_path / "schema.sql").write_text("create table click_counts (code text, clicks bigint)")
    (tmp_path / "bad.j2").write_text("brokers = '{{ kafak }}'")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def spoil(folder: Path) -> Spoil:
    """Replaces a part of the configuration by another; returns the file."""

    def replace(part: str, by: str) -> Path:
        file = folder / "killpoint.toml"
        text = file.read_text(encoding="utf-8")
        assert text.count(part) == 1, part
        file.write_text(text.replace(part, by), encoding="utf-8")
        return file

    return replace
