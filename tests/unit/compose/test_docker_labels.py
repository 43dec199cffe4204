import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from killpoint.compose.docker_labels import PLACE, RUN, labels_of, run_is_dead, run_lives
from killpoint.compose.run_folder import RunFolder


@pytest.fixture
def folder() -> Iterator[RunFolder]:
    with tempfile.TemporaryDirectory(prefix="kpt", dir="/tmp") as parent:
        made = RunFolder.create(parent=Path(parent))
        yield made
        made.remove()


def test_a_run_whose_lock_is_held_lives(folder: RunFolder) -> None:
    labels = labels_of(folder)
    assert run_lives(labels)
    assert not run_is_dead(labels)


def test_a_run_whose_folder_is_gone_is_dead(folder: RunFolder) -> None:
    labels = labels_of(folder)
    folder.remove()
    assert run_is_dead(labels)
    assert not run_lives(labels)


@pytest.mark.parametrize("place", ["", "elsewhere:0:1:2"])
def test_a_run_of_another_place_is_never_called_dead(folder: RunFolder, place: str) -> None:
    labels = {**labels_of(folder), PLACE: place}
    folder.remove()
    assert not run_is_dead(labels)


def test_a_run_whose_temporary_folder_is_gone_cannot_be_judged(folder: RunFolder) -> None:
    labels = {**labels_of(folder), RUN: "/no/such/folder/killpoint-x"}
    assert not run_is_dead(labels)


def test_what_has_no_label_of_killpoint_is_neither() -> None:
    assert not run_is_dead({"com.example": "x"})
    assert not run_lives({"com.example": "x"})
