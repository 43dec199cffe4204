"""Files open for writing, seen from outside."""

import os
from pathlib import Path

from killpoint.compose.open_files import files_written


def test_a_file_open_for_writing_is_seen_and_one_for_reading_is_not(tmp_path: Path) -> None:
    written, read = tmp_path / "written", tmp_path / "read"
    read.write_text("")
    with written.open("a"), read.open():
        found = files_written([os.getpid()])
    assert written in found
    assert read not in found


def test_a_process_that_ended_has_none() -> None:
    assert files_written([2**22 + 1]) == []
