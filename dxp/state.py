"""Where a session is, and what our own side may not do there."""

import enum
from typing import Literal, TypeAlias

import attrs

from dxp.message import BackRequest, Colour

Role: TypeAlias = Literal["initiator", "follower"]
"""The initiator requests games, the follower accepts or refuses them."""


class LocalProtocolError(Exception):
    """Our own side tried what the protocol does not allow now."""


class State(enum.Enum):
    """Where a session is; the value says it in words."""

    IDLE = "no game"
    REQUESTED = "our game request is not answered yet"
    OFFERED = "the peer's game request waits for our answer"
    PLAYING = "a game is on"
    ENDING = "our GAMEEND is not acknowledged yet"
    CLOSED = "the connection is over"


@attrs.define
class GameState:
    """A game that is on, as far as the protocol knows it."""

    ours: Colour
    turn: Colour
    asked_back: BackRequest | None = None
    """A request of ours that the peer has not answered."""
    offered_back: BackRequest | None = None
    """A request of the peer that we have not answered; later messages wait."""
