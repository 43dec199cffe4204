from collections.abc import Awaitable, Callable

import pytest

from killpoint.compose import container_control
from killpoint.compose.container_control import freeze, send_signal, thaw
from killpoint.compose.docker_engine import Engine, EngineRefused
from tests.support.fake_engine import FakeClient, refused

RUNS = {"Running": True, "Paused": False}
PAUSED = {"Running": True, "Paused": True}
ENDED = {"Running": False, "Paused": False}
RESUMED = refused(500, "Cannot unpause container box: cannot resume a running process: unknown")
STOPPED = refused(500, "Cannot pause container box: cannot pause a stopped container: unknown")
NOT_PAUSED = refused(409, "Container box is not paused")
NOT_RUNNING = refused(409, "Cannot kill container: box: Container box is not running")
GONE = refused(404, "No such container: box")
BROKEN = refused(
    500, "Cannot pause container box: OCI runtime pause failed: unable to freeze: unknown"
)

Control = Callable[[Engine, str], Awaitable[None]]


async def sigterm(engine: Engine, id: str) -> None:
    await send_signal(engine, id, "SIGTERM")


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(container_control, "_REST_SECONDS", 0)
    monkeypatch.setattr(container_control, "_LIMIT_SECONDS", 0.2)


async def test_a_container_that_the_engine_let_go_on_is_thawed_once_the_engine_knows() -> None:
    fake = FakeClient(fails={"unpause box": RESUMED}, states=[PAUSED, PAUSED, RUNS])
    await thaw(Engine(fake.client), "box")
    assert fake.calls == ["unpause box", "inspect box"] * 3


async def test_a_freeze_that_did_not_come_about_in_time_is_tried_again() -> None:
    class Busy(FakeClient):
        def pause(self, container: str) -> None:
            super().pause(container)
            if self.calls.count("pause box") < 3:
                raise BROKEN

    fake = Busy(states=[RUNS])
    await freeze(Engine(fake.client), "box")
    assert fake.calls == ["pause box", *["inspect box", "pause box"] * 2]


@pytest.mark.parametrize(
    ("control", "call", "answer", "states"),
    [
        (thaw, "unpause box", NOT_PAUSED, [RUNS]),
        (thaw, "unpause box", NOT_PAUSED, [ENDED]),
        (freeze, "pause box", STOPPED, [RUNS, ENDED]),
        (freeze, "pause box", refused(409, "Container box is already paused"), [PAUSED]),
        (sigterm, "signal box SIGTERM", NOT_RUNNING, [ENDED]),
    ],
)
async def test_what_is_so_already_or_has_ended_is_no_error(
    control: Control, call: str, answer: Exception, states: list[dict[str, bool]]
) -> None:
    fake = FakeClient(fails={call: answer}, states=list(states))
    await control(Engine(fake.client), "box")
    assert fake.calls == [call, "inspect box"] * len(states)


async def test_a_container_that_is_gone_has_ended() -> None:
    fails = {"signal box SIGTERM": GONE, "inspect box": GONE}
    await sigterm(Engine(FakeClient(fails=fails).client), "box")


@pytest.mark.parametrize(
    ("control", "call", "answer", "state"),
    [
        (freeze, "pause box", BROKEN, RUNS),
        (thaw, "unpause box", RESUMED, PAUSED),
        (sigterm, "signal box SIGTERM", BROKEN, PAUSED),
    ],
)
async def test_a_container_that_stays_otherwise_is_an_error(
    control: Control, call: str, answer: Exception, state: dict[str, bool]
) -> None:
    fake = FakeClient(fails={call: answer}, states=[state])
    with pytest.raises(EngineRefused, match="box"):
        await control(Engine(fake.client), "box")


@pytest.mark.parametrize("control", [freeze, thaw, sigterm])
async def test_other_refusals_are_not_looked_into(control: Control) -> None:
    calls = ("pause box", "unpause box", "signal box SIGTERM")
    fake = FakeClient(fails=dict.fromkeys(calls, refused(403, "forbidden")), states=[ENDED])
    with pytest.raises(EngineRefused, match="forbidden"):
        await control(Engine(fake.client), "box")
    assert len(fake.calls) == 1
