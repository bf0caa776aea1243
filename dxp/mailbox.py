"""What waits in a session: messages not handled yet, events not taken yet, messages not sent yet."""

from collections import deque
from typing import TypeAlias

from dxp.codec import Decoder, encode
from dxp.events import Disconnected, Ending, Event, Ignored
from dxp.message import Malformed, Message

NOISE_LIMIT = 100
"""Dropped messages in a row after which a peer is given up."""

Incoming: TypeAlias = Message | Malformed | Disconnected


class Mailbox:
    """The queues of a session, and the count of what was dropped."""

    def __init__(self) -> None:
        """Start with empty queues."""
        self._decoder = Decoder()
        self._incoming: deque[Incoming] = deque()
        self._events: deque[Event] = deque()
        self._outgoing: deque[bytes] = deque()
        self._noise = 0

    @property
    def unfinished(self) -> bool:
        """Whether the peer has begun a message and not ended it."""
        return self._decoder.unfinished

    @property
    def noisy(self) -> bool:
        """Whether nothing but noise has come for too long."""
        return self._noise >= NOISE_LIMIT

    @property
    def backlog(self) -> int:
        """Messages that wait to be sent."""
        return len(self._outgoing)

    def put(self, data: bytes) -> int:
        """Take bytes from the peer; return how many messages they completed."""
        messages = self._decoder.feed(data)
        self._incoming.extend(messages)
        if self._decoder.overlong:
            self.put_end(Ending.OVERLONG)
        return len(messages)

    def put_end(self, why: Ending) -> None:
        """Take note that nothing more will come."""
        self._incoming.append(Disconnected(why))

    def next_incoming(self) -> Incoming | None:
        """Return the next message to handle."""
        return self._incoming.popleft() if self._incoming else None

    def tell(self, event: Event) -> None:
        """Tell the owner something that means something."""
        self._noise = 0
        self._events.append(event)

    def drop(self, message: Message | Malformed, why: str) -> None:
        """Tell the owner that a message was dropped."""
        self._noise += 1
        self._events.append(Ignored(message, why))

    def take_events(self) -> list[Event]:
        """Return what was told since the last call."""
        events = list(self._events)
        self._events.clear()
        return events

    def send(self, message: Message) -> None:
        """Put a message among those to send; ValueError if it cannot be written."""
        self._outgoing.append(encode(message))

    def take_outgoing(self) -> bytes | None:
        """Return the next message to send, or None."""
        return self._outgoing.popleft() if self._outgoing else None
