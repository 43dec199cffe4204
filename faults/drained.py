"""Whether a run is over: the target has nothing left to do.

Pure. This is the weakest part of such a tool: a run judged too early can read as lost AND as
falsely clean. So every rule errs on the side of waiting. The rules (measured, see
docs/adr/0002-drained.md):

weak      every partition was asked for beyond its last record, no request is open, no transaction
          that wrote is open, and nothing has happened for the quiet time
strict    and the group's committed offsets are at the end. Used where the clean runs committed
          up to the end: not where offsets live in the database (then `[database] position` serves)
begun late  a partition that it sought the end of, and began at, needs no committed offset: nothing
          was left for it there. The quiet time is then at least a second
known     the offset comes last: strict, and nothing was written after it in the clean runs, or the
          user's query for the position
accounted the records fetched since the start were followed by as many writes as the clean runs
          made for that many

Known and accounted: five times the longest working gap, at least the least quiet time and at most
the short one. Known only: five times the longest working gap, at least the short one. Neither
(an offset saved before its work or by a timer says nothing about the work): at least a second; and
as long as nothing was written at all since records were fetched, five. In the first clean run,
while a group was named and none of its offsets saved, eight: a timer may save them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from killpoint.faults.position import TopicPartition
from killpoint.faults.progress import Progress

SHORT_QUIET_SECONDS = 0.1
LEAST_QUIET_SECONDS = 0.05
FIRST_QUIET_SECONDS = 0.5
UNKNOWN_QUIET_SECONDS = 1.0
UNWRITTEN_QUIET_SECONDS = 5.0
UNSAVED_QUIET_SECONDS = 8.0
"""Longer than the timer that saves offsets in most clients, which is 5 s."""
GAP_FACTOR = 5.0


@dataclass(frozen=True, slots=True)
class Calibration:
    """What the clean runs showed.

    `strict`: the committed offsets came to the end. `offset_last`: and nothing was written after
    that. `gap_seconds`: the longest time between two signs of work. `writes_per_record` is None if
    it was not the same in every clean run. `join_seconds`: from start to join, unloaded. `replicas`
    have joined or fetched in each of them.
    """

    strict: bool
    offset_last: bool
    gap_seconds: float
    writes_per_record: float | None
    join_seconds: float
    replicas: int = 1


@dataclass(frozen=True, slots=True)
class Facts:
    """The outside facts of one judgement.

    `ends`: the last data record + 1 of each partition that has records. `requests_open`: requests
    with an effect that were forwarded and not answered. `alive`: the process lives. `position`:
    the answer of the user's query for offsets kept in the database, if there is one. `quiet_limit`:
    no quiet time is longer, as the run would be given up as idle before it is over; `patient`: it
    takes as long as that, since the target was seen to hold rows. `replicas`: how many instances
    must have come.
    """

    now: float
    ends: Mapping[TopicPartition, int]
    requests_open: int
    alive: bool
    load: float = 1.0
    position: Mapping[TopicPartition, int] | None = None
    quiet_limit: float = float("inf")
    patient: bool = False
    replicas: int = 1


@dataclass(frozen=True, slots=True)
class Judgement:
    """Drained or not; `why` names what is missing; look again after `after_seconds`.

    `only_quiet`: everything is done as far as can be seen, and only the quiet time is awaited.
    """

    drained: bool
    why: str = ""
    after_seconds: float = 0.05
    only_quiet: bool = False


def judge(progress: Progress, calibration: Calibration | None, facts: Facts) -> Judgement:
    """Apply the rules; without a calibration (the first clean run) the long times serve."""
    behind = _behind(progress, facts)
    if behind is not None:
        return Judgement(False, behind)
    if facts.alive and facts.replicas > 1 and len(progress.life.present) < facts.replicas:
        came = len(progress.life.present)
        return Judgement(False, f"{came} of {facts.replicas} replicas have joined")
    if facts.requests_open:
        return Judgement(False, f"{facts.requests_open} requests are not answered")
    if facts.alive and progress.life.transaction_open:
        return Judgement(False, "a transaction is open")
    uncommitted = _uncommitted(progress, calibration, facts)
    if uncommitted is not None:
        return Judgement(False, uncommitted)
    if not facts.alive:
        return Judgement(True)
    if calibration is None and any(facts.ends.values()) and not _has_output(progress):
        return Judgement(False, "nothing was written yet")
    wanted = facts.quiet_limit
    if not facts.patient:
        wanted = min(_wanted_quiet(progress, calibration, facts), wanted)
    quiet = facts.now - (progress.life.last_sign or progress.life.started)
    if quiet < wanted:
        return Judgement(False, "it was active a moment ago", wanted - quiet, only_quiet=True)
    return Judgement(True)


def _wanted_quiet(progress: Progress, calibration: Calibration | None, facts: Facts) -> float:
    quiet = quiet_seconds(progress, calibration, facts)
    if calibration is None and progress.unsaved and facts.position is None:
        return max(quiet, UNSAVED_QUIET_SECONDS)
    return quiet


def quiet_seconds(progress: Progress, calibration: Calibration | None, facts: Facts) -> float:
    """How long nothing may have happened, scaled by the load of the machine."""
    life = progress.life
    if calibration is None:
        last = _offset_last(progress, facts.ends)
        least = FIRST_QUIET_SECONDS / 2 if last else FIRST_QUIET_SECONDS
        return max(least, GAP_FACTOR * life.longest_gap) * facts.load
    if not progress.events_fetched:
        least = UNKNOWN_QUIET_SECONDS if life.sought_end else SHORT_QUIET_SECONDS
        return least * facts.load
    gap = max(calibration.gap_seconds, life.longest_gap)
    known = calibration.offset_last or facts.position is not None
    if accounted(progress, calibration):
        if known:
            calibrated = max(LEAST_QUIET_SECONDS, GAP_FACTOR * gap)
            return min(SHORT_QUIET_SECONDS, calibrated) * facts.load
        return max(2 * SHORT_QUIET_SECONDS, gap) * facts.load
    if not known and not life.writes and calibration.writes_per_record != 0:
        return UNWRITTEN_QUIET_SECONDS * facts.load
    least = SHORT_QUIET_SECONDS if known else UNKNOWN_QUIET_SECONDS
    return max(least, GAP_FACTOR * gap) * facts.load


def long_quiet_seconds(progress: Progress, calibration: Calibration | None, facts: Facts) -> float:
    """How long to wait before a suspicious result is audited again."""
    if calibration is None:
        # What is said of the first clean run is said of the consumer: nothing is known of it yet.
        least = UNWRITTEN_QUIET_SECONDS
    elif accounted(progress, calibration):
        least = 3 * SHORT_QUIET_SECONDS * facts.load
    else:
        least = UNKNOWN_QUIET_SECONDS
    return max(least, 2 * quiet_seconds(progress, calibration, facts))


def _has_output(progress: Progress) -> bool:
    return bool(progress.life.writes or progress.life.produced)


def accounted(progress: Progress, calibration: Calibration) -> bool:
    """Whether the records fetched in this life were followed by as many writes as they need."""
    ratio = calibration.writes_per_record
    life = progress.life
    return ratio is not None and life.writes >= ratio * progress.events_fetched


def _behind(progress: Progress, facts: Facts) -> str | None:
    """The first partition that the target has not asked for beyond its last record."""
    life = progress.life
    for place, end in facts.ends.items():
        asked = life.asked.get(place, -1)
        if not facts.alive:
            asked = max(asked, life.fetched.get(place, -1))
        if asked < end:
            return f"{place} was fetched up to {max(asked, 0)} of {end}"
    return None


def _uncommitted(progress: Progress, calibration: Calibration | None, facts: Facts) -> str | None:
    if facts.position is not None:
        have: Mapping[TopicPartition, int] = facts.position
        word = "its position in the database is"
    elif calibration is not None and calibration.strict:
        have, word = progress.committed, "the committed offset is"
    else:
        return None
    life = progress.life
    for place, end in facts.ends.items():
        began_at_end = life.sought_end and life.first_asked.get(place, 0) >= end
        if have.get(place, 0) < end and not began_at_end:
            return f"{word} {have.get(place, 0)} of {end} in {place}"
    return None


def calibrate(
    runs: Sequence[tuple[Progress, Mapping[TopicPartition, int]]],
) -> Calibration:
    """Read the calibration off the clean runs: their progress and the ends of the partitions."""
    lives = [progress.life for progress, _ in runs]
    ratios = {_writes_per_record(progress) for progress, _ in runs}
    return Calibration(
        strict=all(_at_end(progress, ends) for progress, ends in runs),
        offset_last=all(_offset_last(progress, ends) for progress, ends in runs),
        gap_seconds=max(life.longest_gap for life in lives),
        writes_per_record=ratios.pop() if len(ratios) == 1 else None,
        join_seconds=min((life.joined or life.started) - life.started for life in lives),
        replicas=max(1, min(len(life.present) for life in lives)),
    )


def _writes_per_record(progress: Progress) -> float:
    records = progress.events_fetched
    return progress.life.writes / records if records else 0.0


def _at_end(progress: Progress, ends: Mapping[TopicPartition, int]) -> bool:
    return all(progress.committed.get(place, 0) >= end for place, end in ends.items())


def _offset_last(progress: Progress, ends: Mapping[TopicPartition, int]) -> bool:
    written = progress.life.last_write or 0.0
    return _at_end(progress, ends) and all(
        progress.committed_at.get(place, -1.0) > written for place in ends
    )
