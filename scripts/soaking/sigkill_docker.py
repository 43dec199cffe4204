"""`killpoint run --stack docker`, killed with SIGKILL at random times, again and again.

By the next start no container, network or volume of it is left, and what belongs to no run is
untouched. Counterpart: `sigkill`, on the embedded stack.
"""

from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final

from scripts.soaking.soak import Session

from killpoint.compose.docker_client import connect
from killpoint.compose.samples_image import SAMPLES_IMAGE
from tests.support.docker_kill import contained_project, killed_after, left_by_next_starts

TIMES: Final = 30
LATEST_SECONDS: Final = 15.0
"""About as long as the run takes."""


async def sigkill_docker(session: Session) -> None:
    """So many kills as are wanted, beside a container of nobody's. Raises EngineMissing."""
    seed = session.drawn_seed()
    wanted, random, engine = session.limits.kills or TIMES, Random(seed), connect()
    print(f"  seed {seed}, {wanted} times", flush=True)
    config = {"Image": SAMPLES_IMAGE, "Cmd": ["true"]}
    stranger = engine.create_container_from_config(config, "")["Id"]
    try:
        while session.kills < wanted and not session.late():
            after = random.uniform(0.2, LATEST_SECONDS)
            with (
                TemporaryDirectory(prefix="kp-", dir="/tmp") as project,
                TemporaryDirectory(prefix="kp-", dir="/tmp") as temporary,
            ):
                contained_project(Path(project))
                if not killed_after(Path(project), Path(temporary), after):
                    continue
                left = await left_by_next_starts(engine, Path(temporary))
                engine.inspect_container(stranger)
            print(f"  after {after:.2f} s: {', '.join(left) or 'nothing left'}", flush=True)
            session.saw(1, [f"killed after {after:.3f} s: {mark} is left" for mark in left])
    finally:
        engine.remove_container(stranger, v=True, force=True)
        engine.close()
