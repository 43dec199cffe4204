"""JSON values as bytes, exactly as they were."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from killpoint.cli.events.value import Undecodable, read_json, to_bytes

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner) | st.dictionaries(st.text('aé"\\'), inner),
    max_leaves=6,
)


@pytest.mark.parametrize(
    ("text", "sent"),
    [
        ('"plain"', b"plain"),
        ('"\\u00e9\\n"', "é\n".encode()),
        ('{ "a" : [1, 2.50, null, true], "é": {} }', '{"a":[1,2.50,null,true],"é":{}}'.encode()),
        ("12345678901234567890.10", b"12345678901234567890.10"),
        ("1e400", b"1E+400"),
        ("-0.0", b"-0.0"),
        ("null", None),
        ("false", b"false"),
        ('""', b""),
    ],
)
def test_sent_as(text: str, sent: bytes | None) -> None:
    assert to_bytes(read_json(text)) == sent


@given(st.lists(JSON))
def test_compact_json_reads_back(values: list[object]) -> None:
    sent = to_bytes(read_json(json.dumps(values)))
    assert sent is not None
    assert json.loads(sent) == values


@pytest.mark.parametrize("text", ["NaN", "[Infinity]", "{", "'a'"])
def test_no_json(text: str) -> None:
    with pytest.raises(ValueError):
        read_json(text)


def test_half_a_surrogate_pair_has_no_bytes() -> None:
    with pytest.raises(Undecodable, match="half of a surrogate pair"):
        to_bytes(read_json('"\\ud800"'))
