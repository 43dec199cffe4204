"""What became of the scenarios of samples: the same moment and action must always end the same.

Counterparts: `repeats` and `mixed` tell it what they saw. Two things can't be exact, and of them
the range is printed: samples whose totals depend on a timer of their own, and `terminate` at a
join, as the program goes on after SIGTERM and may fetch a batch first or not.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from killpoint.cli.result import ScenarioResult
from killpoint.cli.session.results import outcome_words
from killpoint.faults.scenario import KILL

TIMED: Final = frozenset({"auto-commit"})


@dataclass(slots=True)
class Outcomes:
    """The outcomes of each sample's moments, in words, over all that was told."""

    _seen: dict[tuple[str, str], set[str]] = field(default_factory=lambda: defaultdict(set))

    def varied(self, sample: str, finished: Sequence[ScenarioResult]) -> Iterator[str]:
        """Take these in; yields those that differ from an earlier one of the same moment."""
        for one in finished:
            fault = one.faults[0]
            at = f"{fault.action} at {fault.at}"
            outcomes = self._seen[sample, at]
            words = outcome_words(one)
            if outcomes and words not in outcomes and not _inexact(sample, at):
                yield f"{sample} {at}: {words or one.reason}, was {' | '.join(outcomes)}"
            outcomes.add(words)

    def print_ranges(self) -> None:
        """Of what time decides, what came out in more ways than one."""
        for (sample, at), outcomes in sorted(self._seen.items()):
            if _inexact(sample, at) and len(outcomes) > 1:
                print(f"  {sample}, depends on time: {at}: {' | '.join(sorted(outcomes))}")


def _inexact(sample: str, at: str) -> bool:
    return sample in TIMED or (not at.startswith(f"{KILL} ") and " at kafka.join" in at)
