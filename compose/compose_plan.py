"""What a service of a compose file comes to as the target: its edges, and what goes with it.

Pure. Counterparts: `compose_house` brings it about, `compose_facts` only says it.
"""

from dataclasses import dataclass
from typing import Any, Final

from killpoint.compose.compose_edges import Edges, account_of, edges_of
from killpoint.compose.compose_file import ComposeFile
from killpoint.compose.compose_wish import ComposeWish
from killpoint.faults.environment import Account
from killpoint.faults.target import TargetError

_SCRIPTS: Final = "/docker-entrypoint-initdb.d"


@dataclass(frozen=True, slots=True)
class Plan:
    """What a file comes to: `once` are run to their end first, `beside` are there all the time.

    `fresh` are those of `beside` that start anew for each scenario. `own_postgres`: the file's own
    serves.
    """

    file: ComposeFile
    edges: Edges
    account: Account
    once: tuple[str, ...]
    beside: tuple[str, ...]
    fresh: tuple[str, ...]
    own_postgres: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """The names that lead to killpoint."""
        told = (self.edges.kafka.address.host, self.edges.postgres.address.host)
        left_out = sorted(self.edges.left_out)
        of_file = (name for service in left_out for name in self.file.names_of(service))
        return tuple(dict.fromkeys((*told, *of_file)))

    def __str__(self) -> str:
        edges = self.edges
        said = f"{self.file.path.name}: Kafka is {edges.kafka.address}, Postgres "
        said += f"{edges.postgres.address}"
        if self.once:
            said += f"; first {', '.join(self.once)}"
        if self.beside:
            said += f"; beside it {', '.join(self.beside)}"
        if self.scripts_left_out:
            said += f"; the scripts of {edges.postgres.service} are left out, which "
            said += '[stack] postgres = "compose" would run'
        return said

    @property
    def scripts_left_out(self) -> bool:
        """Whether the file's own Postgres is filled by scripts, and another serves."""
        service = self.edges.postgres.service
        if service is None or self.own_postgres:
            return False
        volumes = self.file.services[service].get("volumes") or ()
        return any(volume["target"].startswith(_SCRIPTS) for volume in volumes)


def plan_of(file: ComposeFile, wish: ComposeWish) -> Plan:
    """What is done for a service of a file. Raises TargetError."""
    edges = edges_of(file, wish.service, wish.answer_at)
    _refuse_inline(file, wish.service)
    needed = file.needed_by(wish.service, edges.left_out)
    once = tuple(name for name in needed if name in (*file.once, *wish.once))
    beside = tuple(name for name in needed if name not in once)
    for key, names, known in (("once", wish.once, needed), ("reset", wish.reset or (), beside)):
        if unknown := [name for name in names if name not in known]:
            raise TargetError(
                f"[target] {key} has {unknown[0]}, which {wish.service} of {file.path.name} does "
                f"not depend on. It may have: {', '.join(known) or '(none)'}."
            )
    fresh = beside if wish.reset is None else wish.reset
    account = account_of(file, edges.postgres.service)
    return Plan(file, edges, account, once, beside, fresh, wish.own_postgres)


def _refuse_inline(file: ComposeFile, service: str) -> None:
    """Compose copies such content into a container of its own, not into one made like it."""
    for kind in ("secrets", "configs"):
        for one in file.services[service].get(kind) or ():
            name = one["source"]
            known: dict[str, Any] = file.resolved.get(kind) or {}
            if "file" not in (known.get(name) or ()):
                raise TargetError(
                    f"{kind} {name} of {service} is not a file, and only Compose itself can give "
                    f"it to a container. Give it a file in {file.path.name}."
                )
