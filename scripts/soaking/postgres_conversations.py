"""Postgres conversations for the fuzz: transactions in all the ways that clients speak.

The answers fit what is asked, as a server would give them; some stray messages are mixed in.
"""

from random import Random
from typing import Final

from scripts.soaking.talk import Conversation, Frame, Framing

from killpoint.faults.wire.postgres import PostgresMachine
from tests.support.postgres_talk import STARTUP, answered, asked

TYPED: Final = Framing(at=1, uncounted=1)
UNTYPED: Final = Framing(at=0, uncounted=0)
SSL_REQUEST: Final = bytes.fromhex("00000008 04d2162f")
GSS_REQUEST: Final = bytes.fromhex("00000008 04d21630")
REFUSED_BYTES: Final = 8
"""Bytes of a request for encryption: the only ones that are not passed on."""

STATEMENTS: Final = (
    ("insert into clicks values ($1, 'it''s', E'\\\\n')", "INSERT 0 1"),
    ("update clicks set n = n + 1 where code = 'a' -- end", "UPDATE 2"),
    ("with w as (delete from clicks returning *) select * from w", "SELECT 3"),
    ("insert into clicks values (1) on conflict (id) do update set n = 2", "INSERT 0 1"),
    ("merge into clicks using x on true when matched then delete", "MERGE 1"),
    ("select count_click(7), 'begin; commit'", "SELECT 1"),
    ("do $$ begin perform count_click(1); end $$", "DO"),
    ("savepoint a", "SAVEPOINT"),
    ("rollback to savepoint a", "ROLLBACK"),
    ("release a", "RELEASE"),
    ("truncate clicks, links", "TRUNCATE TABLE"),
    ("prepare s as delete from clicks", "PREPARE"),
    ("execute s", "DELETE 4"),
    ("deallocate all", "DEALLOCATE ALL"),
    ("set local search_path to x", "SET"),
    ("prepare transaction 'x'", "PREPARE TRANSACTION"),
    ("commit prepared 'x'", "COMMIT PREPARED"),
    ("explain analyze insert into clicks values (1)", "EXPLAIN"),
    ("'never closed", "SELECT 0"),
    ("", ""),
)
STRAY: Final = ("B p: s", "E p", "H", "C S s", "C P p", "d x", "c", "f", "F", "D x", "p x", "X")
STRAY_ANSWERS: Final = ("N", "A", "n", "s", "I", "V", "G", "H", "E 57P01", "Z ?", "Z T", "K 9")


def postgres_conversation(random: Random) -> Conversation:
    """A connection from its start on, with some turns."""
    frames = [_untyped(request) for request in _greeting(random)]
    frames += [_back("R \0\0\0\0"), _back("S x"), _back("K 7"), _back("Z I")]
    for _ in range(random.randint(1, 6)):
        frames += random.choice((_simple, _extended, _pipeline, _copy, _stray))(random)
    return Conversation(tuple(frames), lambda: PostgresMachine(frozenset({"count_click"})))


def _greeting(random: Random) -> list[bytes]:
    refused = random.choices((SSL_REQUEST, GSS_REQUEST), k=random.choice((0, 0, 1, 2)))
    return [*refused, STARTUP]


def _simple(random: Random) -> list[Frame]:
    """A transaction, or one statement by itself, as Query texts."""
    chosen = random.choices(STATEMENTS, k=random.randint(1, 3))
    if random.random() < 0.3:
        text = "; ".join(sql for sql, _ in chosen)
        return [_said(f"Q {text}"), *(_back(f"C {tag}") for _, tag in chosen), _back("Z I")]
    frames = [_said("Q begin"), _back("C BEGIN"), _back("Z T")]
    for sql, tag in chosen:
        failed = random.random() < 0.1
        frames += [_said(f"Q {sql}"), _back("E 23505" if failed else f"C {tag}")]
        frames.append(_back("Z E" if failed else "Z T"))
    end = random.choice(("commit", "rollback", "commit and chain"))
    return [*frames, _said(f"Q {end}"), _back(f"C {end.split()[0].upper()}"), _back("Z I")]


def _extended(random: Random) -> list[Frame]:
    frames: list[Frame] = []
    for sql, tag in (("begin", "BEGIN"), *random.choices(STATEMENTS, k=2), ("commit", "COMMIT")):
        name = random.choice(("", "s1"))
        frames += [_said(f"P {name}: {sql}"), _said(f"B : {name}"), _said("E "), _said("S")]
        frames += [_back("1"), _back("2"), _back("D row"), _back(f"C {tag}"), _back("Z T")]
    return frames


def _pipeline(random: Random) -> list[Frame]:
    chosen = random.choices(STATEMENTS, k=random.randint(2, 8))
    frames: list[Frame] = []
    for sql, _ in chosen:
        frames += [_said(f"P : {sql}"), _said("B : "), _said("D P"), _said("E ")]
    frames.append(_said("S"))
    failing = random.randrange(2 * len(chosen))
    for number, (_, tag) in enumerate(chosen):
        frames += [_back("1"), _back("2"), _back("n")]
        frames.append(_back("E 40001" if number == failing else f"C {tag}"))
        if number == failing:
            break
    return [*frames, _back("Z I")]


def _copy(random: Random) -> list[Frame]:
    rows = [_said("d " + "a\tb\n" * random.randint(1, 50)) for _ in range(random.randint(0, 5))]
    end = random.choice((("c", "C COPY 4"), ("f", "E 57014")))
    return [
        *(_said("Q copy clicks from stdin"), _back("G")),
        *rows,
        *(_said(end[0]), _back(end[1]), _back("Z I")),
    ]


def _stray(random: Random) -> list[Frame]:
    return [_said(random.choice(STRAY)), _back(random.choice(STRAY_ANSWERS))]


def _said(message: str) -> Frame:
    return Frame(True, asked(message), TYPED)


def _back(message: str) -> Frame:
    return Frame(False, answered(message), TYPED)


def _untyped(data: bytes) -> Frame:
    return Frame(True, data, UNTYPED)
