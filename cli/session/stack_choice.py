"""Which stack a session gets: containers, processes of this machine, or the better of the two.

Counterpart: `stack` starts the environment that is chosen here. Nothing is started here, and
nothing is pulled.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from killpoint.cli.config.configuration import Configuration
from killpoint.cli.errors import UserError
from killpoint.compose.compose_wish import ComposeWish
from killpoint.compose.database_wish import DatabaseWish
from killpoint.compose.docker_client import EngineMissing
from killpoint.compose.docker_engine import Engine
from killpoint.compose.docker_environment import DockerEnvironment
from killpoint.compose.docker_image import could_pull, has_image
from killpoint.compose.docker_kafka import as_variables
from killpoint.compose.docker_servers import ServerWish, ServerWishes
from killpoint.compose.embedded import EmbeddedEnvironment
from killpoint.compose.housing import Wish
from killpoint.compose.kafka_config import settings_for
from killpoint.faults.environment import Address, Environment, EnvironmentFailed

Report = Callable[[str], None]

AUTO, DOCKER, EMBEDDED = "auto", "docker", "embedded"


@dataclass(frozen=True, slots=True)
class StackWish:
    """`kind` is auto, docker or embedded; `servers` are those of containers.

    `logs` is a folder that the logs of these are kept in; `database` is for either kind.
    `replicas`: the instances of each target.
    """

    kind: str = EMBEDDED
    servers: ServerWishes = field(default_factory=ServerWishes)
    logs: Path | None = None
    database: DatabaseWish = field(default_factory=DatabaseWish)
    answer_at: Mapping[str, Address] = field(default_factory=dict[str, Address])
    replicas: int = 1


def stack_wish(
    configuration: Configuration, given: str | None, target: Wish | None = None
) -> StackWish:
    """What a file wishes; `given` on the command line goes before its `[run] stack`.

    Where Postgres is that of the target's compose file, auto is docker. Raises UserError where it
    cannot be.
    """
    table = configuration.stack
    kind = given or configuration.run.stack
    composed = target if isinstance(target, ComposeWish) and target.own_postgres else None
    if composed is not None and kind == EMBEDDED:
        raise UserError(
            "the embedded stack cannot have the Postgres of a compose file",
            '[stack] postgres = "compose" keeps a Postgres in a container',
            "use --stack docker, or leave that key out",
        )
    servers = ServerWishes(
        ServerWish(table.kafka_image, table.kafka_env, table.kafka_memory),
        ServerWish(table.postgres_image, table.postgres_env, table.postgres_memory),
        composed,
    )
    database = DatabaseWish(configuration.database.account, configuration.database.settings)
    return StackWish(kind if composed is None else DOCKER, servers, database=database)


@dataclass(frozen=True, slots=True)
class StackChoice:
    """The environment, not started yet, and why it was chosen; "" if it was asked for.

    `another` makes one more of its kind.
    """

    environment: Environment
    another: Callable[[], Environment]
    reason: str = ""


async def chosen_stack(wish: StackWish, report: Report) -> StackChoice:
    """What is asked for; for auto Docker if an engine answers and has, or can get, the images."""

    kafka = settings_for(wish.replicas)
    own = wish.servers.kafka
    told = replace(own, environment={**as_variables(kafka), **own.environment})
    servers = replace(wish.servers, kafka=told)

    def embedded() -> Environment:
        return EmbeddedEnvironment(report, wish.database, kafka)

    def docker() -> Environment:
        return DockerEnvironment(servers, report, wish.logs, wish.database)

    if wish.kind == EMBEDDED:
        return StackChoice(embedded(), embedded)
    if wish.kind == DOCKER:
        return StackChoice(docker(), docker)
    usable, reason = await _docker_is_usable(wish.servers)
    chosen = docker if usable else embedded
    return StackChoice(chosen(), chosen, reason)


async def _docker_is_usable(servers: ServerWishes) -> tuple[bool, str]:
    try:
        engine = await Engine.connected()
    except EngineMissing as error:
        return False, f"chosen since {error.short}"
    try:
        missing = [image for image in servers.images.values() if not await has_image(engine, image)]
        for image in missing:
            if not await could_pull(engine, image):
                return False, f"chosen since Docker has no image {image} and cannot pull it"
    except EnvironmentFailed as error:
        return False, f"chosen since {error}"
    finally:
        await engine.close()
    have = "can pull" if missing else "has"
    return True, f"chosen since Docker answers and {have} the images"
