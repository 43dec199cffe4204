"""What the proxy adds to a round trip to Postgres."""

import json
from typing import Final

from scripts.benchmark.figure import Better, Figure
from scripts.benchmark.lane import client, open_lane

from killpoint.cli.session.stack import Stack
from killpoint.faults.environment import Address, Login

AIM: Final = 250.0
DATABASE: Final = "bench_round_trips"
TRIPS: Final = 5000


async def round_trips(stack: Stack) -> Figure:
    """Time `select 1` through the proxy, and directly by TCP and by the Unix socket."""
    lane, database = stack.lanes[0], stack.environment.database
    await database.create(DATABASE)
    login, proxy, socket = database.login(DATABASE), lane.postgres.address, lane.postgres.upstream
    assert proxy is not None and socket is not None and socket.path is not None
    folder = socket.path.rpartition("/")[0]
    places = (proxy, Address(login.host, login.port), Address(folder, login.port))
    wanted = [_dsn(login, place) for place in places]
    with open_lane(lane):
        told = await client("round_tripper", str(TRIPS), *wanted)
    await database.drop(DATABASE)
    values: dict[str, list[float]] = json.loads(told)
    added = {
        f"{kind} against {direct}": round(through - micros, 1)
        for kind, (through, *directly) in values.items()
        for direct, micros in zip(("TCP", "the socket"), directly, strict=True)
    }
    return Figure(
        "postgres_added_us",
        max(added.values()),
        AIM,
        Better.LOWER,
        f"psycopg in a process of its own, `select 1`, median of {TRIPS} round trips by turns, "
        "through the proxy minus directly: the largest of the differences below",
        values=added,
    )


def _dsn(login: Login, place: Address) -> str:
    return (
        f"host={place.host} port={place.port} dbname={login.database} "
        f"user={login.user} password={login.password}"
    )
