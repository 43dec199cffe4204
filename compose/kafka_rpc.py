"""One question to a Kafka broker and its answer, for what confluent_kafka does not offer.

Counterpart: `kafka_server` asks whether the broker is ready, `kafka_control` takes dead members out
of their groups. kio has the messages; a fresh connection is used for each question.
"""

import asyncio
import io
from typing import Final, TypeVar

from kio.schema.request_header.v2 import RequestHeader
from kio.serial import entity_reader, entity_writer
from kio.static.primitive import i16, i32
from kio.static.protocol import HeaderV1ResponsePayload, HeaderV2RequestPayload

from killpoint.faults.environment import Address

_CLIENT: Final = "killpoint"
_CORRELATION: Final = i32(1)

Answer = TypeVar("Answer", bound=HeaderV1ResponsePayload)


async def ask(
    broker: Address, request: HeaderV2RequestPayload, answer: type[Answer], *, limit: float
) -> Answer:
    """Send a request of a flexible version (KIP-482) and decode its answer.

    Raises OSError if the broker cannot be reached or hangs up (TimeoutError after `limit` seconds).
    """
    async with asyncio.timeout(limit):
        reader, writer = await asyncio.open_connection(broker.host, broker.port)
        try:
            writer.write(_frame(request))
            await writer.drain()
            return _decoded(await _read_frame(reader), answer)
        finally:
            writer.close()


def _frame(request: HeaderV2RequestPayload) -> bytes:
    """A request as it stands on the wire: size, header version 2, body (protocol guide)."""
    header = RequestHeader(
        request_api_key=i16(request.__api_key__),
        request_api_version=i16(request.__version__),
        correlation_id=_CORRELATION,
        client_id=_CLIENT,
    )
    body = io.BytesIO()
    entity_writer(RequestHeader)(body, header)
    entity_writer(type(request))(body, request)
    content = body.getvalue()
    return len(content).to_bytes(4, "big") + content


async def _read_frame(reader: asyncio.StreamReader) -> bytes:
    try:
        size = int.from_bytes(await reader.readexactly(4), "big")
        return await reader.readexactly(size)
    except asyncio.IncompleteReadError as error:
        raise ConnectionResetError("the broker closed the connection") from error


def _decoded(frame: bytes, answer: type[Answer]) -> Answer:
    _, header_size = entity_reader(answer.__header_schema__)(frame, 0)
    body, _ = entity_reader(answer)(frame, header_size)
    return body
