import socket
from collections.abc import Generator
from contextlib import contextmanager

import pytest

from killpoint.compose.ports import LOOPBACK, Ports


@contextmanager
def listening(port: int) -> Generator[None]:
    """A server's socket, made as servers make theirs: with SO_REUSEADDR."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as server:
        server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        server.bind((LOOPBACK, port))
        server.listen()
        yield


def test_the_ports_differ() -> None:
    with Ports(20) as reserved:
        assert len(set(reserved.numbers)) == 20


def test_a_server_can_listen_on_a_reserved_port() -> None:
    with Ports(1) as reserved:
        (port,) = reserved.numbers
        with listening(port):
            reserved.close()
            with socket.create_connection((LOOPBACK, port), timeout=5):
                pass


def test_only_one_server_can() -> None:
    with Ports(1) as reserved, listening(reserved.numbers[0]):
        second = listening(reserved.numbers[0])
        with pytest.raises(OSError, match="in use"):
            second.__enter__()


def test_nobody_who_asks_for_any_port_is_given_a_reserved_one() -> None:
    with Ports(50) as reserved, Ports(200) as others:
        assert not set(reserved.numbers) & set(others.numbers)
