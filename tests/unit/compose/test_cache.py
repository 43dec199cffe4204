import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from killpoint.compose.cache import cache_folder, fingerprint, made
from killpoint.faults.environment import EnvironmentFailed


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("/somewhere", Path("/somewhere/killpoint")),
        ("", Path.home() / ".cache/killpoint"),
        ("relative", Path.home() / ".cache/killpoint"),
        (None, Path.home() / ".cache/killpoint"),
    ],
)
def test_the_cache_lies_where_xdg_says(value: str | None, expected: Path) -> None:
    environment = {} if value is None else {"XDG_CACHE_HOME": value}
    assert cache_folder(environment) == expected


def test_a_fingerprint_tells_where_one_part_ends() -> None:
    assert fingerprint("a", "bc") == fingerprint("a", "bc")
    assert fingerprint("a", "bc") != fingerprint("ab", "c")


def writing(text: str) -> Callable[[Path], Awaitable[None]]:
    async def make(folder: Path) -> None:
        (folder / "file").write_text(text, encoding="ascii")

    return make


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


async def never(folder: Path) -> None:
    raise AssertionError(f"{folder} was made again")


async def test_what_is_there_is_not_made_again(tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "folder"
    assert await made(folder, writing("first")) == folder
    await made(folder, never)
    assert (folder / "file").read_text(encoding="ascii") == "first"


async def test_two_at_once_make_it_once(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    begun = asyncio.Event()
    go_on = asyncio.Event()

    async def slowly(aside: Path) -> None:
        assert not folder.exists()
        begun.set()
        await go_on.wait()
        await writing("slow")(aside)

    first = asyncio.create_task(made(folder, slowly))
    await begun.wait()
    second = asyncio.create_task(made(folder, never))
    done, _ = await asyncio.wait([second], timeout=0.2)
    assert not done
    go_on.set()
    await asyncio.gather(first, second)
    assert (folder / "file").read_text(encoding="ascii") == "slow"


async def test_a_failure_leaves_nothing(tmp_path: Path) -> None:
    async def fail(aside: Path) -> None:
        (aside / "half").touch()
        raise RuntimeError("half done")

    with pytest.raises(RuntimeError, match="half done"):
        await made(tmp_path / "folder", fail)
    assert names(tmp_path) == ["folder.lock"]
    await made(tmp_path / "folder", writing("second try"))


async def test_what_a_killed_killpoint_left_is_removed(tmp_path: Path) -> None:
    (tmp_path / "folder.aside-abandoned").mkdir()
    await made(tmp_path / "folder", writing("new"))
    assert names(tmp_path) == ["folder", "folder.lock"]


async def test_what_is_not_whole_is_replaced(tmp_path: Path) -> None:
    def whole(folder: Path) -> bool:
        return (folder / "file").exists()

    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "rest").touch()
    await made(folder, writing("new"), whole)
    assert names(folder) == ["file"]
    await made(folder, never, whole)
    assert names(tmp_path) == ["folder", "folder.lock"]


async def test_a_cache_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(EnvironmentFailed, match=r"cannot be written.*XDG_CACHE_HOME"):
        await made(tmp_path / "file" / "folder", never)
