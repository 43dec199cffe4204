"""Columns that are taken in whole: every cell comes out as it went in."""

from collections.abc import Iterator, Sequence

import duckdb
import pytest

from killpoint.checks.columns import insert

CELLS: Sequence[tuple[str | None, bytes | None]] = [
    (None, None),
    ("", b""),
    ("ö\0ü 😀", b"\xff\0\xfe"),
    *((f"text {n}" if n % 3 else None, b"%d" % n if n % 5 else None) for n in range(70)),
]


@pytest.fixture
def database() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect(":memory:") as connection:
        connection.execute('create table t ("at" bigint, small integer, word varchar, raw blob)')
        yield connection


def inserted(
    database: duckdb.DuckDBPyConnection, cells: Sequence[tuple[str | None, bytes | None]]
) -> list[tuple[object, ...]]:
    numbers = [2**62 - n for n in range(len(cells))]
    words, raws = [word for word, _ in cells], [raw for _, raw in cells]
    insert(
        database,
        "t",
        ("at", "bigint", numbers),
        [("raw", "blob", raws), ("word", "varchar", words)],
    )
    return database.execute('select word, raw from t order by "at" desc').fetchall()


@pytest.mark.parametrize("length", [1, 2, 3, 8, 9, len(CELLS)])
def test_every_cell_comes_out_as_it_went_in(
    database: duckdb.DuckDBPyConnection, length: int
) -> None:
    assert inserted(database, CELLS[:length]) == list(CELLS[:length])


@pytest.mark.parametrize("cell", CELLS[:4])
def test_cells_that_are_all_the_same(
    database: duckdb.DuckDBPyConnection, cell: tuple[str | None, bytes | None]
) -> None:
    assert inserted(database, [cell] * 9) == [cell] * 9


def test_integers_keep_their_size(database: duckdb.DuckDBPyConnection) -> None:
    small = [-(2**31), 2**31 - 1]
    insert(database, "t", ("at", "bigint", [-(2**63), 2**63 - 1]), [("small", "integer", small)])
    assert database.execute("select * from t order by small").fetchall() == [
        (-(2**63), small[0], None, None),
        (2**63 - 1, small[1], None, None),
    ]


def test_nothing_of_the_way_in_is_left(database: duckdb.DuckDBPyConnection) -> None:
    inserted(database, CELLS)
    assert database.execute("select table_name from duckdb_tables()").fetchall() == [("t",)]
    views = "select count(*) from duckdb_views() where not internal"
    assert database.execute(views).fetchall() == [(0,)]
