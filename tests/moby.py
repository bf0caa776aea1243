"""A follower with the habits of Moby Dam: it coalesces, delays, refuses once and chats (protocol.md 3.1)."""

import contextlib

import attrs
import trio
from dxp_peer import move_bytes, read_move

from rules.game import Game

CHAT = b"CI think this is good\0"


@attrs.define
class MobyLike:
    """The follower; it plays the last legal move and keeps what it heard.

    With `stale` it believes in an old game, and refuses until an E00 clears that.
    """

    stale: bool = True
    delay: float = 0.0
    heard: list[str] = attrs.field(factory=list)
    games: list[Game] = attrs.field(factory=list)
    _playing: bool = False
    _limit: int = 0

    async def run(self, stream: trio.SocketStream) -> None:
        """Serve one connection."""
        buffer = b""
        with contextlib.suppress(trio.BrokenResourceError):
            async for data in stream:
                *messages, buffer = (buffer + data).split(b"\0")
                for message in messages:
                    self.heard.append(message.decode())
                    answer = await self._answer(message.decode())
                    # Cut at an odd place, as TCP may.
                    await stream.send_all(answer[: len(answer) // 3])
                    await stream.send_all(answer[len(answer) // 3 :])

    async def _answer(self, message: str) -> bytes:
        match message[0]:
            case "R":
                return self._begin(message)
            case "E" if self._playing:
                self._playing = False
                return f"E0{message[2]}\0Cthank you for the game\0".encode()
            case "E":
                self.stale = False
                return b"E00\0"
            case "M" if self._playing:
                self.games[-1].push(read_move(message))
                await trio.sleep(self.delay)
                return self._move()
        return b""

    def _begin(self, request: str) -> bytes:
        name = b"A" + b"Moby Dam".ljust(32)
        if self.stale:
            return b"Cgame in progress\0" + name + b"2\0"
        self.games.append(Game())
        self._playing, self._limit = True, int(request[39:42])
        # As white it sends its first move together with the answer.
        return name + b"0\0" + (self._move() if request[35] == "W" else b"")

    def _move(self) -> bytes:
        game = self.games[-1]
        outcome = game.outcome()
        if outcome is not None or len(game) >= 2 * self._limit:
            self._playing = False
            return b"E00\0" if outcome is None else b"E10\0" if outcome.winner is not None else b"E20\0"
        game.push(game.legal_moves()[-1])
        return CHAT + move_bytes(game.moves[-1])
