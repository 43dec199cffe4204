"""The plan of a sweep to a depth: what was chosen, then what the outcomes ask for. Pure.

Counterpart: `depth` chooses. It tries every moment once two kills in one crash state have differed,
kills again during the recovery from the first kill where two kills are wanted, and gives nothing
more when the time is over.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from killpoint.faults.agreement import Agreement, Difference, Seen
from killpoint.faults.depth import Depth, Selection, representatives, selected
from killpoint.faults.durability import DurabilityRules
from killpoint.faults.plan import Ran, Struck
from killpoint.faults.scenario import KILL, Fault, Scenario
from killpoint.faults.sweep import NO_EXTENT, Extent, SweepMoment, recovered

_Kind = tuple[str, str, bool | None]
"""The classes of a first and a second kill, and whether both ended the same one of several."""


@dataclass(frozen=True, slots=True)
class Limits:
    """`scenarios` at most, `seconds` after which none is begun, `kills` in one scenario."""

    scenarios: int | None = None
    seconds: float | None = None
    kills: int = 1


class DepthPlan:
    """A Plan (see `plan`). `difference`: the first two kills that disagreed about a state."""

    def __init__(
        self,
        found: Sequence[SweepMoment],
        wanted: Selection,
        limits: Limits | None = None,
        rules: DurabilityRules | None = None,
        extent: Extent = NO_EXTENT,
    ) -> None:
        self._found = found
        self._wanted = wanted
        self._limits = limits or Limits()
        self._rules = rules
        self._extent = extent
        self._scenarios = selected(found, wanted)
        self._given = 0
        self._classes = {moment.at: moment.crash_class for moment in found}
        self._recoveries: set[_Kind] = set()
        self._agreement = Agreement()
        self.difference: Difference | None = None
        self.chosen = len(self._scenarios)
        """How many scenarios the depth alone asked for."""

    @property
    def total(self) -> int:
        """How many scenarios it is, as far as is known by now."""
        wanted, limit = len(self._scenarios), self._limits.scenarios
        return wanted if limit is None else min(wanted, limit)

    @property
    def left(self) -> int:
        """How many of these were not given yet."""
        return self.total - self._given

    def next(self, seconds: float) -> Scenario | None:
        """The next scenario, `seconds` after the sweep began; None if there is none now."""
        over = self._limits.seconds is not None and seconds >= self._limits.seconds
        if over or not self.left:
            return None
        self._given += 1
        return self._scenarios[self._given - 1]

    def finished(self, record: Ran, outcome: str) -> None:
        """A run is over; `outcome` has its amounts, "" where it was inconclusive."""
        faults = record.faults
        if not outcome or not faults or not faults[0].reached:
            return
        if [fault.action for fault in record.scenario.faults] != [KILL]:
            return
        self._compare(record.scenario, faults[0], outcome)
        if self._limits.kills > 1:
            self._kill_again(record, faults[0])

    def _compare(self, scenario: Scenario, fault: Struck, outcome: str) -> None:
        if fault.place is None or fault.left_behind or self._wanted.survivors:
            return
        found = self._agreement.compare(fault.place.state, Seen(scenario, outcome))
        if found is None or self.difference is not None:
            return
        self.difference = found
        tried = {s.faults[0].at for s in self._scenarios if s.faults[0].action == KILL}
        rest = (moment for moment in self._found if moment.at not in tried)
        self._add(((Fault(m.at, KILL),), m.required) for m in rest)

    def _kill_again(self, record: Ran, fault: Struck) -> None:
        """Kill once more at the crash states of the recovery, those of a class once for each.

        Where others live on, no moment stands for another. Of a class the middle one is then tried
        of what the first to die does, and of what the others do: where they stand at its death is
        chance, so their next moments are often past when the death is repeated.
        """
        if fault.place is None:
            return
        first, wanted, met = record.scenario.faults[0], self._wanted, fault.place.entry
        again = recovered(record.history, met, self._rules, self._extent)
        chosen = again if wanted.survivors else representatives(again, wanted.depth)
        if wanted.depth is Depth.CLASSES:
            chosen = self._new_kinds(first, chosen, met.replica)
        self._add(((first, Fault(m.at, KILL)), False) for m in chosen)

    def _new_kinds(
        self, first: Fault, again: Iterable[SweepMoment], died: int
    ) -> list[SweepMoment]:
        """The middle moment of each kind of second death that was not chosen before."""
        kinds: dict[_Kind, list[SweepMoment]] = defaultdict(list)
        for moment in again:
            whose = moment.at.replica if self._wanted.survivors else None
            same = None if whose is None else whose == died
            kinds[self._classes.get(first.at, ""), moment.crash_class, same].append(moment)
        new = [some for kind, some in kinds.items() if kind not in self._recoveries]
        self._recoveries.update(kinds)
        return [some[(len(some) - 1) // 2] for some in new]

    def _add(self, more: Iterable[tuple[tuple[Fault, ...], bool]]) -> None:
        for faults, required in more:
            number = len(self._scenarios) + 1
            self._scenarios.append(Scenario(f"S{number:02}", faults, required=required))
