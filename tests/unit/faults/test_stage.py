"""The stage closes every edge, whatever their number; its patience learns how starts go."""

from killpoint.faults.stage import Patience
from tests.support.fakes import World


async def test_every_edge_is_closed() -> None:
    world = World()
    await world.stage.close_connections()
    assert world.calls == ["close kafka", "close postgres"]


def test_a_start_may_take_five_times_as_long_as_in_a_clean_run() -> None:
    assert Patience().after_clean_runs(30.0, 0.0, 0.0).start_seconds == 150.0


def test_no_clean_run_makes_the_start_shorter() -> None:
    assert Patience().after_clean_runs(0.2, 0.0, 0.0).start_seconds == Patience().start_seconds


def test_a_timer_is_waited_for_twice_within_the_limit() -> None:
    assert Patience().after_clean_runs(0.2, 5.0, 0.0).overtake_seconds == 11.0
    assert Patience().after_clean_runs(0.2, 60.0, 0.0).overtake_seconds == Patience().drain_seconds
