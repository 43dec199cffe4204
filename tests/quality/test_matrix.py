"""The verdict follows from the order of the steps, whatever client or shape of topics there is."""

import pytest

from tests.support.matrix import matrix
from tests.support.planted import Planted
from tests.support.planted_runs import Examiner, unexplained, wrong_hits

pytestmark = [pytest.mark.timeout(600), pytest.mark.asyncio(loop_scope="session")]


@pytest.mark.parametrize("planted", tuple(matrix()), ids=lambda planted: planted.name)
async def test_order_decides(examiner: Examiner, planted: Planted, every_moment: bool) -> None:
    examined = await examiner.examine(planted, every_moment=every_moment)
    print(examined)
    assert examined.verdict.guarantee is planted.guarantee, str(examined)
    assert every_moment or wrong_hits(examined) == [], str(examined)
    assert unexplained(examined) == [], str(examined)
