"""Labels: how everything that killpoint makes in an engine is known, and whose it is.

`killpoint.run` is the mark of the run's folder, whose lock tells whether the run lives;
`killpoint.place` says on which machine, by which user and in which temporary folder that is, since
several of them may share one engine.
"""

import os
import socket
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from killpoint.compose.run_folder import RunFolder

RUN: Final = "killpoint.run"
PLACE: Final = "killpoint.place"


def labels_of(folder: RunFolder) -> dict[str, str]:
    """The labels of what a run makes."""
    return {RUN: folder.mark, PLACE: place_of(folder.path)}


def place_of(folder: Path) -> str:
    """Where a run's folder is: host, user, and the file system and number of its parent."""
    parent = folder.parent.stat()
    return f"{socket.gethostname()}:{os.geteuid()}:{parent.st_dev}:{parent.st_ino}"


def run_is_dead(labels: Mapping[str, str]) -> bool:
    """Whether labels are those of a run of this place whose lock nobody holds.

    What was made elsewhere cannot be judged here and is never called dead.
    """
    if RUN not in labels:
        return False
    folder = Path(labels[RUN])
    try:
        here = place_of(folder)
    except OSError:
        return False
    return labels.get(PLACE) == here and not RunFolder.lives(folder)


def run_lives(labels: Mapping[str, str]) -> bool:
    """Whether labels are those of a run that lives here."""
    return RUN in labels and RunFolder.lives(Path(labels[RUN]))
