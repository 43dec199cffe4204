"""The TCP connections that processes have opened, as Linux tells them in /proc.

Counterpart: `process_target` asks, so that a connection past the proxies can be seen. It reads
proc_net(5) tables and matches their inodes with the processes' file descriptors; sockets of
processes under another user are invisible unless we are root. UDP and Unix sockets are not read.
"""

import contextlib
import ipaddress
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from killpoint.faults.environment import Address

_LISTENING = 0x0A
_OPENING_OR_OPEN = frozenset({0x01, 0x02, 0x04, 0x05, 0x08, 0x09})
"""ESTABLISHED, SYN_SENT, FIN_WAIT1, FIN_WAIT2, CLOSE_WAIT, LAST_ACK (include/net/tcp_states.h)."""


@dataclass(frozen=True, slots=True)
class Connection:
    """A line of /proc/<pid>/net/tcp or tcp6."""

    local: Address
    remote: Address
    state: int
    inode: int


def remote_addresses(pids: Sequence[int]) -> list[Address]:
    """The remote ends of what these processes opened, without doubles, sorted.

    A connection that they accepted (its local port is one they listen on) is not among them.
    """
    return opened(_connections(pids))


def listening_ports(pids: Sequence[int]) -> list[int]:
    """The local ports that these processes listen on, sorted."""
    return sorted({entry.local.port for entry in _connections(pids) if entry.state == _LISTENING})


def opened(connections: Iterable[Connection]) -> list[Address]:
    """The remote ends of those connections that were opened from here."""
    everything = list(connections)
    listening = {entry.local.port for entry in everything if entry.state == _LISTENING}
    remotes = {
        entry.remote
        for entry in everything
        if entry.state in _OPENING_OR_OPEN and entry.local.port not in listening
    }
    return sorted(remotes, key=lambda remote: (remote.host, remote.port))


def parse_table(content: str) -> list[Connection]:
    """Parse the text of /proc/<pid>/net/tcp or tcp6; the first line is its heading."""
    rows = (line.split() for line in content.splitlines()[1:])
    return [
        Connection(parse_address(row[1]), parse_address(row[2]), int(row[3], 16), int(row[9]))
        for row in rows
        if len(row) > 9
    ]


def parse_address(text: str) -> Address:
    """Parse `0100007F:2384`: words of 32 bits in the machine's byte order, then the port.

    An IPv4 address mapped into IPv6 (a Java client's usual form) becomes the IPv4 address.
    """
    address, port = text.split(":")
    words = (bytes.fromhex(address[at : at + 8]) for at in range(0, len(address), 8))
    host = ipaddress.ip_address(b"".join(word[::-1] for word in words))
    if isinstance(host, ipaddress.IPv6Address) and host.ipv4_mapped is not None:
        host = host.ipv4_mapped
    return Address(str(host), int(port, 16))


def _connections(pids: Sequence[int]) -> Iterator[Connection]:
    inodes = {inode for pid in pids for inode in _socket_inodes(pid)}
    tables = (entry for pid in _one_for_each_network(pids) for entry in _tables(pid))
    return (entry for entry in tables if entry.inode in inodes)


def _socket_inodes(pid: int) -> list[int]:
    found: list[int] = []
    with contextlib.suppress(OSError):  # it has ended, or is not ours to look into
        for file in Path(f"/proc/{pid}/fd").iterdir():
            with contextlib.suppress(OSError):
                link = str(file.readlink())
                if link.startswith("socket:["):
                    found.append(int(link[8:-1]))
    return found


def _one_for_each_network(pids: Iterable[int]) -> list[int]:
    networks: dict[str, int] = {}
    for pid in pids:
        with contextlib.suppress(OSError):
            networks[str(Path(f"/proc/{pid}/ns/net").readlink())] = pid
    return list(networks.values())


def _tables(pid: int) -> list[Connection]:
    found: list[Connection] = []
    for name in ("tcp", "tcp6"):
        with contextlib.suppress(OSError):
            found += parse_table(Path(f"/proc/{pid}/net/{name}").read_text(encoding="ascii"))
    return found
