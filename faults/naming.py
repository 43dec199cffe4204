"""From sightings to names that can be pasted back.

A name uses the selector where it tells the sighting from all others of the same event and side in
the same life, since retries shift counts; otherwise it counts (`#n`).
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from killpoint.faults.gate import matches_selector
from killpoint.faults.moment import EVENTS, Moment, Sighting, Value

_NAMED_BY_SELECTOR = frozenset({"fetch", "offset_commit", "txn_offset_commit", "write"})


def names(sightings: Iterable[Sighting], kinds: dict[str, str] | None = None) -> list[Moment]:
    """One moment for each sighting of one life, in order; `kinds` maps edges to their kinds."""
    kinds = kinds or {}
    seen = list(sightings)
    peers: dict[tuple[str, str, str], list[Sighting]] = defaultdict(list)
    for sighting in seen:
        peers[sighting.edge, sighting.event, sighting.side].append(sighting)
    return [_name(s, peers[s.edge, s.event, s.side], kinds.get(s.edge, s.edge)) for s in seen]


def _name(sighting: Sighting, peers: Sequence[Sighting], kind: str) -> Moment:
    counted = Moment(sighting.edge, sighting.event, sighting.side, number=sighting.number)
    if sighting.event not in _NAMED_BY_SELECTOR:
        return counted
    known = EVENTS[kind][sighting.event]
    for identity in sighting.identities:
        moment = Moment(sighting.edge, sighting.event, sighting.side, _only(identity, known))
        if sum(matches_selector(moment, peer) for peer in peers) == 1:
            return moment
    return counted


def _only(
    identity: tuple[tuple[str, Value], ...], known: frozenset[str]
) -> tuple[tuple[str, Value], ...]:
    return tuple((name, value) for name, value in identity if name in known)
