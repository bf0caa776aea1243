"""How much a peer may ask for: times, rates, games and connections."""

from collections import Counter

import attrs
import trio


@attrs.frozen
class ConnectionLimits:
    """What one connection bears; all times in seconds, rates in messages a second."""

    gap: float = 0.1
    """Least time between two of our messages when the peer said nothing in between: some read both as one."""
    write_timeout: float = 5.0
    acknowledge_timeout: float = 5.0
    """Wait for the answer to our GAMEEND: some programs never send one."""
    answer_timeout: float = 30.0
    """Wait for the answer to our GAMEREQ."""
    idle_timeout: float = 300.0
    """Longest silence without a game; in a game the clocks decide."""
    message_timeout: float = 30.0
    """Longest time a message may take to arrive, without a game."""
    goodbye_timeout: float = 2.0
    """Wait for the peer to close, or to ask for a game after all, when it said that it plays no more."""
    rate: float = 100.0
    burst: float = 300.0


@attrs.frozen
class ServerLimits:
    """What a server bears: games at once, connections at once, and both from one address."""

    games: int = 8
    games_per_address: int = 8
    connections: int = 256
    connections_per_address: int = 64


class Allowance:
    """A token bucket: `burst` messages at once, `rate` a second in the long run."""

    def __init__(self, rate: float, burst: float) -> None:
        """Start full."""
        self._rate = rate
        self._burst = burst
        self._left = burst
        self._asked_at = trio.current_time()

    def spend(self, count: int) -> float:
        """Take `count` messages off; return the seconds to wait before reading more."""
        now = trio.current_time()
        self._left = min(self._burst, self._left + (now - self._asked_at) * self._rate) - count
        self._asked_at = now
        return max(0.0, -self._left / self._rate)


class Slots:
    """The games a server plays at once, in all and against one address."""

    def __init__(self, total: int, per_address: int) -> None:
        """Start with every slot free."""
        self._total = total
        self._per_address = per_address
        self._taken: Counter[str] = Counter()
        self._freed = trio.Event()

    def take(self, address: str) -> bool:
        """Take a slot; False if none is free for this address."""
        if self._taken.total() >= self._total or self._taken[address] >= self._per_address:
            return False
        self._taken[address] += 1
        return True

    async def wait(self, address: str) -> None:
        """Take a slot as soon as one is free for this address."""
        while not self.take(address):
            await self._freed.wait()

    def free(self, address: str) -> None:
        """Give a slot back."""
        self._taken[address] -= 1
        if not self._taken[address]:
            del self._taken[address]
        self._freed.set()
        self._freed = trio.Event()
