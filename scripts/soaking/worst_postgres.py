"""The worst legal Postgres messages: 65,535 columns, and pipelines of very many statements."""

from typing import Final

from scripts.soaking.memory import MIB
from scripts.soaking.worst_case import Case, Spoken, counted

from killpoint.faults.wire.postgres import PostgresMachine
from tests.support.postgres_talk import STARTUP, answered, asked, typed

COLUMNS: Final = 65_535
"""The most that the two bytes of the count can say; a server of today stops at 1,664."""
ROWS: Final = 20
STATEMENTS: Final = 4_000
ROW_STATEMENT: Final = "insert into clicks select * from wide returning *"
INSERT: Final = "insert into clicks values ($1, $2) on conflict do nothing"


def _machine() -> PostgresMachine:
    machine = PostgresMachine()
    machine.to_server(STARTUP)
    return machine


def _in_block(said: list[tuple[bool, bytes]], writes: int, ready: int) -> Spoken:
    """The messages in a transaction of their own."""
    return Spoken(
        [
            (True, asked("Q begin")),
            (False, answered("C BEGIN") + answered("Z T")),
            *said,
            (True, asked("Q commit")),
            (False, answered("C COMMIT") + answered("Z I")),
        ],
        {
            "BeginAsked": 1,
            "BeginAnswered": 1,
            "BackendReady": ready + 2,
            "WriteAsked": writes,
            "WriteAnswered": writes,
            "CommitAsked": 1,
            "CommitAnswered": 1,
        },
    )


def _wide(size: int) -> Spoken:
    """A statement that returns rows of so many columns."""
    count = size.to_bytes(2, "big")
    described = count + b"".join(b"column-%d\0" % at + bytes(18) for at in range(size))
    row = typed("D", count + b"\0\0\0\x08 a value" * size)
    told = typed("T", described) + row * ROWS + answered(f"C INSERT 0 {ROWS}") + answered("Z T")
    return _in_block([(True, asked(f"Q {ROW_STATEMENT}")), (False, told)], 1, 1)


def _pipeline(size: int) -> Spoken:
    """So many statements before one Sync."""
    said = (asked(f"P : {INSERT}") + asked("B : ") + asked("E ")) * size + asked("S")
    told = (answered("1") + answered("2") + answered("C INSERT 0 1")) * size + answered("Z T")
    return _in_block([(True, said), (False, told)], size, 1)


def _synced(size: int) -> Spoken:
    """So many statements, each with a Sync, all before the first answer."""
    said = (asked(f"P : {INSERT}") + asked("B : ") + asked("E ") + asked("S")) * size
    one = answered("1") + answered("2") + answered("C INSERT 0 1") + answered("Z T")
    return _in_block([(True, said), (False, one * size)], size, size)


def _one_text(size: int) -> Spoken:
    """So many statements in one Query."""
    text = "insert into clicks values (1, 'some; text'); " * size
    told = answered("C INSERT 0 1") * size + answered("Z T")
    return _in_block([(True, asked(f"Q {text}")), (False, told)], size, 1)


POSTGRES: Final = (
    Case("rows", COLUMNS, "columns", 4 * MIB, _machine, _wide, counted),
    Case("a pipeline", STATEMENTS, "statements", 16 * MIB, _machine, _pipeline, counted),
    Case("a pipeline with Syncs", STATEMENTS, "statements", 16 * MIB, _machine, _synced, counted),
    Case("one Query", STATEMENTS, "statements", 16 * MIB, _machine, _one_text, counted),
)
