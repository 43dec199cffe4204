"""The estimate: from the last session's clean runs, and what is no session is passed over."""

import os
from pathlib import Path

from killpoint.cli.session.estimate import guess, last_run, sweep_seconds
from killpoint.cli.session.evidence import Evidence
from killpoint.faults.history import Entry, History
from killpoint.faults.moment import Side, Sighting


def history(seconds: float, *numbers: int) -> History:
    kept = History()
    for number in numbers:
        sighting = Sighting("postgres", "commit", Side.AFTER, number)
        kept.add(Entry(seconds, 1, "postgres", 1, (), (sighting,)))
    return kept


def session(folder: Path, run: str, age: int) -> Evidence:
    evidence = Evidence(folder, run)
    evidence.write("clean-1", history(0.5, 1, 2))
    evidence.write("clean-2", history(0.75, 2, 3))
    os.utime(folder / ".killpoint" / "runs" / run, (1000 - age, 1000 - age))
    return evidence


def test_the_last_session_with_two_clean_runs_is_asked(tmp_path: Path) -> None:
    assert last_run(tmp_path) is None
    session(tmp_path, "old", age=2)
    session(tmp_path, "new", age=1)
    half = Evidence(tmp_path, "half")
    half.write("clean-1", history(9.0, 1))
    broken = Evidence(tmp_path, "broken").folder("clean-1") / "history.jsonl"
    broken.write_text("{", encoding="utf-8")
    found = last_run(tmp_path)
    assert found is not None
    assert (found.run, found.moments, found.seconds) == ("new", 3, 0.75)


def test_more_scenarios_take_longer_and_more_batches_have_more_moments() -> None:
    assert sweep_seconds(4, 2.0) == 2 * sweep_seconds(2, 2.0) > 4 * 2.0
    few, many = guess(12)
    assert few < many
    assert guess(1) == (few, few)
