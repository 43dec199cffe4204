"""What is wrong with a configuration: one message each, with file, line, key and remedy.

Counterpart: every file of this package makes problems, the commands print them and exit with 2.
"""

import difflib
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

SECOND_COLUMN = 36
LABEL = 7
"""Columns of the label, `why` or `do`, that a hint begins with."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing to mend. `hints` are the lines below the message, each without indentation."""

    what: str
    hints: tuple[str, ...] = ()
    file: Path | None = None
    line: int | None = None

    @property
    def placed(self) -> str:
        """What is wrong, after the file and the line where it is."""
        if self.file is None:
            return self.what
        line = "" if self.line is None else f":{self.line}"
        return f"{shown(self.file)}{line}: {self.what}"

    def __str__(self) -> str:
        return "\n".join([f"error: {self.placed}", *(f"  {hint}" for hint in self.hints)])


class ConfigError(Exception):
    """The configuration cannot be used; `str` gives the text for the user, `problems` the parts."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__("\n".join(str(problem) for problem in problems))
        self.problems = tuple(problems)


def shown(file: Path) -> str:
    """A path as the user would type it: relative in or above the current folder."""
    here, file = Path.cwd(), file.absolute()
    if file.is_relative_to(here) or here.is_relative_to(file.parent):
        return os.path.relpath(file, here)
    return str(file)


def why(text: str) -> str:
    """The hint that gives the reason; of several lines the first."""
    return f"{'why':<{LABEL}}{text.strip().splitlines()[0] if text.strip() else 'no reason given'}"


def do(text: str) -> str:
    """The hint that gives the remedy."""
    return f"{'do':<{LABEL}}{text}"


def did_you_mean(wrong: str, known: Iterable[str], otherwise: str, mark: str = '"') -> str:
    """The hint that offers the nearest of `known` words, and where all of them are listed."""
    near = nearest(wrong, known)
    if near is None:
        return otherwise
    opening, closing = ("{", "}") if mark == "{" else (mark, mark)
    return f"did you mean {opening}{near}{closing}?".ljust(SECOND_COLUMN - 2) + otherwise


def nearest(wrong: str, known: Iterable[str]) -> str | None:
    """The known word most like a wrong one, if any is like it."""
    return next(iter(difflib.get_close_matches(wrong, list(known), n=1)), None)
