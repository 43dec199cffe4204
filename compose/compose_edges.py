"""Where a service of a compose file reaches its Kafka and its Postgres: found, or as it is told.

Pure. Nothing is guessed where the file has two that could be meant: then the configuration says it.
Counterparts: `compose_rewrite` leads these names to the proxies, which listen on these ports.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from killpoint.compose.compose_file import ComposeFile, ports_of
from killpoint.faults.environment import Account, Address
from killpoint.faults.target import TargetError

KAFKA, POSTGRES = "kafka", "postgres"

_IMAGES: Final = {
    # The last part of the image's name: not those of tools for it, such as kafka-ui.
    KAFKA: re.compile(
        r"kafka(-native)?|cp-(kafka|server|enterprise-kafka)|confluent-local|redpanda"
    ),
    POSTGRES: re.compile(
        r"postgres(ql)?|postgis|timescaledb(-ha)?|pgvector|pgvecto-rs|paradedb|citus"
    ),
}
_PORTS: Final = {KAFKA: 9092, POSTGRES: 5432}
_WORDS: Final = {KAFKA: "Kafka", POSTGRES: "Postgres"}
_ADVERTISED: Final = ("KAFKA_ADVERTISED_LISTENERS", "KAFKA_CFG_ADVERTISED_LISTENERS")


@dataclass(frozen=True, slots=True)
class Edge:
    """One system of the target's: its address, the service behind it, and all of its kind.

    `service` is None where the address names none of the file.
    """

    address: Address
    service: str | None
    alike: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Edges:
    """Both systems of a service."""

    kafka: Edge
    postgres: Edge

    @property
    def left_out(self) -> frozenset[str]:
        """The services that killpoint's own servers stand in for; a cluster's nodes are many."""
        own = (self.kafka.service, self.postgres.service)
        return frozenset({*self.kafka.alike, *(name for name in own if name is not None)})


def edges_of(file: ComposeFile, service: str, told: Mapping[str, Address]) -> Edges:
    """The edges of a service; `told` has the addresses that the configuration gives.

    Raises TargetError if the service is not in the file, or an edge cannot be told.
    """
    if service not in file.services:
        raise TargetError(
            f"{file.path.name} has no service {service}. Name one of them in [target] service: "
            f"{', '.join(file.services) or '(it has none)'}."
        )
    kafka, postgres = (_edge(file, service, kind, told.get(kind)) for kind in (KAFKA, POSTGRES))
    if kafka.address == postgres.address:
        raise TargetError(f"[target] answer_at has {kafka.address} for both Kafka and Postgres.")
    return Edges(kafka, postgres)


def account_of(file: ComposeFile, service: str | None) -> Account:
    """The account that the image of a Postgres makes, as far as the file says it.

    The variables are the official image's, or Bitnami's.
    """
    if service is None:
        return Account()
    variables = file.environment(service)

    def value(*names: str) -> str | None:
        return next((variables[name] for name in names if variables.get(name)), None)

    user = value("POSTGRES_USER", "POSTGRESQL_USERNAME") or "postgres"
    database = value("POSTGRES_DB", "POSTGRESQL_DATABASE") or user
    return Account(database, user, value("POSTGRES_PASSWORD", "POSTGRESQL_PASSWORD"))


def _edge(file: ComposeFile, service: str, kind: str, told: Address | None) -> Edge:
    alike = _alike(file, service, kind)
    # Who depends on one is a client with the same image, such as one that makes the topics.
    servers = [name for name in alike if not set(file.needed_by(name)) & set(alike)]
    if told is not None:
        of_it = [name for name in file.services if told.host in file.names_of(name)]
        named = of_it[0] if of_it else None
        return Edge(told, named, alike if named in alike else ())
    if len(servers) != 1:
        how = f"{len(servers)} services that look like" if servers else "no service that looks like"
        names = f" ({', '.join(servers)})" if servers else ""
        raise TargetError(
            f"{file.path.name} has {how} {_WORDS[kind]}{names}. {_say(service, kind)}"
        )
    return Edge(_address(file, service, kind, servers[0]), servers[0], alike)


def _alike(file: ComposeFile, service: str, kind: str) -> tuple[str, ...]:
    """By their images; not what only runs a tool of such an image, once."""
    return tuple(
        name
        for name, found in file.services.items()
        if name != service and name not in file.once and kind_of(found.get("image") or "") == kind
    )


def kind_of(image: str) -> str | None:
    """Whether an image is a Kafka or a Postgres, by its name; None if neither."""
    name = _last_part(image)
    return next((kind for kind, names in _IMAGES.items() if names.fullmatch(name)), None)


def _last_part(image: str) -> str:
    return image.partition("@")[0].rpartition("/")[2].partition(":")[0]


def _address(file: ComposeFile, service: str, kind: str, other: str) -> Address:
    """By which name and port it is reached: as the service says, or as its kind is."""
    names = file.names_of(other)
    texts = file.texts(service)
    found = [Address(name, port) for name in names for port in ports_of(name, texts)]
    if len(found) > 1:
        listed = ", ".join(map(str, found))
        raise TargetError(
            f"{service} of {file.path.name} names several addresses of {_WORDS[kind]}: {listed}. "
            f"{_say(service, kind)}"
        )
    if found:
        return found[0]
    variables = file.environment(other)
    advertised = [variables[name] for name in _ADVERTISED if name in variables]
    ports = [port for name in names for port in ports_of(name, advertised)]
    port = ports[0] if kind == KAFKA and len(set(ports)) == 1 else _PORTS[kind]
    host = next((name for name in names if any(_has(name, text) for text in texts)), names[0])
    return Address(host, port)


def _has(name: str, text: str) -> bool:
    return re.search(rf"(?<![\w.-]){re.escape(name)}(?![\w.-])", text) is not None


def _say(service: str, kind: str) -> str:
    return (
        f"Say where {service} reaches its {_WORDS[kind]}, in [target]:  "
        f'answer_at = {{ {kind} = "HOST:{_PORTS[kind]}" }}'
    )
