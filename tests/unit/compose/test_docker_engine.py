import asyncio
import threading

import pytest
from requests.exceptions import ConnectionError as Unreachable

from killpoint.compose.docker_client import Client, Json
from killpoint.compose.docker_engine import Engine, EngineRefused
from tests.support.fake_engine import FakeClient, refused


async def test_a_refusal_has_its_status_and_the_engines_words() -> None:
    fake = FakeClient()
    with pytest.raises(EngineRefused, match="could not find it: No such image: x") as caught:
        await Engine(fake.client).ask("find it", lambda c: c.inspect_image("x"))
    assert (caught.value.status, caught.value.reason) == (404, "No such image: x")


async def test_an_engine_that_is_gone_is_said_to_be() -> None:
    def gone(_: Client) -> Json:
        raise Unreachable("reset")

    with pytest.raises(EngineRefused, match="the engine does not answer") as caught:
        await Engine(FakeClient().client).ask("do it", gone)
    assert caught.value.status == 0


async def test_a_call_that_is_cancelled_is_finished_first() -> None:
    entered, may_end = asyncio.Event(), threading.Event()
    loop, done = asyncio.get_running_loop(), list[str]()

    def slow(_: Client) -> None:
        loop.call_soon_threadsafe(entered.set)
        may_end.wait(10)
        done.append("made")

    asked = asyncio.ensure_future(Engine(FakeClient().client).ask("make it", slow))
    await entered.wait()
    asked.cancel()
    loop.call_later(0.05, may_end.set)
    with pytest.raises(asyncio.CancelledError):
        await asked
    assert done == ["made"]


@pytest.mark.parametrize("answer", [7, refused(404, "No such container")])
async def test_the_end_of_a_container_is_its_code_or_the_refusal(answer: int | Exception) -> None:
    class Ending(FakeClient):
        def wait(self, container: str, *, timeout: float | None) -> Json:
            if isinstance(answer, Exception):
                raise answer
            return {"StatusCode": answer}

    waiting = Engine(Ending().client).waiting("box")
    if isinstance(answer, int):
        assert await waiting == answer
    else:
        with pytest.raises(EngineRefused, match="No such container"):
            await waiting


@pytest.mark.parametrize(("system", "desktop"), [("Docker Desktop", True), ("Debian", False)])
async def test_docker_desktop_is_known(system: str, desktop: bool) -> None:
    assert await Engine(FakeClient(system=system).client).is_desktop() is desktop
