"""Plans: what a list gives, whatever it is told."""

from dataclasses import dataclass, field

from killpoint.faults.history import History
from killpoint.faults.plan import Listed, Struck
from killpoint.faults.scenario import Scenario

ONE, TWO = Scenario("S01"), Scenario("S02")


@dataclass(frozen=True, slots=True)
class Over:
    scenario: Scenario
    history: History = field(default_factory=History)
    faults: tuple[Struck, ...] = ()


def test_a_list_is_given_in_its_order_and_then_is_over() -> None:
    plan = Listed([ONE, TWO])
    assert plan.total == 2
    assert plan.next(0.0) is ONE
    plan.finished(Over(ONE), "lost")
    assert [plan.next(1.0), plan.next(1.0), plan.next(99.0)] == [TWO, None, None]
