"""Several instances as one target: what is asked of them is asked of all."""

import asyncio
from collections.abc import Mapping
from pathlib import Path

from killpoint.compose.replicas import Replicas
from killpoint.faults.environment import Address
from killpoint.faults.stage import Launch
from killpoint.faults.target import Exit


class One:
    """A target that writes down what is asked of it."""

    def __init__(self, number: int, how: Exit) -> None:
        self.number = number
        self.how = how
        self.ended = asyncio.Event()
        self.asked: list[str] = []
        self.log = Path()

    async def start(self, command: tuple[str, ...], environment: Mapping[str, str]) -> None:
        self.asked.append(f"start {' '.join(command)} {environment['PORT']}")

    async def freeze(self) -> None:
        self.asked.append("freeze")

    async def thaw(self) -> None:
        self.asked.append("thaw")

    async def kill(self) -> None:
        self.asked.append("kill")

    async def terminate(self, grace: float) -> Exit:
        self.asked.append(f"terminate {grace:g}")
        return self.how

    async def exited(self) -> Exit:
        await self.ended.wait()
        return self.how

    async def sockets(self) -> list[Address]:
        return [Address("10.0.0.1", self.number)]

    async def files(self) -> list[Path]:
        return [Path(f"/{self.number}")]

    async def listening(self) -> list[int]:
        return [self.number]

    @property
    def pid(self) -> int | None:
        return self.number

    def log_to(self, path: Path) -> None:
        self.log = path

    async def close(self) -> None:
        self.asked.append("close")


def three() -> tuple[Replicas, list[One]]:
    ones = [One(1, Exit(0)), One(2, Exit(3)), One(3, Exit(0))]
    return Replicas(ones, lambda n: Launch(("count",), {"PORT": f"p{n}"})), ones


async def three_started() -> tuple[Replicas, list[One]]:
    replicas, ones = three()
    await replicas.start(("count",), {"PORT": "p0"})
    return replicas, ones


async def test_each_is_started_by_a_launch_of_its_own() -> None:
    replicas, ones = three()
    await replicas.start(("count",), {"PORT": "p0"})
    assert [one.asked for one in ones] == [
        ["start count p0"],
        ["start count p1"],
        ["start count p2"],
    ]


async def test_all_are_stopped_and_ended_together() -> None:
    replicas, ones = await three_started()
    await replicas.freeze()
    await replicas.thaw()
    assert await replicas.terminate(2.0) == Exit(3)
    assert replicas.living == []
    await replicas.kill()
    await replicas.close()
    wanted = ["freeze", "thaw", "terminate 2", "kill", "close"]
    assert [one.asked[1:] for one in ones] == [wanted] * 3


async def test_one_is_ended_alone_and_comes_back() -> None:
    replicas, ones = await three_started()
    await replicas.kill_one(2)
    assert await replicas.terminate_one(3, 2.0) == Exit(0)
    await replicas.freeze()
    await replicas.thaw()
    assert replicas.living == [1]
    await replicas.start_one(2, ("count",), {"PORT": "new"})
    assert replicas.living == [1, 2]
    assert [one.asked[1:] for one in ones] == [
        ["freeze", "thaw"],
        ["kill", "start count new"],
        ["terminate 2"],
    ]


async def test_the_end_of_one_that_is_gone_is_not_waited_for() -> None:
    replicas, ones = await three_started()
    await replicas.kill_one(1)
    ones[0].ended.set()
    waiting = asyncio.ensure_future(replicas.exited())
    await asyncio.sleep(0)
    assert not waiting.done()
    ones[2].ended.set()
    await waiting
    assert replicas.ended == 3


async def test_the_first_that_ends_is_an_end() -> None:
    replicas, ones = await three_started()
    waiting = asyncio.ensure_future(replicas.exited())
    await asyncio.sleep(0)
    assert not waiting.done()
    ones[1].ended.set()
    assert await waiting == Exit(3)
    assert replicas.ended == 2


async def test_what_they_hold_is_what_all_hold(tmp_path: Path) -> None:
    replicas, ones = await three_started()
    assert await replicas.sockets() == [Address("10.0.0.1", n) for n in (1, 2, 3)]
    assert await replicas.files() == [Path("/1"), Path("/2"), Path("/3")]
    assert await replicas.listening() == [1, 2, 3]
    assert replicas.pid == 1
    replicas.log_to(tmp_path / "target.log")
    names = [one.log.name for one in ones]
    assert names == ["target.log", "target-2.log", "target-3.log"]
