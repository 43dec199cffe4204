"""What a run asks of the audit of the totals, and of whoever makes it. Counterpart: `cli`'s."""

from typing import Protocol, TypeVar


class Audit(Protocol):
    """What the audit of the totals says; the run only asks whether waiting could change it."""

    @property
    def suspicious(self) -> bool:
        """Something is missing, which work still to come might bring."""
        ...

    @property
    def provisional(self) -> bool:
        """Nothing says yet what should be there: only what stays the same is believed."""
        ...


A = TypeVar("A", bound=Audit, covariant=True)


class Auditor(Protocol[A]):
    """Reads the totals of a database. Counterpart: the session's checks."""

    async def audit(self, database: str, written: frozenset[str]) -> A:
        """Compare expected and actual totals; `written`: topics that the target wrote to."""
        ...

    async def snapshot(self, database: str) -> object:
        """The actual totals alone, between a crash and the restart; only kept, not read here."""
        ...
