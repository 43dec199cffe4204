"""What a session says while it works: the events that every report reads.

Counterpart: the session emits them in the order below, one call of `Reporter.on` each; the reports
of `cli/report` read them. Plain frozen data: no event asks for an answer, and a session works the
same with nobody listening.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from killpoint.cli.exit_codes import ExitCode
from killpoint.cli.result import CleanRun, Result, ScenarioResult


@dataclass(frozen=True, slots=True)
class ConfigurationUsed:
    """Which file is used. `argument` is what the user typed to name it, None if it was found.

    `facts` are label and text of the lines below the first: target, source, check.
    """

    path: str
    argument: str | None = None
    facts: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Preparing:
    """Something that takes seconds begins, e.g. "fetching the broker's jars (first use)"."""

    text: str


@dataclass(frozen=True, slots=True)
class StackReady:
    """Both servers serve. `description` has their versions; `reason` why it took longer, or ""."""

    stack: str
    description: str
    seconds: float
    reason: str = ""


@dataclass(frozen=True, slots=True)
class CleanRunStarted:
    """A run without faults begins; `index` counts from 1."""

    index: int


@dataclass(frozen=True, slots=True)
class CleanRunFinished:
    """A run without faults is over and audited."""

    index: int
    result: CleanRun
    seconds: float


@dataclass(frozen=True, slots=True)
class CycleSeen:
    """The consumer's cycle in words, from the clean runs."""

    text: str


@dataclass(frozen=True, slots=True)
class LanesChosen:
    """How many lanes there are from now on, and why, in words."""

    text: str


@dataclass(frozen=True, slots=True)
class SweepPlanned:
    """What will be done: moments seen, those required, scenarios to run, and about how long."""

    moments: int
    required: int
    scenarios: int
    estimate_seconds: float
    depth: str = "moments"
    seed: str | None = None


@dataclass(frozen=True, slots=True)
class ScenarioStarted:
    """`scenario` is its name for people: the moment, or the name in the configuration.

    `index` counts the scenarios as they are begun, from 1; `total` can grow. `lane`: from 1.
    """

    index: int
    total: int
    scenario: str
    lane: int = 1


@dataclass(frozen=True, slots=True)
class TargetStarted:
    """A lane's target was started, or started again: now it has to come to Kafka."""

    lane: int


@dataclass(frozen=True, slots=True)
class TargetJoined:
    """A lane's target has joined its group, or asked for records without one."""

    lane: int


@dataclass(frozen=True, slots=True)
class ScenarioFinished:
    """A scenario is over and audited; `index` is that of its start: lanes end in any order."""

    index: int
    total: int
    result: ScenarioResult


@dataclass(frozen=True, slots=True)
class StillWorking:
    """Nothing else was said for a while: what is being done, and for how long."""

    text: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Warned:
    """A warning, as soon as it is known; the result holds it as well."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Interrupted:
    """Ctrl-C or SIGTERM was received: what runs is being ended, a partial result follows."""


@dataclass(frozen=True, slots=True)
class VerdictGiven:
    """The end of a run or an audit; `seconds` is the time of all of it."""

    result: Result
    exit_code: ExitCode
    seconds: float


ProgressEvent = (
    ConfigurationUsed
    | Preparing
    | StackReady
    | CleanRunStarted
    | CleanRunFinished
    | CycleSeen
    | LanesChosen
    | SweepPlanned
    | ScenarioStarted
    | TargetStarted
    | TargetJoined
    | ScenarioFinished
    | StillWorking
    | Warned
    | Interrupted
    | VerdictGiven
)


class Reporter(Protocol):
    """A reader of a session's events."""

    def on(self, event: ProgressEvent) -> None:
        """Take note of an event; returns at once and never raises for what an event holds."""
        ...


class Reporters:
    """Several readers as one; each gets every event, in the order given."""

    def __init__(self, readers: Iterable[Reporter]) -> None:
        self._readers = tuple(readers)

    def on(self, event: ProgressEvent) -> None:
        for reader in self._readers:
            reader.on(event)
