"""`killpoint check`: what is missing, what would run, and about how long it would take.

Counterpart: `session/plan.py` finds it out. Pure: a plan in, lines out.
"""

from collections.abc import Iterator

from rich.text import Text

from killpoint.cli.exit_codes import ExitCode, exit_line
from killpoint.cli.report.page import Page, about, line, padded, seconds
from killpoint.cli.report.words import count
from killpoint.cli.session.estimate import QUICK_SECONDS, guess, sweep_seconds
from killpoint.cli.session.plan import Plan
from killpoint.compose.facts import Fact

LABEL = 12


def plan_code(plan: Plan) -> ExitCode:
    """0, or 4 if the environment would fail."""
    return ExitCode.MET if plan.possible else ExitCode.ENVIRONMENT


def plan_lines(plan: Plan, page: Page) -> list[Text]:
    """A labelled line each, what is missing with its remedy, and the exit line last."""
    code = plan_code(plan)
    meaning = "nothing is wrong that can be known before a start" if plan.possible else None
    texts = [
        *page.fold(_stack(plan), padded("stack", LABEL)),
        *(text for fact in plan.facts if not fact.found for text in _missing(fact, page)),
        *page.fold(_steps(plan), padded("plan", LABEL)),
        *page.fold(f"required: {plan.requirement or 'nothing'}", " " * LABEL),
        *page.fold(_time(plan), padded("time", LABEL)),
        "",
        exit_line(code, meaning),
    ]
    return [line(text) for text in texts]


def _stack(plan: Plan) -> str:
    return f"{plan.stack} ({plan.reason})" if plan.reason else plan.stack


def _missing(fact: Fact, page: Page) -> Iterator[str]:
    label = "missing" if fact.in_the_way else "will do"
    yield from page.fold(f"{fact.name}: {fact.what}", padded(label, LABEL))
    if fact.in_the_way and fact.remedy:
        yield from page.fold(f"do: {fact.remedy}", " " * LABEL)


def _steps(plan: Plan) -> str:
    actions = " and ".join(plan.actions)
    if plan.scenarios:
        return f"2 clean runs, then the {count(plan.scenarios, 'scenario')} of the file"
    return f"2 clean runs, then {actions} at every moment that they show, one at a time"


def _time(plan: Plan) -> str:
    last = plan.last
    if last is not None:
        runs = plan.scenarios or last.moments * len(plan.actions)
        whole = sweep_seconds(runs, last.seconds) + 2 * last.seconds
        shown = f"{count(last.moments, 'moment')} and a clean run of {seconds(last.seconds)}"
        return f"about {about(whole)}, as run {last.run} showed {shown}"
    if plan.scenarios or plan.events is None:
        return "not known before the first clean run:  killpoint points  makes two"
    few, many = guess(plan.events)
    each = len(plan.actions) * sweep_seconds(1, QUICK_SECONDS)
    return (
        f"a guess, as nothing has run here yet: {about(few * each)} ({few} moments, all "
        f"{count(plan.events, 'event')} in one batch) to {about(many * each)} ({many} moments, "
        "each in a batch of its own), if the target starts within a second"
    )
