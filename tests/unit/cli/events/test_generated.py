"""Events from templates."""

from uuid import UUID

import pytest

from killpoint.cli.config.source import GenerateTable
from killpoint.cli.events.generated import GenerateError, generate_events
from killpoint.faults.record import Record


def test_the_variables() -> None:
    table = GenerateTable(
        count=3,
        key="link-{{ i }}",
        value='{"amount": {{ amount }}}\n',
        headers={"n": "{{ i + 1 }}"},
    )
    assert generate_events(table, "clicks", "seed") == [
        Record("clicks", -1, -1, b"link-0", b'{"amount": 1}\n', (("n", b"1"),)),
        Record("clicks", -1, -1, b"link-1", b'{"amount": 3}\n', (("n", b"2"),)),
        Record("clicks", -1, -1, b"link-2", b'{"amount": 9}\n', (("n", b"3"),)),
    ]


def test_no_key_is_no_key() -> None:
    assert generate_events(GenerateTable(count=1, value="é"), "t", "")[0].key is None


def test_a_uuid_is_the_same_for_a_number_and_a_seed() -> None:
    table = GenerateTable(count=2, key="{{ uuid(i) }}", value="{{ uuid(0) }}")
    first, again, other = (generate_events(table, "t", seed) for seed in ("a", "a", "b"))
    assert first == again
    assert first[0].key == first[0].value == first[1].value
    assert len({first[0].key, first[1].key, other[0].key}) == 3
    assert UUID((first[0].key or b"").decode()).version == 5


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("{{ nothing }}", "'nothing' is undefined"),
        ("{{ i", "unexpected end of template"),
        ("{{ i | nofilter }}", "No filter named 'nofilter'"),
        ("{% include 'x' %}", "no loader"),
        ("{{ ''.__class__.__mro__ }}", "is unsafe"),
        ("{{ i / 0 }}", "division by zero"),
        ("{{ range(10000000) }}", "Range too big"),
    ],
)
def test_a_template_that_fails_says_which_and_why(value: str, message: str) -> None:
    for table, key in (
        (GenerateTable(count=1, value=value), "value"),
        (GenerateTable(count=1, value="", key=value), "key"),
        (GenerateTable(count=1, value="", headers={"x": value}), "headers.x"),
    ):
        with pytest.raises(GenerateError, match=message) as caught:
            generate_events(table, "t", "")
        assert caught.value.key == key
