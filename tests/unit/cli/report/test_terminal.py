"""What `run` prints while it works, where it goes, and that the order of events is kept."""

import io
from pathlib import Path

from killpoint.cli.progress import Interrupted, StackReady, StillWorking, Warned
from killpoint.cli.report.page import Page, console_for
from killpoint.cli.report.terminal import TerminalReport, progress_lines
from tests.support.results import events, verdict

PROGRESS = """\
killpoint 0.1.0 · killpoint.toml
target      python counter.py
source      clicks · 12 events, 1 partition
preparing   starting Kafka and Postgres
stack       embedded: Kafka 4.3.1, Postgres 18.4 · ready in 1.3 s
clean run 1                                                     clean                  0.9 s
clean run 2                                                     clean                  0.9 s
cycle       fetched 0-2 → begin → 3 writes → commit → offset 3 saved
sweep       6 moments, 5 of them required · depth moments: 6 scenarios, about 1 min 15 s

  1/6  postgres.commit#1:before                                 clean                  0.9 s
  2/6  postgres.commit#1:after                                  counted twice 3        0.9 s
  3/6  kafka.offset_commit#1:before                             counted twice 3        0.9 s
  4/6  kafka.offset_commit{topic="clicks",partition=0,offset=6}:before
                                                                counted twice 3        0.9 s
  5/6  postgres.commit#2:after                                  counted twice 3        0.9 s
  6/6  kafka.offset_commit#4:after                              inconclusive          30.0 s
       not reached
"""


def printed(kind: str) -> tuple[str, str]:
    out, progress = io.StringIO(), io.StringIO()
    report = TerminalReport(console_for(out, {}), console_for(progress, {}))
    for event in events(verdict(kind)):
        report.on(event)
    return out.getvalue(), progress.getvalue()


def test_progress_is_one_line_a_step() -> None:
    assert printed("failed")[1] == PROGRESS


def test_the_result_goes_elsewhere_and_ends_with_the_exit_line() -> None:
    out, progress = printed("failed")
    assert "FAILED" in out
    assert "FAILED" not in progress
    assert out.splitlines()[-1] == "exit 1   the requirement is not met"


def test_a_file_that_was_named_is_named_in_the_command() -> None:
    out = io.StringIO()
    report = TerminalReport(console_for(out, {}), console_for(io.StringIO(), {}))
    for event in events(verdict("failed"), argument="other.toml"):
        report.on(event)
    assert "killpoint run other.toml --at 'postgres.commit#1:after' --action kill" in out.getvalue()


def test_a_stream_that_is_not_utf_8_gets_ascii(tmp_path: Path) -> None:
    with (tmp_path / "log").open("w+", encoding="ascii") as log:
        report = TerminalReport(console_for(log, {}), console_for(log, {}))
        for event in events(verdict("lost")):
            report.on(event)
        log.seek(0)
        assert "begin -> 3 writes -> commit" in log.read()


def test_remarks_between_the_steps() -> None:
    remarks = (
        StackReady("embedded", "Kafka 4.3.1", 61, "first use"),
        StillWorking("scenario 3 of 9", 10),
        Warned("one_batch", "all events came at once"),
        Interrupted(),
    )
    assert [line.plain for event in remarks for line in progress_lines(event, Page())] == [
        "stack       embedded: Kafka 4.3.1 · ready in 1 min 1 s (first use)",
        "working     scenario 3 of 9, for 10.0 s",
        "warning     one_batch: all events came at once",
        "interrupted ending what runs; a partial result follows",
    ]
