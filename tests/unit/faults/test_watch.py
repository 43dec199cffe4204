"""The watch: what is held, what is open, and that a group is prepared once."""

import asyncio

import pytest

from killpoint.faults.events import (
    BackendStarted,
    EncryptionRefused,
    ForeignSpeech,
    GroupNamed,
    ProduceAnswered,
    ProduceAsked,
    RecordsFetched,
    WriteAnswered,
    WriteAsked,
)
from killpoint.faults.gate import Gate
from killpoint.faults.history import Entry, Note
from killpoint.faults.moment_parser import parse_moment
from killpoint.faults.position import Span
from killpoint.faults.scenario import Fault
from killpoint.faults.watch import Watch
from killpoint.faults.wire.piece import Piece

LIMIT_SECONDS = 5.0
WRITTEN = Fault(parse_moment("postgres.write#1:after"), "kill")
FETCHED = Piece(b"", (RecordsFetched(1, (Span("clicks", 0, 0, 6),)),))
ASKED = Piece(b"", (WriteAsked(2, 1, frozenset()),), opens=(2,))
ANSWERED = Piece(b"", (WriteAnswered(2, 1, 1),), closes=(2,))


def watch_for(*faults: Fault, group_of_run: str | None = None) -> Watch:
    async def ready(group: str) -> None:
        del group

    watch = Watch(Gate(faults), ready, group_of_run=group_of_run)
    watch.started()
    return watch


async def test_every_edge_is_frozen_as_soon_as_the_moment_is_seen() -> None:
    watch = watch_for(WRITTEN)
    assert watch.see("kafka", 1, FETCHED)
    assert watch.see("postgres", 1, ASKED)
    watch.forwarding("postgres", 1, ASKED)
    assert not watch.see("postgres", 1, ANSWERED)
    assert watch.frozen
    assert not watch.see("kafka", 1, Piece(b"more"))
    async with asyncio.timeout(LIMIT_SECONDS):
        assert await watch.met() == WRITTEN


async def test_the_second_wait_for_the_moment_gets_it_too() -> None:
    watch = watch_for(WRITTEN)
    first = asyncio.ensure_future(watch.met())
    await asyncio.sleep(0)
    first.cancel()
    for piece in (FETCHED, ASKED, ANSWERED):
        watch.see("kafka" if piece is FETCHED else "postgres", 1, piece)
    async with asyncio.timeout(LIMIT_SECONDS):
        assert await watch.met() == WRITTEN


async def test_a_start_opens_the_edges_and_begins_anew() -> None:
    watch = watch_for(WRITTEN)
    for piece in (FETCHED, ASKED, ANSWERED):
        watch.see("kafka" if piece is FETCHED else "postgres", 1, piece)
    watch.forwarding("postgres", 1, Piece(b"", opens=(9,)))
    watch.see("postgres", 1, Piece(b"", (BackendStarted(7),)))
    watch.started()
    assert (watch.frozen, watch.requests_open, watch.backends, watch.life) == (False, 0, {}, 2)


async def test_requests_are_open_from_their_forwarding_to_their_answer() -> None:
    watch = watch_for()
    watch.see("postgres", 1, ASKED)
    assert watch.requests_open == 0
    watch.forwarding("postgres", 1, ASKED)
    watch.forwarding("kafka", 1, Piece(b"", opens=(2, 3)))
    assert (watch.requests_open, watch.open_on(("postgres", 1))) == (3, 1)
    watch.see("postgres", 1, ANSWERED)
    assert (watch.requests_open, watch.open_on(("postgres", 1))) == (2, 0)


async def test_what_a_lost_connection_had_open_is_not_awaited() -> None:
    watch = watch_for()
    watch.forwarding("kafka", 1, Piece(b"", opens=(2, 3)))
    watch.forwarding("kafka", 2, Piece(b"", opens=(2,)))
    watch.disconnected("kafka", 1)
    assert watch.requests_open == 1


async def test_a_group_is_prepared_once_and_awaited_by_all() -> None:
    go_on, prepared = asyncio.Event(), list[str]()

    async def ready(group: str) -> None:
        prepared.append(group)
        await go_on.wait()

    watch = Watch(Gate(), ready)
    piece = Piece(b"", (GroupNamed("one"),))
    waiting = [asyncio.ensure_future(watch.prepare_groups(piece)) for _ in range(3)]
    done, _ = await asyncio.wait(waiting, timeout=0.02)
    assert not done
    go_on.set()
    await asyncio.gather(*waiting, watch.prepare_groups(Piece(b"", (GroupNamed("two"),))))
    assert prepared == watch.groups == ["one", "two"]


async def test_a_connection_that_goes_does_not_stop_the_preparation() -> None:
    go_on, prepared = asyncio.Event(), list[str]()

    async def ready(group: str) -> None:
        await go_on.wait()
        prepared.append(group)

    watch = Watch(Gate(), ready)
    piece = Piece(b"", (GroupNamed("one"),))
    lost = asyncio.ensure_future(watch.prepare_groups(piece))
    await asyncio.sleep(0)
    lost.cancel()
    go_on.set()
    await watch.prepare_groups(piece)
    assert prepared == ["one"]


async def test_a_failed_preparation_is_told_to_those_that_wait() -> None:
    async def ready(group: str) -> None:
        raise RuntimeError(f"no offsets for {group}")

    watch = Watch(Gate(), ready)
    with pytest.raises(RuntimeError, match="no offsets for one"):
        await watch.prepare_groups(Piece(b"", (GroupNamed("one"),)))


async def test_the_history_has_what_was_seen_and_done() -> None:
    watch = watch_for()
    watch.see("kafka", 4, FETCHED)
    watch.see("kafka", 4, Piece(b"no meaning"))
    started, fetched = watch.history.lines
    assert isinstance(started, Note) and started.text == "started"
    assert isinstance(fetched, Entry)
    assert (fetched.life, fetched.edge, fetched.connection) == (1, "kafka", 4)
    assert [sighting.event for sighting in fetched.sightings] == ["fetch"]


async def test_foreign_speech_is_kept_with_its_edge() -> None:
    watch = watch_for()
    watch.see("kafka", 1, Piece(b"", (ForeignSpeech("SASL"),)))
    assert watch.foreign == [("kafka", "SASL")]


async def test_who_leaves_when_refused_encryption_may_come_without() -> None:
    watch = watch_for()
    refused = Piece(b"", (EncryptionRefused("TLS"),))
    watch.see("postgres", 1, refused)
    assert (watch.refused, watch.foreign) == ({"postgres": "TLS"}, [])
    watch.see("postgres", 2, Piece(b"", (BackendStarted(7),)))
    assert watch.refused == {}
    watch.see("postgres", 3, refused)
    watch.started()
    assert watch.refused == {}


async def test_a_change_ends_the_wait_and_silence_does_too() -> None:
    watch = watch_for()
    waiting = asyncio.ensure_future(watch.changed(60.0))
    await asyncio.sleep(0)
    watch.see("kafka", 1, Piece(b"", closes=(1,)))
    async with asyncio.timeout(LIMIT_SECONDS):
        await waiting
        await watch.changed(0.01)


async def test_frozen_edges_open_on_thaw() -> None:
    watch = watch_for()
    watch.freeze()
    waiting = asyncio.ensure_future(watch.thawed(("kafka", 1)))
    done, _ = await asyncio.wait([waiting], timeout=0.01)
    assert not done
    watch.thaw()
    async with asyncio.timeout(LIMIT_SECONDS):
        await waiting


async def test_topics_called_after_the_group_have_one_name_in_every_run() -> None:
    wanted = Fault(parse_moment('kafka.produce{topic="{group}-status",partition=0}:before'), "kill")
    watch = watch_for(wanted, group_of_run="killpoint-7f-3")
    topic = "killpoint-7f-3-status"
    asked = ProduceAsked(1, None, (Span(topic, 0, 0, 1),))
    done = ProduceAnswered(1, None, (Span(topic, 0, 4, 5),))
    assert not watch.see("kafka", 1, Piece(b"", (asked,)))
    watch.see("kafka", 1, Piece(b"", (done,)))
    assert watch.progress.topics_written == {topic}, "the topic is read by its own name"


def two_of_which_one_dies() -> Watch:
    async def ready(group: str) -> None:
        del group

    watch = Watch(Gate((WRITTEN,)), ready, one_dies=True)
    watch.started()
    for replica in (1, 2):
        watch.connected("kafka", replica, replica)
        watch.connected("postgres", replica, replica)
        watch.see("postgres", replica, Piece(b"", (BackendStarted(100 + replica),)))
        watch.see("kafka", replica, FETCHED)
    return watch


async def test_the_one_that_comes_to_the_moment_dies() -> None:
    watch = two_of_which_one_dies()
    assert watch.dying is None
    watch.see("postgres", 2, ASKED)
    watch.forwarding("postgres", 2, ASKED)
    assert not watch.see("postgres", 2, ANSWERED)
    assert watch.dying == 2
    assert (watch.admits(1), watch.admits(2)) == (True, False)
    assert watch.backends_of(2) == {("postgres", 2): 102}
    assert (watch.open_of(1), watch.open_of(2), watch.open_of(None)) == (0, 0, 0)


async def test_the_others_go_on_in_the_life_that_they_began() -> None:
    watch = two_of_which_one_dies()
    watch.see("postgres", 2, ASKED)
    watch.see("postgres", 2, ANSWERED)
    watch.went_on(without=2)
    assert not watch.frozen
    watch.connected("kafka", 3, 2)
    watch.see("kafka", 1, FETCHED)
    watch.see("kafka", 3, FETCHED)
    first, second = list(watch.history.entries())[-2:]
    assert [(e.replica, e.life) for e in (first, second)] == [(1, 1), (2, 2)]
