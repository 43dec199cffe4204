"""The Kafka machine: one connection's conversation, bytes in, pieces with events out.

Requests are counted, read by the table of `kafka_apis` and kept until their answers come; brokers
answer a connection's requests in order. Counterpart: the proxy owns the sockets and writes every
piece; the gate decides which to hold. The machine never changes a byte. What it cannot read it
passes on, and no exception leaves it.
"""

import struct
from collections import deque
from dataclasses import dataclass
from typing import Final

from killpoint.faults.events import Event, ForeignSpeech
from killpoint.faults.wire.kafka_apis import APIS, EFFECTS
from killpoint.faults.wire.kafka_codec import decode_answer, decode_request
from killpoint.faults.wire.kafka_exchange import Conversation, Reading
from killpoint.faults.wire.kafka_frames import KafkaFrames, Meaning
from killpoint.faults.wire.kafka_produce import PRODUCE, produce
from killpoint.faults.wire.kafka_topics import KafkaTopics
from killpoint.faults.wire.piece import Piece
from killpoint.faults.wire.walk import I32, Walk

REQUEST_HEAD: Final = struct.Struct(">hhi")
"""API key, API version, correlation id: the same in every header of requests."""
TLS_HANDSHAKE: Final = 0x1603
"""How a TLS ClientHello begins (RFC 8446, 5.1): as a length of a first frame it is 369 MB."""


@dataclass(slots=True)
class Pending:
    """A request that has not been answered yet."""

    exchange: int
    key: int
    version: int
    correlation: int
    reading: Reading


class KafkaMachine:
    """Implements `Machine`. `topics` is shared by the connections of an edge."""

    def __init__(self, topics: KafkaTopics) -> None:
        self._conversation = Conversation(topics)
        self._requests = KafkaFrames(self._begin_request)
        self._answers = KafkaFrames(self._begin_answer)
        self._pending: deque[Pending] = deque()
        self._exchange = 0

    def to_server(self, data: bytes) -> list[Piece]:
        """Bytes from the client; `b""` is end of file."""
        return self._requests.feed(data)

    def to_client(self, data: bytes) -> list[Piece]:
        """Bytes from the server; `b""` is end of file."""
        return self._answers.feed(data)

    def _begin_request(self, size: int) -> Walk[Meaning] | Meaning:
        if not self._exchange and size >> 16 == TLS_HANDSHAKE:
            self._answers.give_up()
            return Meaning((ForeignSpeech("TLS"),))
        self._exchange += 1
        return self._request(self._exchange, size)

    def _begin_answer(self, size: int) -> Walk[Meaning]:
        return self._answer(size)

    def _request(self, exchange: int, size: int) -> Walk[Meaning]:
        head = yield REQUEST_HEAD.size
        key, version, correlation = REQUEST_HEAD.unpack(head)
        try:
            if key == PRODUCE:
                reading = yield from produce(self._conversation, exchange, version)
            elif key in APIS:
                frame = head + (yield size - len(head))
                message = decode_request(key, version, frame)
                reading = APIS[key](self._conversation, exchange, message)
            else:
                reading = Reading()
        except Exception:  # unread, but its answer must still be told from others
            reading = Reading(effect=key in EFFECTS)
        if not reading.silent:
            self._pending.append(Pending(exchange, key, version, correlation, reading))
        return Meaning(reading.events, opens=(exchange,) if reading.effect else ())

    def _answer(self, size: int) -> Walk[Meaning]:
        head = yield I32.size
        request, closes = self._settle(I32.unpack(head)[0])
        events: tuple[Event, ...] = ()
        try:
            if request is not None and request.reading.walked is not None:
                events = yield from request.reading.walked()
            elif request is not None and request.reading.answered is not None:
                frame = head + (yield size - len(head))
                message = decode_answer(request.key, request.version, frame)
                events = request.reading.answered(message)
        except Exception:  # unread, but it has come: its exchange is closed all the same
            events = ()
        return Meaning(events, closes=closes)

    def _settle(self, correlation: int) -> tuple[Pending | None, tuple[int, ...]]:
        """The request that is answered, and the exchanges that are closed by it.

        Requests that stand before it will get no answer any more, as answers come in order.
        """
        if all(one.correlation != correlation for one in self._pending):
            return None, ()
        closed: list[int] = []
        while True:
            request = self._pending.popleft()
            if request.reading.effect:
                closed.append(request.exchange)
            if request.correlation == correlation:
                return request, tuple(closed)
