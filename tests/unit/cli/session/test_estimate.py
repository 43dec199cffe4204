"""The estimate: more work takes longer, lanes shorten it, a greater depth has more scenarios."""

from killpoint.cli.session.estimate import guessed_scenarios, session_seconds, sweep_seconds
from killpoint.cli.session.lanes import SERVERS_SECONDS, Lanes
from killpoint.faults.depth import Depth

BOTH = ("kill", "terminate")


def test_more_scenarios_take_longer_and_more_lanes_shorten_it() -> None:
    assert sweep_seconds(4, 2.0) == 2 * sweep_seconds(2, 2.0) > 4 * 2.0
    assert sweep_seconds(4, 2.0, 4) * 4 == sweep_seconds(4, 2.0)
    alone, shared = session_seconds(8, 2.0, Lanes(1)), session_seconds(8, 2.0, Lanes(4))
    assert 2 * 2.0 < shared < alone
    assert session_seconds(8, 2.0, Lanes(4, own_servers=True)) == shared + SERVERS_SECONDS


def test_a_greater_depth_has_more_scenarios_and_classes_do_not_grow_with_the_events() -> None:
    classes, states, moments = (guessed_scenarios(12, d, ("kill",), 1) for d in Depth)
    assert classes.few <= states.few <= moments.few
    assert classes.many < states.many < moments.many
    assert guessed_scenarios(12000, Depth.CLASSES, ("kill",), 1) == classes
    for depth in Depth:
        one, two = (guessed_scenarios(12, depth, actions, 1) for actions in (("kill",), BOTH))
        assert one.few < two.few and one.many < two.many
        again = guessed_scenarios(12, depth, ("kill",), 2)
        assert again.few == one.few and again.many > one.many


def test_one_event_is_one_batch() -> None:
    for depth in (Depth.STATES, Depth.MOMENTS):
        found = guessed_scenarios(1, depth, BOTH, 1)
        assert found.few == found.many
