"""The audit of one database: every check's actual totals against the ledger's expected ones."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from killpoint.checks.check import Check, CheckError, expected_totals
from killpoint.checks.comparison import CheckOutcome, compare
from killpoint.checks.ledger import Ledger
from killpoint.checks.number import NumberError
from killpoint.checks.outcome import Outcome, merge
from killpoint.checks.totals import Totals, TotalsError
from killpoint.cli.result import REMEDY_FOLLOWS
from killpoint.faults.environment import DatabaseServer, QueryFailed
from killpoint.faults.neighbours import Neighbours


@dataclass(frozen=True, slots=True)
class Audit:
    """What each check found, in the order of the checks; equal audits found the same."""

    found: tuple[tuple[str, CheckOutcome], ...]

    @property
    def outcome(self) -> Outcome:
        """The worst of the checks."""
        return merge(outcome.outcome for _, outcome in self.found)

    @property
    def suspicious(self) -> bool:
        """Something is missing, which work still to come might bring."""
        return any(
            outcome.outcome in {Outcome.LOST, Outcome.BOTH, Outcome.INCONCLUSIVE}
            for _, outcome in self.found
        )

    @property
    def reason(self) -> str | None:
        """Why a check could not be run."""
        return next((o.reason for _, o in self.found if o.reason), None)


Snapshot = tuple[Totals | None, ...]
"""The actual totals of every check at one instant, in the order of the checks."""


class Auditor:
    """Runs the checks. The expected totals are computed once for each ledger."""

    def __init__(
        self,
        checks: Sequence[Check],
        database: DatabaseServer,
        neighbours: Neighbours | None = None,
    ) -> None:
        self._checks = checks
        self._database = database
        self._neighbours = neighbours or Neighbours()
        self._expected: list[Totals | str] = []

    async def use(self, ledger: Ledger) -> None:
        """Compare with this ledger from now on."""
        self._expected = await asyncio.to_thread(
            lambda: [_expected(ledger, check) for check in self._checks]
        )

    async def audit(self, database: str) -> Audit:
        """Compare every check on the given database; a check that fails is inconclusive."""
        found = [
            (check.name, await self._one(check, expected, database))
            for check, expected in zip(self._checks, self._expected, strict=True)
        ]
        return Audit(tuple(found))

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
