"""The image with the sample consumers, as a user's own would be, for the demo in containers.

Counterpart: `compose/images/build` of the repository makes it; it cannot be pulled.
"""

from typing import Final

from killpoint.compose.container_wish import ContainerWish
from killpoint.compose.docker_client import EngineMissing
from killpoint.compose.docker_engine import Engine
from killpoint.compose.docker_image import has_image

SAMPLES_IMAGE: Final = "killpoint-samples:local"


async def samples_wish() -> ContainerWish | None:
    """The wish for containers of the image; None where no engine has it. Raises EngineRefused."""
    try:
        engine = await Engine.connected()
    except EngineMissing:
        return None
    try:
        return ContainerWish(SAMPLES_IMAGE) if await has_image(engine, SAMPLES_IMAGE) else None
    finally:
        await engine.close()
