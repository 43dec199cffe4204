"""The audit of one database: what every check finds in it.

Checks of totals set actual ones against the ledger's expected ones; those against the clean run are
`clean_images`.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Final

from killpoint.checks.baseline import CleanRunCheck
from killpoint.checks.check import Check, CheckError, expected_totals
from killpoint.checks.comparison import CheckOutcome, compare
from killpoint.checks.ledger import Ledger
from killpoint.checks.number import NumberError
from killpoint.checks.outcome import Outcome, merge
from killpoint.checks.totals import Totals, TotalsError
from killpoint.cli.result import REMEDY_FOLLOWS
from killpoint.cli.session.clean_images import CleanImages
from killpoint.faults.environment import DatabaseServer, QueryFailed
from killpoint.faults.neighbours import Neighbours


@dataclass(frozen=True, slots=True)
class Audit:
    """What each check found: those of totals in their order, then those against the clean run.

    Equal audits found the same. `recorded`: a digest of what a clean run left, where that is what
    later runs are compared with.
    """

    found: tuple[tuple[str, CheckOutcome], ...]
    recorded: bytes = b""

    @property
    def outcome(self) -> Outcome:
        """The worst of the checks."""
        return merge(outcome.outcome for _, outcome in self.found)

    @property
    def suspicious(self) -> bool:
        """Something is missing, or old, which work still to come might bring."""
        return any(outcome.outcome in _SUSPICIOUS for _, outcome in self.found)

    @property
    def provisional(self) -> bool:
        """Nothing says yet what should be there: only what stays the same is believed."""
        return bool(self.recorded)

    @property
    def reason(self) -> str | None:
        """Why a check could not be run."""
        return next((o.reason for _, o in self.found if o.reason), None)


_SUSPICIOUS: Final = frozenset(
    {Outcome.LOST, Outcome.BOTH, Outcome.STALE, Outcome.PARTIAL, Outcome.INCONCLUSIVE}
)
Snapshot = tuple[Totals | None, ...]
"""The actual totals of every check of totals at one instant, in the order of the checks."""


Program = Callable[[Check, Ledger], Awaitable[Totals]]
"""The expected totals of a check that has a command."""


class Auditor:
    """Runs the checks. The expected totals are computed once for each ledger."""

    def __init__(
        self,
        checks: Sequence[Check],
        against: Sequence[CleanRunCheck],
        database: DatabaseServer,
        program: Program,
        neighbours: Neighbours | None = None,
    ) -> None:
        """`program` gives the expected totals of a check that has a command."""
        self._checks = checks
        self._database = database
        self._program = program
        self._neighbours = neighbours or Neighbours()
        self.clean_images = CleanImages(against, database, self._neighbours)
        self._expected: list[Totals | str] = []

    async def use(self, ledger: Ledger) -> None:
        """Compare with this ledger from now on."""
        self._expected = [await self._expect(check, ledger) for check in self._checks]

    async def _expect(self, check: Check, ledger: Ledger) -> Totals | str:
        if check.command:
            return await self._program(check, ledger)
        return await asyncio.to_thread(_expected, ledger, check)

    async def audit(self, database: str) -> Audit:
        """Compare every check on the given database; a check that fails is inconclusive."""
        found = [
            (check.name, await self._one(check, expected, database))
            for check, expected in zip(self._checks, self._expected, strict=True)
        ]
        outcomes, recorded = await self.clean_images.audit(database)
        against = zip(self.clean_images.checks, outcomes, strict=True)
        return Audit((*found, *((check.name, outcome) for check, outcome in against)), recorded)

    async def snapshot(self, database: str) -> Snapshot:
        """The actual totals alone; None where a check's query failed."""
        return tuple([await self._actual(database, check) for check in self._checks])

    async def _actual(self, database: str, check: Check) -> Totals | None:
        try:
            return Totals.of(*await self._actual_rows(database, check))
        except (QueryFailed, TotalsError, NumberError):
            return None

    async def _actual_rows(
        self, database: str, check: Check
    ) -> tuple[list[str], list[tuple[object, ...]]]:
        asked = self._neighbours.of(database, check.database)
        return await self._database.query(asked, check.actual)

    async def _one(self, check: Check, expected: Totals | str, database: str) -> CheckOutcome:
        if isinstance(expected, str):
            return CheckOutcome.failed(expected)
        try:
            columns, rows = await self._actual_rows(database, check)
            return compare(expected, Totals.of(columns, rows))
        except QueryFailed as error:
            message, *_ = str(error).strip().splitlines() or ["no reason given"]
            return CheckOutcome.failed(
                f'check "{check.name}": actual failed in Postgres: {message}{REMEDY_FOLLOWS}'
                "mend actual in [[check]], or [database] schema if that should be there"
            )
        except (TotalsError, NumberError) as error:
            return CheckOutcome.failed(f'check "{check.name}": {error}')


def _expected(ledger: Ledger, check: Check) -> Totals | str:
    try:
        return expected_totals(ledger, check)
    except CheckError as error:
        return str(error)
