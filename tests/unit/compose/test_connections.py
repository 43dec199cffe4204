import os
import socket
import sys

import pytest

from killpoint.compose.connections import (
    Connection,
    opened,
    parse_address,
    parse_table,
    remote_addresses,
)
from killpoint.faults.environment import Address

TABLE = """\
  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:2384 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4711 1 0
   1: 0100007F:C350 0200007F:2384 01 00000000:00000000 00:00000000 00000000     0        0 4712 1 0
"""


@pytest.mark.skipif(sys.byteorder != "little", reason="the texts are a little-endian machine's")
@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("0100007F:2384", Address("127.0.0.1", 9092)),
        ("00000000000000000000000001000000:1538", Address("::1", 5432)),
        ("0000000000000000FFFF00000100007F:1538", Address("127.0.0.1", 5432)),
        ("B80D0120000000000000000001000000:0001", Address("2001:db8::1", 1)),
    ],
)
def test_addresses(text: str, address: Address) -> None:
    assert parse_address(text) == address


def test_a_table() -> None:
    assert [(entry.state, entry.inode) for entry in parse_table(TABLE)] == [(10, 4711), (1, 4712)]
    assert parse_table("") == parse_table("heading\n") == []


def test_what_was_accepted_or_is_over_does_not_count() -> None:
    here, there = Address("127.0.0.1", 9000), Address("127.0.0.1", 9092)
    client = Address("127.0.0.1", 50000)
    entries = [
        Connection(here, Address("0.0.0.0", 0), 0x0A, 1),
        Connection(here, client, 0x01, 2),
        Connection(client, there, 0x01, 3),
        Connection(client, there, 0x02, 4),
        Connection(client, Address("10.0.0.1", 1), 0x06, 5),
    ]
    assert opened(entries) == [there]


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_the_connections_of_this_process(host: str) -> None:
    with socket.create_server(
        (host, 0), family=socket.AF_INET6 if ":" in host else socket.AF_INET
    ) as server:
        port = server.getsockname()[1]
        with socket.create_connection((host, port)):
            assert Address(host, port) in remote_addresses([os.getpid()])
        assert Address(host, port) not in remote_addresses([])
