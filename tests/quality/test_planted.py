"""Planted bugs must be found, each with the right guarantee."""

import pytest

from tests.support.planted import Planted
from tests.support.planted_bugs import BUGS
from tests.support.planted_runs import Examiner, unexplained, wrong_hits

pytestmark = [pytest.mark.timeout(600), pytest.mark.asyncio(loop_scope="session")]


@pytest.mark.parametrize("planted", BUGS, ids=lambda planted: planted.name)
async def test_bug_is_found(examiner: Examiner, planted: Planted, every_moment: bool) -> None:
    examined = await examiner.examine(planted, every_moment=every_moment)
    print(examined)
    assert examined.verdict.guarantee is planted.guarantee, str(examined)
    assert every_moment or wrong_hits(examined) == [], str(examined)
    assert unexplained(examined) == [], str(examined)
