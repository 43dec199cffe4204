import pytest

from killpoint.cli.config.size import parse_size


@pytest.mark.parametrize(
    ("text", "size"),
    [("256m", 256 << 20), ("1.5g", 3 << 29), ("64MB", 64 << 20), ("8192k", 8 << 20)],
)
def test_sizes(text: str, size: int) -> None:
    assert parse_size(text) == size


@pytest.mark.parametrize("wrong", ["256", "m", "", "1 g", "-1m", 256, None, "1t"])
def test_what_is_no_size_is_said_to_be_none(wrong: object) -> None:
    with pytest.raises(ValueError, match='such as "256m"'):
        parse_size(wrong)


def test_one_that_the_engine_does_not_take_is_refused() -> None:
    with pytest.raises(ValueError, match='must be "6m" or more'):
        parse_size("1m")
