"""One SQL statement, as far as killpoint cares: transaction control, a write, or anything else.

Counterpart: `statements.classify` makes them from a text, the Postgres machine follows them.
Nothing here reads SQL.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Kind(StrEnum):
    BEGIN = "begin"
    COMMIT = "commit"
    ROLLBACK = "rollback"
    SAVEPOINT = "savepoint"
    RELEASE = "release"
    ROLLBACK_TO = "rollback to"
    PREPARE_TRANSACTION = "prepare transaction"
    COMMIT_PREPARED = "commit prepared"
    ROLLBACK_PREPARED = "rollback prepared"
    WRITE = "write"
    PREPARE = "prepare"
    EXECUTE = "execute"
    DEALLOCATE = "deallocate"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement. `tables` are a write's targets, lower case, without schema, perhaps none.

    `empties`: DROP TABLE or TRUNCATE, which take away what others wrote. `numbers`: it asks a
    sequence for a value, which no rollback takes back. `chain` is AND CHAIN of
    COMMIT and ROLLBACK; `copies_in` is COPY … FROM STDIN. `name` is the
    prepared statement of PREPARE, EXECUTE and DEALLOCATE (None: all of them), `body` what PREPARE
    remembers.
    """

    kind: Kind
    tables: frozenset[str] = frozenset()
    chain: bool = False
    empties: bool = False
    numbers: bool = False
    copies_in: bool = False
    name: str | None = None
    body: tuple["Statement", ...] = ()


OTHER: Final = Statement(Kind.OTHER)
