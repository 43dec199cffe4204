"""`killpoint doctor`: what is there, what is missing, and the command that mends it.

Counterpart: `compose` finds the facts. Pure: facts in, lines out.
"""

from collections.abc import Sequence
from typing import Protocol

from rich.cells import cell_len
from rich.text import Text

from killpoint.cli.exit_codes import ExitCode, exit_line
from killpoint.cli.report.page import Page, line, padded

NAME_LIMIT = 20


class Fact(Protocol):
    """Something that killpoint needs: `what` was found or is missing, `remedy` mends it."""

    @property
    def name(self) -> str: ...
    @property
    def found(self) -> bool: ...
    @property
    def what(self) -> str: ...
    @property
    def remedy(self) -> str | None: ...
    @property
    def needed(self) -> bool: ...


def doctor_code(facts: Sequence[Fact]) -> ExitCode:
    """0 if all that is needed is there, else 4: the environment would fail."""
    there = all(fact.found or not fact.needed for fact in facts)
    return ExitCode.MET if there else ExitCode.ENVIRONMENT


def doctor_lines(facts: Sequence[Fact], page: Page) -> list[Text]:
    """One line a fact, the remedy below what is missing, the exit line last."""
    names = [cell_len(page.clean(fact.name)) for fact in facts]
    width = min(max(names, default=0), NAME_LIMIT)
    lines = [text for fact in facts for text in _fact(fact, width, page)]
    missing = sum(not fact.found for fact in facts)
    code = doctor_code(facts)
    meaning = f"{missing} of {len(facts)} missing" if missing else "everything is there"
    if missing and code is ExitCode.MET:
        meaning = f"everything that the embedded stack needs is there, {meaning}"
    return [line(text) for text in (*lines, "", exit_line(code, meaning))]


def _fact(fact: Fact, width: int, page: Page) -> list[str]:
    mark = ("ok" if page.ascii else "✓") if fact.found else ("--" if page.ascii else "✗")
    state = padded("found" if fact.found else "missing", 9)
    name = page.clean(fact.name)
    long = cell_len(name) > width
    lead = f" {padded(mark, 2)} {padded('' if long else name, width)}  {state}"
    above = page.fold(name, " " * 4) if long else []
    remedy = page.fold(fact.remedy, padded("", 6 + width) + "do       ") if fact.remedy else []
    return [*above, *page.fold(fact.what, lead), *([] if fact.found else remedy)]
