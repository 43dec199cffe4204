"""`[target] files`: configuration files made from Jinja templates, anew for each start.

Counterpart: `placeholders.py` has the values, whose names are the templates' variables; the session
says which folder of the run they are written to, so nothing of the user's is ever written over.
"""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from jinja2 import StrictUndefined, TemplateError
from jinja2.sandbox import SandboxedEnvironment

from killpoint.cli.config.placeholders import Placeholders, login_values
from killpoint.faults.environment import Address, Login

_EXAMPLE: Final = Login("127.0.0.1", 5432, "user", "password", "database")


@dataclass(frozen=True, slots=True)
class FileTemplate:
    """`path` is the file's place in the folder of the run, `text` the template."""

    path: str
    text: str


class RenderError(ValueError):
    """A template that fails; the message is Jinja's own."""


def render(file: FileTemplate, places: Placeholders) -> str:
    """The file's text. Raises RenderError."""
    variables: dict[str, Any] = {
        **places.values(),
        "port": places.port,
        "databases": {key: login_values(login) for key, login in places.databases.items()},
    }
    try:
        return _jinja().from_string(file.text).render(variables)
    except (TemplateError, ArithmeticError, LookupError, TypeError, ValueError) as error:
        raise RenderError(str(error) or type(error).__name__) from error


def write_files(files: tuple[FileTemplate, ...], folder: Path, places: Placeholders) -> None:
    """Write all of them below a folder, for everybody to read: a container has users of its own."""
    for file in files:
        path = folder / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(render(file, places), encoding="utf-8")
        path.chmod(0o644)


def example_places(databases: list[str]) -> Placeholders:
    """Values of the right form, to try a template before anything is started."""
    beside = dict.fromkeys(databases, _EXAMPLE)
    kafka = Address("127.0.0.1", 9092)
    return Placeholders(kafka, _EXAMPLE, "topic", "group", lambda name: 20_000, beside)


@lru_cache(maxsize=1)
def _jinja() -> SandboxedEnvironment:
    return SandboxedEnvironment(undefined=StrictUndefined, keep_trailing_newline=True)
