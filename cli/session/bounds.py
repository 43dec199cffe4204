"""The exposure of each check in one scenario: what its crash state could at worst cost.

Computed after the run, as only then the positions are known that the restart fetched from. A
scenario of several faults, one whose restart did not fetch every partition, one with replicas that
lived on, and one whose target wrote into its own sources (a retry topic: more events than the
ledger expects to be done) has none.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from killpoint.checks.check import Check, CheckError, expected_totals
from killpoint.checks.exposure import Exposure, exposure, lost_later, within
from killpoint.checks.ledger import Ledger
from killpoint.checks.number import NumberError
from killpoint.checks.totals import Totals, TotalsError
from killpoint.cli.session.audit import Audit, Snapshot
from killpoint.cli.session.skipped import Usual, skipped
from killpoint.cli.session.warnings import emptied_tables
from killpoint.faults.ending import End
from killpoint.faults.position import Position, TopicPartition
from killpoint.faults.run_record import FaultRecord, RunRecord

Parts = tuple[Totals, Totals, Totals]
"""Expected totals before the positions, from them on, and of all."""


@dataclass(frozen=True, slots=True)
class Bounded:
    """By check: its exposure, or None; `unexplained`: an outcome was larger than its exposure.

    `explained_by`: it was larger, and what the target did after its restart accounts for it.
    """

    exposures: tuple[Exposure | None, ...] = ()
    unexplained: bool = False
    explained_by: str | None = None


class Bounds:
    """Computes exposures; the expected parts are kept, as many scenarios resume at one place."""

    def __init__(self, checks: Sequence[Check]) -> None:
        self._checks = checks
        self._parts: dict[tuple[Position, ...], list[Parts | None]] = {}

    async def bound(self, record: RunRecord[Audit], ledger: Ledger, usual: Usual) -> Bounded:
        """The exposures of a finished run's checks; `usual`: what the clean runs showed."""
        fault = record.faults[0] if len(record.faults) == 1 else None
        if fault is None or fault.snapshot is None or record.audit is None or fault.survivors:
            return Bounded()
        ends = {place: end for place, end in ledger.ends().items() if end}
        positions = _resumed(fault, record, ends)
        if positions is None or record.ending.end is not End.DRAINED:
            return Bounded()
        snapshot = cast(Snapshot, fault.snapshot)
        parts = await self._parts_at(positions, ledger)
        exposures = tuple(
            exposure(*part, actual) if part is not None and actual is not None else None
            for part, actual in zip(parts, snapshot, strict=True)
        )
        # The checks of totals come first; those against the clean run have no exposure.
        found = [outcome for _, outcome in record.audit.found[: len(self._checks)]]
        beyond = [
            (part, bound, outcome)
            for part, bound, outcome in zip(parts, exposures, found, strict=True)
            if part is not None and bound is not None and not within(bound, outcome)
        ]
        if not beyond:
            return Bounded(exposures)
        if emptied := emptied_tables(record):
            gone = f"the restart dropped or truncated {', '.join(sorted(emptied))}"
            return Bounded(exposures, explained_by=gone)
        words = None
        if all(lost_later(bound, part[1], outcome) for part, bound, outcome in beyond):
            words = skipped(record, fault, ends, usual)
        return Bounded(exposures, words is None, words)

    def forget(self) -> None:
        """The ledger has changed."""
        self._parts.clear()

    async def _parts_at(
        self, positions: tuple[Position, ...], ledger: Ledger
    ) -> list[Parts | None]:
        if positions not in self._parts:
            self._parts[positions] = await asyncio.to_thread(
                lambda: [_parts(check, ledger, positions) for check in self._checks]
            )
        return self._parts[positions]


def _resumed(
    fault: FaultRecord, record: RunRecord[Audit], ends: Mapping[TopicPartition, int]
) -> tuple[Position, ...] | None:
    """Where the restart fetched from, in every partition that has events."""
    if fault.crash is None:
        return None
    if record.progress.topics_written & {entry.topic for entry in fault.crash.frontier}:
        return None
    resumed: Mapping[TopicPartition, int] = fault.resumed
    if any(place not in resumed for place in ends):
        return None
    return tuple(Position(p.topic, p.partition, resumed[p]) for p in sorted(ends))


def _parts(check: Check, ledger: Ledger, positions: tuple[Position, ...]) -> Parts | None:
    if check.command:
        return None
    try:
        return (
            expected_totals(ledger.before(positions), check),
            expected_totals(ledger.after(positions), check),
            expected_totals(ledger, check),
        )
    except (CheckError, TotalsError, NumberError):
        return None
