"""Starts of the target that are waited for: each lane's, and for how long. Pure.

Events with their time in, words out. Counterparts: `heartbeat` says them in a log, `live_lines` on
a terminal.
"""

from dataclasses import dataclass, field
from typing import Final

from killpoint.cli.progress import (
    CleanRunFinished,
    ProgressEvent,
    ScenarioFinished,
    TargetJoined,
    TargetStarted,
)
from killpoint.cli.report.page import seconds

_WORTH_SAYING: Final = 2.0
"""Seconds that every target may take."""


@dataclass(slots=True)
class Waiting:
    """`_since` has the lanes whose target was started and has not come to Kafka yet."""

    _since: dict[int, float] = field(default_factory=dict[int, float])

    def on(self, event: ProgressEvent, now: float) -> None:
        """Take note of an event."""
        match event:
            case TargetStarted(lane):
                self._since[lane] = now
            case TargetJoined(lane):
                self._since.pop(lane, None)
            case CleanRunFinished():
                self._since.clear()
            case ScenarioFinished():
                self._since.pop(event.result.lane, None)
            case _:
                pass

    def words(self, lane: int, now: float) -> str:
        """What is waited for in a lane; "" if nothing is, or not for long."""
        waited = now - self._since.get(lane, now)
        if waited < _WORTH_SAYING:
            return ""
        return f"waiting for the target to join ({seconds(waited)})"
