"""A draft from a compose file: which service is the consumer, and what the file says of its world.

Counterpart: `compose/compose_edges.py` leads the service's own addresses to the proxies, so that no
variable has to be changed. The file is read as YAML; Compose is not asked.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, cast

import yaml

from killpoint.cli.config.problem import ConfigError, Problem, do, why
from killpoint.cli.guess.draft import Draft, Guess, quoted
from killpoint.cli.guess.sources import topic_near
from killpoint.cli.guess.sql import schema_near
from killpoint.cli.guess.variables import named
from killpoint.compose.compose_edges import KAFKA, POSTGRES, kind_of

_INIT: Final = "/docker-entrypoint-initdb.d"
_DEFAULT: Final = re.compile(r"\$\{\w+:?-([^}]*)\}")
_CREATES: Final = re.compile(r"--topic[= ]['\"]?([\w.-]+)|rpk topic create ['\"]?([\w.-]+)")
_SPEAKS_OF_KAFKA: Final = re.compile(r"(?i)kafka|bootstrap|broker|redpanda")
_TOOLS: Final = re.compile(
    r"(?i)ui|akhq|kafdrop|console|exporter|registry|zookeeper|adminer|pgadmin"
)

Service = Mapping[str, Any]


def from_compose(file: Path) -> Draft:
    """The draft of a configuration beside the file. Raises ConfigError if it is no compose file."""
    services = _services(file)
    kinds = {name: kind_of(str(service.get("image", ""))) for name, service in services.items()}
    scores = {
        name: score
        for name, service in services.items()
        if kinds[name] is None and (score := _score(name, service, services, kinds))
    }
    ranked = sorted(scores, key=lambda name: -scores[name])
    if not ranked:
        remedy = do("write the file by hand:  killpoint init  makes one to change")
        raise ConfigError([Problem("no service speaks of Kafka", (remedy,), file)])
    chosen, *others = ranked
    variables = environment_of(services[chosen])
    return Draft(
        origin=file.name,
        target={
            "compose": Guess(quoted(file.name), "as it is"),
            "service": Guess(quoted(chosen), _why(scores[chosen], others)),
        },
        topic=named(variables, "TOPIC")
        or topic_near(_sources(file, services[chosen]))
        or _created(services),
        group=named(variables, "GROUP"),
        after_start=_sent_after(chosen, services),
        **_tables(file, services, kinds),
    )


def environment_of(service: Service) -> dict[str, str]:
    """The variables of a service, written as a table or a list, with the defaults of the file."""
    raw: Any = service.get("environment") or {}
    if isinstance(raw, list):
        pairs = (str(line).partition("=") for line in cast("list[object]", raw))
        raw = {name: value for name, _, value in pairs}
    given = cast("dict[str, object]", raw) if isinstance(raw, dict) else {}
    return {name: _DEFAULT.sub(r"\1", str(value or "")) for name, value in given.items()}


def _services(file: Path) -> dict[str, Service]:
    try:
        read: Any = yaml.safe_load(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        first = str(error).replace("\n", " ")
        raise ConfigError([Problem("cannot be read", (why(first),), file)]) from error
    found = cast("dict[str, Any]", read).get("services") if isinstance(read, dict) else None
    if not isinstance(found, dict):
        raise ConfigError([Problem("has no services", (do("name a compose file"),), file)])
    each = cast("dict[str, Any]", found).items()
    return {name: cast("Service", service) for name, service in each if isinstance(service, dict)}


def _score(
    name: str, service: Service, services: Mapping[str, Service], kinds: Mapping[str, str | None]
) -> int:
    """0: no consumer. The more a service says of both systems, and is built here, the higher."""
    if _TOOLS.search(f"{name} {service.get('image', '')}"):
        return 0
    variables = environment_of(service)
    text = " ".join((*variables, *variables.values(), str(service.get("command", ""))))
    needs = str(service.get("depends_on", ""))
    brokers = [other for other in services if kinds[other] == KAFKA]
    databases = [other for other in services if kinds[other] == POSTGRES]
    kafka = bool(_SPEAKS_OF_KAFKA.search(text)) or any(b in text or b in needs for b in brokers)
    postgres = any(d in text or d in needs for d in databases)
    if not kafka or service.get("restart") == "no":
        return 0
    return 1 + 2 * postgres + 1 * ("build" in service) + 1 * bool(named(variables, "GROUP"))


def _sources(file: Path, service: Service) -> Path:
    """The folder that the service is built from, else that of the file."""
    build: Any = service.get("build")
    context = cast("dict[str, Any]", build).get("context") if isinstance(build, dict) else build
    folder = file.parent / str(context or "")
    return folder if folder.is_dir() else file.parent


def _sent_after(chosen: str, services: Mapping[str, Service]) -> str | None:
    """A service that comes after the chosen one and is over soon, such as one that registers."""
    for name, service in services.items():
        if service.get("restart") == "no" and chosen in _needed(service):
            return name
    return None


def _needed(service: Service) -> list[str]:
    needs: Any = service.get("depends_on") or []
    return [str(name) for name in cast("Iterable[object]", needs)]


def _why(score: int, others: list[str]) -> str:
    reason = "speaks of Kafka and Postgres" if score > 2 else "speaks of Kafka"
    return f"{reason}; so may {', '.join(others)}" if others else reason


def _created(services: Mapping[str, Service]) -> Guess | None:
    """A topic that some service of the file makes."""
    for name, service in services.items():
        variables = environment_of(service)
        listed = variables.get("KAFKA_CREATE_TOPICS", "").partition(":")[0]
        if listed:
            return Guess(listed.split(",")[0], f"made by {name}")
        for text in _words(service):
            if found := _CREATES.search(text):
                return Guess(found[1] or found[2], f"made by {name}")
    return None


def _words(service: Service) -> Iterator[str]:
    """What it runs: its command, and its health check, which makes topics in some files."""
    check: Any = service.get("healthcheck") or {}
    for said in (service.get("command"), service.get("entrypoint"), check.get("test")):
        words = cast("list[object]", said) if isinstance(said, list) else [said or ""]
        yield " ".join(map(str, words))


def _tables(
    file: Path, services: Mapping[str, Service], kinds: Mapping[str, str | None]
) -> dict[str, Any]:
    """The scripts of the file's own Postgres make the tables, else SQL that lies near."""
    for name in (name for name in services if kinds[name] == POSTGRES):
        for volume in cast("list[object]", services[name].get("volumes") or []):
            source, target = _mounted(volume)
            if target.startswith(_INIT):
                own = Guess('"compose"', f"{name} is filled by {source}")
                return {"own_postgres": own, "table": schema_near(file.parent / source).table}
    near = schema_near(file.parent)
    return {"schema": near.schema, "table": near.table}


def _mounted(volume: object) -> tuple[str, str]:
    if isinstance(volume, dict):
        table = cast("dict[str, object]", volume)
        return str(table.get("source", "")), str(table.get("target", ""))
    source, _, rest = str(volume).partition(":")
    return source, rest
