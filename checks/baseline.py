"""The baseline: what clean runs left in the database, as far as two of them agree.

Counterpart: `row_comparison.py` compares a later image with it. The second clean run begins with
its sequences moved on, so that what is numbered by one differs and is known as such. Pure: images
in, tables out; what can't be compared is said, never guessed.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from itertools import combinations
from typing import Final

from killpoint.checks.row import project, same_form
from killpoint.faults.table_image import Column, Image, Kind, Row, TableImage

ROWS_LIMIT: Final = 1_000_000
"""The rows of all tables of an image together, so that memory stays below about 500 MB."""

NAMED: Final = "named in ignore"
SEQUENCE: Final = "numbered by a sequence"
DIFFERS: Final = "differs between two clean runs"
MOVES: Final = "stands in other rows in another clean run"
MOVING_TOGETHER: Final = 2


@dataclass(frozen=True, slots=True)
class CleanRunCheck:
    """A check against the clean run. No `tables`: those that the clean run changed.

    `ignore`: patterns of a column ("id", "*_at") or of table and column ("*.id", "orders.*").
    `other_tables`: those that are left out unless `tables` has them, in lower case. `database`: the
    key of one beside the main database; None: the main one.
    """

    name: str
    tables: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    other_tables: frozenset[str] = frozenset()
    database: str | None = None

    def ignores(self, table: str, column: str) -> bool:
        """Whether a column is named in `ignore`."""
        return any(
            fnmatchcase(f"{table}.{column}" if "." in pattern else column, pattern)
            for pattern in self.ignore
        )


@dataclass(frozen=True, slots=True)
class BaseTable:
    """One table: the columns compared, the rows that the clean run left of them.

    `label`: the columns by which a row is known again, a key where there is one that serves, else
    the texts; may be empty. `ignored`: columns with the reason. `before`: the rows before the run.
    `refusal`: why the table can't be compared; there are no rows then.
    """

    name: str
    columns: tuple[Column, ...] = ()
    label: tuple[int, ...] = ()
    keyed: bool = False
    ignored: tuple[tuple[str, str], ...] = ()
    rows: Mapping[Row, int] | None = None
    before: Mapping[Row, int] | None = None
    refusal: str | None = None

    @property
    def label_names(self) -> tuple[str, ...]:
        """The names of the label's columns."""
        return tuple(self.columns[place].name for place in self.label)


def baseline(
    check: CleanRunCheck, before: Image, first: Image, second: Image
) -> tuple[BaseTable, ...]:
    """The tables of a check by two clean runs, which began from `before`."""
    names = check.tables or tuple(
        name
        for name, table in first.items()
        if name.lower() not in check.other_tables and _changed(before.get(name), table)
    )
    return tuple(_table(check, name, before, first, second) for name in names)


def unmatched(check: CleanRunCheck, image: Image) -> list[str]:
    """The patterns of `ignore` that no column matches: misspelt, most likely."""
    columns = [(table.name, column.name) for table in image.values() for column in table.columns]
    return [
        pattern
        for pattern in check.ignore
        if not any(CleanRunCheck("", (), (pattern,)).ignores(*column) for column in columns)
    ]


def _changed(before: TableImage | None, after: TableImage) -> bool:
    if before is None:
        return after.rows is None or bool(after.rows)
    if before.rows is None or after.rows is None:
        # Too many rows to look at: whether it was changed is not known, so it has to be said.
        return True
    return before.columns != after.columns or before.rows != after.rows


def _table(
    check: CleanRunCheck, name: str, before: Image, first: Image, second: Image
) -> BaseTable:
    one, other = first.get(name), second.get(name)
    if one is None:
        return BaseTable(name, refusal=f"is not in the database (there are: {', '.join(first)})")
    if other is None:
        return BaseTable(name, refusal="is not there after every clean run")
    if one.rows is None or other.rows is None:
        return BaseTable(name, refusal=f"has too many rows: more than {ROWS_LIMIT:,} in all")
    if one.count != other.count:
        counts = f"{one.count} rows after one clean run, {other.count} after another"
        return BaseTable(name, refusal=f"has {counts}")
    return _compared(check, one, other, before.get(name))


def _compared(
    check: CleanRunCheck, one: TableImage, other: TableImage, before: TableImage | None
) -> BaseTable:
    ignored = dict(_ignored(check, one, other))
    kept = [place for place, column in enumerate(one.columns) if column.name not in ignored]
    moving = _moving(one, other, kept)
    if moving is None:
        return BaseTable(one.name, refusal="has other rows after another clean run", ignored=())
    ignored |= {one.columns[place].name: MOVES for place in moving}
    kept = [place for place in kept if place not in moving]
    reasons = tuple((c.name, ignored[c.name]) for c in one.columns if c.name in ignored)
    if not kept:
        refusal = "has no column left: each differs between two clean runs or is ignored"
        return BaseTable(one.name, ignored=reasons, refusal=refusal)
    columns = tuple(one.columns[place] for place in kept)
    label, keyed = _label(one, columns)
    width = len(one.columns)
    started = before.rows if before is not None and before.columns == one.columns else None
    return BaseTable(
        one.name,
        columns,
        label,
        keyed,
        reasons,
        project(one.rows or {}, kept, width),
        project(started or {}, kept, width),
    )


def _ignored(check: CleanRunCheck, one: TableImage, other: TableImage) -> Iterator[tuple[str, str]]:
    """The columns that are not compared, each for itself."""
    there = {column.name: place for place, column in enumerate(other.columns)}
    for place, column in enumerate(one.columns):
        if check.ignores(one.name, column.name):
            yield column.name, NAMED
        elif column.sequence:
            yield column.name, SEQUENCE
        elif column.name not in there or _cells(one, place) != _cells(other, there[column.name]):
            yield column.name, DIFFERS


def _cells(table: TableImage, place: int) -> Counter[Row]:
    return _formed(table, [place])


def _formed(table: TableImage, places: Sequence[int]) -> Counter[Row]:
    """The rows of some columns, numbers in one form."""
    kinds: list[Kind] = [table.columns[place].kind for place in places]
    found: Counter[Row] = Counter()
    for row, count in project(table.rows or {}, places, len(table.columns)).items():
        found[same_form(row, kinds)] += count
    return found


def _moving(one: TableImage, other: TableImage, kept: Sequence[int]) -> tuple[int, ...] | None:
    """The fewest further columns without which the rows agree; None if two don't suffice."""
    there = {column.name: place for place, column in enumerate(other.columns)}
    for size in range(MOVING_TOGETHER + 1):
        for moving in combinations(kept, min(size, len(kept))):
            rest = [place for place in kept if place not in moving]
            theirs = [there[one.columns[place].name] for place in rest]
            if _formed(one, rest) == _formed(other, theirs):
                return moving
    return None


def _label(table: TableImage, columns: Sequence[Column]) -> tuple[tuple[int, ...], bool]:
    """The places of the first key whose columns are all compared, else of all that is no number."""
    names = [column.name for column in columns]
    for key in table.keys:
        if all(name in names for name in key):
            return tuple(names.index(name) for name in key), True
    return tuple(i for i, column in enumerate(columns) if column.kind == "other"), False
