"""Placeholders: escaped text comes back as it was, and no text does anything but fill or refuse."""

from hypothesis import given
from hypothesis import strategies as st

from killpoint.cli.config.placeholders import (
    DESCRIPTIONS,
    PlaceholderError,
    Placeholders,
    parse_placeholders,
)
from killpoint.faults.environment import Address, Login

FILLED = Placeholders(
    kafka=Address("127.0.0.1", 9092),
    postgres=Login("127.0.0.1", 5432, "postgres", "se cret", "clicks"),
    topic="clicks",
    group="counter",
    port=len,
)
# A name with an argument stands for a family of them.
NAMES = st.sampled_from([name for name in DESCRIPTIONS if ":" not in name])


def escaped(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


@given(st.text())
def test_escaped_text_comes_back(text: str) -> None:
    assert FILLED.fill(escaped(text)) == text


@given(st.lists(st.tuples(st.text("ab{}: !"), NAMES), max_size=4), st.text("ab{}: !"))
def test_names_are_found_between_any_texts(pairs: list[tuple[str, str]], end: str) -> None:
    written = "".join(f"{escaped(text)}{{{name}}}" for text, name in pairs) + escaped(end)
    values = FILLED.values()
    assert FILLED.fill(written) == "".join(text + values[name] for text, name in pairs) + end
    found = [name for _, name in parse_placeholders(written) if name is not None]
    assert found == [name for _, name in pairs]


@given(st.text("{}ab:!.[]kafport") | st.text())
def test_any_other_text_is_refused_with_a_reason(text: str) -> None:
    try:
        FILLED.fill(text)
    except PlaceholderError as error:
        assert "{" in text or "}" in text
        assert str(error)
