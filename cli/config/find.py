"""Which file is the configuration: the one named, or the nearest one upwards."""

from pathlib import Path
from typing import Final

from killpoint.cli.config.problem import ConfigError, Problem, do, shown

NAME: Final = "killpoint.toml"


def find_configuration(given: Path | None = None) -> Path:
    """The file's absolute path.

    `given` is a file, or a folder that holds a killpoint.toml. Without it the current folder and
    those above it are searched, up to the repository's root (the one with `.git`) or the file
    system's. Raises ConfigError.
    """
    if given is None:
        return _search_upwards(Path.cwd())
    file = given / NAME if given.is_dir() else given
    if file.is_file():
        return file.absolute()
    problem = Problem(f"{shown(file)} does not exist", (do("killpoint init  writes one"),))
    raise ConfigError([problem])


def _search_upwards(start: Path) -> Path:
    folder = start
    for folder in (start, *start.parents):
        if (folder / NAME).is_file():
            return folder / NAME
        if (folder / ".git").exists():
            break
    where = f"in {start}" if folder == start else f"in {start} or above it, up to {folder}"
    raise ConfigError([Problem(f"no {NAME} {where}", (do("killpoint init  writes one"),))])
