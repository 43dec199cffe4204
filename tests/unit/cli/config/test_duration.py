"""Durations, unit by unit, and what is none."""

import pytest

from killpoint.cli.config.duration import parse_duration


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("60s", 60), ("500ms", 0.5), ("2m", 120), ("1h", 3600), ("1.5s", 1.5), ("0.5m", 30)],
)
def test_read(text: str, seconds: float) -> None:
    assert parse_duration(text) == seconds


@pytest.mark.parametrize(
    "value", ["60", "s", "-1s", "1 s", "1S", "1s ", "1s\n", "٣s", ".5s", 60, True]
)
def test_no_duration(value: object) -> None:
    with pytest.raises(
        ValueError, match=r'^must be a duration such as "60s", "500ms" or "2m", not '
    ):
        parse_duration(value)


@pytest.mark.parametrize("text", ["0s", "0.0ms"])
def test_nothing_is_no_time_to_wait(text: str) -> None:
    with pytest.raises(ValueError, match=r"^must be longer than nothing"):
        parse_duration(text)
