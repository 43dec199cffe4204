"""The projects of `tests/projects`, each written as its framework's documentation writes it.

Counterparts: `tests/repo/test_projects.py` holds each folder to the frame, `scripts/soak --what
projects` builds them and compares killpoint's verdicts with the reasoned ones.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from killpoint.cli.config.configuration import Configuration
from killpoint.cli.config.document import read_document
from killpoint.cli.config.load import read_configuration
from killpoint.cli.guess.draft import draft_text, lines_to_write
from killpoint.cli.guess.origin import draft_of

PROJECTS: Final = Path(__file__).parent.parent / "projects"
CONFIGURATIONS: Final[Mapping[str, str]] = {"plain": "killpoint.toml", "cured": "cured.toml"}
"""The configuration of a project as it stands, and with the pattern that cures it."""
FILES: Final = ("build", "compose.yaml", "expected.toml", *CONFIGURATIONS.values())
MOST_LINES: Final = 10


@dataclass(frozen=True, slots=True)
class FrameworkProject:
    """One folder. `build`, run in a copy of it, makes the program ready to run there."""

    folder: Path

    @property
    def name(self) -> str:
        """The folder's name."""
        return self.folder.name

    def lines(self, which: str) -> int:
        """Lines of a configuration that are neither blank nor a comment."""
        text = (self.folder / CONFIGURATIONS[which]).read_text(encoding="utf-8")
        return sum(bool(line) and line[0] != "#" for line in map(str.strip, text.splitlines()))

    def configuration(self, which: str) -> Configuration:
        """Its model; programs that `build` has yet to make are not looked for."""
        return read_configuration(read_document(self.folder / CONFIGURATIONS[which]))

    def expected(self, which: str) -> str:
        """The right guarantee, by reasoning. Raises KeyError where nothing is said."""
        guarantee: str = self._said(which)["guarantee"]
        return guarantee

    def reason(self, which: str) -> str:
        """Why that is the right one."""
        why: str = self._said(which)["why"]
        return why

    def left_after_init(self) -> list[str]:
        """What a person has to write after `killpoint init --from compose.yaml`.

        The lines that the draft marks, and those that it guessed wrong: another topic than the
        project's own configuration has.
        """
        text = draft_text(draft_of(self.folder / "compose.yaml"))
        marked = [what for _, what in lines_to_write(text)]
        topics = {source.topic for source in self.configuration("plain").source}
        drafted = {source["topic"] for source in tomllib.loads(text)["source"]} - {"events"}
        return [*marked, *(f"topic {topic} is wrong" for topic in drafted - topics)]

    def _said(self, which: str) -> dict[str, Any]:
        with (self.folder / "expected.toml").open("rb") as file:
            said: dict[str, Any] = tomllib.load(file)[which]
        return said


def framework_projects() -> tuple[FrameworkProject, ...]:
    """All of them, by name."""
    folders = sorted(path for path in PROJECTS.glob("*") if path.is_dir())
    return tuple(map(FrameworkProject, folders))
