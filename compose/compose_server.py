"""The Postgres of the user's compose file as that of a run: its image, its scripts, its extensions.

Counterparts: `docker_postgres` starts killpoint's own in the same place, behind the same proxies;
`compose_house` has the target. Its volumes are the run's, so none of the user's data is touched.
"""

from typing import Any

from killpoint.compose.compose_cli import read_compose_file
from killpoint.compose.compose_edges import POSTGRES, account_of, edges_of
from killpoint.compose.compose_project import ComposeProject
from killpoint.compose.compose_rewrite import rewritten_server
from killpoint.compose.compose_wish import ComposeWish
from killpoint.compose.docker_container import Container
from killpoint.compose.docker_postgres import PostgresContainer
from killpoint.compose.docker_run import DockerRun
from killpoint.compose.docker_server import start_server
from killpoint.compose.own_servers import Report
from killpoint.compose.ports import LOOPBACK, Ports
from killpoint.compose.postgres_control import PostgresControl
from killpoint.compose.postgres_server import MAINTENANCE, accepts
from killpoint.faults.environment import Address, EnvironmentFailed, Login, QueryFailed
from killpoint.faults.target import TargetError

Json = dict[str, Any]


async def start_composed_postgres(
    run: DockerRun, wish: ComposeWish, report: Report
) -> PostgresContainer:
    """Start it; returns when it accepts connections. Raises EnvironmentFailed or TargetError."""
    file = await read_compose_file(wish.file)
    edge = edges_of(file, wish.service, wish.answer_at).postgres
    account = account_of(file, edge.service)
    if edge.service is None or account.user is None or account.password is None:
        raise TargetError(
            f'[stack] postgres = "compose" needs a service of {file.path.name} at {edge.address}, '
            f"with POSTGRES_PASSWORD in its environment. Name it in [target] answer_at {POSTGRES}."
        )
    project = ComposeProject(run, rewritten_server(file, edge.service, run.labels))
    await project.need_images(report)
    body = await project.body(edge.service)
    with Ports(1) as reserved:
        (port,) = reserved.numbers
        login = Login(LOOPBACK, port, account.user, account.password, MAINTENANCE)
        made = published(body, edge.address.port, port)
        container = Container(image=body["Image"], labels=run.labels, body=made)
        version = await start_server(run, "Postgres", container, accepts(LOOPBACK, login))
    await _hasten(login)
    return PostgresContainer(version.split()[0], Address(LOOPBACK, port), login)


def published(body: Json, inside: int, outside: int) -> Json:
    """The body with one of its ports published on the loopback."""
    port = f"{inside}/tcp"
    bound = {port: [{"HostIp": LOOPBACK, "HostPort": str(outside)}]}
    host: Json = {**body["HostConfig"], "PortBindings": bound}
    exposed: Json = body.get("ExposedPorts") or {}
    return {**body, "ExposedPorts": {**exposed, port: {}}, "HostConfig": host}


async def _hasten(login: Login) -> None:
    """Nothing survives the run, so nothing is flushed; what a commit means is unchanged.

    Raises EnvironmentFailed.
    """
    control = PostgresControl(LOOPBACK, login)
    try:
        for statement in ("alter system set fsync = off", "select pg_reload_conf()"):
            await control.execute(MAINTENANCE, statement)
    except QueryFailed as error:
        raise EnvironmentFailed(
            f"the Postgres of the compose file takes no settings: {error}. Its POSTGRES_USER must "
            "be a superuser, as in the official image."
        ) from error
    finally:
        await control.close()
