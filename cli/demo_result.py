"""The result of the demo: a run of each sample consumer, and whether its verdict is right.

Counterpart: the demo's session gathers the verdicts, `report/demo.py` and `--json` show them.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from killpoint.checks.guarantee import Guarantee
from killpoint.cli.exit_codes import ExitCode
from killpoint.cli.progress import VerdictGiven
from killpoint.cli.result import as_json


@dataclass(frozen=True, slots=True)
class Sample:
    """A sample consumer. `total` is what its check adds up to when all is right, if that is one."""

    name: str
    right: Guarantee
    total: int | None = None


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a sample's run gave."""

    sample: Sample
    verdict: VerdictGiven

    @property
    def right(self) -> bool:
        """Whether the verdict is conclusive and the one that the consumer's steps deserve."""
        conclusive = self.verdict.exit_code is ExitCode.MET
        return conclusive and self.verdict.result.guarantee is self.sample.right


def demo_exit_code(judgements: Sequence[Judgement], samples: int) -> ExitCode:
    """0 if all samples were judged rightly; a wrong verdict weighs more than a missing one."""
    codes = {judgement.verdict.exit_code for judgement in judgements}
    if ExitCode.INTERRUPTED in codes:
        return ExitCode.INTERRUPTED
    if any(not j.right and j.verdict.exit_code is not ExitCode.INCONCLUSIVE for j in judgements):
        return ExitCode.NOT_MET
    if ExitCode.INCONCLUSIVE in codes or len(judgements) < samples or not samples:
        return ExitCode.INCONCLUSIVE
    return ExitCode.MET


def demo_meaning(code: ExitCode) -> str:
    """The demo's exit code in words."""
    meanings = {
        ExitCode.MET: "every verdict is the right one",
        ExitCode.NOT_MET: "a verdict is not the right one",
    }
    return meanings.get(code, code.meaning)


def demo_json(judgements: Sequence[Judgement]) -> str:
    """`{"consumers": [{"name", "right", …the result}]}`, in the order given."""
    return as_json({"consumers": [_entry(judgement) for judgement in judgements]})


def _entry(judgement: Judgement) -> dict[str, object]:
    result = judgement.verdict.result.to_data()
    return {"name": judgement.sample.name, "right": judgement.right, **result}
