"""A match as lines of text or of JSON, for logs, pipes and scripts."""

import json
import math
import os
import sys
from collections.abc import Callable

import trio

from tournament.events import (
    Event,
    GameBegan,
    GameEnded,
    MatchBegan,
    MatchEnded,
    MoveMade,
    SprtState,
    Told,
)
from tournament.statistics import elo_estimate
from tournament.wording import duration, elo_text, sprt_text, tally_text

Write = Callable[[str], object]


def print_line(text: str) -> None:
    """Write a line to stdout at once.

    When nobody reads it any more (a closed pipe, a lost terminal) the match goes on: its results are stored.
    """
    try:
        sys.stdout.write(text + "\n")
        sys.stdout.flush()
    except OSError:
        # Python flushes stdout again at exit, which must not fail either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class Timer:
    """Estimates how long a match will still take, from the games of this run."""

    def __init__(self, planned: int, done: int) -> None:
        """Start now, with `done` of `planned` games played before."""
        self.planned = planned
        self._before = done
        self._began = trio.current_time()

    @property
    def elapsed(self) -> float:
        """Seconds since the start of this run."""
        return trio.current_time() - self._began

    def left(self, done: int) -> float | None:
        """Return the seconds until all is played at the pace of this run; None before its first game."""
        played = done - self._before
        return self.elapsed / played * (self.planned - done) if played else None


class PlainLines:
    """An observer that writes one line for each finished game."""

    def __init__(self, write: Write = print_line) -> None:
        """Give each line to `write`, without its end."""
        self._write = write
        self._first = ""
        self._timer: Timer | None = None

    def __call__(self, event: Event) -> None:
        """Write what is worth a line."""
        match event:
            case MatchBegan():
                self._first = event.settings.players[0].name
                self._timer = Timer(event.planned, event.standings.games)
                self._write(headline(event))
            case GameEnded():
                self._write(self._game_line(event))
            case Told():
                self._write(str(event))
            case MatchEnded():
                planned = self._timer.planned if self._timer else 0
                self._write(f"{event.ending}: {event.standings.games} of {planned} games")

    def _game_line(self, event: GameEnded) -> str:
        """Return how a game ended and how the first player stands."""
        summary, standings, first = event.summary, event.standings, self._first
        left = self._timer.left(standings.games) if self._timer else None
        detail = f" ({summary.detail})" if summary.detail else ""
        parts = [
            f"{standings.games}/{self._timer.planned if self._timer else 0}",
            f"{summary.white} - {summary.black} {summary.result}",
            f"{summary.reason}{detail}, {summary.plies} plies",
            "" if summary.counted else "not counted",
            f"{first} {tally_text(standings.tally(first))}",
            f"Elo {elo_text(elo_estimate(standings.pair_counts(first)))}" if standings.pairs else "",
            sprt_text(event.sprt) if event.sprt else "",
            f"{duration(left)} left" if left else "",
        ]
        return "  ".join(part for part in parts if part)


def headline(event: MatchBegan) -> str:
    """Return what will be played, in a line."""
    settings = event.settings
    names = ", ".join(player.name for player in settings.players)
    before = f", {event.standings.games} played before" if event.standings.games else ""
    return (
        f"{settings.name}: {names}; {event.planned} games{before}, {event.slots} at once; "
        f"openings {settings.openings}, seed {settings.seed}"
    )


class JsonLines:
    """An observer that writes one JSON object a line for each event; its kind is under "event"."""

    def __init__(self, write: Write = print_line) -> None:
        """Give each line to `write`, without its end."""
        self._write = write

    def __call__(self, event: Event) -> None:
        """Write the event."""
        self._write(json.dumps(event_values(event)))


def event_values(event: Event) -> dict[str, object]:
    """Return an event for JSON. Games are numbered from 0, slots too."""
    match event:
        case MatchBegan():
            return {
                "event": "match",
                "name": event.settings.name,
                "players": [player.name for player in event.settings.players],
                "planned": event.planned,
                "played": event.standings.games,
                "slots": event.slots,
            }
        case GameBegan():
            return {
                "event": "begin",
                "slot": event.slot,
                "game": event.game.number,
                "pair": event.game.pair,
                "white": event.game.white,
                "black": event.game.black,
                "opening": event.opening.name,
            }
        case MoveMade():
            return {
                "event": "move",
                "slot": event.slot,
                "ply": len(event.game.moves),
                "move": event.ply.move.hub,
                "seconds": round(event.ply.seconds, 6),
                "clock": event.ply.clock,
                "score": event.ply.score,
                "depth": event.ply.depth,
            }
        case GameEnded():
            summary = event.summary
            return {
                "event": "end",
                "slot": event.slot,
                "game": event.game.number,
                "pair": event.game.pair,
                "white": summary.white,
                "black": summary.black,
                "result": summary.result,
                "reason": summary.reason,
                "detail": summary.detail,
                "plies": summary.plies,
                "counted": summary.counted,
                "played": event.standings.games,
                "sprt": sprt_values(event.sprt),
            }
        case Told():
            return {"event": event.kind, "player": event.player, "detail": event.detail}
        case MatchEnded():
            return {
                "event": "finish",
                "ending": event.ending,
                "played": event.standings.games,
                "sprt": sprt_values(event.sprt),
            }


def sprt_values(state: SprtState | None) -> dict[str, object] | None:
    """Return a sequential test's state for JSON."""
    if state is None:
        return None
    return {
        "llr": finite(state.ratio),
        "bounds": [round(bound, 3) for bound in state.bounds],
        "decision": state.decision,
    }


def finite(value: float | None) -> float | None:
    """Return a number that JSON can hold: None for infinity."""
    return None if value is None or not math.isfinite(value) else round(value, 4)
