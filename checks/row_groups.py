"""Rows that differ from the clean run, grouped by what they are known again by.

Counterpart: `row_comparison.py` says what each group is. Here stands what has more than one
reading, such as ids that a restart gives anew: then nothing is chosen.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from killpoint.checks.baseline import BaseTable
from killpoint.checks.row import choose, same_form
from killpoint.faults.table_image import Kind, Row


@dataclass(frozen=True, slots=True)
class Group:
    """The rows of one label that differ; `whole`: all rows of it, in the clean run and now."""

    missing: Counter[Row]
    extra: Counter[Row]
    whole: tuple[int, int]

    @property
    def changed(self) -> bool:
        """One row then and one now: it is the same row with other values."""
        return self.whole == (1, 1)

    @property
    def pure(self) -> bool:
        """Rows are only missing or only too many."""
        return not self.missing or not self.extra


def row_groups(table: BaseTable, now: Counter[Row]) -> dict[Row, Group]:
    """The rows that differ, by label; rows whose numbers are only written otherwise don't."""
    before = table.rows or {}
    missing = _less(before, now)
    extra = _less(now, before)
    if not missing and not extra:
        return {}
    kinds: list[Kind] = [column.kind for column in table.columns]
    formed = _formed(missing, kinds), _formed(extra, kinds)
    missing, extra = _less(*formed), _less(*reversed(formed))
    by_label: defaultdict[Row, tuple[Counter[Row], Counter[Row]]] = defaultdict(
        lambda: (Counter(), Counter())
    )
    for side, rows in enumerate((missing, extra)):
        for row, count in rows.items():
            by_label[choose(row, table.label)][side][row] = count
    sizes = _sizes(table, before, by_label), _sizes(table, now, by_label)
    return {
        label: Group(*sides, (sizes[0][label], sizes[1][label]))
        for label, sides in by_label.items()
    }


def _less(rows: Mapping[Row, int], others: Mapping[Row, int]) -> Counter[Row]:
    """What there is more of in `rows`; without a copy of all of them."""
    found: Counter[Row] = Counter()
    for row, count in rows.items():
        if (more := count - others.get(row, 0)) > 0:
            found[row] = more
    return found


def _formed(rows: Counter[Row], kinds: Sequence[Kind]) -> Counter[Row]:
    found: Counter[Row] = Counter()
    for row, count in rows.items():
        found[same_form(row, kinds)] += count
    return found


def _sizes(table: BaseTable, rows: Mapping[Row, int], wanted: Mapping[Row, object]) -> Counter[Row]:
    found: Counter[Row] = Counter()
    for row, count in rows.items():
        if (label := label_of(table, row)) in wanted:
            found[label] += count
    return found


def label_of(table: BaseTable, row: Row) -> Row:
    """The label of a row, its numbers in one form."""
    return same_form(choose(row, table.label), [table.columns[i].kind for i in table.label])


def doubt_of(table: BaseTable, groups: Mapping[Row, Group]) -> str | None:
    """Why the differences of a table have more than one reading; None if they have one."""
    if all(not group.missing for group in groups.values()):
        return None
    if all(not group.extra for group in groups.values()):
        return None
    fresh = [group for group in groups.values() if group.whole[0] == 0]
    by = ", ".join(table.label_names) or "nothing"
    if fresh:
        return (
            f"rows are missing, and others are there that no clean run left (known again by {by}): "
            "they may be new, or the missing ones with another key"
        )
    if any(not group.changed and not group.pure for group in groups.values()):
        return (
            f"rows are missing and others too many among those that are equal in {by}: a number "
            "of a row may have changed, or one row be lost and another counted twice"
        )
    if _numbered_anew(table, groups):
        return (
            f"the values of the other columns are the same under another {by}: its numbers may be "
            "given anew after a restart"
        )
    return None


def _numbered_anew(table: BaseTable, groups: Mapping[Row, Group]) -> bool:
    """Whether the rows are right, or wrong in one direction only, apart from a key of numbers."""
    if not any(table.columns[place].kind == "number" for place in table.label):
        return False
    rest = [place for place in range(len(table.columns)) if place not in table.label]
    missing: Counter[Row] = Counter()
    extra: Counter[Row] = Counter()
    for group in groups.values():
        for row, count in group.missing.items():
            missing[choose(row, rest)] += count
        for row, count in group.extra.items():
            extra[choose(row, rest)] += count
    return not (missing - extra) or not (extra - missing)
