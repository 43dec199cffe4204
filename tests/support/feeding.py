"""Ways to cut a stream up: what a machine says must not depend on how its bytes arrive."""

from collections.abc import Iterator


def feedings(data: bytes) -> Iterator[list[bytes]]:
    """The same bytes whole, byte by byte, in two parts, and in parts of odd sizes."""
    yield [data]
    yield [data[at : at + 1] for at in range(len(data))]
    yield [part for part in (data[: len(data) // 2], data[len(data) // 2 :]) if part]
    for size in (3, 7, 1021):
        yield [data[at : at + size] for at in range(0, len(data), size)]
