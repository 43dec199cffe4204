"""The entry point, as a process of its own."""

import subprocess
import sys
from pathlib import Path

PROGRAM = """
import sys
from killpoint.cli.main import main
sys.argv = ["killpoint", "--version"]
try:
    main()
except SystemExit as end:
    assert not end.code
import killpoint.faults.wire.kafka
"""


def test_nothing_is_left_in_the_folder_where_it_is_started(tmp_path: Path) -> None:
    """What kio imports where it is installed would write a folder `.hypothesis` there."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("killpoint ")
    assert list(tmp_path.iterdir()) == []
