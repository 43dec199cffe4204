"""What both sides of a Postgres connection share: the turns not yet answered, names and numbers.

Counterpart: `postgres_asking` adds to it, `postgres_answering` takes from it.
"""

from collections import deque
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from killpoint.faults.events import Event
from killpoint.faults.wire.postgres_extended import Prepared
from killpoint.faults.wire.postgres_transaction import Transactions
from killpoint.faults.wire.postgres_turn import Turn


class Meaning(NamedTuple):
    """What one message means: the part of a piece that is not its bytes."""

    events: tuple[Event, ...] = ()
    opens: tuple[int, ...] = ()
    closes: tuple[int, ...] = ()


NOTHING: Final = Meaning()


@dataclass(slots=True)
class Conversation:
    """`turns` are those whose ReadyForQuery has not come; only the last may be open."""

    transactions: Transactions = field(default_factory=Transactions)
    prepared: Prepared = field(default_factory=Prepared)
    turns: deque[Turn] = field(default_factory=deque[Turn])
    exchanges: int = 0

    def exchange(self) -> int:
        """A new number of an exchange."""
        self.exchanges += 1
        return self.exchanges

    def open_turn(self) -> Turn:
        """The turn that more can be asked in."""
        if not self.turns or self.turns[-1].ended:
            self.turns.append(Turn())
        return self.turns[-1]


def text(body: bytes, at: int = 0) -> tuple[str, int]:
    """The string that ends with a zero byte, and the place after it; ValueError if none does.

    The client's encoding is not known: what is not UTF-8 is replaced, as only names could differ.
    """
    end = body.index(0, at)
    return body[at:end].decode("utf-8", "replace"), end + 1
