"""Runs planted consumers on a real stack, each on topics of its own.

Counterpart: `planted.py` says what they are and what is right.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

from killpoint.checks.outcome import Outcome
from killpoint.checks.verdict import Verdict
from killpoint.cli.result import Bound, Result, ScenarioResult
from killpoint.cli.session.evidence import Evidence, new_run_id
from killpoint.cli.session.examination import Examination
from killpoint.cli.session.stack import Stack
from killpoint.cli.session.topics import Topics
from killpoint.faults.plan import Listed
from killpoint.faults.scenario import Scenario
from killpoint.faults.sweep import scenarios
from tests.support.exact_table import Silence
from tests.support.planted import ACTIONS, Planted

Look = Callable[[Scenario], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Examined:
    """The result of one consumer; `evidence` is the folder of its runs."""

    planted: Planted
    result: Result
    verdict: Verdict
    evidence: Path

    def __str__(self) -> str:
        """All that was found, for a failed assertion."""
        runs = [f"clean run: {run.outcome} ({run.reason})" for run in self.result.clean_runs]
        lines = [_line(scenario) for scenario in self.result.scenarios]
        head = f"{self.planted.name}: {self.verdict.guarantee} ({self.verdict.reason})"
        return "\n  ".join([head, f"evidence: {self.evidence}", *runs, *lines])


def _line(scenario: ScenarioResult) -> str:
    fault = scenario.faults[0]
    amounts = [f"{check.lost} lost, {check.counted_twice} twice" for check in scenario.checks]
    reached = "" if fault.reached else ", not reached"
    told = f"{scenario.id} {fault.action} at {fault.at}{reached}: {scenario.outcome}"
    doubt = " UNEXPLAINED" if scenario.unexplained else ""
    why = scenario.reason or scenario.explained_by
    return f"{told} {amounts} ({why}){doubt} {scenario.seconds.total:.1f} s"


class Examiner:
    """Examines consumers one after another on the first lane of a stack, also one repeatedly."""

    def __init__(self, stack: Stack, folder: Path) -> None:
        self._stack = stack
        self._folder = folder
        self._examined: set[str] = set()

    async def examine(
        self, planted: Planted, *, every_moment: bool = False, after_each: Look | None = None
    ) -> Examined:
        """Make the clean runs, then the hits, or every moment that was found with each action.

        `after_each` looks at what a scenario has left in Kafka before the next one begins.
        """
        run, subject = f"{new_run_id()}-{planted.name}", planted.subject()
        evidence = Evidence(self._folder, run)
        topics = Topics(subject, self._stack.environment)
        if planted.name in self._examined:
            await self._stack.environment.broker.delete_topics(subject.topics)
        self._examined.add(planted.name)
        lanes = self._stack.lanes[:1]
        examination = Examination(self._stack, lanes, subject, Silence(), run, topics, evidence)
        try:
            await examination.prepare()
            if await examination.clean_runs():
                for scenario in _wanted(planted, examination, every_moment=every_moment):
                    await examination.sweep(Listed([scenario]))
                    if after_each is not None:
                        await after_each(scenario)
        finally:
            await examination.close()
        result, verdict = examination.result(Bound(ACTIONS, 1))
        return Examined(planted, result, verdict, evidence.folder("start").parent)


def _wanted(planted: Planted, examination: Examination, *, every_moment: bool) -> list[Scenario]:
    if every_moment:
        return scenarios(examination.found, ACTIONS)
    return planted.scenarios()


def wrong_hits(examined: Examined) -> list[str]:
    """The hits whose outcome is not the right one, or that were not reached but are sure."""
    pairs = zip(examined.planted.hits, examined.result.scenarios, strict=True)
    return [
        f"{hit} gave {_line(found)}"
        for hit, found in pairs
        if not _right(hit.outcome, found) and (hit.sure or found.reached)
    ]


def _right(outcome: Outcome | None, found: ScenarioResult) -> bool:
    if outcome is None:
        return found.outcome is not Outcome.INCONCLUSIVE
    return found.outcome is outcome


def accusations(examined: Examined) -> list[str]:
    """What is held against a consumer: wrong totals, stuck, or required and inconclusive."""
    return [
        _line(found)
        for found in examined.result.scenarios
        if found.outcome is not Outcome.CLEAN
        and (found.outcome is not Outcome.INCONCLUSIVE or found.required)
    ]


def unexplained(examined: Examined) -> list[str]:
    """The scenarios whose outcome is larger than their crash state could cost."""
    return [_line(found) for found in examined.result.scenarios if found.unexplained]
