"""The small HTTP server: questions reach the answering function, and nothing outlives it."""

import http.client
import socket

import pytest

from killpoint.compose.http_server import serving
from killpoint.faults.environment import EnvironmentFailed

HOST = "127.0.0.1"


def test_method_path_and_body_arrive_and_the_answer_is_json() -> None:
    asked: list[tuple[str, str, bytes]] = []

    def answer(method: str, path: str, body: bytes) -> tuple[int, object]:
        asked.append((method, path, body))
        return 404 if method == "GET" else 200, {"said": len(asked)}

    with serving(HOST, answer, "text/x") as port:
        connection = http.client.HTTPConnection(HOST, port, timeout=20)
        for method, body in (("POST", b"\x00{}"), ("GET", None), ("PUT", b"")):
            connection.request(method, "/a%20b?c=d", body)
            response = connection.getresponse()
            assert response.getheader("Content-Type") == "text/x"
            assert response.read() == f'{{"said": {len(asked)}}}'.encode()
            assert response.status == (404 if method == "GET" else 200)
        # The connection stays open: the end of the server does not wait for it.
    assert asked == [
        (m, "/a%20b?c=d", b) for m, b in (("POST", b"\x00{}"), ("GET", b""), ("PUT", b""))
    ]
    with pytest.raises(OSError):
        socket.create_connection((HOST, port), timeout=5)
    connection.close()


def test_a_place_that_is_not_here_is_the_environments_failure() -> None:
    def answer(method: str, path: str, body: bytes) -> tuple[int, object]:
        return 200, {}

    served = serving("192.0.2.1", answer, "text/x")
    with pytest.raises(EnvironmentFailed, match=r"cannot listen on 192\.0\.2\.1"), served:
        pass
