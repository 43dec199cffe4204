"""`--json`: a file, or standard output for `-`."""

import io
import json
from pathlib import Path

from killpoint.cli.report.json_file import write_json
from tests.support.results import failed


def test_a_file(tmp_path: Path) -> None:
    write_json(str(tmp_path / "result.json"), failed().to_json())
    assert json.loads((tmp_path / "result.json").read_bytes())["run"] == "r1"


def test_standard_output_is_utf_8_whatever_the_terminal_says() -> None:
    stdout = io.BytesIO()
    write_json("-", failed().to_json(), stdout)
    assert json.loads(stdout.getvalue())["clean_runs"][0]["cycle"].count("→") == 4


def test_a_lone_surrogate_is_still_json() -> None:
    stdout = io.BytesIO()
    write_json("-", '"\udc80"', stdout)
    assert json.loads(stdout.getvalue()) == "\udc80"
