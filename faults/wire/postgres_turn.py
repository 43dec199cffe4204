"""What was asked between two ReadyForQuery, and what the server's answers to it mean.

Counterpart: the Postgres machine puts a step into the present turn for each request that is
answered on its own, and takes steps out as the answers come, in order. After an error the server
skips to the end of the turn (protocol, "Extended Query"), so the steps left are never answered.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from killpoint.faults.events import (
    BeginAnswered,
    CommitAnswered,
    Event,
    RollbackAnswered,
    WriteAnswered,
)
from killpoint.faults.wire.postgres_extended import Undo
from killpoint.faults.wire.postgres_transaction import Said

PARSED: Final = b"1"
CLOSED: Final = b"3"
DONE: Final = b"CIs"
"""CommandComplete, EmptyQueryResponse, PortalSuspended."""


class Step(NamedTuple):
    """One request: the types of answer that complete it, and what it asked for.

    `commit` is the implicit commit that this step's answer makes visible.
    """

    answers: bytes
    said: Said = Said.NOTHING
    exchange: int = 0
    transaction: int = 0
    in_block: bool = False
    undo: Undo | None = None
    commit: CommitAnswered | None = None

    def answered(self, tag: str) -> Iterator[Event]:
        """What the answer means; `tag` is CommandComplete's, empty for the other types."""
        match self.said:
            case Said.BEGIN:
                yield BeginAnswered(self.exchange, self.transaction)
            case Said.WRITE if tag == "ROLLBACK":  # PREPARE TRANSACTION of a failed transaction
                yield RollbackAnswered(self.exchange, self.transaction)
            case Said.WRITE:
                yield WriteAnswered(self.exchange, self.transaction, _rows(tag))
            case Said.COMMIT | Said.ROLLBACK if tag == "COMMIT":
                yield CommitAnswered(self.exchange, self.transaction, auto=False)
            case Said.COMMIT | Said.ROLLBACK:
                yield RollbackAnswered(self.exchange, self.transaction)
            case Said.NOTHING | Said.AUTO_COMMIT:
                pass
        if self.commit is not None:
            yield self.commit


@dataclass(slots=True)
class Turn:
    """`opened` are the exchanges that ReadyForQuery closes; `ended`: no more may be asked in it.

    `copying`: COPY … FROM STDIN was asked and its end was not. The server ignores a Sync that
    arrives in the middle of COPY data, so such a turn ends only `loosely`: until CopyInResponse
    shows that there is a COPY. `commit` is the implicit commit that ReadyForQuery makes visible.
    """

    steps: deque[Step] = field(default_factory=deque[Step])
    opened: list[int] = field(default_factory=list[int])
    ended: bool = False
    failed: bool = False
    copying: bool = False
    loosely: bool = False
    commit: CommitAnswered | None = None
    failed_transaction: int = 0

    def take(self, answer: int) -> Step | None:
        """The step that this type of answer completes."""
        while self.steps:
            step = self.steps.popleft()
            if answer in step.answers:
                return step
        return None

    def fail(self) -> tuple[Step | None, list[Undo]]:
        """The server answered with an error: the step that failed, and what is to be taken back."""
        undone = [step.undo for step in reversed(self.steps) if step.undo is not None]
        failing = next((step for step in self.steps if step.answers == DONE), None)
        self.steps.clear()
        self.failed, self.copying, self.commit = True, False, None
        self.failed_transaction = failing.transaction if failing is not None else 0
        return failing, undone

    def ready(self) -> Iterator[Event]:
        """ReadyForQuery `I`: commits that no other answer has shown."""
        for step in self.steps:
            if step.commit is not None:
                yield step.commit
        if self.commit is not None:
            yield self.commit


def _rows(tag: str) -> int | None:
    """The count at the end of a tag: `INSERT 0 5`, `UPDATE 5`, `COPY 5`."""
    last = tag.rpartition(" ")[2]
    return int(last) if last.isascii() and last.isdigit() else None
