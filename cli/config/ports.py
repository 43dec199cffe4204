"""Free ports by name, for `{port:NAME}`: a new allocator for each start of the target."""

import socket


class FreePorts:
    """Callable: a name's port, chosen by the system on loopback at the first call for the name.

    The port is free when it is chosen and not held after, as the target has to bind it.
    """

    def __init__(self) -> None:
        self._ports: dict[str, int] = {}

    def __call__(self, name: str) -> int:
        if name not in self._ports:
            self._ports[name] = self._another()
        return self._ports[name]

    def _another(self) -> int:
        while True:
            with socket.socket() as listener:
                listener.bind(("127.0.0.1", 0))
                port: int = listener.getsockname()[1]
            if port not in self._ports.values():
                return port


class OwnPorts:
    """Callable: a name's port where all ports are free, as in a container: 20001, 20002, …"""

    def __init__(self) -> None:
        self._ports: dict[str, int] = {}

    def __call__(self, name: str) -> int:
        return self._ports.setdefault(name, 20_001 + len(self._ports))
