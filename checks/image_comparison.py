"""A whole image against the baseline: the outcome of one check against the clean run.

Counterpart: `row_comparison.py` compares each table. Tables that the clean runs themselves leave
different are not looked at here; the report names them.
"""

from collections.abc import Sequence

from killpoint.checks.baseline import BaseTable
from killpoint.checks.comparison import CheckOutcome, total
from killpoint.checks.outcome import Outcome, merge
from killpoint.checks.row_comparison import compare_rows
from killpoint.faults.table_image import Image


def comparable(tables: Sequence[BaseTable]) -> bool:
    """Whether there is anything to compare."""
    return any(table.refusal is None for table in tables)


def compare_image(tables: Sequence[BaseTable], image: Image) -> CheckOutcome:
    """The worst that any table shows; `reason` tells the first difference that is unclear.

    The amounts are those of the table that shows most: one event may have a row in several.
    """
    if not comparable(tables):
        return CheckOutcome.failed(refusals(tables))
    found = [compare_rows(each, image.get(each.name)) for each in tables if each.refusal is None]
    outcomes = {outcome for table in found for outcome in table.outcomes}
    doubts = [doubt for table in found for doubt in table.doubts]
    if doubts:
        outcomes.add(Outcome.INCONCLUSIVE)
    differences = tuple(difference for table in found for difference in table.differences)
    return CheckOutcome(
        merge(outcomes or {Outcome.CLEAN}),
        max(total(one.lost for one in table.differences) for table in found),
        max(total(one.counted_twice for one in table.differences) for table in found),
        differences=differences,
        reason=doubts[0] if doubts else None,
    )


def refusals(tables: Sequence[BaseTable]) -> str:
    """Why nothing can be compared."""
    if not tables:
        return "the clean run changed no table"
    return "; ".join(f"{table.name} {table.refusal}" for table in tables)
