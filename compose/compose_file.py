"""A compose file as Compose resolves it: its services, and which of them a service needs.

Counterparts: `compose_cli` has it resolved, `compose_edges` looks for Kafka and Postgres in it,
`compose_rewrite` makes the run's project of it. What a service is made of stays Compose's JSON.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

Json = dict[str, Any]

ONCE: Final = "service_completed_successfully"
"""The condition of a service that is run to its end before others start, such as a migration."""


@dataclass(frozen=True, slots=True)
class ComposeFile:
    """`resolved` is what `docker compose config` says: everything of `path` in one value."""

    path: Path
    resolved: Json

    @property
    def services(self) -> Mapping[str, Json]:
        """The services by name, whatever their profiles are."""
        found: dict[str, Json] = self.resolved.get("services") or {}
        return found

    @property
    def once(self) -> frozenset[str]:
        """The services that others wait for to be done."""
        return frozenset(
            name
            for service in self.services.values()
            for name, how in _needs(service).items()
            if how.get("condition") == ONCE
        )

    def needed_by(self, service: str, without: Collection[str] = ()) -> list[str]:
        """The services that must be there before `service`, itself not among them, in order."""
        found: list[str] = []

        def visit(name: str) -> None:
            for other in _needs(self.services[name]):
                if other in self.services and other not in (*found, *without, service):
                    visit(other)
                    found.append(other)

        visit(service)
        return found

    def names_of(self, service: str) -> list[str]:
        """The names that a service is reached by from others."""
        found = self.services[service]
        networks: Mapping[str, Json | None] = found.get("networks") or {}
        aliases = (alias for network in networks.values() for alias in _aliases(network))
        own = (service, found.get("container_name"), found.get("hostname"), *aliases)
        return [name for name in dict.fromkeys(own) if name]

    def environment(self, service: str) -> dict[str, str]:
        """The variables of a service that have a value."""
        variables: Mapping[str, str | None] = self.services[service].get("environment") or {}
        return {name: plain(text) for name, text in variables.items() if text is not None}

    def texts(self, service: str) -> list[str]:
        """Where a service may name others: its variables and what it runs."""
        found = self.services[service]
        words = (*(found.get("entrypoint") or ()), *(found.get("command") or ()))
        return [*self.environment(service).values(), *map(plain, words)]


def plain(text: str) -> str:
    """A value as its container gets it: Compose doubles each dollar sign in what it resolves."""
    return str(text).replace("$$", "$")


def ports_of(name: str, texts: Collection[str]) -> list[int]:
    """The ports that stand behind a host name in texts, as in "kafka:9092", each once.

    A user and a password, as in "postgres:1234@db", are none.
    """
    pattern = re.compile(rf"(?<![\w.-]){re.escape(name)}:(\d{{1,5}})(?![\w@])")
    return list(dict.fromkeys(int(found) for text in texts for found in pattern.findall(text)))


def _needs(service: Json) -> Mapping[str, Json]:
    needs: Mapping[str, Json] = service.get("depends_on") or {}
    return needs


def _aliases(network: Json | None) -> Iterator[str]:
    yield from (network or {}).get("aliases") or ()
