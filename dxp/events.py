"""What a DXP session tells its owner, besides the messages of `dxp.message` themselves.

`Event` is everything that `DxpSession.take_events` and `DxpConnection.receive` return:

- `GameRequest`   (follower) answer with accept_game or refuse_game
- `GameAccept`    (initiator) with code ACCEPTED the game is on; else another may be requested
- `Move`          the peer's move at its turn, not checked against any board; the turn is ours now
- `Malformed`     an unreadable MOVE at the peer's turn: counts as an illegal move; the turn is ours now
- `GameEnded`     the peer ended the game; already acknowledged
- `EndAcknowledged`  our GAMEEND is answered, or need not be waited for any longer
- `Chat`          text, printable ASCII
- `BackRequest`   (only with take-back) answer with grant_back or refuse_back
- `BackAccept`    the answer to our request_back; GRANTED has moved the turn
- `Ignored`       what was dropped and why, for the log; a connection logs it and does not return it
- `Disconnected`  the last event
"""

import enum
from typing import Literal, TypeAlias

import attrs

from dxp.message import (
    BackAccept,
    BackRequest,
    Chat,
    EndReason,
    GameAccept,
    GameRequest,
    Malformed,
    Message,
    Move,
)


@attrs.frozen
class GameEnded:
    """The peer sent GAMEEND in a game: `reason` is its claim (RESIGN is the peer's resignation).

    `in_turn` tells whether the peer was on move, `stop` whether it wants no more games.
    """

    reason: EndReason
    stop: bool
    in_turn: bool


@attrs.frozen
class EndAcknowledged:
    """Our GAMEEND is done with: by the peer's own, by its next game request, or by its silence."""

    how: Literal["answer", "request", "silence"]
    stop: bool = False


@attrs.frozen
class Ignored:
    """A message that was dropped."""

    message: Message | Malformed
    why: str


class Ending(enum.Enum):
    """Why a connection is over; the value says it in words."""

    CLOSED = "the peer closed the connection"
    RESET = "the connection was reset"
    IDLE = "nothing came for too long"
    GOODBYE = "the peer wanted no more games"
    NO_ANSWER = "the game request was not answered"
    NOT_READING = "the peer does not read what it is sent"
    OVERLONG = "a message had no end"
    NOISE = "too many messages that mean nothing"
    LEFT = "we closed the connection"


@attrs.frozen
class Disconnected:
    """The connection is over; nothing comes any more and nothing can be sent."""

    why: Ending


Event: TypeAlias = (
    GameRequest
    | GameAccept
    | Move
    | Malformed
    | GameEnded
    | EndAcknowledged
    | Chat
    | BackRequest
    | BackAccept
    | Ignored
    | Disconnected
)
