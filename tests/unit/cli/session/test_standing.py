from killpoint.cli.session.standing import Passing
from killpoint.faults.history import Entry, Note
from killpoint.faults.moment import Side, Sighting


def test_moments_are_told_and_nothing_is_kept() -> None:
    told: list[tuple[float, str]] = []
    passing = Passing(lambda seconds, moment: told.append((seconds, moment)))
    sighting = Sighting("postgres", "commit", Side.AFTER, 2)
    passing.add(Note(0.5, 1, "started"))
    passing.add(Entry(1.5, 1, "postgres", 1, (), (sighting,)))
    assert told == [(1.5, "postgres.commit#2:after")]
    assert passing.lines == []
