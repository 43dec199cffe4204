"""The result of one run, as `--json` writes it.

Counterpart: the session builds it, every report reads it, `cli/schema/result.schema.json` describes
it (schema 1; later versions only add). Plain data: it judges nothing and prints nothing.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from importlib.resources import files
from typing import Final, Literal, cast

from killpoint.checks.guarantee import Guarantee
from killpoint.checks.number import amount
from killpoint.checks.outcome import Outcome

__all__ = [
    "REMEDY_FOLLOWS",
    "THEN",
    "AgainstCleanRun",
    "Amount",
    "Bound",
    "CheckResult",
    "CleanRun",
    "ComparedTable",
    "Coverage",
    "Exposure",
    "FaultResult",
    "FrontierEntry",
    "Guarantee",
    "IgnoredColumn",
    "KeyDifference",
    "Outcome",
    "Result",
    "ScenarioResult",
    "Seconds",
    "Under",
    "Warning",
    "amount",
    "as_json",
    "plain",
    "schema_text",
]

THEN: Final = ", then "
"""Between the moments of a scenario of several faults, in reports and after --at."""

REMEDY_FOLLOWS: Final = "; do: "
"""Stands in the reason of an inconclusive run between what happened and what to do about it."""

Amount = int | str | None
"""A number of a check, in its unit: an integer where it is one, else the decimal as a text."""


@dataclass(frozen=True, slots=True)
class Bound:
    """What the sweep was limited to; `faults_per_scenario` is 0 for an audit.

    `dies`: all replicas of the target at a time, or the one that comes to the moment.
    """

    actions: tuple[str, ...]
    faults_per_scenario: int
    depth: str = "moments"
    dies: str = "all"


@dataclass(frozen=True, slots=True)
class Coverage:
    """Moments seen in the clean runs, those of them required, and those that were reached.

    `crash_states`: what kills at these moments would leave, and `classes` of them by what they
    mean; `assumed`: something unseen may differ between moments that are taken for one state.
    """

    moments: int
    required: int
    exercised: int
    crash_states: int = 0
    crash_states_exercised: int = 0
    classes: int = 0
    classes_exercised: int = 0
    assumed: bool = False


@dataclass(frozen=True, slots=True)
class Warning:
    """Something that can make a pass mean less. `name` is lower case with underscores."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class KeyDifference:
    """One key whose totals differ. `key` maps the check's key columns to JSON values."""

    key: Mapping[str, object]
    expected: Amount
    actual: Amount


@dataclass(frozen=True, slots=True)
class Exposure:
    """What the crash state could at worst cost."""

    lost: Amount
    counted_twice: Amount


@dataclass(frozen=True, slots=True)
class CheckResult:
    """One comparison of totals; `keys` are the first hundred of the `keys_total` that differ."""

    name: str
    outcome: Outcome
    lost: Amount
    counted_twice: Amount
    keys: tuple[KeyDifference, ...] = ()
    keys_total: int = 0
    exposure: Exposure | None = None


@dataclass(frozen=True, slots=True)
class CleanRun:
    """A run without faults; `cycle` is the consumer's cycle in words, `evidence` its folder."""

    outcome: Outcome
    reason: str | None
    cycle: str
    checks: tuple[CheckResult, ...] = ()
    evidence: str | None = None


@dataclass(frozen=True, slots=True)
class FrontierEntry:
    """One partition at the kill, as next offsets; None where nothing was fetched or committed."""

    topic: str
    partition: int
    fetched: int | None
    committed: int | None
    end: int


@dataclass(frozen=True, slots=True)
class FaultResult:
    """One fault of a scenario: the moment's name, the action, and whether it came to it.

    `in_flight`: what the servers had not answered, or still ran, when the target was dead.
    `replica`: the one that came to it, None where they are not told apart; `survivors`: how many
    others lived on.
    """

    at: str
    action: str
    reached: bool
    frontier: tuple[FrontierEntry, ...] = ()
    in_flight: tuple[str, ...] = ()
    replica: int | None = None
    survivors: int = 0


@dataclass(frozen=True, slots=True)
class Seconds:
    """Where the time of a scenario went; None where it did not come to that step."""

    total: float
    to_moment: float | None = None
    restart: float | None = None
    drain: float | None = None
    audit: float | None = None


@dataclass(frozen=True, slots=True)
class ScenarioResult:
    """One scenario. `evidence` is its folder; `unexplained`: more than its crash state could cost.

    `explained_by`: it was more, and this is what the target did after its restart to lose it.
    `required`: its first moment was seen in every clean run, or the user named it. `lane`: the one
    it ran on, from 1. `crash_state` and `class_`: what its faults left, of several in their order.
    """

    id: str
    faults: tuple[FaultResult, ...]
    outcome: Outcome
    reason: str | None
    checks: tuple[CheckResult, ...]
    seconds: Seconds
    evidence: str | None = None
    unexplained: bool = False
    explained_by: str | None = None
    required: bool = True
    lane: int = 1
    crash_state: str | None = None
    class_: str | None = None

    @property
    def reached(self) -> bool:
        """Whether every fault of it was done."""
        return all(fault.reached for fault in self.faults)


@dataclass(frozen=True, slots=True)
class Under:
    """The guarantee over the scenarios of at most so many faults."""

    faults: int
    guarantee: Guarantee | None


@dataclass(frozen=True, slots=True)
class IgnoredColumn:
    """A column that is not compared, and why."""

    column: str
    reason: str


@dataclass(frozen=True, slots=True)
class ComparedTable:
    """A table that is compared with what the clean run left, or `refusal`: why it can't be.

    `rows` in the clean run; `known_by`: the columns by which a row is known again.
    """

    check: str
    table: str
    rows: int
    known_by: tuple[str, ...]
    columns: tuple[str, ...]
    ignored: tuple[IgnoredColumn, ...] = ()
    refusal: str | None = None


@dataclass(frozen=True, slots=True)
class AgainstCleanRun:
    """How the checks against the clean run judge: the rule in words, and what they compare."""

    rule: str
    tables: tuple[ComparedTable, ...]


@dataclass(frozen=True, slots=True)
class Result:
    """One run whole. `guarantee`, `required` and `met` are None where nothing is said of them.

    `source_duplicates`: events that repeat an earlier one of their topic, key, value and headers.
    `guarantees`: by the number of faults, where scenarios of several were run beside single ones.
    `seed` chose what has no other order, where there was something to choose.
    `against`: what is compared with the clean run, where a check does so.
    """

    killpoint: str
    run: str
    complete: bool
    stack: str
    guarantee: Guarantee | None
    required: Guarantee | None
    met: bool | None
    reason: str | None
    bound: Bound
    coverage: Coverage
    warnings: tuple[Warning, ...] = ()
    unseen: tuple[str, ...] = ()
    clean_runs: tuple[CleanRun, ...] = ()
    scenarios: tuple[ScenarioResult, ...] = ()
    source_duplicates: int = 0
    seed: str | None = None
    guarantees: tuple[Under, ...] = ()
    against: AgainstCleanRun | None = None
    schema: Literal[1] = 1

    def to_data(self) -> dict[str, object]:
        """The object of the schema, as dicts, lists and scalars."""
        return {_key(field.name): plain(getattr(self, field.name)) for field in fields(self)}

    def to_json(self) -> str:
        """The object of the schema as an indented text, ending with a newline."""
        return as_json(self)


def _key(name: str) -> str:
    """The JSON key of a field: Python keeps `class` for itself."""
    return name.rstrip("_")


def plain(value: object) -> object:
    """Frozen data as JSON values: dataclasses and mappings as dicts, sequences as lists."""
    if is_dataclass(value) and not isinstance(value, type):
        return {_key(field.name): plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        entries = cast(Mapping[object, object], value)
        return {str(key): plain(item) for key, item in entries.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in cast(Sequence[object], value)]
    return value


def as_json(data: object) -> str:
    """An indented JSON text; what JSON does not know (dates, UUIDs in keys) as its string."""
    return json.dumps(plain(data), indent=2, ensure_ascii=False, default=str) + "\n"


def schema_text() -> str:
    """The JSON Schema of a result, as shipped."""
    return (files("killpoint.cli") / "schema" / "result.schema.json").read_text(encoding="utf-8")
