"""Durations: what is written is what is read, and anything else is refused with a reason."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from killpoint.cli.config.duration import PATTERN, UNITS, parse_duration

NUMBERS = st.integers(1, 10**6)


@given(NUMBERS, st.sampled_from(sorted(UNITS)))
def test_whole_numbers_of_a_unit(number: int, unit: str) -> None:
    assert parse_duration(f"{number}{unit}") == pytest.approx(number * UNITS[unit])


@given(NUMBERS, st.integers(0, 999))
def test_fractions(whole: int, thousandths: int) -> None:
    text = f"{whole}.{thousandths:03}s"
    assert parse_duration(text) == pytest.approx(whole + thousandths / 1000)


@given(st.text("0123456789.msh -+e\n", max_size=6) | st.text(max_size=4) | st.integers())
def test_only_what_the_schema_lets_through_is_read(text: object) -> None:
    """The pattern is an editor's, so `$` may match before a line feed: not so here."""
    try:
        seconds = parse_duration(text)
    except ValueError as error:
        assert str(error).startswith("must be ")
    else:
        assert seconds > 0
        assert isinstance(text, str)
        assert re.match(PATTERN, text) is not None
        assert text.strip() == text
