"""Settling: answers that can come are awaited, those behind a lock are named."""

from killpoint.faults.environment import BackendState
from killpoint.faults.events import BackendStarted
from killpoint.faults.settle import settle, wait_gone
from killpoint.faults.watch import Watch
from killpoint.faults.wire.piece import Piece
from tests.support.fakes import FakeDatabase, World

IDLE = BackendState(7, True, False, False)
BUSY = BackendState(7, False, False, True)
BLOCKED = BackendState(7, False, True, True)


class Changing(FakeDatabase):
    """A database whose one backend goes through these states, the last one for good."""

    def __init__(self, *states: BackendState | None) -> None:
        super().__init__([])
        self.states = list(states)
        self.asked = 0

    async def backends(self, pids: object) -> list[BackendState]:
        self.asked += 1
        state = self.states.pop(0) if len(self.states) > 1 else self.states[0]
        return [] if state is None else [state]


def watch_with(*opened: tuple[str, int]) -> Watch:
    """A watch with one backend, 7, and these requests open."""
    watch = World().watched()
    watch.see("postgres", 1, Piece(b"", (BackendStarted(7),)))
    for edge, exchange in opened:
        watch.forwarding(edge, 1, Piece(b"", opens=(exchange,)))
    return watch


async def test_nothing_open_is_settled_at_once() -> None:
    database = Changing(IDLE)
    assert await settle(watch_with(), database, 1.0) == ()
    assert database.asked == 1


async def test_a_backend_at_work_is_awaited() -> None:
    database = Changing(BUSY, BUSY, IDLE)
    assert await settle(watch_with(), database, 5.0) == ()
    assert database.asked == 3


async def test_a_dead_backend_is_not_awaited() -> None:
    assert await settle(watch_with(), Changing(None), 5.0) == ()


async def test_an_answer_is_awaited_until_it_comes() -> None:
    watch = watch_with(("postgres", 3))

    class Answering(Changing):
        async def backends(self, pids: object) -> list[BackendState]:
            if self.asked == 2:
                watch.see("postgres", 1, Piece(b"", closes=(3,)))
            return await super().backends(pids)

    assert await settle(watch, Answering(IDLE), 5.0) == ()
    assert watch.requests_open == 0


async def test_what_waits_for_a_lock_is_named_and_not_awaited() -> None:
    in_flight = await settle(watch_with(("postgres", 3)), Changing(BLOCKED), 60.0)
    assert in_flight == ("backend 7 waits for a lock",)


async def test_an_offset_commit_is_awaited_although_a_backend_is_blocked() -> None:
    watch = watch_with(("postgres", 3), ("kafka", 4))
    in_flight = await settle(watch, Changing(BLOCKED), 0.05)
    assert in_flight == ("2 requests not answered in 0.05 s",)
    watch.see("kafka", 1, Piece(b"", closes=(4,)))
    assert await settle(watch, Changing(BLOCKED), 60.0) == ("backend 7 waits for a lock",)


async def test_backends_that_go_are_waited_for() -> None:
    database = Changing(BUSY, BUSY, None)
    assert await wait_gone(database, [7], 5.0) == ()
    assert database.asked == 3


async def test_only_those_that_stay_are_told() -> None:
    assert await wait_gone(Changing(BUSY), [6, 7], 0.02) == ("backend 7 still runs",)
    assert await wait_gone(Changing(BUSY), [], 0.02) == ()
