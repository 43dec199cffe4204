"""How a moment is printed."""

import pytest

from killpoint.faults.moment import EVENTS, ONLY_AFTER, Moment, Side


@pytest.mark.parametrize(
    ("moment", "text"),
    [
        (Moment("postgres", "commit", Side.AFTER), "postgres.commit:after"),
        (Moment("postgres", "commit", Side.BEFORE, number=2), "postgres.commit#2:before"),
        (
            Moment("kafka", "fetch", Side.AFTER, (("topic", 'a"b'), ("offset", 6)), 1),
            'kafka.fetch{topic="a\\"b",offset=6}#1:after',
        ),
    ],
)
def test_a_moment_reads_as_its_grammar_says(moment: Moment, text: str) -> None:
    assert str(moment) == text


def test_what_has_only_one_side_is_an_event() -> None:
    assert {event for events in EVENTS.values() for event in events} >= ONLY_AFTER
