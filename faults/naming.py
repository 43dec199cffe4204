"""From sightings to names that can be pasted back.

A name uses the selector where it tells the sighting from all others of the same event and side in
the same life, since retries shift counts; otherwise it counts (`#n`). It names the replica, unless
the rest of the selector tells it already: which replica has a partition is chosen anew each time.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from killpoint.faults.gate import matches_selector
from killpoint.faults.moment import EVENTS, REPLICA, Moment, Sighting, Value

_NAMED_BY_PARTITION = frozenset({"fetch", "offset_commit", "txn_offset_commit"})
_NAMED_BY_SELECTOR = _NAMED_BY_PARTITION | {"write"}
_Identity = tuple[tuple[str, Value], ...]


@dataclass(slots=True)
class _Peers:
    """The sightings of one event and side; `having`: how many have an identity."""

    known: frozenset[str]
    seen: list[Sighting] = field(default_factory=list[Sighting])
    having: Counter[_Identity] = field(default_factory=Counter[_Identity])

    def add(self, sighting: Sighting) -> None:
        self.seen.append(sighting)
        own = {_only(identity, self.known) for identity in sighting.identities}
        self.having.update(own | {_without_replica(identity) for identity in own})

    def matching(self, moment: Moment) -> int:
        """How many the moment would match."""
        if moment.event != "fetch":  # of 100,000 writes each would be compared with each
            return self.having[moment.selector]
        return sum(matches_selector(moment, peer) for peer in self.seen)


def names(sightings: Iterable[Sighting], kinds: dict[str, str] | None = None) -> list[Moment]:
    """One moment for each sighting of one life, in order; `kinds` maps edges to their kinds."""
    kinds = kinds or {}
    seen = list(sightings)
    peers: dict[tuple[str, str, str], _Peers] = {}
    for sighting in seen:
        known = EVENTS[kinds.get(sighting.edge, sighting.edge)][sighting.event]
        kind = (sighting.edge, sighting.event, sighting.side)
        peers.setdefault(kind, _Peers(known)).add(sighting)
    return [_name(s, peers[s.edge, s.event, s.side]) for s in seen]


def _name(sighting: Sighting, peers: _Peers) -> Moment:
    replica = ((REPLICA, sighting.replica),) if sighting.replica else ()
    counted = Moment(sighting.edge, sighting.event, sighting.side, replica, sighting.number)
    if sighting.event not in _NAMED_BY_SELECTOR:
        return counted
    for identity in sighting.identities:
        selector = _only(identity, peers.known)
        bare = (_without_replica(selector),) if sighting.event in _NAMED_BY_PARTITION else ()
        for name in (*bare, selector):
            moment = Moment(sighting.edge, sighting.event, sighting.side, name)
            if peers.matching(moment) == 1:
                return moment
    return counted


def _without_replica(identity: _Identity) -> _Identity:
    return tuple((name, value) for name, value in identity if name != REPLICA)


def _only(identity: _Identity, known: frozenset[str]) -> _Identity:
    return tuple((name, value) for name, value in identity if name in known)
