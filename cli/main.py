"""The entry point: options and their help. What a command does stands in `cli/commands`."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer
from typer.core import TyperGroup, TyperOption

from killpoint import __version__
from killpoint.cli.signals import interrupt_on_signals

if TYPE_CHECKING:
    from killpoint.cli.exit_codes import ExitCode


def variable_of(flag: str) -> str:
    """The variable that stands for a flag: KILLPOINT_LIMIT for --limit."""
    return "KILLPOINT_" + flag.removeprefix("--").replace("-", "_").upper()


class Commands(TyperGroup):
    """The commands, each flag of which can also be given by its variable."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        for command in self.commands.values():
            for flag in command.params:
                if isinstance(flag, TyperOption):
                    flag.envvar = variable_of(flag.opts[0])


app = typer.Typer(
    name="killpoint",
    cls=Commands,
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    help="Kill a real consumer at exact moments, start it again, and audit what it did.",
    epilog="Exit codes: 0 met, 1 not met, 2 usage or configuration, 3 inconclusive, "
    "4 the environment failed, 130 interrupted.\n\n"
    "Each flag has a variable, --limit KILLPOINT_LIMIT: a flag goes before its variable, a "
    "variable before the file.",
)

Config = Annotated[
    Path | None,
    typer.Argument(help="The configuration file, or its folder; else the nearest one upwards."),
]
Json = Annotated[
    str | None,
    typer.Option(
        "--json",
        metavar="FILE",
        help="Write the result as JSON; - is stdout.",
        rich_help_panel="Report",
    ),
]


class StackKind(StrEnum):
    """What runs Kafka and Postgres."""

    AUTO = "auto"
    DOCKER = "docker"
    EMBEDDED = "embedded"


Stack = Annotated[
    StackKind | None,
    typer.Option(
        "--stack",
        help="Kafka and Postgres in containers, or as processes of this machine; auto: the "
        "first that can be had.",
        rich_help_panel="Stack",
    ),
]


class Depth(StrEnum):
    """How many of the moments a sweep tries. Counterpart: `faults.depth`, which takes its time."""

    CLASSES = "classes"
    STATES = "states"
    MOMENTS = "moments"


class Dies(StrEnum):
    """Who is killed where the target has replicas."""

    ALL = "all"
    ONE = "one"


def _examples(*commands: str) -> str:
    """Examples for the end of a help page, a line each."""
    return "\n\n".join(["Examples:", *(f"  {command}" for command in commands)])


def guarded(work: Callable[[], ExitCode]) -> None:
    """Do a command's work and exit with its code; imported late, since it takes its time."""
    from killpoint.cli.commands.guard import guarded as guard

    if not gc.isenabled():
        # While modules are loaded nothing becomes garbage, and looking for it takes 0.15 s.
        gc.freeze()
        gc.enable()
    guard(work)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"killpoint {__version__}")
        raise typer.Exit


@app.callback()
def _common(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


@app.command(
    epilog=_examples("killpoint demo", "killpoint demo --full", "killpoint demo --json demo.json")
)
def demo(
    stack: Stack = None,
    json: Json = None,
    full: Annotated[
        bool, typer.Option("--full", help="Kill at every moment of every batch.")
    ] = False,
) -> None:
    """Crash seven sample consumers on a real Kafka and Postgres: which lose, which count twice?"""
    from killpoint.cli.commands.demo import demo as work

    guarded(lambda: work(json, full, stack))


@app.command(
    epilog=_examples(
        "killpoint init", "killpoint init --from compose.yaml", "cd my-check && killpoint run"
    )
)
def init(
    folder: Annotated[Path, typer.Argument(help="Where to write; made if it is absent.")] = Path(),
    origin: Annotated[
        Path | None,
        typer.Option(
            "--from",
            metavar="FILE",
            help="Guess the configuration from a compose file, Dockerfile, pyproject.toml, "
            "package.json or pom.xml, and write it beside that.",
        ),
    ] = None,
) -> None:
    """Write a commented killpoint.toml and a small working consumer, ready for `killpoint run`."""
    from killpoint.cli.commands.init import init as work

    guarded(lambda: work(folder, origin))


@app.command(
    epilog=_examples(
        "killpoint run",
        "killpoint run --require 'effectively once' --junit out.xml",
        "killpoint run --at 'postgres.commit#2:after' --action kill",
    )
)
def run(
    config: Config = None,
    stack: Stack = None,
    at: Annotated[
        list[str] | None,
        typer.Option(
            "--at",
            metavar="MOMENT",
            help="Stop at this moment only; repeats. 'A, then B' is one scenario of two.",
            rich_help_panel="Sweep",
        ),
    ] = None,
    action: Annotated[
        list[str] | None,
        typer.Option(
            "--action",
            help="What is done there: kill, terminate or overtake; repeats.",
            rich_help_panel="Sweep",
        ),
    ] = None,
    depth: Annotated[
        Depth | None,
        typer.Option(
            help="classes: each class of crash states at its first, a middle and its last "
            "occurrence (the default); states: each crash state; moments: every moment.",
            rich_help_panel="Sweep",
        ),
    ] = None,
    kills: Annotated[
        int | None,
        typer.Option(
            min=1, max=2, help="2: kill again during each recovery.", rich_help_panel="Sweep"
        ),
    ] = None,
    dies: Annotated[
        Dies | None,
        typer.Option(
            help="Of several replicas: all together, or the one that comes to the moment.",
            rich_help_panel="Sweep",
        ),
    ] = None,
    within: Annotated[
        str | None,
        typer.Option(
            metavar="TIME",
            help="Begin no scenario after this time, such as 60s; the most telling come first.",
            rich_help_panel="Sweep",
        ),
    ] = None,
    seed: Annotated[
        str | None,
        typer.Option(help="Repeat the choices of a run that printed it.", rich_help_panel="Sweep"),
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Only the first N, in the order of points (of all moments, if no depth is given).",
            rich_help_panel="Sweep",
        ),
    ] = None,
    lanes: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Scenarios at a time; by default as many as the machine has room for.",
            rich_help_panel="Sweep",
        ),
    ] = None,
    require: Annotated[
        str | None, typer.Option(help="The guarantee that must be met.", rich_help_panel="Sweep")
    ] = None,
    json: Json = None,
    junit: Annotated[
        Path | None,
        typer.Option(
            "--junit", metavar="FILE", help="Write a JUnit XML file.", rich_help_panel="Report"
        ),
    ] = None,
) -> None:
    """Kill your consumer wherever its cycle can break and say which guarantee it gives."""
    from killpoint.cli.commands.run import RunOptions
    from killpoint.cli.commands.run import run as work

    options = RunOptions(
        tuple(at or ()),
        tuple(action or ()),
        depth,
        limit,
        require,
        kills,
        within,
        seed,
        lanes,
        dies,
    )
    guarded(lambda: work(config, options, json, junit, stack))


@app.command(
    epilog=_examples("killpoint check", "killpoint check my.toml", "killpoint check --stack docker")
)
def check(config: Config = None, stack: Stack = None) -> None:
    """Say what is wrong, what would run and how long it would take; nothing is started."""
    from killpoint.cli.commands.check import check as work

    guarded(lambda: work(config, stack))


@app.command(
    epilog=_examples("killpoint points", "killpoint points my.toml", "killpoint points --json -")
)
def points(config: Config = None, stack: Stack = None, json: Json = None) -> None:
    """Show your consumer's cycle and the moments that it can be stopped at."""
    from killpoint.cli.commands.points import points as work

    guarded(lambda: work(config, json, stack))


@app.command(
    epilog=_examples("killpoint audit", "killpoint audit my.toml", "killpoint audit --json -")
)
def audit(config: Config = None, stack: Stack = None, json: Json = None) -> None:
    """Run your consumer without faults until it is drained, and check the totals."""
    from killpoint.cli.commands.audit import audit as work

    guarded(lambda: work(config, json, stack))


@app.command(
    epilog=_examples(
        "killpoint capture --from kafka:9092 --topic orders -o orders.jsonl",
        "killpoint capture --from kafka:9092 --topic orders --mask '$.email' -o orders.jsonl",
    )
)
def capture(
    brokers: Annotated[str, typer.Option("--from", metavar="BROKERS", help="host:port, …")],
    topic: Annotated[str, typer.Option("--topic", help="The topic that is read.")],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="The file to write.")],
    count: Annotated[int, typer.Option("--count", min=1, help="At most the last N events.")] = 200,
    mask: Annotated[
        list[str] | None,
        typer.Option(
            "--mask",
            metavar="PATH",
            help="JSONPath of what is replaced, equal values by equal ones; repeats.",
        ),
    ] = None,
    setting: Annotated[
        list[str] | None,
        typer.Option(
            "--setting", metavar="NAME=VALUE", help="Of librdkafka, for TLS and SASL; repeats."
        ),
    ] = None,
) -> None:
    """Write the last events of a real topic to a file, masked; nothing but reading is done."""
    from killpoint.cli.commands.capture import capture as work

    guarded(lambda: work(brokers, topic, count, mask or [], setting or [], out))


@app.command(epilog=_examples("killpoint up", "killpoint up --stack docker"))
def up(config: Config = None, stack: Stack = None) -> None:
    """Start Kafka and Postgres until Ctrl-C, and print the moments that pass."""
    from killpoint.cli.commands.up import up as work

    guarded(lambda: work(config, stack))


@app.command(epilog=_examples("killpoint down", "killpoint down --all"))
def down(
    all_: Annotated[
        bool,
        typer.Option("--all", help="Also what runs of other machines and users left in Docker."),
    ] = False,
) -> None:
    """Remove what runs that were killed have left: containers, networks, volumes, folders."""
    from killpoint.cli.commands.down import down as work

    guarded(lambda: work(all_))


@app.command(epilog=_examples("killpoint doctor", "killpoint doctor && killpoint demo"))
def doctor() -> None:
    """Say what is there, what is missing, and the command that mends it."""
    from killpoint.cli.commands.doctor import doctor as work

    guarded(work)


@app.command("help", epilog=_examples("killpoint help config", "killpoint help moments"))
def help_(
    topic: Annotated[str, typer.Argument(help="config or moments", metavar="TOPIC")],
) -> None:
    """Explain the keys of the configuration, or the names of moments."""
    from killpoint.cli.commands.explain import explain as work

    guarded(lambda: work(topic))


def main() -> None:
    """Run the command line."""
    interrupt_on_signals()
    _without_hypothesis()
    gc.disable()
    app()


def _without_hypothesis() -> None:
    """Keep kio from loading Hypothesis, for tests of its own, in projects that have it installed.

    That takes 0.2 s and leaves a folder `.hypothesis` in the user's project.
    """
    sys.modules.setdefault("hypothesis", cast(ModuleType, None))
