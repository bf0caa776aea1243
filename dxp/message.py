"""The seven DamExchange messages as values.

The fields and codes are Mesander's (DXP layer 2, version 01); `dxp.codec` reads and writes them.
"""

import enum
from typing import Literal, TypeAlias

import attrs

Colour: TypeAlias = Literal["W", "Z"]
"""A colour as the wire has it: W for white, Z (zwart) for black."""


class Acceptance(enum.IntEnum):
    """The follower's answer to a game request."""

    ACCEPTED = 0
    WRONG_VERSION = 1
    GAME_REFUSED = 2
    NEVER = 3


class EndReason(enum.IntEnum):
    """Why a game ends, as the sender of the GAMEEND sees it; a claim, not a fact."""

    UNKNOWN = 0
    RESIGN = 1
    DRAW = 2
    WIN = 3


class BackAnswer(enum.IntEnum):
    """The answer to a request to take moves back."""

    GRANTED = 0
    UNSUPPORTED = 1
    REFUSED = 2


@attrs.frozen
class GameRequest:
    """GAMEREQ: the initiator proposes a game.

    `minutes` a player for the whole game (fractions are a dialect of Scan 3 and Moby Dam), `moves` a player
    or None for no limit; `position` None for the standard one, else the colour to move and 50 letters of
    "wzWZe" for squares 1..50.
    """

    name: str
    follower_colour: Colour
    minutes: float
    moves: int | None
    position: str | None = None

    @property
    def turn(self) -> Colour:
        """The colour to move first."""
        return "Z" if self.position is not None and self.position.startswith("Z") else "W"


@attrs.frozen
class GameAccept:
    """GAMEACC: the follower's answer; a code that nobody knows reads as GAME_REFUSED."""

    name: str
    code: Acceptance


@attrs.frozen
class Move:
    """MOVE: squares 1..50, the captured ones ascending, and the seconds spent (information only)."""

    from_square: int
    to_square: int
    captured: tuple[int, ...] = ()
    seconds: int = 0


@attrs.frozen
class GameEnd:
    """GAMEEND: `stop` says that the sender plays no more games."""

    reason: EndReason
    stop: bool = False


@attrs.frozen
class Chat:
    """CHAT: text for people, printable ASCII (other characters read as '?')."""

    text: str


@attrs.frozen
class BackRequest:
    """BACKREQ: wanted is the position with `colour` to move in move `number` (the first is 1)."""

    number: int
    colour: Colour


@attrs.frozen
class BackAccept:
    """BACKACC: the answer to BACKREQ."""

    code: BackAnswer


@attrs.frozen
class Malformed:
    """Bytes that are no message: `why` in words, `data` without the NUL."""

    why: str
    data: bytes

    @property
    def header(self) -> str:
        """The letter that says which message it was meant to be; empty for an empty message."""
        return self.data[:1].decode("latin-1")


Message: TypeAlias = GameRequest | GameAccept | Move | GameEnd | Chat | BackRequest | BackAccept


def other(colour: Colour) -> Colour:
    """Return the opponent's colour."""
    return "Z" if colour == "W" else "W"
