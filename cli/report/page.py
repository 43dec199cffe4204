"""The page that texts are laid out on: its width, its characters, its colours.

Every report builds its lines with these few helpers and prints them as they are, so that a
terminal, a log and a golden test hold the same text. Nothing here knows of results.
"""

import os
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import IO, Final

from rich.cells import cell_len, chop_cells
from rich.console import Console
from rich.text import Text

WIDEST: Final = 100
NARROWEST: Final = 72

ASCII: Final = {
    "\N{EN DASH}": "-",
    "\N{EM DASH}": "-",
    "\N{RIGHTWARDS ARROW}": "->",
    "\N{LEFTWARDS ARROW}": "<-",
    "\N{MIDDLE DOT}": "-",
    "\N{HORIZONTAL ELLIPSIS}": "...",
    "\N{BOX DRAWINGS LIGHT HORIZONTAL}": "-",
}
"""What stands for our own characters where the encoding is not UTF-8."""


@dataclass(frozen=True, slots=True)
class Page:
    """Columns at most, and whether only ASCII can be shown."""

    width: int = WIDEST
    ascii: bool = False

    def clean(self, text: str) -> str:
        """The text as it can be shown: no control characters, and ASCII where it must be.

        Names and keys come from users and their databases; an escape sequence in one of them must
        not reach the terminal.
        """
        shown = "".join(c if c.isprintable() else _escaped(c) for c in text)
        if not self.ascii:
            return shown
        return "".join(c if c.isascii() else ASCII.get(c, _escaped(c)) for c in shown)

    def fold(self, text: str, first: str = "", rest: str | None = None) -> list[str]:
        """Clean the text and break it at newlines, at spaces, or within a word that is too wide.

        `first` stands before the first line and `rest` (default: as many spaces) before the others.
        """
        indent = " " * cell_len(first) if rest is None else rest
        room = max(self.width - max(cell_len(first), cell_len(indent)), 8)
        folded = [
            part for one in text.split("\n") for part in _folded(self.clean(one), room) or [""]
        ]
        return [(indent if i else first) + words for i, words in enumerate(folded)]


def _escaped(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")


def _folded(text: str, room: int) -> list[str]:
    full: list[str] = []
    last = ""
    for i, word in enumerate(text.split(" ")):
        joined = f"{last} {word}" if i else word
        if cell_len(joined) <= room:
            last = joined
            continue
        full += [last] if last.strip() else []
        *chopped, last = chop_cells(word, room) or [""]
        full += chopped
    return [*full, last] if last.strip() else full


def padded(text: str, width: int, right: bool = False) -> str:
    """The text with spaces up to `width` cells, never cut."""
    spaces = " " * max(0, width - cell_len(text))
    return spaces + text if right else text + spaces


def line(*parts: str | tuple[str, str | None]) -> Text:
    """A line of texts, each alone or with its style; nothing is wrapped, cut or interpreted."""
    text = Text(no_wrap=True, overflow="ignore")
    for part in parts:
        words, style = (part, None) if isinstance(part, str) else part
        text.append(words, style)
    text.rstrip()
    return text


def show(console: Console, lines: Iterable[Text | str]) -> None:
    """Print lines as they are: no markup, no wrapping, and flushed, as a log may be followed."""
    for one in lines:
        console.print(
            line(one) if isinstance(one, str) else one,
            soft_wrap=True,
            highlight=False,
            markup=False,
            emoji=False,
        )
    console.file.flush()


def console_for(stream: IO[str] | None = None, env: Mapping[str, str] = os.environ) -> Console:
    """A console on a stream (default: standard output) that heeds NO_COLOR and FORCE_COLOR."""
    return Console(file=stream or sys.stdout, highlight=False, _environ=env)


def page_for(console: Console) -> Page:
    """The page of a console: its terminal's width up to 100 columns, 100 in a log."""
    width = min(console.width, WIDEST) if _sized(console) else WIDEST
    encoding = (getattr(console.file, "encoding", None) or "utf-8").lower().replace("-", "")
    return Page(max(width, NARROWEST), ascii=encoding not in ("utf8", "utf8sig"))


def _sized(console: Console) -> bool:
    return console.file.isatty()


def about(number: float) -> str:
    """A time that is only estimated, in words: 9 s, 1 min 52 s."""
    return f"{number:.0f} s" if number < 59.5 else seconds(number)


def seconds(number: float) -> str:
    """A time in words: 0.9 s, 1 min 52 s."""
    if number < 60:
        return f"{number:.1f} s" if number < 59.95 else "1 min"
    minutes, rest = divmod(round(number), 60)
    return f"{minutes} min {rest} s" if rest else f"{minutes} min"
