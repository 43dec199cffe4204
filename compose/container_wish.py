"""What a user may wish of the target's container, before there is an engine or an image.

Counterparts: `[target]` of the configuration gives it, `housing` makes it come true.
"""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class ContainerWish:
    """One of `image` and `build` (a folder with a Dockerfile) is given.

    `volumes` as in `docker run --volume`, with absolute paths; `memory` in bytes; `same`: after a
    crash the same container starts again.
    """

    image: str | None = None
    build: Path | None = None
    volumes: tuple[str, ...] = ()
    user: str | None = None
    memory: int | None = None
    same: bool = False


def absolute_volume(text: str, folder: Path) -> str:
    """A volume whose path on this machine is taken from `folder`; a bare word is its name."""
    source, colon, rest = text.partition(":")
    if not colon or not source.startswith((".", "~", "/")):
        return text
    return f"{(folder / Path(source).expanduser()).resolve()}:{rest}"
