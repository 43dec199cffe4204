"""Every moment of every planted bug, innocent and client, with each action; the verdict must hold.

Counterpart: `tests/quality` tries a few moments of each.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

from scripts.soaking.soak import Session

from killpoint.cli.session.session import opened_stack
from tests.support.exact_table import Silence
from tests.support.innocents import INNOCENTS
from tests.support.matrix import matrix
from tests.support.planted_bugs import BUGS
from tests.support.planted_runs import Examined, Examiner, accusations


async def planted(session: Session) -> None:
    """One consumer after another."""
    with TemporaryDirectory() as folder:
        async with opened_stack(1, Silence()) as stack:
            examiner = Examiner(stack, Path(folder))
            for each in (*INNOCENTS, *BUGS, *matrix()):
                if not session.go_on():
                    return
                examined = await examiner.examine(each, every_moment=True)
                kills = len(examined.result.scenarios)
                print(f"  {each.name}: {examined.verdict.guarantee}, {kills} scenarios", flush=True)
                session.saw(kills, _wrong(examined))


def _wrong(examined: Examined) -> list[str]:
    if examined.verdict.guarantee is not examined.planted.guarantee:
        return [str(examined)]
    return accusations(examined) if examined.planted.innocent else []
