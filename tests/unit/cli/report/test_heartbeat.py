"""A log that says something at least every interval, and no more than needed."""

import asyncio
from contextlib import suppress

from killpoint.cli.progress import (
    CleanRunStarted,
    CycleSeen,
    Preparing,
    ProgressEvent,
    ScenarioStarted,
    StillWorking,
    TargetJoined,
    TargetStarted,
)
from killpoint.cli.report.heartbeat import Heartbeat, activity_of


class Listener:
    """Keeps what it hears, and tells when it has heard of work that goes on."""

    def __init__(self) -> None:
        self.heard: list[ProgressEvent] = []
        self.woken = asyncio.Event()

    def on(self, event: ProgressEvent) -> None:
        self.heard.append(event)
        if isinstance(event, StillWorking):
            self.woken.set()


async def beat_until_heard(heartbeat: Heartbeat, listener: Listener) -> None:
    task = asyncio.create_task(heartbeat.beat())
    await asyncio.wait_for(listener.woken.wait(), 5)
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task


async def test_a_silence_is_broken_with_what_is_being_done() -> None:
    listener, now = Listener(), [100.0]
    heartbeat = Heartbeat(listener, interval=10.0, clock=lambda: now[0])
    heartbeat.on(ScenarioStarted(3, 9, "postgres.commit#1:after"))
    now[0] = 112.5
    await beat_until_heard(heartbeat, listener)
    said = StillWorking("scenario 3 of 9, postgres.commit#1:after", 12.5)
    assert listener.heard == [ScenarioStarted(3, 9, "postgres.commit#1:after"), said]


async def test_a_start_that_is_waited_for_is_said_and_breaks_no_silence() -> None:
    listener, now = Listener(), [100.0]
    heartbeat = Heartbeat(listener, interval=10.0, clock=lambda: now[0])
    heartbeat.on(ScenarioStarted(3, 9, "postgres.commit#1:after", lane=2))
    now[0] = 103.1
    heartbeat.on(TargetStarted(2))
    heartbeat.on(TargetStarted(1))
    heartbeat.on(TargetJoined(1))
    now[0] = 112.5
    await beat_until_heard(heartbeat, listener)
    doing = "scenario 3 of 9, postgres.commit#1:after, waiting for the target to join (9.4 s)"
    assert listener.heard[-1] == StillWorking(doing, 12.5)
    heartbeat.on(TargetJoined(2))
    now[0] = 122.5
    listener.woken.clear()
    await beat_until_heard(heartbeat, listener)
    assert listener.heard[-1] == StillWorking("scenario 3 of 9, postgres.commit#1:after", 22.5)


async def test_silence_counts_from_the_last_event_and_time_from_the_activity() -> None:
    listener, now = Listener(), [0.0]
    heartbeat = Heartbeat(listener, interval=0.01, clock=lambda: now[0])
    heartbeat.on(Preparing("jars"))
    now[0] = 5.0
    heartbeat.on(CycleSeen("fetched 0"))
    task = asyncio.create_task(heartbeat.beat())
    await asyncio.sleep(0)
    assert not listener.woken.is_set()
    now[0] = 6.0
    await asyncio.wait_for(listener.woken.wait(), 5)
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
    assert listener.heard[2] == StillWorking("jars", 6.0)


def test_what_an_event_begins() -> None:
    assert activity_of(CleanRunStarted(2)) == "clean run 2"
    assert activity_of(Preparing("jars")) == "jars"
    assert activity_of(CycleSeen("fetched 0")) is None
