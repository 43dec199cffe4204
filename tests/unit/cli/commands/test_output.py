"""Where the output goes."""

from pathlib import Path

import pytest

from killpoint.cli.commands.output import beating, check_reports, consoles, write_reports
from killpoint.cli.errors import UserError
from killpoint.cli.progress import Preparing
from tests.support import results
from tests.support.examined import Heard


def test_progress_goes_to_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    out, progress = consoles(None)
    out.print("result")
    progress.print("progress")
    assert capsys.readouterr() == ("result\n", "progress\n")


def test_json_on_standard_output_has_it_for_itself(capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = consoles("-")
    out.print("result")
    assert capsys.readouterr() == ("", "result\n")


def test_only_the_files_that_were_asked_for_are_written(tmp_path: Path) -> None:
    given = results.verdict("passed")
    write_reports(given, None, None, None)
    assert list(tmp_path.iterdir()) == []
    write_reports(given, str(tmp_path / "r.json"), tmp_path / "r.xml", None)
    assert (tmp_path / "r.json").read_text(encoding="utf-8") == given.result.to_json()
    assert "<testsuite" in (tmp_path / "r.xml").read_text(encoding="utf-8")


def test_a_file_that_cannot_be_written_is_refused_beforehand(tmp_path: Path) -> None:
    missing = tmp_path / "missing" / "result"
    check_reports("-", None)
    check_reports(str(tmp_path / "r.json"), tmp_path / "r.xml")
    for json, junit in ((str(missing), None), (None, missing), ("-", missing)):
        with pytest.raises(UserError, match="cannot write"):
            check_reports(json, junit)


async def test_a_beating_reader_passes_events_on_and_ends() -> None:
    heard = Heard()
    async with beating(heard) as reporter:
        reporter.on(Preparing("a start"))
    assert heard.kinds == ["Preparing"]
