"""The referee: one game from the first request for a move to its result and reason."""

from collections.abc import Callable
from typing import Literal

import attrs
import trio

from rules.clock import TimeControl
from rules.game import Game
from rules.position import Position
from tournament.player import Player
from tournament.record import GameRecord, Ply


@attrs.frozen
class Adjudication:
    """When the referee ends a game that the rules have not. Zero moves switch a rule off.

    A side resigns by score when `resign_moves` moves running of both sides agree on at least `resign_score` men; a game is drawn by
    score when `draw_moves` moves running of both sides stay within `draw_score` men, from move `draw_from` on.
    """

    resign_score: float = 3.0
    resign_moves: int = 0
    draw_score: float = 0.1
    draw_moves: int = 0
    draw_from: int = 40


@attrs.frozen
class Verdict:
    """A bitbase's word on a position: the value for the side to move, and plies to the win where the bitbase knows them."""

    value: Literal["win", "draw", "loss"]
    plies: int | None = None


#: What a bitbase knows of a position; None when it is beyond the bitbases.
Probe = Callable[[Position], Verdict | None]


@attrs.frozen
class Conduct:
    """How a game is conducted: the points on which `match` and `serve` differ.

    `flag` "loses": an overdrawn clock loses; "logged": it is remarked in the record. `margin` seconds forgive transport on every
    move and are never thinking time. `stall` seconds beyond the flag a silent player is given up. `unproven` says what an ending
    that nothing bears out makes of the game: "aborted" or "fault", the sender's loss. `scores` is who must agree to a draw: "both"
    players or only "ours", the one that is a Hub player.
    """

    flag: Literal["loses", "logged"] = "loses"
    margin: float = 0.2
    stall: float = 10.0
    on_illegal: Literal["loses", "retry"] = "loses"
    unproven: Literal["aborted", "fault"] = "fault"
    scores: Literal["both", "ours"] = "both"
    agreement: float = 0.3
    take_back: bool = False
    draw_rules: Literal["fmjd", "long-diagonal"] = "fmjd"
    adjudication: Adjudication = attrs.field(factory=Adjudication)
    probe: Probe | None = None
    probe_decides: bool = False


@attrs.frozen
class Match:
    """The terms of one game. `controls` are white's and black's; `move_limit` is moves per player."""

    start: Position
    controls: tuple[TimeControl, TimeControl]
    move_limit: int | None = None


async def play_game(
    white: Player,
    black: Player,
    terms: Match,
    conduct: Conduct,
    *,
    stop: trio.Event | None = None,
    on_ply: Callable[[Game, Ply], None] | None = None,
) -> GameRecord:
    """Play one game between two open players, `begin` and `finish` included, and return its record.

    Never raises on account of a player. When `stop` is set the game ends at once as aborted, the players are told as far as their
    protocol allows, and the record is returned like any other.
    """
    raise NotImplementedError
