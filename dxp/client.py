"""A DXP client: connects to a program that listens."""

import trio

from dxp.address import DEFAULT_PORT, Address, tune
from dxp.connection import DxpConnection
from dxp.limits import ConnectionLimits
from dxp.session import DxpSession
from dxp.state import Role

CONNECT_TIMEOUT = 10.0
"""Seconds to wait for a connection."""


async def connect(
    nursery: trio.Nursery,
    host: str,
    port: int = DEFAULT_PORT,
    *,
    name: str,
    role: Role = "initiator",
    takeback: bool = False,
    limits: ConnectionLimits | None = None,
) -> DxpConnection:
    """Return a connection to the program that listens at host:port.

    Its `run` is started in `nursery`; the caller ends the connection with `leave`. Raises ConnectionError
    with one line that names the address.
    """
    address = Address(host, port)
    try:
        with trio.fail_after(CONNECT_TIMEOUT):
            stream = await trio.open_tcp_stream(host, port)
        try:
            tune(stream)
        except OSError:
            await trio.aclose_forcefully(stream)
            raise
    except (OSError, UnicodeError, trio.TooSlowError) as error:
        reason: object = error
        if isinstance(error, trio.TooSlowError):
            reason = f"no answer in {CONNECT_TIMEOUT:.0f} s"
        elif isinstance(error, UnicodeError):  # names are encoded before they are looked up
            reason = "this is no host name"
        raise ConnectionError(f"cannot connect to {address}: {reason}") from error
    session = DxpSession(role, name, takeback=takeback)
    connection = DxpConnection(stream, session, address=address, limits=limits)
    nursery.start_soon(connection.run)
    return connection
