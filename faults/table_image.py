"""The image of a table: its columns, keys and rows at one instant, as plain data.

Counterpart: `compose` reads images from Postgres, `checks` compares them. Nothing is known here of
what a row means.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Kind = Literal["number", "float", "other"]
"""Numbers can be counted: a reference to another table is none, whatever its type."""

Row = bytes
"""One row as COPY writes it in text form: cells apart by tabs, `\\N` for null, no newline."""


@dataclass(frozen=True, slots=True)
class Column:
    """`sequence`: its values come from a sequence, by its default or as an identity."""

    name: str
    kind: Kind = "other"
    sequence: bool = False


@dataclass(frozen=True, slots=True)
class TableImage:
    """`keys`: the primary key first, then the unique indexes, each as names of columns.

    `rows` counts equal rows; None where there are more than the reader's limit. The name has its
    schema in front, unless that is `public`.
    """

    name: str
    columns: tuple[Column, ...]
    keys: tuple[tuple[str, ...], ...]
    rows: Mapping[Row, int] | None

    @property
    def count(self) -> int:
        """How many rows there are; 0 where that is not known."""
        return sum((self.rows or {}).values())


Image = Mapping[str, TableImage]
"""The tables of a database by name, all at one instant."""
