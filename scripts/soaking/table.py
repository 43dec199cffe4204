"""The measured table again and again, and every moment of its three consumers once."""

from typing import Final

from scripts.soaking.soak import Session

from killpoint.cli.session.session import opened_stack
from tests.support.exact_table import CONSUMERS, Consumed, ExactTable, Silence

ROUNDS: Final = 3


async def exact(session: Session) -> None:
    """The table, three times: every cell as it says, each time."""
    async with opened_stack(1, Silence()) as stack:
        table = ExactTable(stack)
        for number in range(1, ROUNDS + 1):
            for consumer in CONSUMERS:
                if not session.go_on():
                    return
                consumed = await table.consume(stack.lanes[0], consumer)
                _tell(session, f"round {number}, {consumer}", consumed)


async def moments(session: Session) -> None:
    """Every moment that the clean runs of the three find, with the damage that its row says."""
    async with opened_stack(1, Silence()) as stack:
        table = ExactTable(stack)
        for consumer in CONSUMERS:
            if not session.go_on():
                return
            consumed = await table.consume(stack.lanes[0], consumer, every_moment=True)
            _tell(session, f"{consumer}, all of its {len(consumed.found)} moments", consumed)


def _tell(session: Session, what: str, consumed: Consumed) -> None:
    print(f"  {what}: {len(consumed.shown)} kills", flush=True)
    session.saw(len(consumed.shown), consumed.wrong)
