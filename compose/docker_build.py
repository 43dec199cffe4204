"""Building the target's image: the `docker` command does it, so that all it knows is honoured.

The SDK can build, too, but only with the old builder, which does not know `RUN --mount` and the
like. The image stays: the next build takes its layers again.
"""

import os
import shutil
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

from killpoint.compose.program import ProgramFailed, run_program
from killpoint.faults.target import TargetError

Report = Callable[[str], None]


def image_name(folder: Path) -> str:
    """The name of the image that is built from a folder: always the same one."""
    return f"killpoint-target-{sha256(os.fsencode(folder.resolve())).hexdigest()[:12]}"


async def build_image(folder: Path, report: Report) -> str:
    """Build the Dockerfile of a folder; returns the image's name.

    Raises TargetError with the end of the build's log.
    """
    program = shutil.which("docker")
    if program is None:
        raise TargetError(
            "[target] build needs the command `docker`, which is not on the PATH. Install Docker's "
            'command line, or build the image yourself and name it: image = "…".'
        )
    name = image_name(folder)
    report(f"building the target's image from {folder}")
    try:
        command = (program, "build", "--force-rm", "--tag", name, str(folder))
        await run_program(command, os.environ, folder)
    except ProgramFailed as error:
        raise TargetError(
            f"the target's image could not be built: {error}\nBuild it by hand: "
            f"docker build {folder}"
        ) from error
    return name
