"""The cells of a row: chosen, read as text and as numbers."""

import pytest

from killpoint.checks.row import choose, number, project, same_form, text


def test_cells_are_chosen_in_the_order_asked_for() -> None:
    assert choose(b"a\tb\tc", (2, 0)) == b"c\ta"
    assert choose(b"a\tb", ()) == b""


def test_rows_that_become_equal_are_added_up() -> None:
    rows = {b"1\ta": 1, b"2\ta": 2}
    assert project(rows, [1], 2) == {b"a": 3}
    assert project(rows, [0, 1], 2) == rows


@pytest.mark.parametrize(
    ("cell", "shown"),
    [
        (b"plain", "plain"),
        (b"\\N", None),
        (b"\\\\N", "\\N"),
        (b"a\\tb\\nc\\\\t", "a\tb\nc\\t"),
        (b"\xc3\xa9", "\u00e9"),
    ],
)
def test_a_cell_is_read_as_copy_wrote_it(cell: bytes, shown: str | None) -> None:
    assert text(cell) == shown


def test_numbers_are_exact_or_none() -> None:
    assert number(b"3") == 3
    assert str(number(b"1.50")) == "1.5"
    assert number(b"NaN") is None
    assert number(b"\\N") is None


def test_numbers_get_one_form_and_other_cells_stay() -> None:
    row = b"1.50\t0.30000000000000004\t01.0\t\\N"
    assert same_form(row, ("number", "float", "other", "number")) == b"1.5\t0.3\t01.0\t\\N"
