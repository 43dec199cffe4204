"""Right consumers must pass: a tool that accuses the innocent is switched off."""

import pytest

from killpoint.checks.verdict import ExitCode
from tests.support.innocents import INNOCENTS
from tests.support.planted import Planted
from tests.support.planted_runs import Examiner, accusations, unexplained, wrong_hits

pytestmark = [pytest.mark.timeout(600), pytest.mark.asyncio(loop_scope="session")]


@pytest.mark.parametrize("planted", INNOCENTS, ids=lambda planted: planted.name)
async def test_innocent_passes(examiner: Examiner, planted: Planted, every_moment: bool) -> None:
    examined = await examiner.examine(planted, every_moment=every_moment)
    print(examined)
    assert accusations(examined) == [], str(examined)
    assert examined.verdict.guarantee is planted.guarantee, str(examined)
    assert examined.verdict.exit_code is ExitCode.MET, str(examined)
    assert every_moment or wrong_hits(examined) == [], str(examined)
    assert examined.result.source_duplicates == planted.duplicates, str(examined)
    assert unexplained(examined) == [], str(examined)
