"""Writing to a DXP peer: one message at a time, with a gap where the peer could read two as one."""

import math

import trio


class PacedWriter:
    """Sends whole messages to a stream; a failure is remembered, never raised.

    Some programs take everything that one read returns for one message. So a message waits until `gap`
    seconds have passed since the last one, but only as long as nothing came from the peer in between.
    """

    def __init__(self, stream: trio.abc.SendStream, gap: float, timeout: float) -> None:
        """Write to `stream`; a peer that takes longer than `timeout` seconds to read a message is stuck."""
        self._stream = stream
        self._gap = gap
        self._timeout = timeout
        self._sent_at = -math.inf
        self._heard = trio.Event()
        self.usable = True
        """Whether nothing has failed yet."""
        self.stuck = False
        """Whether it failed because the peer does not read."""

    def heard(self) -> None:
        """Take note that something came from the peer: the next message needs no gap."""
        self._heard.set()

    async def send(self, data: bytes) -> bool:
        """Send a message when it is time; return whether it went out."""
        with trio.move_on_at(self._sent_at + self._gap):
            await self._heard.wait()
        if not self.usable:
            return False
        self.usable = False
        with trio.move_on_after(self._timeout) as patience:
            try:
                await self._stream.send_all(data)
            except (trio.BrokenResourceError, trio.ClosedResourceError):
                return False
            self.usable = True
        self.stuck = patience.cancelled_caught
        self._sent_at = trio.current_time()
        self._heard = trio.Event()
        return self.usable
