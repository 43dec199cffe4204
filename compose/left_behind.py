"""What runs that were killed have left on this machine and in its Docker engine, and its removal.

Counterparts: `run_folder` cleans folders and processes, `docker_remains` an engine. Every start
does the same for dead runs of this machine; here it can be done without a start, and for all.
"""

import asyncio
from dataclasses import dataclass

from killpoint.compose.docker_client import EngineMissing
from killpoint.compose.docker_engine import Engine
from killpoint.compose.docker_labels import run_is_dead, run_lives
from killpoint.compose.docker_remains import Labels, remains, remove
from killpoint.compose.run_folder import RunFolder


@dataclass(frozen=True, slots=True)
class LeftBehind:
    """What was removed, what belongs to runs that live, and why there was no engine to ask."""

    removed: tuple[str, ...]
    kept: tuple[str, ...] = ()
    no_engine: str = ""


async def remove_left_behind(*, everywhere: bool = False) -> LeftBehind:
    """Remove what dead runs of this machine left; `everywhere`: of all but those that live here.

    Raises EngineRefused.
    """
    folders = await asyncio.to_thread(RunFolder.clean_dead)
    cleaned = tuple(f"folder {folder}" for folder in folders)
    try:
        engine = await Engine.connected()
    except EngineMissing as error:
        return LeftBehind(cleaned, no_engine=error.short)
    try:
        removed = await remove(engine, _of_no_living_run if everywhere else run_is_dead)
        kept = await remains(engine)
    finally:
        await engine.close()
    return LeftBehind(
        (*cleaned, *(f"{thing.kind} {thing.name}" for thing in removed)),
        tuple(f"{thing.kind} {thing.name}" for thing in kept if run_lives(thing.labels)),
    )


def _of_no_living_run(labels: Labels) -> bool:
    return not run_lives(labels)
