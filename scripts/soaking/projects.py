"""The projects of `tests/projects`, built and run as a user would: plain and cured, and a table.

Each is copied, built by its own `build`, and swept with `--depth classes` on the embedded stack.
Counterpart: `tests/support/framework_projects.py` knows their folders and the right verdicts.
"""

import asyncio
import json
import os
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from shutil import copytree
from statistics import median
from time import monotonic
from typing import Any, Final

from scripts.soaking.evidence import kept_evidence
from scripts.soaking.soak import Session

from tests.support.framework_projects import CONFIGURATIONS, FrameworkProject, framework_projects

KILLPOINT: Final = Path(sys.executable).with_name("killpoint")
TAIL_LINES: Final = 15
TITLES: Final = (
    "project",
    "lines",
    "guarantee",
    "right",
    "kills",
    "inconclusive",
    "median of a kill",
    "sweep",
    "to write after init",
)


@dataclass(frozen=True, slots=True)
class Swept:
    """One configuration of a project, run. `result` is that of `--json`, `seconds` of the command.

    `left`: how many lines a person has to write after `killpoint init --from compose.yaml`.
    """

    project: FrameworkProject
    which: str
    result: Any
    seconds: float
    left: int

    @property
    def right(self) -> bool:
        """Whether the verdict is the reasoned one, and every outcome is explained."""
        said: str = self.result["guarantee"] or "none"
        unexplained = [one for one in self.result["scenarios"] if one["unexplained"]]
        return said == self.project.expected(self.which) and not unexplained

    @property
    def kills(self) -> int:
        """How many scenarios there were."""
        return len(self.result["scenarios"])

    def cells(self) -> tuple[str, ...]:
        """The row of the table."""
        scenarios = self.result["scenarios"]
        open_ones = sum(one["outcome"] == "inconclusive" for one in scenarios)
        seconds = [one["seconds"]["total"] for one in scenarios]
        return (
            f"{self.project.name}, {self.which}",
            str(self.project.lines(self.which)),
            self.result["guarantee"] or f"none: {self.result['reason']}",
            "yes" if self.right else f"no: {self.project.expected(self.which)}",
            str(self.kills),
            str(open_ones),
            f"{median(seconds):.1f} s" if seconds else "",
            f"{self.seconds:.0f} s",
            str(self.left),
        )


async def projects(session: Session) -> None:
    """One project after another; with `--only` that one."""
    only, swept = session.limits.only, list[Swept]()
    chosen = [one for one in framework_projects() if only in (None, one.name)]
    if not chosen:
        names = ", ".join(one.name for one in framework_projects())
        raise SystemExit(f"no project is called {only}; there are: {names}")
    with kept_evidence(session, "projects") as folder:
        for project in chosen:
            if not session.go_on():
                break
            swept += await _both(session, project, folder / project.name)
    _table(TITLES, [one.cells() for one in swept])


async def _both(session: Session, project: FrameworkProject, copy: Path) -> list[Swept]:
    """Build a copy, draft a configuration for it, run both of its own."""
    copytree(project.folder, copy)
    began = monotonic()
    if (code := await _run(("./build",), copy, "build.log")) != 0:
        session.saw(0, [f"{project.name}: build ended with {code}\n{_tail(copy / 'build.log')}"])
        return []
    print(f"  {project.name}: built in {monotonic() - began:.0f} s", flush=True)
    left = await _drafted(session, project, copy)
    swept: list[Swept] = []
    for which, name in CONFIGURATIONS.items():
        one = await _swept(session, project, which, copy / name, left)
        if one is not None:
            swept.append(one)
            print(f"  {' · '.join(one.cells())}", flush=True)
    return swept


async def _drafted(session: Session, project: FrameworkProject, copy: Path) -> int:
    """`killpoint init` beside the project's own configuration; what it leaves must be checkable."""
    own, aside = copy / CONFIGURATIONS["plain"], copy / "own.toml"
    own.rename(aside)
    words = (str(KILLPOINT), "init", "--from", "compose.yaml")
    if (code := await _run(words, copy, "init.log")) != 0:
        session.saw(0, [f"{project.name}: init ended with {code}\n{_tail(copy / 'init.log')}"])
    if own.exists():
        own.rename(copy / "drafted.toml")
    aside.rename(own)
    left = project.left_after_init()
    for what in left:
        print(f"  {project.name}: to write after init: {what}", flush=True)
    return len(left)


async def _swept(
    session: Session, project: FrameworkProject, which: str, file: Path, left: int
) -> Swept | None:
    """A sweep of one configuration; None, and said, if it gave no result."""
    log, written = f"{which}.log", file.with_name(f"{which}.json")
    words = (str(KILLPOINT), "run", file.name, "--depth", "classes", "--json", str(written))
    began = monotonic()
    code = await _run(words, file.parent, log)
    seconds = monotonic() - began
    if not written.is_file():
        said = _tail(file.parent / log)
        session.saw(0, [f"{project.name}, {which}: run ended with {code}\n{said}"])
        return None
    result = json.loads(written.read_text(encoding="utf-8"))
    one = Swept(project, which, result, seconds, left)
    wrong = [] if one.right else [f"{project.name}, {which}: see {file.parent / log}"]
    session.saw(one.kills, wrong)
    return one


async def _run(words: Sequence[str], folder: Path, log: str) -> int:
    """Run a program to its end, what it says in a file; returns its exit code."""
    with (folder / log).open("wb") as file:
        process = await asyncio.create_subprocess_exec(
            *words,
            cwd=folder,
            env={**os.environ, "KILLPOINT_STACK": "embedded"},
            stdin=asyncio.subprocess.DEVNULL,
            stdout=file,
            stderr=asyncio.subprocess.STDOUT,
        )
        return await process.wait()


def _tail(file: Path) -> str:
    lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
    return "\n".join(f"    {line}" for line in lines[-TAIL_LINES:])


def _table(titles: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """As Markdown, to be pasted."""
    for cells in (titles, ["---"] * len(titles), *rows):
        print(f"| {' | '.join(cells)} |")
