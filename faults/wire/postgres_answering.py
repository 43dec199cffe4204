"""What the server answers: the end of statements, errors, ReadyForQuery.

Counterpart: `postgres_asking` has put into the `Conversation` what was asked. An answer that
nothing was asked for (a notice of shutdown, an error before the start) is said without a turn.
"""

from collections.abc import Callable
from typing import Final

from killpoint.faults.events import BackendReady, BackendStarted, Event, StatementFailed
from killpoint.faults.wire.postgres_conversation import NOTHING, Conversation, Meaning, text
from killpoint.faults.wire.postgres_frames import Frame
from killpoint.faults.wire.postgres_turn import Turn

COMMAND_COMPLETE: Final = ord("C")


class PostgresAnswering:
    """The server's side of one connection."""

    def __init__(self, conversation: Conversation) -> None:
        self._talk = conversation
        self._readers: dict[int, Callable[[bytes], Meaning]] = {
            ord("Z"): self._ready,
            ord("E"): self._error,
            ord("G"): self._copy_begins,
            ord("K"): self._key,
        }

    def read(self, frame: Frame) -> Meaning:
        """What one message means; ValueError if its body is not what its type says."""
        if frame.kind == COMMAND_COMPLETE:
            return self._answer(frame.kind, text(frame.body)[0])
        reader = self._readers.get(frame.kind)
        return self._answer(frame.kind, "") if reader is None else reader(frame.body)

    def _answer(self, kind: int, tag: str) -> Meaning:
        if not self._talk.turns:
            return NOTHING
        step = self._talk.turns[0].take(kind)
        return NOTHING if step is None else Meaning(tuple(step.answered(tag)))

    def _key(self, body: bytes) -> Meaning:
        """BackendKeyData."""
        return Meaning((BackendStarted(_number(body)),))

    def _error(self, body: bytes) -> Meaning:
        fields = _fields(body)
        if self._talk.turns:
            turn = self._talk.turns[0]
            failing, undone = turn.fail()
            for undo in undone:
                self._talk.prepared.take_back(undo)
            in_block = self._talk.transactions.in_block if failing is None else failing.in_block
            number = turn.failed_transaction or self._talk.transactions.number
            asking = len(self._talk.turns) == 1 and not turn.ended
            self._talk.transactions.fail(number, in_block, asking)
        return Meaning((StatementFailed(fields.get("C", ""), fields.get("M", "")),))

    def _copy_begins(self, _: bytes) -> Meaning:
        """CopyInResponse: the server is in the middle of a COPY and ignored the Sync before it."""
        if self._talk.turns and self._talk.turns[0].loosely and len(self._talk.turns) == 1:
            turn = self._talk.turns[0]
            turn.ended = turn.loosely = False
        return NOTHING

    def _ready(self, body: bytes) -> Meaning:
        status = chr(body[0]) if body else ""
        turn = self._talk.turns.popleft() if self._talk.turns else Turn()
        events: list[Event] = []
        if status == "I" and not turn.failed:
            events += turn.ready()
        self._correct(status, turn)
        return Meaning((*events, BackendReady(status)), closes=tuple(turn.opened))

    def _correct(self, status: str, turn: Turn) -> None:
        """The server's word about the transaction, if nothing was asked after what it answers."""
        transactions = self._talk.transactions
        if not self._talk.turns:
            transactions.heard(status, turn.failed_transaction)
            if status == "I":
                self._talk.prepared.end_transaction()
        elif status == "E" and turn.failed_transaction == transactions.number:
            transactions.fail(transactions.number, in_block=True, asking=False)


def _number(body: bytes) -> int:
    if len(body) < 4:
        raise ValueError("BackendKeyData without a process number")
    return int.from_bytes(body[:4], "big")


def _fields(body: bytes) -> dict[str, str]:
    """ErrorResponse: a letter, then its string; the last letter is zero."""
    parts = (part.decode("utf-8", "replace") for part in body.split(b"\0"))
    return {part[0]: part[1:] for part in parts if part}
