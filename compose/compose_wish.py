"""What a user may wish of a service of a compose file as the target.

Counterparts: `[target]` of the configuration gives it, `compose_house` makes it come true.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from killpoint.faults.environment import Address


@dataclass(frozen=True, slots=True)
class ComposeWish:
    """A service of a file. `answer_at` has the addresses that are told, by kind of system.

    `reset` are the services beside it that start anew for each scenario; None: all of them. `once`:
    those that end by themselves, beyond what the file says. `same`: after a crash the same
    container starts again. `own_postgres`: the file's own Postgres serves.
    `volumes` are added to those of the service, as in `docker run --volume`, with absolute paths.
    """

    file: Path
    service: str
    answer_at: Mapping[str, Address] = field(default_factory=dict[str, Address])
    reset: tuple[str, ...] | None = None
    once: tuple[str, ...] = ()
    same: bool = False
    own_postgres: bool = False
    volumes: tuple[str, ...] = ()
