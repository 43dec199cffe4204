"""What ends a run before it is drained, and how that reads: the target never came, or it is stuck.

Every text says what happened, why it is likely, and the line to add.
"""

from collections.abc import Collection
from dataclasses import dataclass

from killpoint.faults.drained import Judgement
from killpoint.faults.ending import End, Ending
from killpoint.faults.scenario import Fault, Scenario
from killpoint.faults.stage import Patience, Restart, Stage
from killpoint.faults.target import Exit
from killpoint.faults.unseen import past_killpoint
from killpoint.faults.watch import Watch

_FLUSH = (
    "raise the count of events, lower its flush interval in [target] env, or raise "
    '[run] drain_timeout = "6m"'
)
_WORKING_FACTOR = 10.0
"""How much longer a target may stand still that commits writes: one long fetch is worked off."""


@dataclass(slots=True)
class Exits:
    """Exits in a row that killpoint did not cause, without progress between them."""

    in_a_row: int = 0
    advanced: float = -1.0


async def overdue(
    stage: Stage, watch: Watch, judgement: Judgement, scenario: Scenario
) -> Ending | None:
    """The ending if a limit has passed: start_timeout before the join, drain_timeout after."""
    life, patience = watch.progress.life, stage.patience
    if watch.foreign:
        return _foreign(*watch.foreign[0])
    if life.joined is None:
        if watch.now - life.started < patience.start_seconds:
            return None
        return _insisting(watch) or await _absent(stage, watch, scenario)
    since = max(life.joined, watch.progress.advanced)
    working = watch.now - watch.progress.committed_work < patience.drain_seconds
    if watch.now - since < patience.drain_seconds * (_WORKING_FACTOR if working else 1):
        return None
    if working:
        return _still_working(patience, judgement)
    return _insisting(watch) or await _idle(stage, watch, judgement, scenario)


def _still_working(patience: Patience, judgement: Judgement) -> Ending:
    """It commits writes, but its positions stand still: not idle, and not done."""
    seconds = f"{patience.drain_seconds * _WORKING_FACTOR:g} s"
    return Ending(
        End.INCONCLUSIVE,
        f"still working after {seconds} without a new position: {judgement.why}",
        '[run] drain_timeout = "2m": it is multiplied by ten while the target commits writes',
    )


def after_exit(
    exits: Exits, stage: Stage, watch: Watch, how: Exit, scenario: Scenario
) -> Ending | None:
    """The ending after an exit with work left; None if the target is to be started again."""
    if watch.progress.advanced > exits.advanced and watch.progress.life.fetched_records:
        exits.in_a_row = 0
    exits.advanced = watch.progress.advanced
    exits.in_a_row += 1
    if (insisting := _insisting(watch)) is not None:
        return insisting
    if restarts(stage.restart, how) and exits.in_a_row <= stage.patience.restart_limit:
        return None
    joined = watch.progress.life.joined is not None
    times = f"{exits.in_a_row} times in a row" if exits.in_a_row > 1 else "once"
    if not watch.progress.life.fetched_records and not scenario.faults:
        before = "it had read anything" if joined else "it joined its group"
        return Ending(
            End.INCONCLUSIVE,
            f"the target ended ({how}) {times} before {before}",
            "see the output of the target; does [target] command start it as in production?",
        )
    return Ending(
        End.STUCK, f"the target ended ({how}) {times} with work left: {_left(watch)}", None
    )


def restarts(policy: Restart, how: Exit) -> bool:
    """Whether the policy starts the target again after such an end."""
    return policy is Restart.ALWAYS or (policy is Restart.ON_FAILURE and how.code != 0)


def never_came(scenario: Scenario, fault: Fault | None = None) -> Ending:
    """The moment of a fault did not come before the target was drained."""
    at = (fault or scenario.faults[0]).at
    return Ending(
        End.INCONCLUSIVE,
        f"the moment {at} was not reached",
        "killpoint points lists the moments that this consumer has",
    )


def _left(watch: Watch) -> str:
    places = watch.progress.life.fetched or watch.progress.committed
    words = [f"offset {watch.progress.committed.get(p, 0)} of {p}" for p in sorted(places)]
    return "the next event is " + " or ".join(words) if words else "nothing was fetched"


def _insisting(watch: Watch) -> Ending | None:
    """The ending of a target that left when it was refused encryption and never came without."""
    return next((_foreign(edge, what) for edge, what in watch.refused.items()), None)


def _foreign(edge: str, what: str) -> Ending:
    plain = (
        '[target] env = { YOUR_VARIABLE = "{postgres}?sslmode=disable" }: or sslmode=prefer'
        if edge == "postgres"
        else '[target] env = { YOUR_VARIABLE = "PLAINTEXT" }: what sets its security.protocol'
    )
    return Ending(
        End.INCONCLUSIVE, f"the target speaks {what} on {edge}, which killpoint can't read", plain
    )


async def _absent(stage: Stage, watch: Watch, scenario: Scenario) -> Ending:
    seconds = f"{stage.patience.start_seconds:g} s"
    if scenario.faults and watch.life > 1:
        return Ending(End.STUCK, f"the target did not join again within {seconds} of its restart")
    past = await past_killpoint(stage)
    accepted = sum(proxy.accepted for proxy in stage.proxies)
    remedy = (
        '[target] env = { YOUR_VARIABLE = "{kafka}" }: name the variable that holds its brokers'
    )
    if past:
        why = f"it is connected past killpoint: {', '.join(past)}"
    elif (wrong := _wrong_topics(stage, watch.progress.life.topics_sought)) is not None:
        return Ending(
            End.INCONCLUSIVE,
            f"no join and no fetch in {seconds}; asked for: {wrong[0]}; events are in {wrong[1]}",
            _other_topic(wrong),
        )
    elif accepted:
        why = f"of its {accepted} connections through killpoint none joined a group or fetched"
        remedy = '[target] start_timeout = "3m": if it is slow to start; its output may say more'
    else:
        why = "it never connected: is the address fixed in its code or in a file?"
    return Ending(
        End.INCONCLUSIVE,
        f"the target did not come through killpoint: no join and no fetch in {seconds}; {why}",
        remedy,
    )


def still_holding(tables: Collection[str], patience: Patience) -> Ending:
    """It wrote rows when it was asked to stop, and none in all the time before."""
    return Ending(
        End.INCONCLUSIVE,
        f"the target holds rows in memory: after {patience.drain_seconds / 2:g} s without a write "
        f"it was asked to stop, and then wrote to {', '.join(tables)}",
        f"{_FLUSH}; or name the tables that have no rows of events in [moments] ignore_tables",
    )


async def _idle(stage: Stage, watch: Watch, judgement: Judgement, scenario: Scenario) -> Ending:
    life, seconds = watch.progress.life, f"{stage.patience.drain_seconds:g} s"
    if scenario.faults and watch.gate.waiting != scenario.faults:
        return Ending(End.STUCK, f"no progress for {seconds} with work left: {judgement.why}")
    past = await past_killpoint(stage)
    beside = f"; it is connected past killpoint: {', '.join(past)}" if past else ""
    events = watch.progress.events_fetched
    if not events:
        return _read_nothing(stage, watch, seconds, beside)
    if not life.writes:
        return _wrote_nothing(watch, events, seconds, beside)
    return Ending(
        End.INCONCLUSIVE,
        f"not drained: no progress for {seconds}, and {judgement.why}{beside}",
        'raise [run] drain_timeout if the target needs longer: drain_timeout = "2m"',
    )


def _wrong_topics(stage: Stage, wanted: Collection[str]) -> tuple[str, str] | None:
    """The topics that the target wants and those with events, if there is none in common."""
    filled = {place.topic for place in stage.ends}
    if not wanted or filled & {*wanted}:
        return None
    return ", ".join(sorted(wanted)), ", ".join(sorted(filled))


def _other_topic(wrong: tuple[str, str]) -> str:
    return f'[[source]] topic = "{wrong[0].split(", ")[0]}", or let it subscribe to {wrong[1]}'


def _read_nothing(stage: Stage, watch: Watch, seconds: str, beside: str) -> Ending:
    wrong = _wrong_topics(stage, watch.progress.life.subscribed)
    if wrong is not None:
        why, remedy = f"subscribed: {wrong[0]}; events are in {wrong[1]}", _other_topic(wrong)
    elif beside:
        why = f"it joined, but fetched no event through killpoint{beside}"
        remedy = '[target] env = { YOUR_VARIABLE = "{kafka}" }: so that it comes through killpoint'
    elif watch.progress.life.sought_end:
        why = "its group had no offset and it asked for the END of the topic, after the events"
        remedy = 'remove group_start = "none" from [source], or set the target to earliest'
    else:
        why = "it joined, but fetched no event"
        remedy = "does it subscribe to [source] topic?"
    return Ending(End.INCONCLUSIVE, f"the target read nothing in {seconds}: {why}", remedy)


def _wrote_nothing(watch: Watch, events: int, seconds: str, beside: str) -> Ending:
    what = f"nothing written: {events} events fetched, 0 rows in {seconds}"
    if not watch.progress.life.backends:
        return Ending(
            End.INCONCLUSIVE,
            f"{what}; it never logged in to Postgres through killpoint{beside}",
            '[target] env = { YOUR_VARIABLE = "{postgres}" }: the variable with its database',
        )
    return Ending(
        End.INCONCLUSIVE,
        what + beside,
        f"the target may collect rows in memory: {_FLUSH}",
    )
