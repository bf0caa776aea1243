"""A DXP peer that sends what it is told to, and a whole game against a follower."""

import random
from typing import Self

import trio

from rules.game import Game
from rules.move import Move

NAME = b"Probe".ljust(32)
PATIENCE = 10.0
"""Seconds that an answer may take, on a busy machine."""


def request(ours: str = "W", minutes: bytes = b"001", moves: int = 40, start: bytes = b"A") -> bytes:
    """Return a GAMEREQ in which the peer has the colour `ours`, W or Z."""
    follower = b"Z" if ours == "W" else b"W"
    return b"R01" + NAME + follower + minutes + b"%03d" % moves + start + b"\0"


def move_bytes(move: Move) -> bytes:
    """Return a move as a MOVE."""
    captured = b"".join(b"%02d" % square for square in move.captured)
    return b"M0000%02d%02d%02d" % (move.from_square, move.to_square, len(move.captured)) + captured + b"\0"


def read_move(message: str) -> Move:
    """Return the move of a MOVE; ValueError if it is none."""
    if message[0] != "M" or len(message) != 11 + 2 * int(message[9:11]):
        raise ValueError(message)
    captured = [int(message[at : at + 2]) for at in range(11, len(message), 2)]
    return Move(int(message[5:7]), int(message[7:9]), tuple(captured))


class Peer:
    """One connection."""

    def __init__(self, stream: trio.abc.Stream) -> None:
        """Take over a stream."""
        self.stream = stream
        self.chats: list[str] = []
        self._buffer = b""

    @classmethod
    async def connect(cls, port: int) -> Self:
        """Connect to a server on this machine."""
        return cls(await trio.open_tcp_stream("127.0.0.1", port))

    async def send(self, data: bytes) -> None:
        """Send bytes as they are."""
        await self.stream.send_all(data)

    async def receive(self, patience: float = PATIENCE) -> str:
        """Return the next message, chat left out, empty at the end of the connection (TooSlowError)."""
        while True:
            message = await self._next(patience)
            if not message.startswith("C"):
                return message
            self.chats.append(message[1:])

    async def _next(self, patience: float) -> str:
        with trio.fail_after(patience):
            while b"\0" not in self._buffer:
                try:
                    data = await self.stream.receive_some(4096)
                except trio.BrokenResourceError:
                    return ""
                if not data:
                    return ""
                self._buffer += data
        message, _, self._buffer = self._buffer.partition(b"\0")
        return message.decode("latin-1")

    async def is_silent(self, seconds: float = 0.3) -> bool:
        """Whether nothing but chat comes for a while."""
        try:
            await self.receive(seconds)
        except trio.TooSlowError:
            return True
        return False

    async def start_game(self, ours: str = "W", **terms: object) -> Game:
        """Request a game and have it accepted."""
        await self.send(request(ours, **terms))
        answer = await self.receive()
        assert answer[0] == "A", answer
        assert answer[33] == "0", answer
        return Game()

    async def play_whole_game(self, ours: str = "W", moves: int = 3, seed: int = 1) -> Game:
        """Play random legal moves to the end of a game, every move of the server checked."""
        game = await self.start_game(ours, moves=moves)
        await self.play_on(game, ours, moves, seed)
        return game

    async def play_on(self, game: Game, ours: str, moves: int, seed: int = 1) -> None:
        """Play a game to its end and exchange GAMEENDs."""
        chance = random.Random(seed)
        colour = {"W": 0, "Z": 1}[ours]
        while True:
            over = game.outcome() is not None or len(game) >= 2 * moves
            if game.turn == colour:
                if over:
                    await self.send(b"E00\0")
                    assert (await self.receive())[0] == "E"
                    return
                move = chance.choice(game.legal_moves())
                game.push(move)
                await self.send(move_bytes(move))
            else:
                message = await self.receive()
                if message[0] == "E":
                    assert over, message
                    await self.send(b"E00\0")
                    return
                game.push(read_move(message))
