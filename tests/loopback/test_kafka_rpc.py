"""One question and its answer, against a broker that is a few bytes of test."""

import asyncio
import datetime
import io
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest
from kio.schema.errors import ErrorCode
from kio.schema.leave_group.v5 import LeaveGroupRequest, LeaveGroupResponse
from kio.schema.request_header.v2 import RequestHeader
from kio.schema.response_header.v1 import ResponseHeader
from kio.schema.types import GroupId
from kio.serial import entity_reader, entity_writer
from kio.static.primitive import i32Timedelta

from killpoint.compose.kafka_rpc import ask
from killpoint.compose.ports import LOOPBACK
from killpoint.faults.environment import Address

REQUEST = LeaveGroupRequest(group_id=GroupId("clicks"), members=())


def answer_to(frame: bytes) -> bytes:
    """Decode the question and answer it; what does not decode fails the test."""
    header, size = entity_reader(RequestHeader)(frame, 0)
    body, _ = entity_reader(LeaveGroupRequest)(frame, size)
    assert body == REQUEST
    out = io.BytesIO()
    entity_writer(ResponseHeader)(out, ResponseHeader(correlation_id=header.correlation_id))
    no_time = i32Timedelta.parse(datetime.timedelta())
    answer = LeaveGroupResponse(
        throttle_time=no_time, error_code=ErrorCode.unknown_member_id, members=()
    )
    entity_writer(LeaveGroupResponse)(out, answer)
    content = out.getvalue()
    return len(content).to_bytes(4, "big") + content


@asynccontextmanager
async def broker(hang_up_after: int | None) -> AsyncGenerator[Address]:
    """A broker that answers in two parts, or hangs up after some bytes of its answer."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        size = int.from_bytes(await reader.readexactly(4), "big")
        answer = answer_to(await reader.readexactly(size))
        for part in (answer[:6], answer[6:])[: None if hang_up_after is None else hang_up_after]:
            writer.write(part)
            await writer.drain()
        writer.close()

    server = await asyncio.start_server(serve, LOOPBACK, 0)
    async with server:
        port: int = server.sockets[0].getsockname()[1]
        yield Address(LOOPBACK, port)


async def test_the_answer_is_decoded_although_it_comes_in_parts() -> None:
    async with broker(None) as address:
        answer = await ask(address, REQUEST, LeaveGroupResponse, limit=5)
    assert answer.error_code == ErrorCode.unknown_member_id


@pytest.mark.parametrize("parts", [0, 1])
async def test_a_broker_that_hangs_up_is_an_os_error(parts: int) -> None:
    async with broker(parts) as address:
        with pytest.raises(OSError, match="closed the connection"):
            await ask(address, REQUEST, LeaveGroupResponse, limit=5)


async def test_a_broker_that_says_nothing_is_a_time_out() -> None:
    release = asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await release.wait()
        writer.close()

    server = await asyncio.start_server(serve, LOOPBACK, 0)
    async with server:
        address = Address(LOOPBACK, server.sockets[0].getsockname()[1])
        with pytest.raises(TimeoutError):
            await ask(address, REQUEST, LeaveGroupResponse, limit=0.1)
        release.set()
