"""How a fault reads."""

from killpoint.faults.moment_parser import parse_moment
from killpoint.faults.scenario import Fault, Scenario


def test_a_fault_reads_as_what_is_done_where() -> None:
    fault = Fault(parse_moment("postgres.commit#2:after"), "kill")
    assert str(fault) == "kill at postgres.commit#2:after"


def test_equal_scenarios_are_the_same_run() -> None:
    def made() -> Scenario:
        return Scenario("S01", (Fault(parse_moment("kafka.join:after"), "kill"),))

    assert made() == made()
    assert hash(made()) == hash(made())
