"""A small HTTP server of the run, in threads: for what a target asks killpoint itself.

Counterpart: `answer` decides what is said; the session serves its schema registry with it. It
listens where targets reach killpoint's proxies and ends with the session.
"""

import json
from collections.abc import Callable, Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Final

from killpoint.faults.environment import EnvironmentFailed

Answering = Callable[[str, str, bytes], tuple[int, object]]
"""Method, path with query and body to status and JSON."""

_IDLE_SECONDS: Final = 60
_WAIT_SECONDS: Final = 0.05


@contextmanager
def serving(host: str, answer: Answering, content: str) -> Generator[int, None, None]:
    """Serve on a free port of `host`, which is given; `content` is the type of every answer.

    Raises EnvironmentFailed.
    """
    try:
        server = _Server((host, 0), _handler(answer, content))
    except OSError as error:
        raise EnvironmentFailed(f"killpoint cannot listen on {host}: {error.strerror}") from error
    with server:
        thread = Thread(target=server.serve_forever, args=(_WAIT_SECONDS,), daemon=True)
        thread.start()
        try:
            yield server.server_address[1]
        finally:
            server.shutdown()
            thread.join()


class _Server(ThreadingHTTPServer):
    """Connections that a dead target left open do not keep it."""

    daemon_threads = True
    block_on_close = False


def _handler(answer: Answering, content: str) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        timeout = _IDLE_SECONDS

        def _serve(self) -> None:
            length = self.headers.get("Content-Length", "0")
            body = self.rfile.read(int(length) if length.isdecimal() else 0)
            status, said = answer(self.command, self.path, body)
            data = json.dumps(said).encode()
            self.send_response(status)
            self.send_header("Content-Type", content)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        do_GET = do_POST = do_PUT = do_DELETE = _serve

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    return Handler
