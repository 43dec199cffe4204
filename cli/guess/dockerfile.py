"""A draft from a Dockerfile: its image is the target, its variables say what it is told."""

import re
import shlex
from pathlib import Path
from typing import Final

from killpoint.cli.guess.draft import Draft, Guess, quoted
from killpoint.cli.guess.sources import topic_near
from killpoint.cli.guess.sql import schema_near
from killpoint.cli.guess.variables import named, placeholders_for

_ENV: Final = re.compile(r"(?im)^\s*(?:ENV|ARG)\s+(.+)$")
_ENV_FILES: Final = (".env.example", ".env.sample", ".env.dist", ".env")


def from_dockerfile(file: Path) -> Draft:
    """The draft of a configuration beside the Dockerfile."""
    text = file.read_text(encoding="utf-8", errors="replace").replace("\\\n", " ")
    variables = {**variables_near(file.parent), **_env(text)}
    near = schema_near(file.parent)
    return Draft(
        origin=file.name,
        target={"build": Guess(quoted("."), f"the folder of {file.name}")},
        env=placeholders_for(variables),
        topic=named(variables, "TOPIC") or topic_near(file.parent),
        group=named(variables, "GROUP"),
        schema=near.schema,
        table=near.table,
    )


def variables_near(folder: Path) -> dict[str, str]:
    """The variables of the first file of examples that is there."""
    for name in _ENV_FILES:
        if (folder / name).is_file():
            lines = (folder / name).read_text(encoding="utf-8", errors="replace").splitlines()
            pairs = [line.removeprefix("export ").partition("=") for line in lines]
            return {k.strip(): v.strip().strip("\"'") for k, eq, v in pairs if eq and k[:1] != "#"}
    return {}


def _env(text: str) -> dict[str, str]:
    """`ENV A=1 B=2` and the old `ENV A 1`."""
    found: dict[str, str] = {}
    for line in _ENV.findall(text):
        words = shlex.split(line, comments=True) if line.count('"') % 2 == 0 else line.split()
        if words and "=" not in words[0]:
            found[words[0]] = " ".join(words[1:])
        found |= {name: value for name, eq, value in (w.partition("=") for w in words) if eq}
    return found
