"""Which file is the configuration: the one named, or the nearest one upwards."""

import tomllib
from pathlib import Path
from typing import Final

from killpoint.cli.config.document import PYPROJECT, TOOL
from killpoint.cli.config.problem import ConfigError, Problem, do, shown

NAME: Final = "killpoint.toml"


def find_configuration(given: Path | None = None) -> Path:
    """The file's absolute path.

    `given` is a file, or a folder that holds a killpoint.toml, or a pyproject.toml with the table
    tool.killpoint. Without it the current folder and those above it are searched, up to the
    repository's root (the one with `.git`) or the file system's. Raises ConfigError.
    """
    if given is None:
        return _search_upwards(Path.cwd())
    file = (_in_folder(given) or given / NAME) if given.is_dir() else given
    if file.is_file():
        return file.absolute()
    problem = Problem(f"{shown(file)} does not exist", (do("killpoint init  writes one"),))
    raise ConfigError([problem])


def _search_upwards(start: Path) -> Path:
    folder = start
    for folder in (start, *start.parents):
        if (file := _in_folder(folder)) is not None:
            return file
        if (folder / ".git").exists():
            break
    where = f"in {start}" if folder == start else f"in {start} or above it, up to {folder}"
    what = f"no {NAME}, and no {PYPROJECT} with [tool.killpoint], {where}"
    raise ConfigError([Problem(what, (do("killpoint init  writes one"),))])


def _in_folder(folder: Path) -> Path | None:
    """The configuration of a folder; its killpoint.toml goes before its pyproject.toml."""
    if (folder / NAME).is_file():
        return folder / NAME
    project = folder / PYPROJECT
    return project if _has_table(project) else None


def _has_table(project: Path) -> bool:
    """A file that cannot be read as TOML has the table if it speaks of it: then that is told."""
    try:
        text = project.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    try:
        tool = tomllib.loads(text).get(TOOL[0], {})
    except tomllib.TOMLDecodeError:
        return ".".join(TOOL) in text
    return isinstance(tool, dict) and TOOL[1] in tool
