"""Free ports: the same for a name, different for names, and free."""

import socket

from killpoint.cli.config.ports import FreePorts


def test_a_name_keeps_its_port_and_others_get_others() -> None:
    ports = FreePorts()
    http = ports("http")
    others = {ports(f"name{number}") for number in range(20)}
    assert ports("http") == http
    assert len(others) == 20
    assert http not in others


def test_the_port_can_be_bound() -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", FreePorts()("http")))
