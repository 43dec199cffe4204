"""What the client asks: simple Query, the extended protocol, the end of COPY data, FunctionCall.

Counterpart: `postgres_answering` reads the server's side of the same `Conversation`.
"""

from collections.abc import Callable

from killpoint.faults.events import (
    BeginAsked,
    CommitAnswered,
    CommitAsked,
    Event,
    RollbackAsked,
    SequenceMoved,
    WriteAsked,
)
from killpoint.faults.wire.postgres_conversation import NOTHING, Conversation, Meaning, text
from killpoint.faults.wire.postgres_extended import Undo
from killpoint.faults.wire.postgres_frames import Frame
from killpoint.faults.wire.postgres_transaction import ACTS, Act, Said
from killpoint.faults.wire.postgres_turn import CLOSED, DONE, PARSED, Step, Turn
from killpoint.faults.wire.statement import Kind, Statement
from killpoint.faults.wire.statements import classify


class PostgresAsking:
    """The client's side of one connection."""

    def __init__(self, conversation: Conversation, writing_functions: frozenset[str]) -> None:
        self._talk = conversation
        self._functions = writing_functions
        self._readers: dict[int, Callable[[bytes], Meaning]] = {
            ord("Q"): self._query,
            ord("P"): self._parse,
            ord("B"): self._bind,
            ord("E"): self._execute,
            ord("C"): self._close,
            ord("S"): self._sync,
            ord("F"): self._function_call,
            ord("c"): self._copy_done,
            ord("f"): self._copy_done,
        }

    def read(self, frame: Frame) -> Meaning:
        """What one message means; ValueError if its body is not what its type says."""
        return self._readers[frame.kind](frame.body)

    def _query(self, body: bytes) -> Meaning:
        """A Query ends a turn as Sync does, but its last answer already shows the commit."""
        turn = self._talk.open_turn()
        if turn.failed:
            return NOTHING
        opened = self._talk.exchange()
        events: list[Event] = []
        for statement in classify(_sql(body), self._functions):
            events += self._statement(turn, statement)
        ending = self._end(turn, opened)
        if turn.commit is not None and turn.steps:
            turn.steps.append(turn.steps.pop()._replace(commit=turn.commit))
            turn.commit = None
        return ending._replace(events=(*events, *ending.events))

    def _parse(self, body: bytes) -> Meaning:
        name, at = text(body)
        statements = classify(_sql(body[at:]), self._functions)
        turn = self._talk.open_turn()
        if not turn.failed:
            undo = self._talk.prepared.parse(name, statements)
            turn.steps.append(Step(PARSED, undo=undo))
        return NOTHING

    def _bind(self, body: bytes) -> Meaning:
        portal, at = text(body)
        self._talk.prepared.bind(portal, text(body, at)[0])
        return NOTHING

    def _execute(self, body: bytes) -> Meaning:
        statement = self._talk.prepared.execute(text(body)[0])
        return Meaning(tuple(self._statement(self._talk.open_turn(), statement)))

    def _close(self, body: bytes) -> Meaning:
        name, _ = text(body, 1)
        turn = self._talk.open_turn()
        if turn.failed:
            return NOTHING
        undo: Undo | None = None
        if body[:1] == b"S":
            undo = self._talk.prepared.close(name)
        else:
            self._talk.prepared.close_portal(name)
        turn.steps.append(Step(CLOSED, undo=undo))
        return NOTHING

    def _sync(self, _: bytes) -> Meaning:
        turn = self._talk.open_turn()
        if not turn.copying:
            return self._end(turn)
        turn.ended = turn.loosely = True
        turn.opened.append(self._talk.exchange())
        return Meaning(opens=(turn.opened[-1],))

    def _function_call(self, _: bytes) -> Meaning:
        return self._end(self._talk.open_turn())

    def _copy_done(self, _: bytes) -> Meaning:
        """CopyDone or CopyFail."""
        if self._talk.turns:
            self._talk.turns[-1].copying = False
        return NOTHING

    def _end(self, turn: Turn, opened: int | None = None) -> Meaning:
        turn.ended = True
        turn.opened.append(self._talk.exchange() if opened is None else opened)
        said, number = self._talk.transactions.ask(Act.END_TURN)
        if said is not Said.AUTO_COMMIT:
            return Meaning(opens=(turn.opened[-1],))
        exchange = self._talk.exchange()
        turn.commit = CommitAnswered(exchange, number, auto=True)
        return Meaning((CommitAsked(exchange, number, auto=True),), (turn.opened[-1],))

    def _statement(self, turn: Turn, statement: Statement) -> list[Event]:
        """Adds the statement's step to the turn; what the client asks with it.

        After an error the server ignores everything up to Sync, so nothing is asked in truth.
        """
        if turn.failed:
            return []
        talk = self._talk
        undo = self._name(statement)
        statement = talk.prepared.resolve(statement)
        step, events = self._step(statement)
        if statement.numbers:
            events.append(SequenceMoved())
        turn.copying = turn.copying or statement.copies_in
        turn.steps.append(step if undo is None else step._replace(undo=undo))
        return events

    def _step(self, statement: Statement) -> tuple[Step, list[Event]]:
        transactions = self._talk.transactions
        in_block, number = transactions.in_block, transactions.number
        act = ACTS.get(statement.kind)
        if statement.kind is Kind.COMMIT_PREPARED:
            return self._commit_prepared(in_block)
        if act is None:
            return Step(DONE, transaction=number, in_block=in_block), []
        said, number = transactions.ask(act, statement.chain)
        if said is Said.NOTHING:
            return Step(DONE, transaction=number, in_block=in_block), []
        exchange = self._talk.exchange()
        events = [_asked(said, exchange, number, statement)]
        return Step(DONE, said, exchange, number, in_block), events

    def _name(self, statement: Statement) -> Undo | None:
        """SQL's PREPARE and DEALLOCATE; they change the same names as Parse and Close."""
        if statement.kind is Kind.PREPARE:
            return self._talk.prepared.parse(statement.name or "", statement.body)
        if statement.kind is Kind.DEALLOCATE:
            if statement.name is not None:
                return self._talk.prepared.close(statement.name)
            self._talk.prepared.close_all()
        return None

    def _commit_prepared(self, in_block: bool) -> tuple[Step, list[Event]]:
        """It takes effect at once, and what it makes visible was written by another transaction."""
        number = self._talk.transactions.own_number()
        write, commit = self._talk.exchange(), self._talk.exchange()
        answer = CommitAnswered(commit, number, auto=True)
        step = Step(DONE, Said.WRITE, write, number, in_block, commit=answer)
        asked = CommitAsked(commit, number, auto=True)
        return step, [WriteAsked(write, number, frozenset()), asked]


def _asked(said: Said, exchange: int, number: int, statement: Statement) -> Event:
    match said:
        case Said.BEGIN:
            return BeginAsked(exchange, number)
        case Said.WRITE:
            return WriteAsked(exchange, number, statement.tables, statement.empties)
        case Said.ROLLBACK:
            return RollbackAsked(exchange, number)
        case _:
            return CommitAsked(exchange, number, auto=False)


def _sql(body: bytes) -> str:
    """A text up to its zero byte; one that was cut off has none."""
    return body.partition(b"\0")[0].decode("utf-8", "replace")
