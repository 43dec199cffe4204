"""A soak: long runs that must all come out the same, within limits, and what they showed.

Counterparts: the soaks of this folder are functions that take a `Session` and tell it what they
find; `main` has the table of them. Nothing here knows what is run.
"""

from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from random import SystemRandom
from time import monotonic
from typing import Any


@dataclass(frozen=True, slots=True)
class Limits:
    """When a soak is to stop: None is no limit, or the soak's own amount.

    `kills` and `frames` are each for the soaks that count them; `seed` makes one go as before;
    `only` is one of what a soak takes by name.
    """

    minutes: float | None = None
    kills: int | None = None
    frames: int | None = None
    seed: int | None = None
    only: str | None = None


@dataclass(slots=True)
class Session:
    """What one soak has done: `kills`, or what else `unit` says.

    `varied` are the lines of what did not come out as it must.
    """

    limits: Limits = field(default_factory=Limits)
    unit: str = "kills"
    kills: int = 0
    varied: list[str] = field(default_factory=list[str])
    cut_short: bool = False
    _began: float = field(default_factory=monotonic)

    @property
    def seconds(self) -> float:
        """Since the soak began."""
        return monotonic() - self._began

    def drawn_seed(self) -> int:
        """The seed that was given, or a new one."""
        return SystemRandom().randrange(10**9) if self.limits.seed is None else self.limits.seed

    def go_on(self) -> bool:
        """Asked before each further piece of work; False when a limit is reached."""
        many = self.limits.kills is not None and self.kills >= self.limits.kills
        self.cut_short = self.cut_short or many
        return not (self.late() or many)

    def late(self) -> bool:
        """Asked by the soaks that count for themselves: whether the minutes are over."""
        late = self.limits.minutes is not None and self.seconds >= 60 * self.limits.minutes
        self.cut_short = self.cut_short or late
        return late

    def saw(self, kills: int, wrong: list[str]) -> None:
        """Count kills; what is wrong is printed at once, one line each."""
        self.kills += kills
        self.varied += wrong
        for line in wrong:
            print(f"  varied: {line}", flush=True)

    def summary(self, name: str) -> str:
        """One line for all of it."""
        cut = ", cut short by its limit" if self.cut_short else ""
        varied = "nothing varied" if not self.varied else f"{len(self.varied)} varied"
        return f"{name}: {self.kills} {self.unit}, {varied}{cut} · {self.seconds:.1f} s"


@dataclass(frozen=True, slots=True)
class Soak:
    """A soak by name; `words` say what must not vary."""

    words: str
    run: Callable[[Session], Coroutine[Any, Any, None]]
    unit: str = "kills"
