"""`killpoint capture` on a real topic: the last events, masked, and no trace on the broker."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from confluent_kafka.admin import AdminClient

from killpoint.cli.commands.capture import capture
from killpoint.cli.errors import UserError
from killpoint.cli.events.file import read_events
from killpoint.cli.exit_codes import ExitCode
from killpoint.faults.environment import EnvironmentFailed
from killpoint.faults.record import Record
from tests.support.stack import Stack


def value(n: int) -> bytes:
    return json.dumps({"n": n, "email": f"{n % 3}@x"}).encode()


async def test_the_last_events_are_written_masked_and_no_group_is_made(
    stack: Stack, name: str, tmp_path: Path
) -> None:
    await stack.broker.create_topics({name: 2})
    sent = [
        Record(name, n % 2, 0, f"{n % 3}@x".encode(), value(n), (), 1_700_000_000_000 + n)
        for n in range(10)
    ]
    await stack.broker.produce(sent)
    out, direct = tmp_path / "events.jsonl", str(stack.broker.direct)
    admin: Any = AdminClient({"bootstrap.servers": direct})
    before = {group.group_id for group in admin.list_consumer_groups().result().valid}
    code = await asyncio.to_thread(capture, direct, name, 4, ["$.email"], [], out)
    assert code is ExitCode.MET
    read = read_events(out, name, 2)
    values = [json.loads(record.value or b"") for record in read]
    assert [value["n"] for value in values] == [6, 7, 8, 9]
    assert values[0]["email"] == values[3]["email"] != values[1]["email"]
    assert [record.key for record in read] == [value["email"].encode() for value in values]
    assert "@x" not in out.read_text(encoding="utf-8")
    groups = {group.group_id for group in admin.list_consumer_groups().result().valid}
    assert not any("killpoint-capture" in group for group in groups - before)
    with pytest.raises(UserError, match="exists already"):
        capture(direct, name, 4, [], [], out)


async def test_what_cannot_be_captured_says_why(stack: Stack, name: str, tmp_path: Path) -> None:
    out, direct = tmp_path / "events.jsonl", str(stack.broker.direct)
    with pytest.raises(EnvironmentFailed, match=f"there is no topic {name}"):
        await asyncio.to_thread(capture, direct, name, 4, [], [], out)
    await stack.broker.create_topics({name: 1})
    with pytest.raises(UserError, match="holds no events"):
        await asyncio.to_thread(capture, direct, name, 4, [], [], out)
    with pytest.raises(UserError, match="--mask is no JSONPath"):
        capture(direct, name, 4, ["$.["], [], out)
    with pytest.raises(UserError, match='--setting "tls" has no value'):
        capture(direct, name, 4, [], ["tls"], out)
    assert not out.exists()
