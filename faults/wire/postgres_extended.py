"""Prepared statements and portals of a connection: what an Execute will execute.

Counterpart: the Postgres machine tells of Parse, Bind, Execute, Close and of SQL's PREPARE, EXECUTE
and DEALLOCATE, which share one name space (protocol, "Extended Query"). They are believed when
asked and taken back if the server refuses them.
"""

from dataclasses import dataclass

from killpoint.faults.wire.statement import OTHER, Kind, Statement

Body = tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Undo:
    """What a name stood for before it was changed; None: nothing."""

    name: str
    previous: Body | None


class Prepared:
    """Names of one connection. Unknown names stand for a statement of no interest."""

    def __init__(self) -> None:
        self._statements: dict[str, Body] = {}
        self._portals: dict[str, Body] = {}

    def parse(self, name: str, body: Body) -> Undo:
        """Parse or PREPARE: the name stands for `body` from now on."""
        undo = Undo(name, self._statements.get(name))
        self._statements[name] = body
        return undo

    def close(self, name: str) -> Undo:
        """Close or DEALLOCATE of one statement."""
        return Undo(name, self._statements.pop(name, None))

    def close_all(self) -> None:
        """DEALLOCATE ALL or DISCARD ALL."""
        self._statements.clear()

    def take_back(self, undo: Undo) -> None:
        if undo.previous is None:
            self._statements.pop(undo.name, None)
        else:
            self._statements[undo.name] = undo.previous

    def bind(self, portal: str, statement: str) -> None:
        self._portals[portal] = self._statements.get(statement, ())

    def close_portal(self, portal: str) -> None:
        self._portals.pop(portal, None)

    def end_transaction(self) -> None:
        """Portals do not outlive their transaction."""
        self._portals.clear()

    def execute(self, portal: str) -> Statement:
        """The portal's statement. One that was suspended goes on: it is not asked for again."""
        body = self._portals.get(portal, ())
        self._portals[portal] = ()
        return body[0] if body else OTHER

    def resolve(self, statement: Statement) -> Statement:
        """What EXECUTE executes; any other statement is itself."""
        if statement.kind is not Kind.EXECUTE:
            return statement
        body = self._statements.get(statement.name or "", ())
        return body[0] if body and body[0].kind is not Kind.EXECUTE else OTHER
