"""Addresses and sockets of DXP peers."""

import socket

import attrs
import trio

DEFAULT_HOST = "127.0.0.1"
DEFAULT_PORT = 27531
"""The port that the DamExchange pages name."""

_KEEPALIVE = ((socket.TCP_KEEPIDLE, 60), (socket.TCP_KEEPINTVL, 15), (socket.TCP_KEEPCNT, 4))
"""Seconds of silence before the first probe, seconds between probes, unanswered probes before it is over."""


@attrs.frozen
class Address:
    """A host and a port."""

    host: str
    port: int

    def __str__(self) -> str:
        """Return host:port, an IPv6 host in brackets."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


async def listen(host: str, port: int) -> list[trio.SocketListener]:
    """Listen on an address; OSError if it is taken, not ours, or a text that can be no host name."""
    try:
        return await trio.open_tcp_listeners(port, host=host)
    except UnicodeError:  # names are encoded before they are looked up
        raise OSError(f"{host!r} is no host name") from None


def peer_address(stream: trio.SocketStream) -> Address:
    """Return where a peer connects from, without the scope of an IPv6 host; OSError if it is gone already."""
    host, port = stream.socket.getpeername()[:2]
    return Address(host.partition("%")[0], port)


def tune(stream: trio.SocketStream) -> None:
    """Send every message at once, and notice in about two minutes when a silent peer is gone."""
    stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    stream.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for option, value in _KEEPALIVE:
        stream.setsockopt(socket.IPPROTO_TCP, option, value)
