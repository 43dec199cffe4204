"""Images: that one is there, or is pulled, with its progress in words.

Counterpart: whatever starts a container asks for its image first. Nothing is built here.
"""

import asyncio
from collections.abc import Callable, Iterator
from time import monotonic
from typing import Final

from killpoint.compose.docker_client import Client, Json, connect
from killpoint.compose.docker_engine import NOT_FOUND, Engine, EngineRefused
from killpoint.faults.environment import EnvironmentFailed

Report = Callable[[str], None]

_TELL_SECONDS: Final = 2.0
_QUICK_SECONDS: Final = 5


class ImageMissing(EnvironmentFailed):
    """An image is neither in the engine nor to be had: why, and what to do."""


async def has_image(engine: Engine, image: str) -> bool:
    """Whether the engine holds an image."""
    try:
        await engine.ask(f"look for the image {image}", lambda c: c.inspect_image(image))
    except EngineRefused as error:
        if error.status == NOT_FOUND:
            return False
        raise
    return True


async def could_pull(engine: Engine, image: str) -> bool:
    """Whether the image's registry knows it, asked with a short limit. Nothing is pulled."""

    def look(_: Client) -> Json:
        client = connect(_QUICK_SECONDS)
        try:
            return client.inspect_distribution(image)
        finally:
            client.close()

    try:
        await engine.ask(f"ask for the image {image}", look)
    except EnvironmentFailed:
        return False
    return True


async def need_image(engine: Engine, image: str, key: str, report: Report) -> None:
    """Return when the engine holds the image; `key` is what names it in the configuration.

    Raises ImageMissing if it cannot be pulled.
    """
    if await has_image(engine, image):
        return
    report(f"pulling {image}")
    loop = asyncio.get_running_loop()

    def tell(words: str) -> None:
        loop.call_soon_threadsafe(report, words)

    try:
        await engine.ask(f"pull {image}", lambda client: _pull(client, image, tell))
    except EngineRefused as error:
        raise ImageMissing(
            f"the image {image} is not in the Docker engine and could not be pulled: "
            f"{error.reason}. Load it from a file (docker load --input FILE), build it under that "
            f"name, name another one ({key}), or use {_instead(key)}."
        ) from error


def _instead(key: str) -> str:
    """What needs no such image."""
    return "--stack embedded" if key.startswith("[stack]") else "[target] command"


def _pull(client: Client, image: str, report: Report) -> None:
    told = monotonic()
    layers: dict[str, tuple[int, int]] = {}
    for line in _lines(client, image):
        if "error" in line:
            raise OSError(line["error"])
        detail: Json = line.get("progressDetail") or {}
        if "total" in detail:
            layers[str(line["id"])] = (int(detail.get("current", 0)), int(detail["total"]))
        if monotonic() - told >= _TELL_SECONDS:
            told = monotonic()
            report(f"pulling {image}: {progress_words(layers)}")


def _lines(client: Client, image: str) -> Iterator[Json]:
    name = image if "@" in image or ":" in image.rpartition("/")[2] else f"{image}:latest"
    return client.pull(name, stream=True, decode=True)


def progress_words(layers: dict[str, tuple[int, int]]) -> str:
    """How far a pull is: bytes of each layer that is under way, by its id."""
    done = sum(current for current, _ in layers.values())
    total = sum(size for _, size in layers.values())
    return f"{done / 1e6:.0f} of {total / 1e6:.0f} MB in {len(layers)} layers"
