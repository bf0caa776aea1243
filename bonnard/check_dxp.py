"""What a DXP follower does right and wrong: two short games and what belongs around them."""

import math
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import attrs
import trio

from bonnard.check_point import BrokenError, Point, Tell, shortened
from dxp.address import listen, tune
from dxp.codec import Decoder, encode, escape
from dxp.message import (
    Acceptance,
    BackAccept,
    BackAnswer,
    BackRequest,
    Chat,
    EndReason,
    GameAccept,
    GameEnd,
    GameRequest,
    Malformed,
    Message,
)
from dxp.message import Move as DxpMove
from rules.fen import format_dxp, parse_fen
from rules.game import Game
from rules.move import Move
from tournament.spec import PlayerSpec

NAME = "Bonnard check"
ANSWER = 10.0
"""Seconds in which everything but a move is answered."""
MOVE = 60.0
WAIT = 60.0
"""Seconds in which a program that dials connects."""
PLIES = 12
LIMIT = 2
"""Moves of each side in the second game."""
CHUNK = 4096
TWO_WAYS = "W:WK4:B13,32,37,20"
"""Two captures with the same squares from and to, which only their captured squares tell apart."""


class GoneError(BrokenError):
    """The program has closed the connection."""


class Wire:
    """A connection on which every message is remembered, whatever the rules of the protocol say."""

    def __init__(self, stream: trio.SocketStream) -> None:
        """Take over a stream that is connected."""
        self.exchange: list[str] = []
        self._stream = stream
        self._decoder = Decoder()
        self._waiting: list[Message | Malformed] = []

    async def send(self, *messages: Message, pieces: int = 1) -> None:
        """Send messages together, in one piece or in more."""
        data = b"".join(encode(message) for message in messages)
        self.exchange += [f"> {escape(encode(message)[:-1])}" for message in messages]
        size = math.ceil(len(data) / pieces)
        try:
            for start in range(0, len(data), size):
                await self._stream.send_all(data[start : start + size])
                await trio.sleep(0.05 if pieces > 1 else 0)
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            raise GoneError("it has closed the connection") from None

    async def receive(self, seconds: float, awaited: str) -> Message | Malformed:
        """Return its next message that is no chat."""
        with trio.move_on_after(seconds):
            while True:
                while self._waiting:
                    message = self._waiting.pop(0)
                    if not isinstance(message, Chat):
                        return message
                await self._read()
        raise BrokenError(f"no {awaited} within {seconds:g} s")

    async def _read(self) -> None:
        try:
            data = bytes(await self._stream.receive_some(CHUNK))
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            data = b""
        if not data:
            raise GoneError("it has closed the connection")
        self.exchange += [f"< {escape(part)}" for part in data.split(b"\0") if part]
        self._waiting += self._decoder.feed(data)


@attrs.define
class Talk:
    """A connection with the game that is on."""

    wire: Wire
    game: Game = attrs.field(factory=Game)

    async def request(self, *, white: bool, moves: int, start: str | None = None) -> None:
        """Ask for a game, in which the program is white or black, and expect it to accept."""
        self.game = Game(None if start is None else parse_fen(start))
        position = None if start is None else format_dxp(self.game.start)
        await self.wire.send(GameRequest(NAME, "W" if white else "Z", 1, moves, position))
        answer = await self.wire.receive(ANSWER, "GAMEACC")
        if not isinstance(answer, GameAccept):
            raise BrokenError(f"answers {_shown(answer)} to a game request")
        if answer.code is not Acceptance.ACCEPTED:
            raise BrokenError(f"refuses with code {answer.code}")

    async def its_move(self) -> None:
        """Expect a legal move and play it."""
        message = await self.wire.receive(MOVE, "MOVE")
        if not isinstance(message, DxpMove):
            raise BrokenError(f"sends {_shown(message)} instead of a MOVE")
        move = Move(message.from_square, message.to_square, message.captured)
        if not self.game.position.is_legal(move):
            raise BrokenError(f"its move {move.hub} is not legal, or its captured squares are not those")
        self.game.push(move)

    async def our_move(self, *, pieces: int = 1, chat: str = "") -> None:
        """Play and send the first legal move, after some chat in the same segment if there is any."""
        move = self.game.legal_moves()[0]
        self.game.push(move)
        messages: list[Message] = [Chat(chat)] if chat else []
        messages.append(DxpMove(move.from_square, move.to_square, move.captured))
        await self.wire.send(*messages, pieces=pieces)

    async def expect_end(self) -> GameEnd:
        """Expect a GAMEEND."""
        message = await self.wire.receive(ANSWER, "GAMEEND")
        if not isinstance(message, GameEnd):
            raise BrokenError(f"sends {_shown(message)} where a GAMEEND is due")
        return message


def _shown(message: Message | Malformed) -> str:
    if isinstance(message, Malformed):
        return f"{escape(message.data)!r} ({message.why})"
    return repr(escape(encode(message)[:-1]))


async def _accepts(talk: Talk) -> str:
    await talk.request(white=True, moves=75)
    return "code 0"


async def _plays(talk: Talk) -> str:
    await talk.its_move()
    while len(talk.game) < PLIES - 1:
        await talk.our_move()
        await talk.its_move()
    return f"{len(talk.game)} plies"


async def _takes_pieces(talk: Talk) -> str:
    await talk.our_move(pieces=3)
    await talk.its_move()
    return "a MOVE in three pieces"


async def _takes_together(talk: Talk) -> str:
    await talk.our_move(chat="hello")
    await talk.its_move()
    return "a CHAT and a MOVE in one segment"


async def _acknowledges(talk: Talk) -> str:
    await talk.wire.send(GameEnd(EndReason.UNKNOWN))
    end = await talk.expect_end()
    return f"with E{end.reason:d}{end.stop:d}"


async def _accepts_again(talk: Talk) -> str:
    await talk.request(white=True, moves=LIMIT, start=TWO_WAYS)
    await talk.its_move()
    return f"plays {talk.game.moves[0].hub}"


async def _takes_back(talk: Talk) -> str:
    await talk.wire.send(BackRequest(1, "W"))
    answer = await talk.wire.receive(ANSWER, "BACKACC")
    if not isinstance(answer, BackAccept):
        raise BrokenError(f"answers {_shown(answer)}")
    if answer.code is BackAnswer.GRANTED:
        talk.game.pop()
        await talk.its_move()
    return {
        BackAnswer.GRANTED: "granted, and moved again",
        BackAnswer.UNSUPPORTED: "not supported, it says",
        BackAnswer.REFUSED: "refused",
    }[answer.code]


async def _ends_at_the_limit(talk: Talk) -> str:
    while len(talk.game) < 2 * LIMIT and talk.game.legal_moves():
        await (talk.our_move() if len(talk.game) % 2 else talk.its_move())
    end = await talk.expect_end()
    await talk.wire.send(GameEnd(EndReason.UNKNOWN))
    return f"with E{end.reason:d}{end.stop:d} after {len(talk.game)} plies"


async def _refuses_a_wrong_position(talk: Talk) -> str:
    nobody = "W" + "e" * 50
    await talk.wire.send(GameRequest(NAME, "W", 1, 75, nobody))
    answer = await talk.wire.receive(ANSWER, "answer")
    if isinstance(answer, GameAccept) and answer.code is not Acceptance.ACCEPTED:
        return f"code {answer.code:d}"
    raise BrokenError(f"answers {_shown(answer)} to an empty board")


@attrs.frozen
class Check:
    """A point and what tries it; `begins` tells that it needs no game which an earlier one has begun."""

    claim: str
    grave: bool
    try_it: Callable[[Talk], Awaitable[str]]
    begins: bool = False


CHECKS = (
    Check("accepts a game", grave=True, try_it=_accepts, begins=True),
    Check("plays legal moves and names their captured squares", grave=True, try_it=_plays),
    Check("takes a message that comes in pieces", grave=True, try_it=_takes_pieces),
    Check("takes messages that come together, and chat", grave=True, try_it=_takes_together),
    Check("acknowledges the end of a game", grave=False, try_it=_acknowledges),
    Check("accepts a second game, from a position", grave=True, try_it=_accepts_again, begins=True),
    Check("answers a request to take a move back", grave=False, try_it=_takes_back),
    Check(
        "ends the game when it is on move at the limit of moves, or lost",
        grave=False,
        try_it=_ends_at_the_limit,
    ),
    Check(
        "refuses a game from a position without pieces",
        grave=False,
        try_it=_refuses_a_wrong_position,
        begins=True,
    ),
)


async def check_dxp(spec: PlayerSpec, tell: Tell) -> None:
    """Try every point with the follower that a SPEC names.

    What a program does after it has broken a point means nothing: then the points that need the same game are
    left out.
    """
    claim = "is there"
    try:
        async with _connected(spec) as stream:
            tell(Point(claim, kept=True, grave=True, note="connected"))
            talk = Talk(Wire(stream))
            usable = True
            for check in CHECKS:
                if not usable and not check.begins:
                    tell(Point(check.claim, kept=None, grave=check.grave, note="not tried"))
                    continue
                point = await _try(check, talk)
                usable = point.kept is True
                tell(point)
            await _say_goodbye(talk)
    except (OSError, UnicodeError, trio.TooSlowError) as error:
        note = str(error) or f"nobody has connected within {WAIT:g} s"
        tell(Point(claim, kept=False, grave=True, note=note))


async def _try(check: Check, talk: Talk) -> Point:
    talk.wire.exchange.clear()
    kept = True
    try:
        note = await check.try_it(talk)
    except BrokenError as error:
        kept, note = False, str(error)
    return Point(check.claim, kept, check.grave, note, shortened(talk.wire.exchange))


async def _say_goodbye(talk: Talk) -> None:
    """Tell the program that there are no more games."""
    try:
        await talk.wire.send(GameEnd(EndReason.UNKNOWN, stop=True))
    except GoneError:
        return


@asynccontextmanager
async def _connected(spec: PlayerSpec) -> AsyncIterator[trio.SocketStream]:
    """Dial the program, or wait until it dials us."""
    if spec.kind == "dxp":
        async with await trio.open_tcp_stream(spec.host, spec.port) as stream:
            tune(stream)
            yield stream
        return
    (listener, *others) = await listen(spec.host, spec.port)
    for other in others:
        await other.aclose()
    async with listener:
        with trio.fail_after(WAIT):
            stream = await listener.accept()
    async with stream:
        tune(stream)
        yield stream
