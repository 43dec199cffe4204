"""Reads the image of a database: every table of the user's with its rows, all at one instant.

Counterpart: `faults.table_image` is what comes out, `postgres_control` gives the connection. Each
table is one stream (COPY), so memory is that of the rows alone, and rows beyond the limit are not
kept. Tables of extensions and temporary ones are left out; a partitioned table is read whole.
"""

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from typing import cast

import psycopg
from psycopg import sql

from killpoint.faults.table_image import Column, Image, Kind, Row, TableImage

_BLOCK_BYTES = 1 << 16
Connection = psycopg.AsyncConnection[tuple[object, ...]]

_TABLES = """
    select c.oid::bigint, n.nspname::text, c.relname::text
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and not c.relispartition and c.relpersistence <> 't'
      and n.nspname not in ('pg_catalog', 'information_schema')
      and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass
                      and d.objid = c.oid and d.deptype = 'e')
    order by 2, 3
"""
# A reference is an identity, not an amount. A default of a sequence reads nextval(…).
_COLUMNS = """
    select a.attrelid::bigint, a.attname::text,
        case when exists (select from pg_constraint f where f.conrelid = a.attrelid
                          and f.contype = 'f' and a.attnum = any(f.conkey)) then 'other'
             when a.atttypid in ('int2'::regtype, 'int4'::regtype, 'int8'::regtype,
                                 'numeric'::regtype) then 'number'
             when a.atttypid in ('float4'::regtype, 'float8'::regtype) then 'float'
             else 'other' end,
        a.attidentity <> '' or coalesce(pg_get_expr(d.adbin, d.adrelid) ~ 'nextval\\(', false)
    from pg_attribute a left join pg_attrdef d
        on d.adrelid = a.attrelid and d.adnum = a.attnum and a.attgenerated = ''
    where a.attrelid = any(%s) and a.attnum > 0 and not a.attisdropped
    order by a.attrelid, a.attnum
"""
_KEYS = """
    select i.indrelid::bigint, array_agg(a.attname::text order by k.place)
    from pg_index i cross join unnest(i.indkey::smallint[]) with ordinality k (number, place)
        join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.number
    where i.indrelid = any(%s) and i.indisunique and i.indpred is null and i.indexprs is null
      and k.place <= i.indnkeyatts
    group by i.indrelid, i.indexrelid, i.indisprimary
    order by i.indisprimary desc, i.indexrelid
"""


@dataclass(frozen=True, slots=True)
class _Shape:
    """A table without its rows."""

    number: int
    schema: str
    table: str

    @property
    def name(self) -> str:
        return self.table if self.schema == "public" else f"{self.schema}.{self.table}"


async def read_image(
    connection: Connection, tables: Collection[str] | None, limit_rows: int
) -> Image:
    """The image of the named tables, of all where None; together at most `limit_rows` rows.

    A named table that is not there is not in the image. Raises psycopg.Error.
    """
    async with connection.transaction():
        await connection.execute("set transaction isolation level repeatable read read only")
        rows = await (await connection.execute(_TABLES)).fetchall()
        shapes = [_Shape(int(str(o)), str(schema), str(name)) for o, schema, name in rows]
        shapes = [shape for shape in shapes if tables is None or shape.name in tables]
        numbers = [shape.number for shape in shapes]
        columns = await _columns(connection, numbers)
        keys = await _keys(connection, numbers)
        found: dict[str, TableImage] = {}
        for shape in shapes:
            mine = tuple(columns.get(shape.number, ()))
            kept = await _rows(connection, shape, mine, limit_rows)
            limit_rows -= kept.total() if kept is not None else 0
            found[shape.name] = TableImage(
                shape.name, mine, tuple(keys.get(shape.number, ())), kept
            )
    return found


async def _columns(connection: Connection, numbers: list[int]) -> dict[int, list[Column]]:
    found: dict[int, list[Column]] = {}
    cursor = await connection.execute(_COLUMNS, (numbers,))
    for number, name, kind, sequence in await cursor.fetchall():
        found.setdefault(int(str(number)), []).append(
            Column(str(name), _kind(str(kind)), bool(sequence))
        )
    return found


def _kind(text: str) -> Kind:
    return "number" if text == "number" else "float" if text == "float" else "other"


async def _keys(connection: Connection, numbers: list[int]) -> dict[int, list[tuple[str, ...]]]:
    found: dict[int, list[tuple[str, ...]]] = {}
    cursor = await connection.execute(_KEYS, (numbers,))
    for number, names in await cursor.fetchall():
        key = tuple(cast(list[str], names))
        found.setdefault(int(str(number)), []).append(key)
    return found


async def _rows(
    connection: Connection, shape: _Shape, columns: tuple[Column, ...], limit: int
) -> Counter[Row] | None:
    """The rows of one table; None if there are more than the limit."""
    query = sql.SQL("copy (select {} from {} limit {}) to stdout").format(
        sql.SQL(", ").join(sql.Identifier(column.name) for column in columns),
        sql.Identifier(shape.schema, shape.table),
        sql.Literal(max(0, limit) + 1),
    )
    found: Counter[Row] = Counter()
    held = bytearray()
    async with connection.cursor() as cursor, cursor.copy(query) as copy:
        async for block in copy:
            held += block
            if len(held) > _BLOCK_BYTES:
                held = _count(held, found)
    _count(held, found)
    return None if found.total() > limit else found


def _count(held: bytearray, found: Counter[Row]) -> bytearray:
    """Count the whole lines; returns the rest."""
    *lines, rest = bytes(held).split(b"\n")
    found.update(lines)
    return bytearray(rest)
