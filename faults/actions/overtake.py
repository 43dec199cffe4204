"""The action `overtake`: the work is held until an offset has passed it, then comes the kill.

The edge of the moment stays held, as by a slow database; the others open. As soon as the target has
saved a new offset, all edges freeze again and it is killed. If none comes in the time in which a
timer would have saved one, it is killed all the same: its offsets wait for its work.
"""

from dataclasses import replace

from killpoint.faults.actions.crash import Crash
from killpoint.faults.actions.kill import kill
from killpoint.faults.overtaking import overtaken
from killpoint.faults.stage import Stage
from killpoint.faults.watch import Watch

_LOOK_SECONDS = 0.25


async def overtake(stage: Stage, watch: Watch) -> Crash:
    """Let an offset pass, then kill; every edge must be frozen, and the moment not be of Kafka.

    Returns when the target can be started again.
    """
    met, saved = watch.met_at[-1], dict(watch.progress.committed)
    deadline = watch.now + stage.patience.overtake_seconds
    watch.hold_only(met.edge)
    while (passed := overtaken(watch.since(met), saved, watch.dying)) is None:
        if watch.now >= deadline:
            break
        await watch.changed(_LOOK_SECONDS)
    watch.freeze()
    waited = f"in {stage.patience.overtake_seconds:.1f} s"
    watch.note("an offset has passed" if passed else f"no offset has passed {waited}")
    last = passed or [met, *watch.since(met)][-1]
    return replace(await kill(stage, watch), passed=last)
