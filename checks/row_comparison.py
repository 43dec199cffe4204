"""Rows against what the clean run left: lost, counted twice, stale or partial, by row and column.

Counterpart: `baseline.py` says what is compared, `row_groups.py` finds the rows that differ. The
rule stands in RULE; where a difference has more than one reading, none is chosen: the outcome is
then inconclusive, with the reason.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from killpoint.checks.baseline import BaseTable
from killpoint.checks.comparison import RowDifference
from killpoint.checks.number import Number, excess, negative
from killpoint.checks.outcome import Outcome
from killpoint.checks.row import NULL, number, project, text
from killpoint.checks.row_groups import Group, doubt_of, label_of, row_groups
from killpoint.faults.table_image import Row, TableImage

RULE: Final = (
    "A row that is missing is lost, one too many is counted twice. A row is known again by its "
    "key, without one by its texts. A number of it that went further than in the clean run, from "
    "where it began, is counted twice by that amount, one that fell short is lost; a value that "
    "is missing is partial, another one stale. What has two readings is inconclusive."
)
DO: Final = "write that check in SQL, or ignore the columns that a restart may change"


@dataclass(slots=True)
class RowsFound:
    """What one table showed; `doubts` are its differences that have two readings."""

    outcomes: set[Outcome] = field(default_factory=set[Outcome])
    differences: list[RowDifference] = field(default_factory=list[RowDifference])
    doubts: list[str] = field(default_factory=list[str])


def compare_rows(table: BaseTable, now: TableImage | None) -> RowsFound:
    """One table now against the clean run. `table` must have rows (no refusal)."""
    found = RowsFound()
    rows, refusal = _now(table, now)
    if rows is None:
        found.doubts.append(f"{table.name} {refusal}")
        return found
    groups = row_groups(table, rows)
    if not groups:
        return found
    if doubt := doubt_of(table, groups):
        found.doubts.append(f"{table.name}: {doubt}")
        return found
    begun = _begun(table, groups)
    for label, group in sorted(groups.items()):
        if group.changed:
            _changed_row(table, begun.get(label), group, found)
        else:
            _count_rows(table, group, found)
    return found


def _now(table: BaseTable, now: TableImage | None) -> tuple[Counter[Row] | None, str]:
    """The rows of the columns compared; a table that is gone has none."""
    if now is None:
        return Counter(), ""
    if now.rows is None:
        return None, "has too many rows to be compared"
    names = [column.name for column in now.columns]
    missing = [column.name for column in table.columns if column.name not in names]
    if missing:
        return None, f"has no column {', '.join(missing)} any more"
    places = [names.index(column.name) for column in table.columns]
    return project(now.rows, places, len(names)), ""


def _count_rows(table: BaseTable, group: Group, found: RowsFound) -> None:
    """Rows that are missing or too many."""
    for row, count in sorted(group.missing.items()):
        found.outcomes.add(Outcome.LOST)
        found.differences.append(_whole_row(table, row, count, 0))
    for row, count in sorted(group.extra.items()):
        found.outcomes.add(Outcome.COUNTED_TWICE)
        found.differences.append(_whole_row(table, row, 0, count))


def _whole_row(table: BaseTable, row: Row, then: int, now: int) -> RowDifference:
    places = table.label or tuple(range(len(table.columns)))
    names, key = _named(table, row.split(b"\t"), places)
    return RowDifference(names, key, then, now, excess(then, now), excess(now, then))


def _named(
    table: BaseTable, cells: Sequence[bytes], places: Iterable[int]
) -> tuple[tuple[str, ...], tuple[str | None, ...]]:
    chosen = list(places)
    names = ("table", *(table.columns[place].name for place in chosen))
    return names, (table.name, *(text(cells[place]) for place in chosen))


def _changed_row(
    table: BaseTable, begun: list[bytes] | None, group: Group, found: RowsFound
) -> None:
    """The columns of one row that differ; its first number that does counts for the row."""
    (then,), (now,) = group.missing, group.extra
    counted = False
    for place, (old, new) in enumerate(zip(then.split(b"\t"), now.split(b"\t"), strict=True)):
        if old == new:
            continue
        names, key = _named(table, then.split(b"\t"), table.label)
        names, key = (*names, "column"), (*key, table.columns[place].name)
        if table.columns[place].kind == "other" or NULL in (old, new):
            found.outcomes.add(Outcome.PARTIAL if new == NULL else Outcome.STALE)
            found.differences.append(RowDifference(names, key, text(old), text(new)))
            continue
        start = begun[place] if begun is not None else b"0"
        lost, twice, doubt = _moved(start, old, new)
        if doubt:
            found.doubts.append(_unclear(table, key, text(old), text(new), doubt))
            continue
        found.outcomes.add(Outcome.LOST if lost else Outcome.COUNTED_TWICE)
        amounts = (0, 0) if counted else (lost, twice)
        found.differences.append(RowDifference(names, key, text(old), text(new), *amounts))
        counted = True


def _begun(table: BaseTable, groups: Mapping[Row, Group]) -> dict[Row, list[bytes]]:
    """The cells, before the run, of the rows that differ; without those that were not there."""
    found: dict[Row, list[bytes]] = {}
    for row in table.before or {}:
        if (label := label_of(table, row)) in groups:
            found[label] = row.split(b"\t")
    return found


def _moved(start: bytes, then: bytes, now: bytes) -> tuple[Number, Number, str | None]:
    """Lost, counted twice, and why neither can be said, of a number that was moved from `start`."""
    begun, wanted, got = number(start) or 0, number(then), number(now)
    if wanted is None or got is None:
        return 0, 0, "it is no finite number"
    if wanted == begun:
        return 0, 0, "the clean run left it where it was, so which way it counts is not known"
    if wanted < begun:
        begun, wanted, got = negative(begun), negative(wanted), negative(got)
    if got < begun:
        return 0, 0, "it went the other way"
    return excess(wanted, got), excess(got, wanted), None


def _unclear(
    table: BaseTable, key: Sequence[str | None], then: str | None, now: str | None, why: str
) -> str:
    *_, column = key
    row = ", ".join(f"{value}" for value in key[1:-1])
    return f"{table.name}.{column} of {row or 'a row'} is {now} instead of {then}; {why}"
