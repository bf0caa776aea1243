"""How a game is conducted: its terms, and the points on which `match` and `serve` differ."""

from collections.abc import Callable
from typing import Literal

import attrs

from rules.clock import TimeControl
from rules.position import Position


@attrs.frozen
class Terms:
    """The terms of one game.

    `controls` are white's and black's; `move_limit` is moves per player, None for none.

    `last` says that no game with the same players follows: their protocol may want to know when this one
    ends.
    """

    start: Position
    controls: tuple[TimeControl, TimeControl]
    move_limit: int | None = None
    last: bool = False


@attrs.frozen
class Adjudication:
    """When the referee ends a game by the scores that both players tell (men). Zero moves switch a rule off.

    A game is lost when the last `resign_moves` moves of both sides agree on at least `resign_score` against a
    side; it is drawn when the last `draw_moves` of both are within `draw_score`, from move number `draw_from`
    on.
    """

    resign_score: float = 3.0
    resign_moves: int = 0
    draw_score: float = 0.1
    draw_moves: int = 0
    draw_from: int = 40


@attrs.frozen
class Verdict:
    """A bitbase's word on a position: its value to the side to move, plies to the win where known."""

    value: Literal["win", "draw", "loss"]
    plies: int | None = None


#: What a bitbase knows of a position; None when it is beyond the bitbases.
Probe = Callable[[Position], Verdict | None]


@attrs.frozen
class Conduct:
    """How the referee conducts games. The defaults are those of `match`."""

    flag: Literal["loses", "remarked"] = "loses"
    """What an overdrawn clock does: it loses, or it is only remarked in the record."""
    margin: float = 0.2
    """Seconds that forgive transport on every move; they are never thinking time."""
    stall: float = 10.0
    """Seconds after the flag's fall until a silent player is given up."""
    untimed: float = 600.0
    """Seconds until a player is given up whose move has no time limit (depth, nodes)."""
    on_illegal: Literal["loses", "retry"] = "loses"
    """What an illegal move does. Hub engines lose in any case: they would answer the same again."""
    unproven: Literal["aborted", "fault"] = "fault"
    """What an ending that nothing bears out makes of the game: no result, or the sender's loss."""
    agreeing: Literal["both", "opponent"] = "both"
    """Whose last scores must be level for a claimed draw to be agreed: both, or the other's alone."""
    agreement: float = 0.3
    """Men within which a score is level."""
    take_back: bool = False
    """Whether moves may be taken back."""
    restarts: int = 0
    """How often in a game a crashed or hanging engine is started again, on its own clock."""
    draw_rules: Literal["fmjd", "long-diagonal"] = "fmjd"
    adjudication: Adjudication = attrs.field(factory=Adjudication)
    probe: Probe | None = None
    """The bitbases, where there are any: they bear out claims and decide at the move limit."""
    probe_decides: bool = False
    """Whether the bitbases end a game as soon as they know its result."""
