"""The command line of `scripts/soak`: the table of soaks, one or all of them, exit 1 if one varied.

A soak is what takes too long for `make test`. Add one: a function, and its line in SOAKS.
"""

import argparse
import asyncio
from collections.abc import Mapping
from typing import Final

from scripts.soaking.fuzz import fuzz
from scripts.soaking.kills import kills
from scripts.soaking.mixed import mixed
from scripts.soaking.planted import planted
from scripts.soaking.projects import projects
from scripts.soaking.repeats import repeats
from scripts.soaking.sigkill import sigkill
from scripts.soaking.sigkill_docker import sigkill_docker
from scripts.soaking.soak import Limits, Session, Soak
from scripts.soaking.table import exact, moments

SOAKS: Final[Mapping[str, Soak]] = {
    "exact": Soak("the measured table three times, every cell as it says", exact),
    "moments": Soak("every moment of the table's consumers, as its row says", moments),
    "planted": Soak("every moment of the planted bugs and the right consumers", planted),
    "fuzz": Soak("mutated and worst frames leave the wire machines unharmed", fuzz, "frames"),
    "kills": Soak("mixed consumers, every second kill under load, memory flat", kills),
    "repeats": Soak("the same scenarios of every sample in lanes, each time the same", repeats),
    "mixed": Soak("samples, depths, lanes and stacks at random: each verdict right", mixed),
    "projects": Soak("the projects of tests/projects: both verdicts are the right ones", projects),
    "sigkill": Soak("killpoint killed at random times leaves nothing", sigkill),
    "sigkill-docker": Soak(
        "the same with containers: nothing is left in the engine", sigkill_docker
    ),
}


def main() -> int:
    """Run what was asked for; returns the exit code."""
    names = "; ".join(f"{name}: {soak.words}" for name, soak in SOAKS.items())
    parser = argparse.ArgumentParser(prog="scripts/soak", description=names)
    parser.add_argument("--what", choices=SOAKS, action="append", help="repeats; default: all")
    parser.add_argument("--minutes", type=float, help="stop each soak after so long")
    parser.add_argument("--kills", type=int, help="stop each soak after so many kills")
    parser.add_argument("--frames", type=int, help="so many mutated frames in the fuzz")
    parser.add_argument("--seed", type=int, help="of the random choices, as it was printed")
    parser.add_argument("--only", help="this one of the projects")
    given = parser.parse_args()
    limits = Limits(given.minutes, given.kills, given.frames, given.seed, given.only)
    sessions = [_held(name, limits) for name in given.what or SOAKS]
    return 1 if any(session.varied for session in sessions) else 0


def _held(name: str, limits: Limits) -> Session:
    print(f"{name}: {SOAKS[name].words}", flush=True)
    session = Session(limits, SOAKS[name].unit)
    asyncio.run(SOAKS[name].run(session))
    print(session.summary(name), flush=True)
    return session
