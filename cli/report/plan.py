"""`killpoint check`: what is missing, what would run, and about how long it would take.

Counterpart: `session/plan.py` finds it out. Pure: a plan in, lines out.
"""

from collections.abc import Iterator

from rich.text import Text

from killpoint.cli.exit_codes import ExitCode, exit_line
from killpoint.cli.report.page import Page, about, line, padded, seconds
from killpoint.cli.report.words import count
from killpoint.cli.session.estimate import (
    QUICK_SECONDS,
    Range,
    guessed_scenarios,
    session_seconds,
    shown_scenarios,
    sweep_seconds,
)
from killpoint.cli.session.lanes import Lanes, lanes_of
from killpoint.cli.session.plan import Plan
from killpoint.compose.facts import Fact
from killpoint.faults.depth import Depth

LABEL = 12
_WHERE = {
    Depth.CLASSES: "at the first, a middle and the last place of each class of crash states",
    Depth.STATES: "once in each crash state",
    Depth.MOMENTS: "at every moment that they show",
}


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
        *page.fold(_lanes(plan), padded("lanes", LABEL)),
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
    if plan.scenarios:
        return f"2 clean runs, then the {count(plan.scenarios, 'scenario')} of the file"
    actions = " and ".join(plan.wanted.actions)
    again = ", and again in each recovery" if plan.wanted.kills > 1 else ""
    return f"2 clean runs, then {actions} {_WHERE[plan.wanted.depth]}{again}"


def _lanes(plan: Plan) -> str:
    known = plan.last is not None or plan.meeting.beside or plan.meeting.at_servers
    if plan.lanes.lanes > 1 and not known:
        return f"up to {plan.lanes.lanes}; fewer if the clean runs show that targets would meet"
    found = _found(plan, _scenarios(plan).few)
    return found.why or f"{found.count}"


def _scenarios(plan: Plan) -> Range:
    wanted = plan.wanted
    if plan.scenarios:
        return Range(plan.scenarios, plan.scenarios)
    if plan.last is not None:
        return shown_scenarios(plan.last.shown, wanted.depth, wanted.actions, wanted.kills)
    return guessed_scenarios(plan.events or 0, wanted.depth, wanted.actions, wanted.kills)


def _found(plan: Plan, scenarios: int) -> Lanes:
    clean = plan.last.shown.seconds if plan.last is not None else QUICK_SECONDS
    return lanes_of(plan.lanes, plan.meeting, scenarios, sweep_seconds(scenarios, clean))


def _time(plan: Plan) -> str:
    number, last = _scenarios(plan), plan.last
    if last is not None:
        clean = last.shown.seconds
        span = _span(
            session_seconds(number.few, clean, _found(plan, number.few)),
            session_seconds(number.many, clean, _found(plan, number.many)),
        )
        shown = f"{count(last.shown.moments, 'moment')} and a clean run of {seconds(clean)}"
        return f"about {span} ({_number(number)}), as run {last.run} showed {shown}"
    if plan.events is None and not plan.scenarios and plan.wanted.depth is not Depth.CLASSES:
        return "not known before the first clean run:  killpoint points  makes two"
    few = session_seconds(number.few, QUICK_SECONDS, _found(plan, number.few))
    many = session_seconds(number.many, QUICK_SECONDS, Lanes(1))
    return (
        f"a guess, as nothing has run here yet: {_span(few, many)} ({_number(number)}), if a run "
        f"takes {seconds(QUICK_SECONDS)}; a slow starter adds its start to each, and a second one "
        "to each kill"
    )


def _span(*ends: float) -> str:
    few, many = about(min(ends)), about(max(ends))
    return few if few == many else f"{few} to {many}"


def _number(scenarios: Range) -> str:
    if scenarios.few == scenarios.many:
        return count(scenarios.few, "scenario")
    return f"{scenarios.few} to {scenarios.many} scenarios"
