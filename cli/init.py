"""What `killpoint init` writes: a commented configuration and a small consumer with its schema.

Counterpart: `cli/templates/` holds the files as they are written; a test loads them.
"""

from importlib.resources import files
from pathlib import Path
from typing import Final

from killpoint.cli.config.problem import ConfigError, Problem, do
from killpoint.cli.config.schema import write_schema

TEMPLATES: Final = ("killpoint.toml", "counter.py", "schema.sql")


def write_project(folder: Path) -> list[Path]:
    """Write the files of a new project, ready for `killpoint run`; returns their paths.

    The folder is made if it is absent. Raises ConfigError, and writes nothing, if one of the files
    exists. The copy of the JSON Schema in `.killpoint/` is killpoint's own and is overwritten.
    """
    paths = [folder / name for name in TEMPLATES]
    remedy = do("move it away, or name another folder:  killpoint init FOLDER")
    existing = [
        Problem("exists already, nothing was written", (remedy,), path)
        for path in paths
        if path.exists() or path.is_symlink()
    ]
    if existing:
        raise ConfigError(existing)
    folder.mkdir(parents=True, exist_ok=True)
    for path in paths:
        with path.open("x", encoding="utf-8") as file:
            file.write(template(path.name))
    return [*paths, write_schema(folder)]


def template(name: str) -> str:
    """The text of a template."""
    return (files("killpoint.cli") / "templates" / name).read_text(encoding="utf-8")
