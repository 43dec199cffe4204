"""`--json FILE`: a result as JSON in a file, or on standard output for `-`.

The text comes from the result's own `to_json`; a file is whole or not there.
"""

import sys
from pathlib import Path
from typing import BinaryIO

from killpoint.cli.report.whole_file import write_whole

STDOUT = "-"


def write_json(target: str, text: str, stdout: BinaryIO | None = None) -> None:
    """Write a JSON text to a file or, for `-`, to standard output, always as UTF-8.

    Raises UserError if the file cannot be written.
    """
    if target == STDOUT:
        stream = stdout or sys.stdout.buffer
        stream.write(text.encode("utf-8", "backslashreplace"))
        stream.flush()
        return
    write_whole(Path(target), text)
