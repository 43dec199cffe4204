"""The verdict follows from the order of the steps, whatever client or shape of topics there is."""

from pathlib import Path

import pytest

from tests.support.languages import go_program
from tests.support.matrix import ORDERS, Order, in_go, matrix
from tests.support.planted import Planted
from tests.support.planted_runs import Examiner, unexplained, wrong_hits

pytestmark = [pytest.mark.timeout(600), pytest.mark.asyncio(loop_scope="session")]


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The consumer in Go; skipped where it cannot be built."""
    return go_program(tmp_path_factory.mktemp("go"))


@pytest.mark.parametrize("planted", tuple(matrix()), ids=lambda planted: planted.name)
async def test_order_decides(examiner: Examiner, planted: Planted, every_moment: bool) -> None:
    await decides(examiner, planted, every_moment=every_moment)


@pytest.mark.parametrize("order", ORDERS, ids=lambda order: order.name)
async def test_order_decides_in_go(
    examiner: Examiner, order: Order, program: Path, every_moment: bool
) -> None:
    await decides(examiner, in_go(order, program), every_moment=every_moment)


async def decides(examiner: Examiner, planted: Planted, *, every_moment: bool) -> None:
    """Examine a consumer; everything found must be right and explained."""
    examined = await examiner.examine(planted, every_moment=every_moment)
    print(examined)
    assert examined.verdict.guarantee is planted.guarantee, str(examined)
    assert every_moment or wrong_hits(examined) == [], str(examined)
    assert unexplained(examined) == [], str(examined)
