"""A match as lines of text or of JSON, for logs, pipes and scripts."""

import json
import math
import sys
from collections.abc import Callable

import trio

from rules.game import Game
from tournament.observer import Ending, Observer, TestState
from tournament.openings import Opening
from tournament.record import Ply
from tournament.schedule import ScheduledGame
from tournament.settings import MatchSettings
from tournament.standings import Standings
from tournament.statistics import elo_estimate
from tournament.summary import GameSummary
from tournament.wording import duration, elo_text, tally_text, test_text

Write = Callable[[str], object]


def print_line(text: str) -> None:
    """Write a line to stdout at once."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


class Timer:
    """Estimates how long a match will still take, from the games of this run."""

    def __init__(self, planned: int, done: int) -> None:
        """Start now, with `done` of `planned` games played before."""
        self._planned = planned
        self._before = done
        self._began = trio.current_time()

    @property
    def elapsed(self) -> float:
        """Seconds since the start of this run."""
        return trio.current_time() - self._began

    def left(self, done: int) -> float | None:
        """Return the seconds until all games are played at the pace of this run; None before its first game."""
        played = done - self._before
        return self.elapsed / played * (self._planned - done) if played else None


class PlainLines(Observer):
    """One line for each finished game."""

    def __init__(self, write: Write = print_line) -> None:
        """Give each line to `write`, without its end."""
        self._write = write
        self._planned = 0
        self._names: list[str] = []
        self._timer: Timer | None = None

    def match_began(self, settings: MatchSettings, planned: int, slots: int, standings: Standings) -> None:
        """Print the headline."""
        self._planned = planned
        self._names = [player.name for player in settings.players]
        self._timer = Timer(planned, standings.games)
        before = f", {standings.games} played before" if standings.games else ""
        self._write(
            f"{settings.name}: {', '.join(self._names)}; {planned} games{before}, {slots} at once; "
            f"openings {settings.openings}, seed {settings.seed}"
        )

    def game_ended(
        self,
        slot: int,
        game: ScheduledGame,
        summary: GameSummary,
        standings: Standings,
        test: TestState | None,
    ) -> None:
        """Print the game and how the first player stands."""
        first = self._names[0]
        left = self._timer.left(standings.games) if self._timer else None
        parts = [
            f"{standings.games}/{self._planned}",
            f"{game.white} - {game.black} {summary.result}",
            f"{summary.reason}{f' ({summary.detail})' if summary.detail else ''}, {summary.plies} plies",
            "" if summary.counted else "not counted",
            f"{first} {tally_text(standings.tally(first))}",
            f"Elo {elo_text(elo_estimate(standings.pair_counts(first)))}" if standings.pairs else "",
            test_text(test) if test else "",
            f"{duration(left)} left" if left else "",
        ]
        self._write("  ".join(part for part in parts if part))

    def told(self, event: str, player: str, detail: str) -> None:
        """Print a remark."""
        self._write(": ".join(part for part in (event, player, detail) if part))

    def match_ended(self, ending: Ending, standings: Standings, test: TestState | None) -> None:
        """Print the end of the run."""
        self._write(f"{ending}: {standings.games} of {self._planned} games")


class JsonLines(Observer):
    """One JSON object a line for each event, moves included; its kind is under "event"."""

    def __init__(self, write: Write = print_line) -> None:
        """Give each line to `write`, without its end."""
        self._write_line = write

    def _write(self, event: str, **values: object) -> None:
        self._write_line(json.dumps({"event": event, **values}))

    def match_began(self, settings: MatchSettings, planned: int, slots: int, standings: Standings) -> None:
        """Write a "match" event."""
        players = [player.name for player in settings.players]
        self._write(
            "match", name=settings.name, players=players, planned=planned, played=standings.games, slots=slots
        )

    def game_began(self, slot: int, game: ScheduledGame, opening: Opening) -> None:
        """Write a "begin" event."""
        self._write(
            "begin",
            slot=slot,
            game=game.number,
            pair=game.pair,
            white=game.white,
            black=game.black,
            opening=opening.name,
        )

    def move_made(self, slot: int, game: Game, ply: Ply) -> None:
        """Write a "move" event."""
        self._write(
            "move",
            slot=slot,
            ply=len(game.moves),
            move=ply.move.hub,
            seconds=round(ply.seconds, 6),
            clock=ply.clock,
            score=ply.score,
            depth=ply.depth,
        )

    def game_ended(
        self,
        slot: int,
        game: ScheduledGame,
        summary: GameSummary,
        standings: Standings,
        test: TestState | None,
    ) -> None:
        """Write an "end" event."""
        self._write(
            "end",
            slot=slot,
            game=game.number,
            pair=game.pair,
            white=game.white,
            black=game.black,
            result=summary.result,
            reason=summary.reason,
            detail=summary.detail,
            plies=summary.plies,
            counted=summary.counted,
            played=standings.games,
            **test_values(test),
        )

    def told(self, event: str, player: str, detail: str) -> None:
        """Write the event under its own name."""
        self._write(event, player=player, detail=detail)

    def match_ended(self, ending: Ending, standings: Standings, test: TestState | None) -> None:
        """Write a "finish" event."""
        self._write("finish", ending=ending, played=standings.games, **test_values(test))


def test_values(test: TestState | None) -> dict[str, object]:
    """Return a sequential test's state for JSON; nothing without a test."""
    if test is None:
        return {}
    return {
        "llr": finite(test.ratio),
        "bounds": [round(bound, 3) for bound in test.bounds],
        "decision": test.decision,
    }


def finite(value: float | None) -> float | None:
    """Return a number that JSON can hold: None for infinity."""
    return None if value is None or not math.isfinite(value) else round(value, 4)
