"""What a match tells while it is played; tables, lines of text and tests listen."""

from collections.abc import Callable
from typing import Literal

from attrs import frozen

from rules.game import Game
from tournament.openings import Opening
from tournament.record import Ply
from tournament.schedule import ScheduledGame
from tournament.settings import MatchSettings
from tournament.sprt import Decision
from tournament.standings import Standings
from tournament.summary import GameSummary

#: Why a run of a match ended. All but "complete" and "sprt" leave games for a later run.
Ending = Literal["complete", "sprt", "drained", "aborted", "stopped", "failed"]


@frozen
class SprtState:
    """A sequential test as it stands: log-likelihood ratio, its bounds, the decision if there is one."""

    ratio: float
    bounds: tuple[float, float]
    decision: Decision | None


@frozen
class MatchBegan:
    """A match begins or goes on: `planned` are all its games, `standings` has those played before."""

    settings: MatchSettings
    planned: int
    slots: int
    standings: Standings


@frozen
class GameBegan:
    """A game begins in a slot, counted from 0."""

    slot: int
    game: ScheduledGame
    opening: Opening


@frozen
class MoveMade:
    """A move was made; `game` holds it already."""

    slot: int
    game: Game
    ply: Ply


@frozen
class GameEnded:
    """A game has ended and is stored; `standings` has it already."""

    slot: int
    game: ScheduledGame
    summary: GameSummary
    standings: Standings
    sprt: SprtState | None


@frozen
class Told:
    """Anything else that somebody may want to know, about a player or ("") the match."""

    kind: Literal["warning", "waiting", "restart", "draining", "aborting", "error"]
    player: str
    detail: str

    def __str__(self) -> str:
        """Return it as a line."""
        return ": ".join(part for part in (self.kind, self.player, self.detail) if part)


@frozen
class MatchEnded:
    """A run of the match is over."""

    ending: Ending
    standings: Standings
    sprt: SprtState | None


Event = MatchBegan | GameBegan | MoveMade | GameEnded | Told | MatchEnded
#: Someone who is told all events, on the event loop's thread; must return at once.
Observer = Callable[[Event], None]
