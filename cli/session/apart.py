"""Refuses what is asked of one replica where the target's house cannot tell them apart. Pure.

Counterpart: `cli/config/verify_replicas.py` refuses what the configuration alone shows; this is
what only the engine tells, once it has been asked.
"""

from collections.abc import Iterable

from killpoint.cli.errors import UserError
from killpoint.compose.housing import Housing
from killpoint.faults.scenario import Scenario


def refuse_untold(housing: Housing, scenarios: Iterable[Scenario], *, one_dies: bool) -> None:
    """Raise UserError if one replica is to die, or a moment names one, and none can be told."""
    if housing.tells_apart:
        return
    named = [f.at for one in scenarios for f in one.faults if f.at.replica is not None]
    if not one_dies and not named:
        return
    raise UserError(
        f"{named[0]} names a replica" if named else "one of several replicas is to die",
        "which is which cannot be told: Docker Desktop has one address of this machine for all "
        "containers, and the ports of a compose file are fixed",
        "let all die together, or run killpoint on Linux, where the engine itself runs",
    )
