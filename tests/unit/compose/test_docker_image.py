import pytest

from killpoint.compose.docker_engine import Engine
from killpoint.compose.docker_image import ImageMissing, has_image, need_image, progress_words
from tests.support.fake_engine import FakeClient, refused


async def need(fake: FakeClient) -> list[str]:
    said: list[str] = []
    await need_image(Engine(fake.client), "acme:1", "[target] image", said.append)
    return said


async def test_an_image_that_is_there_is_not_pulled() -> None:
    fake = FakeClient(images_there={"acme:1"})
    assert await need(fake) == []
    assert fake.calls == []


async def test_one_that_is_not_is_pulled_and_said() -> None:
    fake = FakeClient(pulling=[{"status": "Pulling"}, {"status": "Downloading", "id": "a"}])
    assert await need(fake) == ["pulling acme:1"]
    assert fake.calls == ["pull acme:1"]


@pytest.mark.parametrize("at", ["call", "stream"])
async def test_one_that_cannot_be_had_is_said_with_what_to_do(at: str) -> None:
    fails = {"pull acme:1": refused(404, "manifest unknown")} if at == "call" else {}
    fake = FakeClient(fails=fails, pulling=[{"error": "manifest unknown"}])
    with pytest.raises(ImageMissing, match="manifest unknown") as caught:
        await need(fake)
    for remedy in ("docker load", "[target] image", "use [target] command"):
        assert remedy in str(caught.value)


async def test_an_engine_that_fails_is_not_an_image_that_is_not_there() -> None:
    class Broken(FakeClient):
        def inspect_image(self, image: str) -> dict[str, object]:
            raise refused(500, "on fire")

    with pytest.raises(Exception, match="on fire"):
        await has_image(Engine(Broken().client), "acme:1")


def test_progress_is_in_megabytes_of_all_layers() -> None:
    assert progress_words({"a": (1_000_000, 4_000_000), "b": (2_000_000, 6_000_000)}) == (
        "3 of 10 MB in 2 layers"
    )
