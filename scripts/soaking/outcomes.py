"""What became of the scenarios of samples: the same moment and action must always end the same.

Counterparts: `repeats` and `mixed` tell it what they saw. The samples whose totals depend on a
timer of their own say so: of them the range is printed.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from killpoint.cli.result import ScenarioResult
from killpoint.cli.session.results import outcome_words

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
            if outcomes and words not in outcomes and sample not in TIMED:
                yield f"{sample} {at}: {words or one.reason}, was {' | '.join(outcomes)}"
            outcomes.add(words)

    def print_ranges(self) -> None:
        """Of the samples that a timer decides, what came out in more ways than one."""
        for (sample, at), outcomes in sorted(self._seen.items()):
            if sample in TIMED and len(outcomes) > 1:
                print(f"  {sample}, depends on its timer: {at}: {' | '.join(sorted(outcomes))}")
