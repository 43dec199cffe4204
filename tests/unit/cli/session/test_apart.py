"""Where replicas are not told apart, none dies alone and none is named."""

from dataclasses import replace

import pytest

from killpoint.cli.errors import UserError
from killpoint.cli.session.apart import refuse_untold
from killpoint.faults.moment_parser import parse_moment
from killpoint.faults.scenario import KILL, Fault, Scenario
from tests.support.examined import InMemory
from tests.support.fakes import World

APART = InMemory(World(()))
SECOND = Scenario("S01", (Fault(parse_moment("postgres.commit{replica=2}#1:after"), KILL),))
ANY = Scenario("S01", (Fault(parse_moment("postgres.commit#1:after"), KILL),))


def test_one_cannot_be_meant_where_all_have_one_address() -> None:
    together = replace(APART, tells_apart=False)
    with pytest.raises(UserError, match="one of several replicas is to die"):
        refuse_untold(together, (), one_dies=True)
    with pytest.raises(UserError, match=r"postgres.commit\{replica=2\}#1:after names a replica"):
        refuse_untold(together, (ANY, SECOND), one_dies=False)
    refuse_untold(together, (ANY,), one_dies=False)


def test_one_can_be_meant_where_each_has_its_own() -> None:
    refuse_untold(APART, (SECOND,), one_dies=True)
