"""What clean runs showed: kept, found by the next session, and counted as its sweep counts."""

import os
from itertools import product
from pathlib import Path

from killpoint.cli.session.estimate import guessed_scenarios
from killpoint.cli.session.evidence import Evidence
from killpoint.cli.session.lanes import Meeting
from killpoint.cli.session.shown import Shown, last_run
from killpoint.faults.depth import Depth, Selection, selected
from killpoint.faults.position import TopicPartition
from killpoint.faults.scenario import SWEPT
from killpoint.faults.sweep import Extent, moments
from tests.support.histories import count_then_save

MEETING = Meeting(at_servers="a group", beside="a file", harmless=True)


def session(folder: Path, run: str, age: int, seconds: float) -> None:
    Shown.of((), seconds, MEETING).keep(Evidence(folder, run))
    os.utime(folder / ".killpoint" / "runs" / run, (1000 - age, 1000 - age))


def test_the_last_session_with_two_clean_runs_is_asked(tmp_path: Path) -> None:
    assert last_run(tmp_path) is None
    session(tmp_path, "old", age=2, seconds=0.5)
    session(tmp_path, "new", age=1, seconds=0.75)
    Evidence(tmp_path, "half").folder("clean-1")
    broken = Evidence(tmp_path, "broken").folder("clean-2") / "shown.json"
    broken.write_text('{"moments": 3}', encoding="utf-8")
    found = last_run(tmp_path)
    assert found is not None
    assert (found.run, found.shown.seconds, found.shown.meeting) == ("new", 0.75, MEETING)
    assert found.shown == Shown.of((), 0.75, MEETING)


def test_the_numbers_are_those_of_the_sweep_and_within_the_guess() -> None:
    place = TopicPartition("clicks", 0)
    for batches in (1, 4, 12):
        told = count_then_save(batches)
        extent = Extent({place: batches * 3}, {place: 0})
        found = moments([told.entries, told.entries], extent=extent)
        shown = Shown.of(found, 1.0, MEETING)
        assert shown.moments == len(found)
        for depth, action in product(Depth, SWEPT):
            number = shown.scenarios[depth][action]
            assert number == len(selected(found, Selection(depth, (action,), "seed")))
            guess = guessed_scenarios(batches * 3, depth, (action,), 1)
            assert guess.few <= number <= guess.many, (batches, depth, action)
