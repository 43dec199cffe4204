"""The ledger: the truth about the events, as the topics really hold them, for SQL in DuckDB.

Counterpart: the broker's control reads the records, `check.py` asks for expected totals over them.
It reads no topic itself, writes no file, loads no extension and changes nothing after it is built.
"""

import json
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any, Final, Literal

import duckdb

from killpoint.checks.columns import insert
from killpoint.faults.position import Position, TopicPartition
from killpoint.faults.record import Headers, Record

# Two threads: the target and both servers still live while a check runs.
_SETTINGS: Final[dict[str, str | bool | int | float | list[str]]] = {
    "enable_external_access": "false",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "temp_directory": "",
    "threads": "2",
    "errors_as_json": "true",
}
_RECORDS: Final = """
create table records (
    topic varchar, partition integer, "offset" bigint, key blob, value blob, headers varchar,
    timestamp bigint, origin varchar, decoded varchar, more_headers blob
)"""
# A view, so that a column costs nothing until a check asks for it and the bytes are held once.
_EVENTS: Final = """
create temp view events as select
    topic, partition, "offset", try(decode(key)) as key,
    try_cast(coalesce(decoded, try(decode(value))) as json) as value, value as value_bytes,
    headers::json as headers,
    case when timestamp >= 0 then try(epoch_ms(timestamp)) end as timestamp{origin}
from """
_GIVEN: Final = "(select * from {} where origin = 'killpoint')"
_PART: Final = """(
    select records.* from records left join positions using (topic, partition)
    where records."offset" {} coalesce(positions."offset", 0)
)"""
_POSITIONS: Final = (
    'create temp table positions (topic varchar, partition integer, "offset" bigint)'
)
_ENDS: Final = 'select topic, partition, max("offset") + 1 from events group by all'

_LINES: Final = """
select to_json({
    topic: topic, partition: partition, "offset": "offset", key: key, value: value,
    value_bytes: base64(value_bytes), headers: headers,
    timestamp: strftime(timestamp, '%Y-%m-%dT%H:%M:%S.%gZ')
})::varchar from events order by topic, partition, "offset"
"""

_headers = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
Row = tuple[Any, ...]


class Ledger:
    """The events, as a DuckDB table `events` with one row for each record.

    | column | type | meaning |
    | --- | --- | --- |
    | topic, partition, "offset" | VARCHAR, INTEGER, BIGINT | where the record stands |
    | key | VARCHAR | null where there is none or it is not UTF-8 |
    | value | JSON | null for a tombstone and for bytes that are not JSON (plain text is |
    | | | not quoted: `decode(value_bytes)` gives it); of a format with a schema as JSON |
    | value_bytes | BLOB | the value as it is, null for a tombstone |
    | headers | JSON | object of name to text; the last of a name counts, not UTF-8 is null |
    | timestamp | TIMESTAMP | in UTC, to the ms; null where the record has none |
    | origin | VARCHAR | "killpoint" or "target" |

    A query that does not name `origin` sees killpoint's events only: what the target itself writes
    into a topic that it reads changes no expected totals unless the query asks for it.
    """

    def __init__(self, records: Sequence[Record]) -> None:
        self._database = duckdb.connect(":memory:", config=_SETTINGS)
        self._database.execute(_RECORDS)
        self._mixed = False
        self.add(records)
        self._positions: tuple[Position, ...] = ()
        self._side: Literal["", "<", ">="] = ""

    def add(self, records: Sequence[Record]) -> None:
        """Take in more of the records, in their order, before anything is asked."""
        if not records:
            return
        topics, partitions, offsets, keys, values, headers, timestamps, origins, decoded = zip(
            *records, strict=True
        )
        told, more = zip(*_all_told(headers), strict=True)
        insert(
            self._database,
            "records",
            ("offset", "bigint", offsets),
            [
                ("topic", "varchar", topics),
                ("partition", "integer", partitions),
                ("key", "blob", keys),
                ("value", "blob", values),
                ("headers", "varchar", told),
                ("timestamp", "bigint", timestamps),
                ("origin", "varchar", origins),
                ("decoded", "varchar", decoded),
                ("more_headers", "blob", more),
            ],
        )
        self._mixed = self._mixed or origins.count("killpoint") < len(origins)

    def before(self, positions: Iterable[Position]) -> "Ledger":
        """The events before the positions; of a partition without one there are none."""
        return self._part("<", positions)

    def after(self, positions: Iterable[Position]) -> "Ledger":
        """The events from the positions on: all that `before` leaves out."""
        return self._part(">=", positions)

    def ends(self, partitions: Iterable[TopicPartition] = ()) -> dict[TopicPartition, int]:
        """The last data record + 1 of each partition; 0 for those of `partitions` without records.

        Control records make holes, so a topic's log end may be further.
        """
        found = dict.fromkeys(partitions, 0)
        for topic, partition, end in self._fetch(_ENDS)[1]:
            found[TopicPartition(topic, partition)] = end
        return found

    @property
    def count(self) -> int:
        """How many events there are."""
        counted: int = self._fetch("select count(*) from events")[1][0][0]
        return counted

    def query(self, sql: str) -> tuple[list[str], list[Row]]:
        """The column names and rows of a query over `events`, JSON columns as Python values.

        The query can change nothing. Safe to call from several threads at once. Raises
        duckdb.Error, whose text is JSON (`check.py` reads it).
        """
        columns, rows = self._asked(sql)
        places = [place for place, (_, kind) in enumerate(columns) if kind == "JSON"]
        names = [name for name, _ in columns]
        return names, [_parsed(row, places) for row in rows] if places else rows

    def lines(self) -> bytes:
        """The events that killpoint made as NDJSON, by topic, partition and offset.

        The names are those of the columns; `value_bytes` is base64, `timestamp` ISO 8601.
        """
        return "".join(f"{line}\n" for (line,) in self._asked(_LINES)[1]).encode()

    def types(self, sql: str) -> list[tuple[str, str]]:
        """The names and DuckDB types of the columns of a query. Raises duckdb.Error."""
        return self._fetch(sql)[0]

    def close(self) -> None:
        """Give the memory back, that of all parts of the ledger too."""
        self._database.close()

    def _part(self, side: Literal["<", ">="], positions: Iterable[Position]) -> "Ledger":
        if self._side:
            raise ValueError("a part of a ledger has no parts: ask the whole ledger")
        part = object.__new__(Ledger)
        part._database, part._side, part._positions = self._database, side, tuple(positions)
        part._mixed = self._mixed
        return part

    def _asked(self, sql: str) -> tuple[list[tuple[str, str]], list[Row]]:
        """The answer over killpoint's events, or over all of them if the query names `origin`."""
        if not self._mixed:
            return self._fetch(sql)
        try:
            return self._fetch(sql, given_only=True)
        except duckdb.BinderException:
            return self._fetch(sql)

    def _fetch(
        self, sql: str, *, given_only: bool = False
    ) -> tuple[list[tuple[str, str]], list[Row]]:
        with self._database.cursor() as cursor:
            if self._side:
                cursor.execute(_POSITIONS)
                with cursor.appender("positions") as appender:
                    appender.append_rows((p.topic, p.partition, p.offset) for p in self._positions)
            records = _PART.format(self._side) if self._side else "records"
            if given_only:
                cursor.execute(_EVENTS.format(origin="") + _GIVEN.format(records))
            else:
                cursor.execute(_EVENTS.format(origin=", origin") + records)
            # A WITH clause may write, whatever kind the statement says it is.
            cursor.execute("set TimeZone = 'UTC'")
            cursor.execute("begin transaction read only")
            cursor.execute(sql)
            columns = [(str(name), str(kind)) for name, kind, *_ in cursor.description or ()]
            return columns, cursor.fetchall()


def _all_told(headers: Sequence[Headers]) -> Sequence[tuple[str, bytes | None]]:
    # Mostly there are none.
    return [_told(one) for one in headers] if any(headers) else [_told(())] * len(headers)


def _told(headers: Headers) -> tuple[str, bytes | None]:
    """The object of the headers, and all of them where it says less than they do."""
    if not headers:
        return "{}", None
    told = {name: _text(value) for name, value in headers}
    whole = len(told) == len(headers) and all(
        (told[name] is None) == (value is None) for name, value in headers
    )
    return _headers(told), None if whole else repr(headers).encode()


def _text(value: bytes | None) -> str | None:
    try:
        return None if value is None else value.decode()
    except UnicodeDecodeError:
        return None


def _parsed(row: Row, places: Sequence[int]) -> Row:
    cells = list(row)
    for place in places:
        if isinstance(cell := cells[place], str):
            cells[place] = json.loads(cell, parse_float=Decimal)
    return tuple(cells)
