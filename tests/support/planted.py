"""Planted bugs and right consumers as data: what each reads, where it is hit, the right verdict.

Counterparts: the programs in `tests/quality/consumers` and the samples; `planted_runs.py`, which
runs them, and `tests/quality`, which holds the verdicts. The right verdict is what follows from
the order of a consumer's steps, whatever killpoint says of it.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from killpoint.checks.baseline import CleanRunCheck
from killpoint.checks.check import Check
from killpoint.checks.guarantee import Guarantee
from killpoint.checks.outcome import Outcome
from killpoint.cli.session.subject import Source, Subject
from killpoint.cli.session.template import Origin
from killpoint.compose.consumers import catalogue
from killpoint.faults.gate import GateRules
from killpoint.faults.moment_parser import parse_moment
from killpoint.faults.record import Record
from killpoint.faults.scenario import Fault, Scenario
from killpoint.faults.stage import Patience, Restart

CONSUMERS: Final = Path(__file__).parents[1] / "quality" / "consumers"
SAMPLES: Final = Path(catalogue.__file__).parent

COUNTS: Final = catalogue.COUNTS
PROCESSED: Final = catalogue.PROCESSED
CLICKS_PER_LINK: Final = Check(
    "clicks per link",
    "select value->>'code' as code, count(*) as clicks from events group by 1",
    "select code, clicks from click_counts",
)
ACTIONS: Final = ("kill", "terminate")


@dataclass(frozen=True, slots=True)
class Hit:
    """One scenario and its right outcome; None: one that the guarantee leaves open.

    `sure`: the moment comes in every run, so that it must be reached.
    """

    at: str
    outcome: Outcome | None
    action: str = "kill"
    sure: bool = True

    def scenario(self, number: int) -> Scenario:
        """The scenario of this hit."""
        fault = Fault(parse_moment(self.at), self.action)
        return Scenario(f"S{number:02}", (fault,), required=self.sure)


@dataclass(frozen=True, slots=True)
class Planted:
    """One consumer. `guarantee` is the right verdict over `hits`, and over every moment as well.

    `program`: the file, of the samples' or of the quality tests'. `events`: by topic (without the
    prefix that keeps consumers apart), None where `produce` makes them; the last `late` of each
    topic come while it is down, or when it has done the others; `duplicates` of them stand
    in the topic again. `innocent`: nothing may be lost or counted twice, and nothing that is
    required may be inconclusive.
    """

    name: str
    program: str
    guarantee: Guarantee | None
    hits: tuple[Hit, ...] = ()
    schema: str = COUNTS
    check: Check | None = CLICKS_PER_LINK
    against: CleanRunCheck | None = None
    env: Mapping[str, str] = field(default_factory=dict[str, str])
    events: Mapping[str, tuple[Record, ...]] | None = None
    late: int = 0
    duplicates: int = 0
    partitions: int = 1
    produce: str | None = None
    committed_start: bool = True
    position: str | None = None
    patience: Patience = field(default_factory=Patience)
    command: tuple[str, ...] = ()
    replicas: int = 1
    one_dies: bool = False

    @property
    def innocent(self) -> bool:
        """Whether nothing may be held against it."""
        return self.guarantee is Guarantee.EFFECTIVELY_ONCE

    def scenarios(self) -> list[Scenario]:
        """The scenarios of its hits, in order."""
        return [hit.scenario(number) for number, hit in enumerate(self.hits, 1)]

    def subject(self) -> Subject:
        """The same for an examination."""
        folder = CONSUMERS if (CONSUMERS / self.program).exists() else SAMPLES
        return Subject(
            name=self.name,
            folder=folder,
            command=self.command or ("{python}", self.program),
            env=self.env,
            group=None,
            sources=tuple(self._sources()),
            database=Origin(schema=self.schema),
            position=self.position,
            checks=(self.check,) if self.check is not None else (),
            against=(self.against,) if self.against is not None else (),
            rules=GateRules(),
            restart=Restart.ALWAYS,
            patience=self.patience,
            actions=ACTIONS,
            requirement=None,
            replicas=self.replicas,
            one_dies=self.one_dies,
        )

    def _sources(self) -> list[Source]:
        if self.produce is not None:
            program = ("{python}", self.produce)
            return [Source(self.name, self.partitions, self.committed_start, (), program)]
        events = self.events if self.events is not None else {self.name: clicks(self.name)}
        return [
            Source(topic, self.partitions, self.committed_start, records, late=self.late)
            for topic, records in events.items()
        ]


def clicks(topic: str, count: int = catalogue.EVENTS, partitions: int = 1) -> tuple[Record, ...]:
    """Clicks as the samples count them, spread over the partitions in turns."""
    made = catalogue.clicks(topic, count)
    if partitions == 1:
        return made
    return tuple(
        Record(topic, number % partitions, number // partitions, record.key, record.value)
        for number, record in enumerate(made)
    )


def clicks_of(topic: str, first: int, count: int) -> tuple[Record, ...]:
    """Some clicks out of a longer row, so that two topics have different ones."""
    chosen = catalogue.clicks(topic, first + count)[first:]
    return tuple(Record(topic, 0, number, r.key, r.value) for number, r in enumerate(chosen))


def with_duplicate(topic: str) -> tuple[Record, ...]:
    """Clicks of which one stands twice in the topic, as a retry of a producer leaves it."""
    made = catalogue.clicks(topic)
    again = [*made[:5], made[4], *made[5:]]
    return tuple(Record(topic, 0, number, r.key, r.value) for number, r in enumerate(again))


def ids(records: tuple[Record, ...]) -> list[str]:
    """The IDs of the events, in order."""
    return [str(json.loads(record.value or b"{}")["id"]) for record in records]
