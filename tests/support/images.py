"""Images of tables made by hand, for the checks against the clean run."""

from collections import Counter

from killpoint.checks.baseline import BaseTable, CleanRunCheck, baseline
from killpoint.checks.row_comparison import RowsFound, compare_rows
from killpoint.faults.table_image import Column, Image, Kind, TableImage

COUNTS = (Column("code"), Column("clicks", "number"))


def table(
    *rows: tuple[object, ...],
    name: str = "counts",
    columns: tuple[Column, ...] = COUNTS,
    keys: tuple[tuple[str, ...], ...] = (("code",),),
) -> TableImage:
    """A table, by default of clicks per link; None is null."""
    lines = ["\t".join("\\N" if c is None else str(c) for c in row).encode() for row in rows]
    return TableImage(name, columns, keys, Counter(lines))


def counts(**clicks: object) -> TableImage:
    """Clicks per link."""
    return table(*clicks.items())


def image(*tables: TableImage) -> Image:
    """A database of these tables."""
    return {each.name: each for each in tables}


def columns(**kinds: Kind) -> tuple[Column, ...]:
    """Columns by name and kind."""
    return tuple(Column(name, kind) for name, kind in kinds.items())


ORDERS = columns(id="number", status="other", paid="number")


def base(clean: TableImage, before: TableImage | None = None, *ignore: str) -> BaseTable:
    """The table of a baseline; `before`: what it began with."""
    first = image(before) if before is not None else image()
    check = CleanRunCheck("all", (clean.name,), ignore)
    (found,) = baseline(check, first, image(clean), image(clean))
    return found


def compared(
    clean: TableImage, now: TableImage | None, before: TableImage | None = None, *ignore: str
) -> RowsFound:
    """A table now against a clean run that left `clean`."""
    return compare_rows(base(clean, before, *ignore), now)


def orders(*rows: tuple[object, ...]) -> TableImage:
    """Orders with their number, status and what was paid."""
    return table(*rows, name="orders", columns=ORDERS, keys=(("id",),))


def payload(*codes: str) -> TableImage:
    """Rows of one text and without a key."""
    return table(*((code,) for code in codes), columns=columns(code="other"), keys=())
