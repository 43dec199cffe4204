"""Every moment of every planted bug, innocent and client, with each action; the verdict must hold.

Counterpart: `tests/quality` tries a few moments of each.
"""

from scripts.soaking.evidence import kept_evidence
from scripts.soaking.soak import Session

from killpoint.cli.session.session import opened_stack
from tests.support.exact_table import Silence
from tests.support.innocents import INNOCENTS
from tests.support.matrix import matrix
from tests.support.planted_bugs import BUGS
from tests.support.planted_runs import Examined, Examiner, accusations, unexplained


async def planted(session: Session) -> None:
    """One consumer after another."""
    with kept_evidence(session, "planted") as folder:
        async with opened_stack(1, Silence()) as stack:
            examiner = Examiner(stack, folder)
            for each in (*INNOCENTS, *BUGS, *matrix()):
                if not session.go_on():
                    return
                examined = await examiner.examine(each, every_moment=True)
                kills = len(examined.result.scenarios)
                print(f"  {each.name}: {examined.verdict.guarantee}, {kills} scenarios", flush=True)
                session.saw(kills, _wrong(examined))


def _wrong(examined: Examined) -> list[str]:
    """A wrong verdict, an innocent accused, or an outcome that its crash state does not explain."""
    where = f"evidence: {examined.evidence}"
    held = accusations(examined) if examined.planted.innocent else []
    if examined.verdict.guarantee is not examined.planted.guarantee:
        held = [str(examined)]
    return [*held, *(f"{line}, {where}" for line in unexplained(examined))]
