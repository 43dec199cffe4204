"""The consumer's cycle in words, read from the sightings of a clean run.

"fetched 0–11 → begin → 3 writes → commit → offset 3 saved …": what the wire showed, the first
period of what repeats. Pure; a report may replace the arrows and dashes where they can't be shown.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from killpoint.faults.moment import Side, Sighting

ARROW: Final = " → "
"""Between steps, and between what is told one after the other."""
_KINDS = {
    "fetch": "fetch",
    "begin": "begin",
    "write": "write",
    "commit": "commit",
    "rollback": "rollback",
    "offset_commit": "offset",
    "produce": "produce",
    "txn_offset_commit": "offset in transaction",
    "end_txn": "end of transaction",
}
_WORDS = {"produce": "produced", "end_txn": "transaction ended"}


@dataclass(frozen=True, slots=True)
class Step:
    """One step: its kind (for comparing) and its words (for reading)."""

    kind: str
    words: str


@dataclass(frozen=True, slots=True)
class Cycle:
    """`steps`: a fetch and the first period; `repeated`: how often the period came in a row.

    `apart`: kinds of steps that came, but not in the period, such as offsets saved by a timer.
    """

    steps: tuple[Step, ...]
    repeated: int
    apart: tuple[str, ...] = ()

    def __str__(self) -> str:
        if not self.steps:
            return "nothing seen"
        return ARROW.join(step.words for step in self.steps) + (" …" if self.repeated > 1 else "")

    @property
    def order(self) -> str:
        """The kinds of the steps, each once: "begin → write → commit → offset"."""
        kinds = dict.fromkeys(step.kind for step in self.steps if step.kind != "fetch")
        words = ARROW.join(kinds)
        return words + "".join(f", {kind} apart" for kind in self.apart if kind not in kinds)


def cycle(sightings: Iterable[Sighting]) -> Cycle:
    """Read the cycle from the sightings of one life, in order.

    Of several replicas it is that of the first that fetched: what they do side by side is no cycle.
    """
    seen = list(sightings)
    first = next((s.replica for s in seen if s.event == "fetch"), 0)
    steps = list(_merged(s for s in seen if s.replica == first))
    start = next((i for i, step in enumerate(steps) if step.kind == "fetch"), 0)
    fetch = tuple(step for step in steps[start : start + 1] if step.kind == "fetch")
    work = [step for step in steps[start:] if step.kind != "fetch"]
    kinds = [step.kind for step in work]
    period = _period(kinds)
    apart = tuple(dict.fromkeys(kinds[period:]).keys() - set(kinds[:period]))
    return Cycle((*fetch, *work[:period]), _repeats(kinds, period), tuple(sorted(apart)))


def _merged(sightings: Iterable[Sighting]) -> Iterator[Step]:
    """The answers as steps, writes in a row counted together."""
    answers = (s for s in sightings if s.side is Side.AFTER and s.event in _KINDS)
    for event, group in groupby(answers, key=lambda s: s.event):
        run = list(group)
        if event == "write" and len(run) > 1:
            yield Step("write", f"{len(run)} writes")
        else:
            yield from (Step(_KINDS[event], _words(s)) for s in run)


def _words(sighting: Sighting) -> str:
    identities = [dict(identity) for identity in sighting.identities]
    match sighting.event:
        case "fetch":
            return "fetched " + ", ".join(_span(i["offset"], i["next"]) for i in identities)
        case "offset_commit":
            return f"offset {', '.join(str(i['offset']) for i in identities)} saved"
        case "txn_offset_commit":
            return f"offset {', '.join(str(i['offset']) for i in identities)} in the transaction"
        case event:
            return _WORDS.get(event, event)


def _span(first: str | int, end: str | int) -> str:
    last = int(end) - 1
    return str(first) if last == first else f"{first}–{last}"


def _period(kinds: Sequence[str]) -> int:
    """The length of the shortest prefix that comes again right after itself, else of the whole."""
    for length in range(1, len(kinds) // 2 + 1):
        if kinds[:length] == kinds[length : 2 * length]:
            return length
    return len(kinds)


def _repeats(kinds: Sequence[str], period: int) -> int:
    count = 0
    while period and kinds[count * period : (count + 1) * period] == kinds[:period]:
        count += 1
    return count
