import pytest

from killpoint.compose.docker_engine import Engine, EngineRefused
from killpoint.compose.docker_remains import remove
from tests.support.fake_engine import FakeClient, refused

OURS, OTHERS = {"killpoint.run": "a"}, {"killpoint.run": "b"}


def full() -> FakeClient:
    return FakeClient(
        things={
            "net": ("network", OURS),
            "volume": ("volume", OURS),
            "box": ("container", OURS),
            "other": ("container", OTHERS),
        }
    )


async def removed(fake: FakeClient) -> list[str]:
    gone = await remove(Engine(fake.client), lambda labels: labels == OURS)
    return [f"{thing.kind} {thing.name}" for thing in gone]


async def test_what_is_chosen_goes_containers_first() -> None:
    fake = full()
    assert await removed(fake) == ["container box", "network net", "volume volume"]
    assert fake.calls == ["remove box", "remove net", "remove volume"]
    assert set(fake.things) == {"other"}


@pytest.mark.parametrize(
    "answer",
    [refused(404, "No such container"), refused(409, "removal is already in progress")],
)
async def test_what_is_gone_or_going_is_no_error(answer: Exception) -> None:
    fake = full()
    fake.fails = {"remove box": answer}
    assert len(await removed(fake)) == 3
    assert "remove net" in fake.calls


async def test_what_cannot_be_removed_is_said() -> None:
    fake = full()
    fake.fails = {"remove net": refused(403, "has active endpoints")}
    with pytest.raises(EngineRefused, match="remove the network net: has active endpoints"):
        await removed(fake)
