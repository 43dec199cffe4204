"""Classes of crash states: what a state means, independent of how many events there are. Pure.

A class says what was done last, how the saved offsets stand to the database, and what is open.
How far the database is in records is not on the wire; it is taken for even, as if each transaction
of the clean run held as many records as the others. A class only chooses what is tried first, so
an uneven consumer costs more scenarios, never a wrong outcome.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from killpoint.faults.crash_state import CrashState
from killpoint.faults.durability import Place
from killpoint.faults.position import TopicPartition


@dataclass(frozen=True, slots=True)
class Scale:
    """The sizes of a clean run: `records` read, `transactions` committed, records in a `batch`.

    `starts`: the offsets at its beginning; `saves`: whether it saved offsets in Kafka at all.
    """

    records: int
    transactions: int
    batch: float
    starts: Mapping[TopicPartition, int] = field(default_factory=dict[TopicPartition, int])
    saves: bool = True

    @property
    def share(self) -> float:
        """Records of one transaction."""
        return self.records / self.transactions if self.transactions else 0.0


def scale_of(
    places: Iterable[Place],
    ends: Mapping[TopicPartition, int],
    starts: Mapping[TopicPartition, int] | None = None,
) -> Scale:
    """The scale of a clean run. `ends`: the last record + 1 of each partition."""
    known = dict(starts or {})
    records = sum(max(0, end - known.get(place, 0)) for place, end in ends.items())
    saved, steps, work = 0, list[int](), 0
    for place in places:
        now = _saved(place.state, known)
        if now > saved:
            steps.append(now - saved)
        saved, work = max(saved, now), place.work
    share = records / work if work else 0.0
    batch = max(share, sorted(steps)[len(steps) // 2] if steps else 0.0)
    return Scale(records, work, batch, known, bool(steps))


def class_of(place: Place, scale: Scale) -> str:
    """The class of a place's state, in words."""
    words = [f"after {place.last}" if place.last else "before anything", _standing(place, scale)]
    if place.state.open:
        words.append("a Kafka transaction open")
    return ": ".join(words[:2]) + "".join(f", {word}" for word in words[2:])


def _standing(place: Place, scale: Scale) -> str:
    """How the saved offsets stand to the database."""
    if not scale.saves:
        return "no offsets saved in Kafka"
    ahead = _saved(place.state, scale.starts) - place.work * scale.share
    least = min(scale.batch, scale.share or scale.batch) / 2
    if abs(ahead) < least or not scale.transactions:
        return "offsets level with the database"
    who = "offsets ahead of the database" if ahead > 0 else "database ahead of the offsets"
    if abs(ahead) < scale.batch - least:
        return f"{who} by a part of a batch"
    return f"{who} by a batch" + (" or more" if abs(ahead) >= scale.batch + least else "")


def _saved(state: CrashState, starts: Mapping[TopicPartition, int]) -> int:
    """Records that lie before the saved offsets."""
    return sum(position.offset - starts.get(position.place, 0) for position in state.saved)
