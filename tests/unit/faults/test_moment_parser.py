"""Names of moments: what is read, what is refused; every printed name can be pasted back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from killpoint.faults.moment import EVENTS, ONLY_AFTER, Moment, MomentError, Side, Value
from killpoint.faults.moment_parser import parse_moment


@pytest.mark.parametrize(
    "text",
    [
        "postgres.commit#2:after",
        "kafka.join:after",
        'kafka.offset_commit{topic="clicks",partition=0,offset=6}:before',
        "postgres.write{transaction=2,statement=1}#3:after",
        'kafka.fetch{topic="odd }#\\": name",offset=0}:after',
    ],
)
def test_a_name_is_read_and_written_back(text: str) -> None:
    assert str(parse_moment(text)) == text


def test_spaces_in_a_selector_do_not_matter() -> None:
    spaced = parse_moment("  postgres.write{ transaction = 2 , statement = 1 }:after ")
    assert str(spaced) == "postgres.write{transaction=2,statement=1}:after"


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("postgres.commit#2", ":before"),
        ("postgres.comit:after", 'did you mean "commit"'),
        ("postgre.commit:after", 'did you mean "postgres"'),
        ("kafka.join:before", 'only the side "after"'),
        ("postgres.commit#0:after", "no number from 1"),
        ("postgres.commit#x:after", "no number from 1"),
        ("kafka.fetch{ofset=1}:after", 'did you mean "offset"'),
        ('kafka.fetch{offset="1"}:after', "must be a number"),
        ("kafka.fetch{topic=1}:after", "must be a word in quotes"),
        ("kafka.fetch{offset=true}:after", "must be a number"),
        ("kafka.fetch{offset=}:after", "has no value"),
        ("kafka.fetch{offset=1,offset=2}:after", "stands twice"),
        ("kafka.fetch{offset=1 partition=2}:after", 'expected ","'),
        ("kafka.fetch{offset=1:after", "does not end"),
        ("postgres.begin{transaction=1}:after", "it knows replica"),
        ("commit:after", "has no event"),
        ("", ":before"),
    ],
)
def test_a_wrong_name_says_what_is_wrong(text: str, word: str) -> None:
    with pytest.raises(MomentError, match=word.replace("{", r"\{")):
        parse_moment(text)


@st.composite
def moments(draw: st.DrawFn) -> Moment:
    """Any moment that has a name."""
    kind = draw(st.sampled_from(sorted(EVENTS)))
    event = draw(st.sampled_from(sorted(EVENTS[kind])))
    sides = [Side.AFTER] if event in ONLY_AFTER else list(Side)
    known = sorted(EVENTS[kind][event])
    chosen = draw(st.lists(st.sampled_from(known), unique=True)) if known else []
    texts: st.SearchStrategy[Value] = st.text()
    numbers: st.SearchStrategy[Value] = st.integers(0)
    selector: tuple[tuple[str, Value], ...] = tuple(
        (name, draw(texts if name == "topic" else numbers)) for name in chosen
    )
    number = draw(st.none() | st.integers(1, 10**6))
    return Moment(kind, event, draw(st.sampled_from(sides)), selector, number)


@given(moments())
def test_every_printed_name_can_be_pasted_back(moment: Moment) -> None:
    assert parse_moment(str(moment)) == moment


@given(st.text())
def test_any_text_is_a_moment_or_an_error_of_its_own(text: str) -> None:
    try:
        parse_moment(text)
    except MomentError as error:
        assert str(error)
