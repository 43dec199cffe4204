"""The bound of a session: what a sweep was limited to, or what the scenarios listed are."""

from dataclasses import replace

import pytest

from killpoint.cli.result import Bound
from killpoint.cli.session.session import Session, Wanted
from killpoint.cli.session.subject import sample_subject
from killpoint.compose.consumers.catalogue import SAMPLES
from killpoint.faults.moment_parser import parse_moment
from killpoint.faults.scenario import Fault, Scenario


def scenario(*actions: str) -> Scenario:
    at = parse_moment("postgres.commit#1:after")
    return Scenario("S01", tuple(Fault(at, action) for action in actions))


@pytest.mark.parametrize(
    ("listed", "at", "bound"),
    [
        ((), (), Bound(("kill", "terminate"), 1)),
        ((scenario("kill", "kill"),), (), Bound(("kill",), 2)),
        ((scenario("kill", "kill"),), (scenario("terminate"),), Bound(("terminate",), 1)),
        ((scenario("kill"), scenario("kill", "terminate")), (), Bound(("kill", "terminate"), 2)),
    ],
)
def test_the_bound_is_that_of_what_is_run(
    listed: tuple[Scenario, ...], at: tuple[Scenario, ...], bound: Bound
) -> None:
    subject = replace(sample_subject(SAMPLES[0]), scenarios=listed)
    wanted = Wanted(at, ("kill", "terminate"))

    class Silence:
        def on(self, event: object) -> None:
            """Take an event and leave it."""

    assert Session(subject, Silence(), wanted).bound == bound
