import socket
from pathlib import Path

import pytest

from killpoint.compose.docker_client import EngineMissing, connect


@pytest.fixture
def address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "docker.sock"
    monkeypatch.setenv("DOCKER_HOST", f"unix://{path}")
    return path


def test_no_socket_is_no_engine_and_says_what_to_do(address: Path) -> None:
    with pytest.raises(EngineMissing, match="No such file or directory") as caught:
        connect()
    assert str(address) in str(caught.value)
    assert "Start Docker" in str(caught.value)
    assert "--stack embedded" in str(caught.value)
    assert caught.value.short == "no Docker engine answers"


def test_a_socket_that_nobody_serves_is_no_engine(address: Path) -> None:
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind(str(address))
        with pytest.raises(EngineMissing, match="Connection refused"):
            connect()


def test_a_socket_that_may_not_be_used_is_said_to_be(
    address: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: socket.socket, __: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    with pytest.raises(EngineMissing, match="may not use the Docker engine's socket") as caught:
        connect()
    assert "usermod -aG docker" in str(caught.value)
    assert caught.value.short == "this user may not use Docker's socket"


def test_an_address_without_a_socket_is_tried_by_the_sdk(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        port = bound.getsockname()[1]
    monkeypatch.setenv("DOCKER_HOST", f"tcp://127.0.0.1:{port}")
    with pytest.raises(EngineMissing, match="no Docker engine answers at"):
        connect()
