"""What the client asks: simple Query, the extended protocol, the end of COPY data, FunctionCall.

Counterpart: `postgres_answering` reads the server's side of the same `Conversation`.
"""

from dataclasses import replace

from killpoint.faults.events import (
    BeginAsked,
    CommitAnswered,
    CommitAsked,
    Event,
    RollbackAsked,
    WriteAsked,
)
from killpoint.faults.wire.postgres_conversation import Conversation, Meaning, text
from killpoint.faults.wire.postgres_extended import Undo
from killpoint.faults.wire.postgres_frames import Frame
from killpoint.faults.wire.postgres_transaction import ACTS, Act, Said
from killpoint.faults.wire.postgres_turn import CLOSED, DONE, PARSED, Step, Turn
from killpoint.faults.wire.statement import Kind, Statement
from killpoint.faults.wire.statements import classify

NOTHING = Meaning()


class PostgresAsking:
    """The client's side of one connection."""

    def __init__(self, conversation: Conversation, writing_functions: frozenset[str]) -> None:
        self._talk = conversation
        self._functions = writing_functions

    def read(self, frame: Frame) -> Meaning:
        """What one message means; ValueError if its body is not what its type says."""
        match chr(frame.kind):
            case "Q":
                return self._query(_sql(frame.body))
            case "P":
                return self._parse(frame.body)
            case "B":
                portal, at = text(frame.body)
                self._talk.prepared.bind(portal, text(frame.body, at)[0])
            case "E":
                return self._execute(text(frame.body)[0])
            case "C":
                return self._close(chr(frame.body[0]) if frame.body else "", frame.body)
            case "S":
                return self._sync()
            case "F":
                return self._end(self._talk.open_turn())
            case _:  # CopyDone, CopyFail
                if self._talk.turns:
                    self._talk.turns[-1].copying = False
        return NOTHING

    def _query(self, sql: str) -> Meaning:
        """A Query ends a turn as Sync does, but its last answer already shows the commit."""
        turn = self._talk.open_turn()
        if turn.failed:
            return NOTHING
        opened = self._talk.exchange()
        events: list[Event] = []
        for statement in classify(sql, self._functions):
            events += self._statement(turn, statement)
        ending = self._end(turn, opened)
        if turn.commit is not None and turn.steps:
            turn.steps.append(replace(turn.steps.pop(), commit=turn.commit))
            turn.commit = None
        return replace(ending, events=(*events, *ending.events))

    def _parse(self, body: bytes) -> Meaning:
        name, at = text(body)
        statements = classify(_sql(body[at:]), self._functions)
        turn = self._talk.open_turn()
        if not turn.failed:
            undo = self._talk.prepared.parse(name, statements)
            turn.steps.append(Step(PARSED, undo=undo))
        return NOTHING

    def _execute(self, portal: str) -> Meaning:
        statement = self._talk.prepared.execute(portal)
        return Meaning(tuple(self._statement(self._talk.open_turn(), statement)))

    def _close(self, what: str, body: bytes) -> Meaning:
        name, _ = text(body, 1)
        turn = self._talk.open_turn()
        if turn.failed:
            return NOTHING
        undo: Undo | None = None
        if what == "S":
            undo = self._talk.prepared.close(name)
        else:
            self._talk.prepared.close_portal(name)
        turn.steps.append(Step(CLOSED, undo=undo))
        return NOTHING

    def _sync(self) -> Meaning:
        turn = self._talk.open_turn()
        if not turn.copying:
            return self._end(turn)
        turn.ended = turn.loosely = True
        turn.opened.append(self._talk.exchange())
        return Meaning(opens=(turn.opened[-1],))

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
        in_block = talk.transactions.in_block
        step = Step(DONE, transaction=talk.transactions.number, in_block=in_block, undo=undo)
        events: list[Event] = []
        if statement.kind is Kind.COMMIT_PREPARED:
            step, events = self._commit_prepared(step)
        elif statement.kind in ACTS:
            said, number = talk.transactions.ask(ACTS[statement.kind], statement.chain)
            if said is not Said.NOTHING:
                exchange = talk.exchange()
                step = replace(step, said=said, exchange=exchange, transaction=number)
                events = [_asked(said, exchange, number, statement.tables)]
        turn.copying = turn.copying or statement.copies_in
        turn.steps.append(step)
        return events

    def _name(self, statement: Statement) -> Undo | None:
        """SQL's PREPARE and DEALLOCATE; they change the same names as Parse and Close."""
        if statement.kind is Kind.PREPARE:
            return self._talk.prepared.parse(statement.name or "", statement.body)
        if statement.kind is Kind.DEALLOCATE:
            if statement.name is not None:
                return self._talk.prepared.close(statement.name)
            self._talk.prepared.close_all()
        return None

    def _commit_prepared(self, step: Step) -> tuple[Step, list[Event]]:
        """It takes effect at once, and what it makes visible was written by another transaction."""
        number = self._talk.transactions.own_number()
        write, commit = self._talk.exchange(), self._talk.exchange()
        answer = CommitAnswered(commit, number, auto=True)
        step = replace(step, said=Said.WRITE, exchange=write, transaction=number, commit=answer)
        asked = CommitAsked(commit, number, auto=True)
        return step, [WriteAsked(write, number, frozenset()), asked]


def _asked(said: Said, exchange: int, number: int, tables: frozenset[str]) -> Event:
    match said:
        case Said.BEGIN:
            return BeginAsked(exchange, number)
        case Said.WRITE:
            return WriteAsked(exchange, number, tables)
        case Said.ROLLBACK:
            return RollbackAsked(exchange, number)
        case _:
            return CommitAsked(exchange, number, auto=False)


def _sql(body: bytes) -> str:
    """A text up to its zero byte; one that was cut off has none."""
    return body.partition(b"\0")[0].decode("utf-8", "replace")
