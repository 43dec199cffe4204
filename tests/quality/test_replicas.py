"""A bug that only the death of one replica shows, while another lives on; and its cure."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
import pytest_asyncio

from killpoint.checks.guarantee import Guarantee
from killpoint.checks.outcome import Outcome
from killpoint.cli.session.examination import SURVIVORS_HOLD
from killpoint.cli.session.session import opened_stack
from killpoint.cli.session.stack_choice import StackWish
from tests.support.exact_table import Silence
from tests.support.planted import COUNTS, Hit, Planted, clicks
from tests.support.planted_runs import Examiner, unexplained, wrong_hits

pytestmark = [pytest.mark.timeout(600), pytest.mark.asyncio(loop_scope="session")]

OFFSETS = """
create table consumer_offsets (
    topic text, partition integer, next_offset bigint not null, primary key (topic, partition)
);
"""
FIRST_COMMIT = "postgres.commit{replica=1}#1:after"


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def pairs(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Examiner]:
    """Examines targets of two replicas."""
    async with opened_stack(1, Silence(), StackWish(replicas=2)) as stack:
        yield Examiner(stack, tmp_path_factory.mktemp("replicas"))


def queue_kept(name: str, guarantee: Guarantee, *hits: Hit, **env: str) -> Planted:
    return Planted(
        name=name,
        program="queue_kept.py",
        guarantee=guarantee,
        hits=hits,
        schema=COUNTS + OFFSETS,
        env=env,
        events={name: clicks(name, 24, partitions=2)},
        partitions=2,
        position="select topic, partition, next_offset from consumer_offsets",
        replicas=2,
        one_dies=True,
    )


async def test_what_a_survivor_still_holds_is_counted_twice(pairs: Examiner) -> None:
    hit = Hit(FIRST_COMMIT, Outcome.COUNTED_TWICE)
    found = await pairs.examine(queue_kept("queue-kept", Guarantee.AT_LEAST_ONCE, hit))
    print(found)
    assert found.verdict.guarantee is Guarantee.AT_LEAST_ONCE, str(found)
    assert wrong_hits(found) == [], str(found)
    assert unexplained(found) == [], str(found)
    assert SURVIVORS_HOLD in found.result.unseen
    (fault,) = found.result.scenarios[0].faults
    assert (fault.replica, fault.survivors) == (1, 1)


async def test_the_death_of_all_does_not_show_it(pairs: Examiner) -> None:
    hit = Hit(FIRST_COMMIT, Outcome.CLEAN)
    planted = queue_kept("queue-lost", Guarantee.EFFECTIVELY_ONCE, hit)
    found = await pairs.examine(replace(planted, one_dies=False))
    print(found)
    assert found.verdict.guarantee is Guarantee.EFFECTIVELY_ONCE, str(found)
    (fault,) = found.result.scenarios[0].faults
    assert (fault.replica, fault.survivors) == (1, 0)


async def test_one_that_drops_its_queue_is_right(pairs: Examiner) -> None:
    hits = (
        Hit(FIRST_COMMIT, Outcome.CLEAN),
        Hit("postgres.commit{replica=2}#2:before", Outcome.CLEAN),
        Hit(
            "postgres.write{replica=1,transaction=2,statement=1}:after", Outcome.CLEAN, "terminate"
        ),
    )
    planted = queue_kept("queue-dropped", Guarantee.EFFECTIVELY_ONCE, *hits, ON_REVOKE="drop")
    found = await pairs.examine(planted)
    print(found)
    assert found.verdict.guarantee is Guarantee.EFFECTIVELY_ONCE, str(found)
    assert wrong_hits(found) == [], str(found)
    assert unexplained(found) == [], str(found)
