"""Where a connection stands in its transactions, as asked by the client.

Theory of operation. The client may be far ahead of the server (pipelines), so the state after each
statement is a prediction: what it will be if nothing fails. The table says, for each state and
act, the state that follows and what is said of the act.

    IDLE      no transaction
    IMPLICIT  something was written without BEGIN: the end of the turn (the end of a simple Query,
              or Sync) will commit it
    OPEN      after BEGIN
    FAILED    after BEGIN and an error: the server refuses everything but the end of the transaction
              or ROLLBACK TO, and COMMIT rolls back

BEGIN in IMPLICIT takes over the transaction with what it wrote; COMMIT in IMPLICIT commits it
(Postgres warns and does so). Where the server's own word (ReadyForQuery) differs, it wins, provided
that nothing was asked after what it answers. A transaction has a number from its BEGIN or first
write until it ends; 0 stands for none.
"""

from enum import Enum, auto
from typing import Final

from killpoint.faults.wire.statement import Kind


class State(Enum):
    IDLE = auto()
    IMPLICIT = auto()
    OPEN = auto()
    FAILED = auto()


class Act(Enum):
    BEGIN = auto()
    WRITE = auto()
    COMMIT = auto()
    ROLLBACK = auto()
    ROLLBACK_TO = auto()
    PREPARE = auto()  # PREPARE TRANSACTION: what was written waits, outside of any transaction
    END_TURN = auto()


class Said(Enum):
    NOTHING = auto()
    BEGIN = auto()
    WRITE = auto()
    COMMIT = auto()
    AUTO_COMMIT = auto()
    ROLLBACK = auto()


ACTS: Final = {
    Kind.BEGIN: Act.BEGIN,
    Kind.WRITE: Act.WRITE,
    Kind.COMMIT: Act.COMMIT,
    Kind.ROLLBACK: Act.ROLLBACK,
    Kind.ROLLBACK_TO: Act.ROLLBACK_TO,
    Kind.PREPARE_TRANSACTION: Act.PREPARE,
}
TABLE: Final = {
    (State.IDLE, Act.BEGIN): (State.OPEN, Said.BEGIN),
    (State.IDLE, Act.WRITE): (State.IMPLICIT, Said.WRITE),
    (State.IDLE, Act.COMMIT): (State.IDLE, Said.COMMIT),
    (State.IDLE, Act.ROLLBACK): (State.IDLE, Said.ROLLBACK),
    (State.IDLE, Act.ROLLBACK_TO): (State.IDLE, Said.NOTHING),
    (State.IDLE, Act.PREPARE): (State.IDLE, Said.NOTHING),
    (State.IDLE, Act.END_TURN): (State.IDLE, Said.NOTHING),
    (State.IMPLICIT, Act.BEGIN): (State.OPEN, Said.BEGIN),
    (State.IMPLICIT, Act.WRITE): (State.IMPLICIT, Said.WRITE),
    (State.IMPLICIT, Act.COMMIT): (State.IDLE, Said.COMMIT),
    (State.IMPLICIT, Act.ROLLBACK): (State.IDLE, Said.ROLLBACK),
    (State.IMPLICIT, Act.ROLLBACK_TO): (State.IMPLICIT, Said.NOTHING),
    (State.IMPLICIT, Act.PREPARE): (State.IMPLICIT, Said.NOTHING),
    (State.IMPLICIT, Act.END_TURN): (State.IDLE, Said.AUTO_COMMIT),
    (State.OPEN, Act.BEGIN): (State.OPEN, Said.BEGIN),
    (State.OPEN, Act.WRITE): (State.OPEN, Said.WRITE),
    (State.OPEN, Act.COMMIT): (State.IDLE, Said.COMMIT),
    (State.OPEN, Act.ROLLBACK): (State.IDLE, Said.ROLLBACK),
    (State.OPEN, Act.ROLLBACK_TO): (State.OPEN, Said.NOTHING),
    (State.OPEN, Act.PREPARE): (State.IDLE, Said.WRITE),
    (State.OPEN, Act.END_TURN): (State.OPEN, Said.NOTHING),
    (State.FAILED, Act.BEGIN): (State.FAILED, Said.BEGIN),
    (State.FAILED, Act.WRITE): (State.FAILED, Said.WRITE),
    (State.FAILED, Act.COMMIT): (State.IDLE, Said.ROLLBACK),
    (State.FAILED, Act.ROLLBACK): (State.IDLE, Said.ROLLBACK),
    (State.FAILED, Act.ROLLBACK_TO): (State.OPEN, Said.NOTHING),
    (State.FAILED, Act.PREPARE): (State.IDLE, Said.ROLLBACK),
    (State.FAILED, Act.END_TURN): (State.FAILED, Said.NOTHING),
}
IN_BLOCK: Final = frozenset({State.OPEN, State.FAILED})
NUMBERED: Final = frozenset({Said.BEGIN, Said.WRITE})


class Transactions:
    """The transactions of one connection. `number` is that of the present one, 0 outside."""

    def __init__(self) -> None:
        self.state = State.IDLE
        self.number = 0
        self._last = 0

    @property
    def in_block(self) -> bool:
        """Whether a BEGIN is in force."""
        return self.state in IN_BLOCK

    def ask(self, act: Act, chain: bool = False) -> tuple[Said, int]:
        """The client asked for it: what is to be said, and the transaction's number."""
        chained = chain and self.in_block
        self.state, said = TABLE[self.state, act]
        if said in NUMBERED and not self.number:
            self.number = self.own_number()
        number = self.number
        if chained:
            self.state, self.number = State.OPEN, self.own_number()
        elif self.state is State.IDLE:
            self.number = 0
        return said, number

    def own_number(self) -> int:
        """A number for a transaction that begins and ends with one statement."""
        self._last += 1
        return self._last

    def fail(self, number: int, in_block: bool, asking: bool) -> None:
        """A statement of transaction `number` failed, which stood `in_block`.

        `asking`: its turn is still open, so nothing was asked that the server will not ignore.
        """
        if in_block and (asking or self.number == number):
            self.state, self.number = State.FAILED, number
        elif asking:
            self.state, self.number = State.IDLE, 0

    def heard(self, status: str, failed: int) -> None:
        """ReadyForQuery of the last turn; `failed` is the transaction that an error ended."""
        if status == "I":
            self.state, self.number = State.IDLE, 0
        elif status == "T":
            self.state, self.number = State.OPEN, self.number or self.own_number()
        elif status == "E":
            self.state = State.FAILED
            self.number = failed or self.number or self.own_number()
