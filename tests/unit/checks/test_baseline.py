"""The baseline: what two clean runs agree on, and what is said of the rest."""

import dataclasses

from killpoint.checks.baseline import BaseTable, CleanRunCheck, baseline, unmatched
from killpoint.faults.table_image import Column, Image, TableImage
from tests.support.images import columns, counts, image, table

CHECK = CleanRunCheck("all")
LOG = columns(id="number", code="other", at="other", amount="number")


def only(
    one: TableImage, other: TableImage | None = None, check: CleanRunCheck = CHECK
) -> BaseTable:
    (found,) = baseline(check, {}, image(one), image(other or one))
    return found


def log(*rows: tuple[object, ...]) -> TableImage:
    return table(*rows, name="log", columns=LOG, keys=(("id",),))


def names(found: BaseTable) -> list[str]:
    return [column.name for column in found.columns]


def test_the_tables_that_the_clean_run_changed_are_compared() -> None:
    before = image(counts(a=0), table(("x", 1), name="links"))
    after = image(counts(a=3), table(("x", 1), name="links"), table(("y", 2), name="made"))
    found = baseline(CHECK, before, after, after)
    assert [each.name for each in found] == ["counts", "made"]
    assert found[0].rows == {b"a\t3": 1} and found[0].before == {b"a\t0": 1}


def test_a_table_that_is_made_and_stays_empty_is_not_changed() -> None:
    empty = image(table(name="made"))
    assert baseline(CHECK, {}, empty, empty) == ()


def test_named_tables_are_compared_even_unchanged_and_a_missing_one_is_told() -> None:
    check = CleanRunCheck("some", ("counts", "cuonts"))
    same = image(counts(a=1))
    found = baseline(check, same, same, same)
    assert found[0].refusal is None
    assert found[1].refusal == "is not in the database (there are: counts)"


def test_columns_that_differ_are_ignored_and_listed() -> None:
    found = only(log((1, "a", "9:00", 5)), log((1001, "a", "9:01", 5)))
    assert names(found) == ["code", "amount"]
    reason = "differs between two clean runs"
    assert found.ignored == (("id", reason), ("at", reason))
    assert found.rows == {b"a\t5": 1}


def test_what_a_sequence_numbers_is_ignored_even_where_it_agrees() -> None:
    shape = (Column("id", "number", sequence=True), Column("code"))
    one = table((1, "a"), columns=shape, keys=(("id",), ("code",)))
    found = only(one)
    assert found.ignored == (("id", "numbered by a sequence"),)
    assert (found.label_names, found.keyed) == (("code",), True)


def test_columns_are_ignored_by_name_by_table_and_by_pattern() -> None:
    one = log((1, "a", "9:00", 5))
    for ignore in (("id", "at"), ("log.id", "*.at"), ("id", "a?")):
        assert names(only(one, check=CleanRunCheck("all", (), ignore))) == ["code", "amount"]
    refused = only(one, check=CleanRunCheck("all", (), ("log.*",)))
    assert refused.refusal is not None and "has no column left" in refused.refusal


def test_a_pattern_without_a_column_is_told() -> None:
    check = CleanRunCheck("all", (), ("id", "*.modified_on", "log.at"))
    assert unmatched(check, image(log((1, "a", "9:00", 5)))) == ["*.modified_on"]


def test_columns_that_move_between_rows_are_ignored_the_fewest() -> None:
    one = table((1, "a", 7), (2, "b", 8), columns=columns(id="number", code="other", n="number"))
    other = dataclasses.replace(one, rows={b"2\ta\t7": 1, b"1\tb\t8": 1})
    found = only(one, other)
    assert found.ignored == (("id", "stands in other rows in another clean run"),)
    assert found.rows == {b"a\t7": 1, b"b\t8": 1}


def test_numbers_that_are_only_written_otherwise_agree() -> None:
    assert only(counts(a="1.50"), counts(a="1.5")).ignored == ()


def test_rows_that_differ_in_number_can_not_be_compared() -> None:
    found = only(log((1, "a", "9", 5)), log((1, "a", "9", 5), (2, "b", "9", 5)))
    assert found.refusal == "has 1 rows after one clean run, 2 after another"


def test_a_table_that_is_too_large_is_said() -> None:
    large = dataclasses.replace(counts(a=1), rows=None)
    refusal = only(large).refusal
    assert refusal == "has too many rows: more than 1,000,000 in all"


def test_without_a_key_the_texts_of_a_row_are_its_label() -> None:
    found = only(table(("a", 1), keys=()))
    assert (found.label_names, found.keyed) == (("code",), False)


def test_a_key_that_is_ignored_serves_no_more() -> None:
    found = only(counts(a=1), check=CleanRunCheck("all", (), ("code",)))
    assert (found.label, found.keyed) == ((), False)


def test_a_table_that_one_clean_run_lacks_can_not_be_compared() -> None:
    none: Image = {}
    (found,) = baseline(CHECK, {}, image(counts(a=1)), none)
    assert found.refusal == "is not there after every clean run"
