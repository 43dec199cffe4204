"""The verdict: which guarantee a run shows, whether the requirement is met, and the exit code.

Implements "The guarantee" of the design. Counterpart: `cli` gathers the outcomes and prints the
verdict with its bound and coverage. "effectively once" here always means: not refuted by these
scenarios.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

from killpoint.checks.guarantee import Guarantee, join, left_by
from killpoint.checks.outcome import Outcome

__all__ = ["ExitCode", "Guarantee", "Judged", "Verdict", "audited", "verdict"]

WRONG_WITHOUT_FAULT = "wrong without any fault: the consumer or the check"


class ExitCode(IntEnum):
    """The exit codes that a verdict can give; the others belong to `cli`."""

    MET = 0
    NOT_MET = 1
    INCONCLUSIVE = 3


@dataclass(frozen=True, slots=True)
class Judged:
    """The outcome of a clean run or a scenario.

    `required`: False for a scenario whose moment was not seen in every clean run; that it was not
    reached then counts for nothing.
    """

    outcome: Outcome
    reason: str | None = None
    required: bool = True


@dataclass(frozen=True, slots=True)
class Verdict:
    """`met` is None where there is no requirement or no answer; `reason` says why not "met"."""

    guarantee: Guarantee | None
    met: bool | None
    reason: str | None
    exit_code: ExitCode


def verdict(
    clean: Sequence[Judged], scenarios: Sequence[Judged], requirement: Guarantee | None
) -> Verdict:
    """Judge a run by its clean runs and its scenarios.

    A refutation stands, whatever else was inconclusive; "met" needs every required scenario to be
    conclusive. A run that exercised nothing is inconclusive, never a pass.
    """
    if condemned := _condemned(clean):
        return condemned
    shown = [left for each in scenarios if (left := left_by(each.outcome)) is not None]
    worst = join(shown)
    refuted = worst if worst is not Guarantee.EFFECTIVELY_ONCE else None
    if stuck := [each for each in scenarios if each.outcome is Outcome.STUCK]:
        return Verdict(refuted, False, _stuck(stuck, scenarios), ExitCode.NOT_MET)
    if requirement is not None and refuted is not None and not refuted.meets(requirement):
        reason = f"required: {requirement}, given: {refuted}"
        return Verdict(refuted, False, reason, ExitCode.NOT_MET)
    if doubt := _doubt(clean, scenarios):
        bound = f"{refuted} is an upper bound: " if refuted else ""
        return Verdict(refuted, None, bound + doubt, ExitCode.INCONCLUSIVE)
    return Verdict(worst, None if requirement is None else True, None, ExitCode.MET)


def audited(clean: Sequence[Judged]) -> Verdict:
    """Judge an audit: runs without any fault, which show no guarantee but can be wrong."""
    if condemned := _condemned(clean):
        return condemned
    if doubt := _clean_doubt(clean):
        return Verdict(None, None, doubt, ExitCode.INCONCLUSIVE)
    return Verdict(None, None, None, ExitCode.MET)


def _condemned(clean: Sequence[Judged]) -> Verdict | None:
    """The verdict on a consumer that needs no fault: wrong totals, or a crash loop.

    Idle with work left is inconclusive without a fault, so it is not among them.
    """
    if any(run.outcome.wrong for run in clean):
        return Verdict(None, False, WRONG_WITHOUT_FAULT, ExitCode.NOT_MET)
    if halted := [run for run in clean if run.outcome is Outcome.STUCK]:
        return Verdict(None, False, _because("stuck without any fault", halted), ExitCode.NOT_MET)
    return None


def _doubt(clean: Sequence[Judged], scenarios: Sequence[Judged]) -> str | None:
    """Why the scenarios do not suffice for a verdict that nothing refuted; None if they do."""
    if doubt := _clean_doubt(clean):
        return doubt
    if not scenarios:
        return "no scenario was run: there was no moment to stop at"
    required = [each for each in scenarios if each.required]
    open_ones = [each for each in required if each.outcome is Outcome.INCONCLUSIVE]
    if open_ones:
        count = f"{len(open_ones)} of {len(required)} required scenarios inconclusive"
        return _because(count, open_ones)
    if all(each.outcome is Outcome.INCONCLUSIVE for each in scenarios):
        return _because(f"none of {len(scenarios)} scenarios was conclusive", scenarios)
    return None


def _clean_doubt(clean: Sequence[Judged]) -> str | None:
    if not clean:
        return "no clean run was made"
    unsure = [run for run in clean if run.outcome is not Outcome.CLEAN]
    return _because("the clean run was inconclusive", unsure) if unsure else None


def _stuck(stuck: Sequence[Judged], scenarios: Sequence[Judged]) -> str:
    return _because(f"stuck in {len(stuck)} of {len(scenarios)} scenarios", stuck)


def _because(what: str, judged: Sequence[Judged]) -> str:
    reason = next((each.reason for each in judged if each.reason), None)
    return f"{what}: {reason}" if reason else what
