"""A crash lists everything that outlived the target."""

from killpoint.faults.actions.crash import Crash


def test_what_was_left_behind_is_in_flight_alive_or_in_doubt() -> None:
    assert Crash(()).left_behind == ()
    crash = Crash((), in_flight=("a",), ghosts=("b",), prepared=("c",))
    assert crash.left_behind == ("a", "b", "c")
