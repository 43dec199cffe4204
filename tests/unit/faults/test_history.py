"""The history: kept in order, read by life."""

from killpoint.faults.events import BackendReady, BackendStarted
from killpoint.faults.history import Entry, History, Note
from killpoint.faults.moment import Side, Sighting

COMMIT = Sighting("postgres", "commit", Side.AFTER, 1)
BEGIN = Sighting("postgres", "begin", Side.AFTER, 1)


def history() -> History:
    """Two lives, with a note before each."""
    kept = History()
    for life, sighting in ((1, BEGIN), (2, COMMIT)):
        kept.add(Note(float(life), life, "started"))
        events = (BackendStarted(life), BackendReady("I"))
        kept.add(Entry(life + 0.5, life, "postgres", 1, events, (sighting,)))
    return kept


def test_lines_keep_their_order() -> None:
    assert [line.seconds for line in history().lines] == [1.0, 1.5, 2.0, 2.5]


def test_notes_are_no_entries() -> None:
    assert [entry.life for entry in history().entries()] == [1, 2]


def test_one_life_or_all() -> None:
    kept = history()
    assert list(kept.events(2)) == [BackendStarted(2), BackendReady("I")]
    assert len(list(kept.events())) == 4
    assert list(kept.sightings(1)) == [BEGIN]
    assert list(kept.sightings()) == [BEGIN, COMMIT]
    assert list(kept.sightings(3)) == []
