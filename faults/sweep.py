"""The sweep: from the clean runs to the moments, each with what a kill there would leave. Pure.

A moment seen in every clean run is required; one that was not depends on time (timers,
asynchronous commits) and is tried, but not required. Where the offsets saved of a partition differ
between clean runs, none of them is required, and they are counted: that a timer saves 7 again is
chance, but its first time comes in every run. A frame with several names is one place to stop at,
so it is swept once: as the commit, if it is one.
Counterpart: `depth` chooses the scenarios that are worth running.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from killpoint.faults.crash_class import Scale, class_of, scale_of
from killpoint.faults.crash_state import NOTHING, CrashState
from killpoint.faults.durability import DurabilityRules, Place, Stop, held_after, places
from killpoint.faults.history import Entry, History
from killpoint.faults.moment import REPLICA, Moment, Side, Sighting, Value
from killpoint.faults.naming import names
from killpoint.faults.position import TopicPartition
from killpoint.faults.scenario import Fault, Scenario

Identity = tuple[tuple[str, Value], ...]
Found = tuple[CrashState, str]


@dataclass(frozen=True, slots=True)
class SweepMoment:
    """A place that the target can be stopped at; `required`: seen in every clean run.

    `state` and `crash_class`: what a kill there would leave, as the first run shows that saw it.
    """

    at: Moment
    required: bool
    state: CrashState = NOTHING
    crash_class: str = ""

    @property
    def by_timer(self) -> bool:
        """Whether an offset is saved here that not every clean run saved: time chose it."""
        return self.at.event == "offset_commit" and not self.required


@dataclass(frozen=True, slots=True)
class Extent:
    """What the sources hold: the last record + 1 of each partition, and the offsets set before."""

    ends: Mapping[TopicPartition, int]
    starts: Mapping[TopicPartition, int]

    def scale(self, run: Iterable[Place]) -> Scale:
        """The scale of a run over these sources."""
        return scale_of(run, self.ends, self.starts)


NO_EXTENT = Extent({}, {})


def moments(
    clean_runs: Sequence[Iterable[Entry]],
    rules: DurabilityRules | None = None,
    extent: Extent = NO_EXTENT,
) -> list[SweepMoment]:
    """The moments of the clean runs, in the order in which they first came."""
    placed = [list(places(entries, rules)) for entries in clean_runs]
    runs = [_named(run, extent.scale(run)) for run in placed]
    if timed := _timed(runs):
        runs = [_named(run, extent.scale(run), timed) for run in placed]
    always = _always(runs)
    everything: dict[Moment, Found] = {}
    for run in runs:
        for at, found in run.items():
            everything.setdefault(at, found)
    return [
        SweepMoment(at, at in always and _saved(at) not in timed, *found)
        for at, found in everything.items()
    ]


def _always(runs: Sequence[Iterable[Moment]]) -> set[Moment]:
    return set(runs[0]).intersection(*runs[1:]) if runs else set[Moment]()


def _timed(runs: Sequence[Iterable[Moment]]) -> frozenset[Identity]:
    """The partitions whose saved offsets are not the same in every run."""
    always = _always(runs)
    return frozenset(
        saved
        for run in runs
        for at in run
        if at not in always and (saved := _saved(at)) is not None
    )


def _saved(at: Moment) -> Identity | None:
    """The partition whose offset is saved at a moment; None for moments of another kind."""
    return _partition(at.selector) if at.event == "offset_commit" else None


def _partition(selector: Identity) -> Identity:
    return tuple((name, value) for name, value in selector if name not in {"offset", REPLICA})


def recovered(
    history: History,
    met: Entry,
    rules: DurabilityRules | None = None,
    extent: Extent = NO_EXTENT,
) -> list[SweepMoment]:
    """The moments after a kill at `met`, of all that live then. None is required: seen once.

    What was heard while the edges were frozen for that kill is over when the next one is awaited.
    """
    seen, opened = list(history.entries()), history.opened_after(met)
    held = held_after(seen, [Stop(met)], one_dies=rules is not None and rules.one_dies)
    all_places = list(places(seen, rules, held))
    scale = extent.scale(all_places)
    next_life = [
        p
        for i, p in enumerate(all_places)
        if i >= opened and i not in held and p.entry.life <= met.life + 1
    ]
    return [SweepMoment(at, False, *found) for at, found in _named(next_life, scale).items()]


def _named(
    seen: Sequence[Place], scale: Scale, timed: Collection[Identity] = ()
) -> dict[Moment, Found]:
    """The moments of one life, each as it first came; offsets of `timed` partitions are counted."""
    found: dict[Moment, Found] = {}
    for at, place in _named_places(seen, timed):
        found.setdefault(at, (place.state, class_of(place, scale)))
    return found


def _named_places(
    seen: Iterable[Place], timed: Collection[Identity]
) -> Iterator[tuple[Moment, Place]]:
    """The places that have a name, one name for each frame."""
    framed = [place for place in seen if place.entry.sightings]
    named = iter(names(sighting for place in framed for sighting in place.entry.sightings))
    counts: dict[tuple[Identity, Value, int], int] = {}
    met: Counter[Identity] = Counter()
    for place in framed:
        own = [next(named) for _ in place.entry.sightings]
        chosen = _chosen(place.entry.sightings)
        counted = _counted(place.entry.sightings[chosen], timed, counts, met)
        yield counted or own[chosen], place


def _counted(
    sighting: Sighting,
    timed: Collection[Identity],
    counts: dict[tuple[Identity, Value, int], int],
    met: Counter[Identity],
) -> Moment | None:
    """The name by how many times the partition's offset was saved, if a timer chooses when.

    `counts` has the number of each exchange so far, whose sides share it, `met` their last.
    """
    if sighting.event != "offset_commit":
        return None
    own = (part for part in map(_partition, sighting.identities) if part in timed)
    if (partition := next(own, None)) is None:
        return None
    exchange = (partition, sighting.replica, sighting.number)
    if exchange not in counts:
        met[partition] += 1
        counts[exchange] = met[partition]
    return Moment(sighting.edge, sighting.event, sighting.side, partition, counts[exchange])


def _chosen(sightings: Sequence[Sighting]) -> int:
    commits = [i for i, sighting in enumerate(sightings) if sighting.event == "commit"]
    return commits[0] if commits else len(sightings) - 1


def scenarios(found: Iterable[SweepMoment], actions: Sequence[str]) -> list[Scenario]:
    """One scenario for each moment and action, in the order of the moments."""
    pairs = [(moment, action) for moment in found for action in actions]
    return [
        Scenario(f"S{number:02}", (Fault(moment.at, action),), required=moment.required)
        for number, (moment, action) in enumerate(pairs, 1)
    ]


def middle_batch(found: Sequence[SweepMoment], transactions: int = 1) -> list[SweepMoment]:
    """The moments before the first cycle, and those of the middle one.

    A cycle is the shortest run of required moments that repeats; a batch is `transactions` cycles.
    Of a batch of several cycles the first and the last are taken: they have every kind of moment.
    What does not fit the cycle, such as offsets saved by a timer, is taken where it came between.
    Of the writes of one cycle the first and the last are taken: nothing is durable between them.
    """
    start = next((i for i, m in enumerate(found) if m.at.event not in {"join", "fetch"}), 0)
    cycles = _cycles([m for m in found[start:] if m.required])
    size = max(1, transactions // max(1, _transactions(cycles[0]))) if cycles else 1
    batches = [cycles[i : i + size] for i in range(0, len(cycles), size)]
    if len(batches) < 2:
        return list(found)
    middle = [moment for cycle in batches[(len(batches) - 1) // 2] for moment in cycle]
    first, last = found.index(middle[0]), found.index(middle[-1])
    in_cycles = {moment for cycle in cycles for moment in cycle}
    between = [m for m in found[first : last + 1] if m not in in_cycles]
    taken = {*_without_inner(middle), *between}
    return [*found[:start], *sorted(taken, key=found.index)]


def _transactions(cycle: Sequence[SweepMoment]) -> int:
    return sum(m.at.event == "commit" and m.at.side is Side.AFTER for m in cycle)


def _without_inner(batch: Sequence[SweepMoment]) -> list[SweepMoment]:
    """The first and the last transaction, of each the first and the last write; all offsets."""
    groups: list[list[SweepMoment]] = [[]]
    for moment in batch:
        if moment.at.event == "offset_commit":
            continue
        groups[-1].append(moment)
        if moment.at.event == "commit" and moment.at.side is Side.AFTER:
            groups.append([])
    ends = [group for group in groups if group]
    kept = {m for group in (*ends[:1], *ends[-1:]) for m in _without_inner_writes(group)}
    return [m for m in batch if m in kept or m.at.event == "offset_commit"]


def _without_inner_writes(transaction: Sequence[SweepMoment]) -> list[SweepMoment]:
    writes = [m for m in transaction if m.at.event == "write"]
    inner = set(writes[2:-2])  # each has two sides
    return [m for m in transaction if m not in inner]


def _cycles(work: Sequence[SweepMoment]) -> list[list[SweepMoment]]:
    """The work cut into cycles, with the saved offsets if they repeat like the rest."""
    return _repeating(work) or _repeating([m for m in work if m.at.event != "offset_commit"]) or []


def _repeating(work: Sequence[SweepMoment]) -> list[list[SweepMoment]]:
    kinds = [(m.at.event, m.at.side) for m in work]
    for length in range(1, len(kinds) // 2 + 1):
        if kinds == (kinds[:length] * (len(kinds) // length + 1))[: len(kinds)]:
            return [list(work[i : i + length]) for i in range(0, len(work), length)]
    return []
