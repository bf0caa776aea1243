"""What a match tells while it is played; tables, event lines and tests listen."""

from collections.abc import Sequence
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
class TestState:
    """A sequential test as it stands: log-likelihood ratio, its bounds, and the decision once there is one."""

    __test__ = False  # not a test for pytest

    ratio: float
    bounds: tuple[float, float]
    decision: Decision | None


class Observer:
    """Listens to a match. Every method does nothing here; each returns at once, on the event loop's thread."""

    def match_began(self, settings: MatchSettings, planned: int, slots: int, standings: Standings) -> None:
        """Learn that a match begins or goes on; `planned` counts all games of it, `standings` holds those already played."""

    def game_began(self, slot: int, game: ScheduledGame, opening: Opening) -> None:
        """Learn that a game begins in a slot (counted from 0)."""

    def move_made(self, slot: int, game: Game, ply: Ply) -> None:
        """Learn of a move; `game` holds it already."""

    def game_ended(
        self,
        slot: int,
        game: ScheduledGame,
        summary: GameSummary,
        standings: Standings,
        test: TestState | None,
    ) -> None:
        """Learn of a game that is stored; `standings` holds it already."""

    def told(self, event: str, player: str, detail: str) -> None:
        """Learn of anything else: "warning", "waiting", "restart", "draining", "aborting", "error"."""

    def match_ended(self, ending: Ending, standings: Standings, test: TestState | None) -> None:
        """Learn that this run is over."""


class Observers(Observer):
    """Several observers as one."""

    def __init__(self, observers: Sequence[Observer]) -> None:
        """Tell each of `observers` everything, in this order."""
        self._observers = observers

    def match_began(self, settings: MatchSettings, planned: int, slots: int, standings: Standings) -> None:
        """Pass it on."""
        for observer in self._observers:
            observer.match_began(settings, planned, slots, standings)

    def game_began(self, slot: int, game: ScheduledGame, opening: Opening) -> None:
        """Pass it on."""
        for observer in self._observers:
            observer.game_began(slot, game, opening)

    def move_made(self, slot: int, game: Game, ply: Ply) -> None:
        """Pass it on."""
        for observer in self._observers:
            observer.move_made(slot, game, ply)

    def game_ended(
        self,
        slot: int,
        game: ScheduledGame,
        summary: GameSummary,
        standings: Standings,
        test: TestState | None,
    ) -> None:
        """Pass it on."""
        for observer in self._observers:
            observer.game_ended(slot, game, summary, standings, test)

    def told(self, event: str, player: str, detail: str) -> None:
        """Pass it on."""
        for observer in self._observers:
            observer.told(event, player, detail)

    def match_ended(self, ending: Ending, standings: Standings, test: TestState | None) -> None:
        """Pass it on."""
        for observer in self._observers:
            observer.match_ended(ending, standings, test)
