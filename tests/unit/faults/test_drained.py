"""The rules of drained, each with what it must wait for."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from killpoint.faults.drained import (
    SHORT_QUIET_SECONDS,
    UNKNOWN_QUIET_SECONDS,
    UNSAVED_QUIET_SECONDS,
    Calibration,
    Facts,
    calibrate,
    judge,
    long_quiet_seconds,
    quiet_seconds,
)
from killpoint.faults.events import (
    BackendReady,
    BeginAnswered,
    BeginAsked,
    CommitAsked,
    Event,
    FetchAsked,
    GroupNamed,
    Joined,
    OffsetCommitAnswered,
    OffsetSought,
    RecordsFetched,
    WriteAnswered,
    WriteAsked,
)
from killpoint.faults.position import Position, Span, TopicPartition
from killpoint.faults.progress import Progress

PLACE = TopicPartition("clicks", 0)
ENDS = {PLACE: 12}
KAFKA, POSTGRES = ("kafka", 1), ("postgres", 1)
JOINED = Joined("g", "m", None, "classic", 1)
FETCHED = RecordsFetched(1, (Span("clicks", 0, 0, 12),))
AT_END = FetchAsked((Position("clicks", 0, 12),))

OFFSET_LAST = Calibration(True, True, 0.01, 1.0, 0.3)
OFFSET_FIRST = Calibration(True, False, 0.01, 1.0, 0.3)
IN_DATABASE = Calibration(False, False, 0.01, 1.0, 0.3)


def committed(offset: int) -> OffsetCommitAnswered:
    return OffsetCommitAnswered(9, "g", (Position("clicks", 0, offset),))


def written(count: int) -> list[Event]:
    pairs: list[Event] = []
    for number in range(count):
        pairs += [WriteAsked(number, number, frozenset()), WriteAnswered(number, number, 1)]
    return [*pairs, BackendReady("I")]


def progress_of(*told: tuple[float, Sequence[Event]], start: Progress | None = None) -> Progress:
    """A target that started at 0 and showed this (after what it had shown before)."""
    progress = start or Progress()
    if start is None:
        progress.started(0.0)
    for now, events in told:
        for event in events:
            kafka = not isinstance(
                event,
                BackendReady
                | BeginAnswered
                | BeginAsked
                | CommitAsked
                | WriteAnswered
                | WriteAsked,
            )
            progress.see(now, KAFKA if kafka else POSTGRES, [event])
    return progress


def done(now: float = 1.0) -> Progress:
    """All fetched, written and committed at `now`."""
    return progress_of((0.3, [JOINED, FETCHED, AT_END]), (now, [*written(12), committed(12)]))


def facts(
    now: float,
    *,
    requests_open: int = 0,
    alive: bool = True,
    load: float = 1.0,
    position: Mapping[TopicPartition, int] | None = None,
) -> Facts:
    return Facts(now, ENDS, requests_open, alive, load, position)


def test_all_done_and_quiet_is_drained() -> None:
    assert not judge(done(), OFFSET_LAST, facts(1.05)).drained
    assert judge(done(), OFFSET_LAST, facts(1.0 + SHORT_QUIET_SECONDS)).drained


@pytest.mark.parametrize(("gap", "quiet"), [(0.001, 0.05), (0.015, 0.075), (0.5, 0.1)])
def test_who_works_fast_is_waited_for_less(gap: float, quiet: float) -> None:
    swift = progress_of((0.3, [JOINED, FETCHED, AT_END, *written(12), committed(12)]))
    known = replace(OFFSET_LAST, gap_seconds=gap)
    assert not judge(swift, known, facts(0.3 + quiet - 0.01)).drained
    assert judge(swift, known, facts(0.3 + quiet + 0.001)).drained


def test_the_rest_of_the_quiet_time_is_told() -> None:
    judgement = judge(done(), OFFSET_LAST, facts(1.04))
    assert judgement.after_seconds == pytest.approx(SHORT_QUIET_SECONDS - 0.04)


def test_patience_takes_all_the_quiet_time_there_is() -> None:
    patient = Facts(5.9, ENDS, 0, alive=True, quiet_limit=5.0, patient=True)
    assert not judge(done(), OFFSET_LAST, patient).drained
    assert judge(done(), OFFSET_LAST, replace(patient, now=6.0)).drained


def unsaved(*more: Event) -> Progress:
    """All is fetched and written, a group is named, and no offset is saved by then."""
    progress = Progress()
    progress.started(0.0)
    fetched = RecordsFetched(1, (Span("clicks", 0, 0, 12),))
    asked = FetchAsked((Position("clicks", 0, 12),))
    progress.see(1.0, ("kafka", 1), [*more, fetched, asked])
    progress.see(1.0, ("postgres", 1), [WriteAnswered(1, 1, 3)])
    return progress


def test_the_first_clean_run_waits_for_a_timer_that_may_save_offsets() -> None:
    progress = unsaved(GroupNamed("counter"))
    facts = Facts(0.9 + UNSAVED_QUIET_SECONDS, ENDS, 0, alive=True, quiet_limit=15.0)
    assert not judge(progress, None, facts).drained
    assert judge(progress, None, replace(facts, now=1.1 + UNSAVED_QUIET_SECONDS)).drained
    saved = OffsetCommitAnswered(2, "counter", (Position("clicks", 0, 12),))
    progress.see(6.0, ("kafka", 1), [saved])
    assert judge(progress, None, replace(facts, now=7.0)).drained


def test_no_timer_is_waited_for_where_the_offsets_are_elsewhere() -> None:
    facts = Facts(2.0, ENDS, 0, alive=True)
    assert judge(unsaved(GroupNamed("counter")), None, replace(facts, position=ENDS)).drained
    assert judge(unsaved(), None, facts).drained
    assert judge(unsaved(GroupNamed("counter")), IN_DATABASE, facts).drained


def test_a_partition_not_asked_for_to_its_end_is_behind() -> None:
    progress = progress_of((0.3, [JOINED, FETCHED]), (0.5, written(12)))
    judgement = judge(progress, IN_DATABASE, facts(100.0))
    assert not judgement.drained
    assert "clicks-0 was fetched up to 0 of 12" in judgement.why


def test_strict_waits_for_the_committed_offset() -> None:
    progress = progress_of((0.3, [JOINED, FETCHED, AT_END]), (1.0, [*written(12), committed(9)]))
    judgement = judge(progress, OFFSET_LAST, facts(100.0))
    assert not judgement.drained
    assert "the committed offset is 9 of 12" in judgement.why


def test_offsets_in_the_database_do_not_wait_for_kafka() -> None:
    progress = progress_of((0.3, [JOINED, FETCHED, AT_END]), (1.0, written(12)))
    assert judge(progress, IN_DATABASE, facts(5.0)).drained


def test_the_position_query_is_strict() -> None:
    progress = progress_of((0.3, [JOINED, FETCHED, AT_END]), (1.0, written(12)))
    assert not judge(progress, IN_DATABASE, facts(5.0, position={PLACE: 11})).drained
    assert judge(progress, IN_DATABASE, facts(5.0, position={PLACE: 12})).drained


def test_a_rebalance_is_a_sign_of_work() -> None:
    progress = progress_of((2.0, [JOINED]), start=done(1.0))
    assert not judge(progress, OFFSET_LAST, facts(2.0 + SHORT_QUIET_SECONDS - 0.01)).drained
    assert judge(progress, OFFSET_LAST, facts(2.0 + SHORT_QUIET_SECONDS)).drained


def test_what_begins_at_the_end_that_it_sought_has_nothing_to_commit() -> None:
    sought = OffsetSought("clicks", 0, -1)
    progress = progress_of((0.3, [JOINED, sought, AT_END]))
    assert not judge(progress, OFFSET_LAST, facts(0.9)).drained
    assert judge(progress, OFFSET_LAST, facts(UNKNOWN_QUIET_SECONDS + 0.1)).drained
    told = progress_of((0.3, [JOINED, AT_END]))
    assert "the committed offset is 0 of 12" in judge(told, OFFSET_LAST, facts(100.0)).why
    earlier = progress_of((0.3, [JOINED, sought, FetchAsked((Position("clicks", 0, 3),)), AT_END]))
    assert not judge(earlier, OFFSET_LAST, facts(100.0)).drained


def test_an_empty_topic_waits_until_it_is_asked_for() -> None:
    empty = Facts(100.0, {PLACE: 0}, 0, alive=True)
    assert not judge(progress_of((0.3, [JOINED])), None, empty).drained
    asked = progress_of((0.3, [JOINED, FetchAsked((Position("clicks", 0, 0),))]))
    assert judge(asked, None, empty).drained


def test_an_open_request_is_work() -> None:
    assert "not answered" in judge(done(), OFFSET_LAST, facts(9.0, requests_open=1)).why


def test_an_open_transaction_that_wrote_is_work() -> None:
    progress = done()
    progress.see(2.0, POSTGRES, [WriteAsked(99, 99, frozenset()), BackendReady("T")])
    assert judge(progress, OFFSET_LAST, facts(9.0)).why == "a transaction is open"
    progress.see(2.1, POSTGRES, [BackendReady("I")])
    assert judge(progress, OFFSET_LAST, facts(9.0)).drained


def test_a_transaction_that_only_reads_is_none() -> None:
    progress = done()
    progress.see(1.0, POSTGRES, [BackendReady("T")])
    assert judge(progress, OFFSET_LAST, facts(9.0)).drained


def test_records_fetched_again_but_not_yet_written_need_the_long_time() -> None:
    """The case of the 1 wrong verdict in 303: clean by the totals, but its batch still to come."""
    progress = progress_of((0.3, [JOINED, FETCHED, AT_END, committed(12)]))
    assert not judge(progress, OFFSET_FIRST, facts(0.3 + 4.9)).drained
    assert judge(progress, OFFSET_FIRST, facts(0.3 + 5.0)).drained


def test_part_of_the_writes_needs_a_second_where_the_offset_says_nothing() -> None:
    progress = progress_of((0.3, [JOINED, FETCHED, AT_END, committed(12)]), (0.35, written(11)))
    assert quiet_seconds(progress, OFFSET_FIRST, facts(1.0)) == pytest.approx(1.0)
    assert quiet_seconds(progress, OFFSET_LAST, facts(1.0)) < 1.0


def test_a_program_that_writes_nothing_in_the_clean_runs_need_not_write() -> None:
    calibration = Calibration(True, False, 0.01, 0.0, 0.3)
    progress = progress_of((0.3, [JOINED, FETCHED, AT_END, committed(12)]))
    assert quiet_seconds(progress, calibration, facts(1.0)) < 1.0


def test_part_of_the_writes_needs_the_careful_time() -> None:
    calibration = Calibration(True, False, 0.4, 1.0, 0.3)
    progress = progress_of((0.3, [JOINED, FETCHED, AT_END, committed(12)]), (0.5, written(11)))
    assert quiet_seconds(progress, calibration, facts(1.0)) == pytest.approx(2.0)


def test_the_quiet_time_grows_with_the_load() -> None:
    unloaded = quiet_seconds(done(), OFFSET_LAST, facts(2.0))
    assert quiet_seconds(done(), OFFSET_LAST, facts(2.0, load=3.0)) == pytest.approx(3 * unloaded)


def test_nothing_to_fetch_again_needs_the_short_time() -> None:
    progress = Progress({PLACE: 12})
    progress.started(0.0)
    progress.see(0.3, KAFKA, [JOINED, AT_END])
    assert judge(progress, OFFSET_LAST, facts(0.5)).drained


def test_the_first_clean_run_waits_for_a_first_write() -> None:
    progress = progress_of((0.3, [JOINED, FETCHED, AT_END, committed(12)]))
    assert judge(progress, None, facts(60.0)).why == "nothing was written yet"
    progress.see(1.0, POSTGRES, written(12))
    assert not judge(progress, None, facts(1.2)).drained
    assert judge(progress, None, facts(30.0)).drained


def test_a_dead_target_needs_no_quiet_time() -> None:
    assert judge(done(), OFFSET_LAST, facts(1.0, alive=False)).drained


def test_a_dead_target_that_fetched_all_need_not_ask_for_more() -> None:
    progress = progress_of((0.3, [JOINED, FETCHED]), (1.0, [*written(12), committed(12)]))
    assert judge(progress, OFFSET_LAST, facts(1.0, alive=False)).drained
    assert not judge(progress, OFFSET_LAST, facts(9.0, alive=True)).drained


def test_a_suspicious_result_waits_longer() -> None:
    partly = progress_of((0.3, [JOINED, FETCHED, AT_END, committed(12)]), (0.5, written(11)))
    for progress in (done(), partly):
        quiet = quiet_seconds(progress, OFFSET_FIRST, facts(2.0))
        assert long_quiet_seconds(progress, OFFSET_FIRST, facts(2.0)) > quiet


def test_the_first_clean_run_is_doubted_longest() -> None:
    known, first = (long_quiet_seconds(done(), one, facts(2.0)) for one in (OFFSET_LAST, None))
    assert known < 1.0 < 5.0 <= first


def test_what_a_program_repeats_when_idle_is_no_work() -> None:
    begun: list[Event] = [BeginAsked(90, 9), BeginAnswered(90, 9)]
    empty: list[Event] = [*begun, CommitAsked(91, 9, False), BackendReady("I")]
    same: list[Event] = [committed(12)]
    for repeated in (empty, same):
        idle = progress_of(*((2.0 + tick / 10, repeated) for tick in range(10)), start=done())
        assert judge(idle, OFFSET_LAST, facts(2.91)).drained


def test_a_transaction_that_has_not_written_yet_is_work() -> None:
    begun = progress_of((2.0, [BeginAsked(90, 9), BeginAnswered(90, 9)]), start=done())
    assert not judge(begun, OFFSET_LAST, facts(2.05)).drained
    ended = progress_of((2.01, [CommitAsked(91, 9, False), BackendReady("I")]), start=begun)
    assert judge(ended, OFFSET_LAST, facts(2.05)).drained


class TestCalibration:
    def test_offset_last(self) -> None:
        progress = progress_of(
            (0.3, [JOINED, FETCHED, AT_END]), (1.0, written(12)), (1.1, [committed(12)])
        )
        found = calibrate([(progress, ENDS), (progress, ENDS)])
        assert (found.strict, found.offset_last, found.writes_per_record) == (True, True, 1.0)
        assert found.join_seconds == pytest.approx(0.3)
        assert found.gap_seconds == pytest.approx(0.7)

    def test_offset_first(self) -> None:
        progress = progress_of((0.3, [JOINED, FETCHED, committed(12)]), (1.0, written(12)))
        found = calibrate([(progress, ENDS)])
        assert (found.strict, found.offset_last) == (True, False)

    def test_offsets_elsewhere(self) -> None:
        progress = progress_of((0.3, [JOINED, FETCHED]), (1.0, written(12)))
        assert not calibrate([(progress, ENDS)]).strict

    def test_ratios_that_differ_are_none(self) -> None:
        runs = [
            (progress_of((0.3, [JOINED, FETCHED]), (1.0, written(count))), ENDS)
            for count in (12, 11)
        ]
        assert calibrate(runs).writes_per_record is None


def test_every_replica_must_have_come() -> None:
    progress = progress_of((1.0, [JOINED, FETCHED, *written(12), AT_END]), (1.5, [committed(12)]))
    facts = Facts(10.0, ENDS, 0, True, replicas=2)
    assert judge(progress, OFFSET_LAST, facts).why == "1 of 2 replicas have joined"
    progress.see(2.0, ("kafka", 2), [JOINED], 2)
    assert judge(progress, OFFSET_LAST, facts).drained
    assert calibrate([(progress, ENDS)]).replicas == 2
