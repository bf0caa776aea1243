"""A match in the terminal: cross table, games in progress and time left, drawn anew once a second."""

import contextlib
from collections import deque

import trio
from attrs import define, field
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from tournament.events import Event, GameBegan, GameEnded, MatchBegan, MatchEnded, MoveMade, SprtState, Told
from tournament.openings import Opening
from tournament.progress import Timer
from tournament.record import Ply
from tournament.schedule import ScheduledGame
from tournament.settings import MatchSettings
from tournament.standings import Standings
from tournament.statistics import best_evidence, elo_estimate, superiority
from tournament.wording import duration, elo_text, percent, sprt_text, tally_text

#: Drawing costs some milliseconds of the loop that also times the engines: not more often than this (s).
INTERVAL = 1.0
REMARKS = 4


@define
class Board:
    """A game in progress: its last moves by White and Black, with clock, score and depth."""

    game: ScheduledGame
    opening: Opening
    plies: int = 0
    last: list[Ply | None] = field(factory=lambda: [None, None])


class LiveTable:
    """An observer that draws on the terminal until the match ends."""

    def __init__(self, console: Console | None = None) -> None:
        """Draw on `console`, by default stdout."""
        self._live = Live(console=console or Console(), auto_refresh=False)
        self._settings: MatchSettings | None = None
        self._standings = Standings()
        self._boards: dict[int, Board] = {}
        self._sprt: SprtState | None = None
        self._timer: Timer | None = None
        self._drawn = 0.0
        self._over = False
        self._remarks: deque[str] = deque(maxlen=REMARKS)

    def __call__(self, event: Event) -> None:
        """Take an event in, and draw if it is time to."""
        match event:
            case MatchBegan():
                self._settings, self._standings = event.settings, event.standings
                self._timer = Timer(event.planned, event.standings.games)
                self._live.start()
            case GameBegan():
                self._boards[event.slot] = Board(event.game, event.opening)
            case MoveMade():
                board = self._boards[event.slot]
                board.plies = len(event.game.moves)
                board.last[event.game.turn.other] = event.ply
            case GameEnded():
                self._boards.pop(event.slot, None)
                self._standings, self._sprt = event.standings, event.sprt
            case Told():
                self._remarks.append(str(event))
            case MatchEnded():
                self._boards.clear()
                self._over = True
                self._remarks.append(f"{event.ending}: {event.standings.games} games")
        self._draw(at_once=not isinstance(event, GameBegan | MoveMade | GameEnded))
        if isinstance(event, MatchEnded):
            self._live.stop()

    def _draw(self, *, at_once: bool) -> None:
        now = trio.current_time()
        if self._live.is_started and (at_once or now - self._drawn >= INTERVAL):
            self._drawn = now
            with contextlib.suppress(OSError):  # a lost terminal is no reason to end a match
                self._live.update(self.render(), refresh=True)

    def render(self) -> RenderableType:
        """Return what is drawn."""
        games = [self._games()] if self._boards else []
        parts = [self._cross_table(), *games, self._progress()]
        if self._sprt is not None:
            parts.append(Text(sprt_text(self._sprt)))
        return Group(*parts, *(Text(remark, style="dim") for remark in self._remarks))

    def _cross_table(self) -> RenderableType:
        names = [player.name for player in self._settings.players] if self._settings else []
        table = Table("Player", title=self._settings.name if self._settings else None)
        for column in ("Games", "Score", "Elo", "LOS", *names):
            table.add_column(column, justify="right", no_wrap=True)
        standings = self._standings
        for name in sorted(names, key=lambda name: -(standings.tally(name).score or 0)):
            tally = standings.tally(name)
            evidence = best_evidence(tally, standings.pair_counts(name))
            table.add_row(
                name,
                str(tally.games),
                percent(tally.score),
                elo_text(elo_estimate(evidence)),
                percent(superiority(evidence)),
                *(tally_text(standings.tally(name, other)) if other != name else "" for other in names),
            )
        return table

    def _games(self) -> RenderableType:
        table = Table("Game", "White", "Black", "Opening", "Ply", "White's last", "Black's last", box=None)
        for _, board in sorted(self._boards.items()):
            table.add_row(
                str(board.game.number + 1),
                board.game.white,
                board.game.black,
                board.opening.name[:24],
                str(board.plies),
                *(move_text(ply) for ply in board.last),
            )
        return table

    def _progress(self) -> RenderableType:
        done, timer = self._standings.games, self._timer
        line = Table.grid(padding=(0, 1))
        if timer is not None:
            left = None if self._over else timer.left(done)
            line.add_row(
                ProgressBar(total=max(timer.planned, 1), completed=done, width=40),
                f"{done}/{timer.planned}",
                duration(timer.elapsed),
                "" if left is None else f"{duration(left)} left",
            )
        return line


def move_text(ply: Ply | None) -> str:
    """Return a move with its score, depth and the clock after it: "32-28 +0.12/17 4:31"."""
    if ply is None:
        return ""
    score = "" if ply.score is None else f"{ply.score:+.2f}"
    depth = "" if ply.depth is None else f"/{ply.depth}"
    clock = f"{ply.seconds:.2f}s" if ply.clock is None else duration(ply.clock)
    return " ".join(part for part in (str(ply.move), score + depth, clock) if part)
