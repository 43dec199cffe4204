"""A whole image against the baseline: the worst of its tables."""

import pytest

from killpoint.checks.baseline import BaseTable, CleanRunCheck, baseline
from killpoint.checks.image_comparison import comparable, compare_image
from killpoint.checks.outcome import Outcome
from killpoint.faults.table_image import Image, TableImage
from tests.support.images import columns, counts, image, table

CLEAN = image(counts(a=3), table(("x",), name="log", columns=columns(code="other"), keys=()))


def tables() -> tuple[BaseTable, ...]:
    return baseline(CleanRunCheck("all"), {}, CLEAN, CLEAN)


def log(*codes: str) -> TableImage:
    return table(*((code,) for code in codes), name="log", columns=columns(code="other"), keys=())


@pytest.mark.parametrize(
    ("now", "outcome"),
    [
        (CLEAN, Outcome.CLEAN),
        (image(counts(a=4), log("x")), Outcome.COUNTED_TWICE),
        (image(counts(a=2), log("x", "x")), Outcome.BOTH),
        (image(counts(a=3), log("y")), Outcome.INCONCLUSIVE),
        (image(counts(a=4), log("y")), Outcome.COUNTED_TWICE),
    ],
)
def test_the_worst_of_the_tables(now: Image, outcome: Outcome) -> None:
    assert compare_image(tables(), now).outcome is outcome


def test_the_keys_of_a_difference_name_table_row_and_column() -> None:
    found = compare_image(tables(), image(counts(a=5), log("x", "x")))
    assert [found.named(each) for each in found.keys] == [
        {"table": "counts", "code": "a", "column": "clicks"},
        {"table": "log", "code": "x"},
    ]
    assert [(each.expected, each.actual) for each in found.keys] == [("3", "5"), (0, 1)]
    assert (found.lost, found.counted_twice, found.keys_total) == (0, 2, 2)


def test_nothing_to_compare_is_never_a_pass() -> None:
    found = compare_image((), CLEAN)
    assert (found.outcome, found.reason) == (
        Outcome.INCONCLUSIVE,
        "the clean run changed no table",
    )
    refused = (BaseTable("counts", refusal="has other rows after another clean run"),)
    assert not comparable(refused)
    reason = compare_image(refused, CLEAN).reason
    assert reason == "counts has other rows after another clean run"
