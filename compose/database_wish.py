"""What a user may wish of the run's Postgres, wherever it runs.

Counterparts: `[database]` of the configuration gives it; `embedded` and `docker_postgres` start the
server so.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from killpoint.faults.environment import Account


@dataclass(frozen=True, slots=True)
class DatabaseWish:
    """`account` is what the target has built in; `settings` go over killpoint's own."""

    account: Account = field(default_factory=Account)
    settings: Mapping[str, str] = field(default_factory=dict[str, str])
