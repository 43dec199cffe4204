"""The action `overtake`: the work is held until offsets have passed it, then comes the kill.

The connection of the moment stays held, as by a lock or a slow disk; the others open. Once the
target has saved a new offset, and no other followed for the quiet time, all edges freeze again and
it is killed. If none comes in the time in which a timer would have saved one, it is killed all the
same: its offsets wait for its work.
"""

from dataclasses import replace

from killpoint.faults.actions.crash import Crash
from killpoint.faults.actions.kill import kill
from killpoint.faults.history import Entry
from killpoint.faults.overtaking import Passing
from killpoint.faults.stage import Stage
from killpoint.faults.watch import Watch

_LOOK_SECONDS = 0.25


async def overtake(stage: Stage, watch: Watch) -> Crash:
    """Let offsets pass, then kill; every edge must be frozen, and the moment not be of Kafka.

    Returns when the target can be started again.
    """
    met = watch.met_at[-1]
    watch.hold_only(met.at)
    passed = await _passed(stage, watch, met)
    watch.freeze()
    waited = f"in {stage.patience.overtake_seconds:.1f} s"
    watch.note("an offset has passed" if passed else f"no offset has passed {waited}")
    last = passed or [met, *watch.since(met)][-1]
    return replace(await kill(stage, watch), passed=last)


async def _passed(stage: Stage, watch: Watch, met: Entry) -> Entry | None:
    """Wait for the last offset that passes; None if none does."""
    patience, seen = stage.patience, met
    passing = Passing(watch.progress.committed, watch.dying)
    deadline = watch.now + patience.overtake_seconds
    while True:
        new = watch.since(seen)
        passing.see(new)
        seen = new[-1] if new else seen
        rest = deadline - watch.now
        if passing.last is not None:
            rest = min(rest, passing.last.seconds + patience.passing_seconds - watch.now)
        if rest <= 0:
            return passing.last
        await watch.changed(min(rest, _LOOK_SECONDS))
