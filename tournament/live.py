"""A match in the terminal: the cross table, the games in progress and the time left, drawn anew once a second."""

from collections import deque

import trio
from attrs import define, field
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from rules.game import Game
from tournament.observer import Ending, Observer, TestState
from tournament.openings import Opening
from tournament.progress import Timer
from tournament.record import Ply
from tournament.schedule import ScheduledGame
from tournament.settings import MatchSettings
from tournament.standings import Standings
from tournament.statistics import best_evidence, elo_estimate, superiority
from tournament.summary import GameSummary
from tournament.wording import duration, elo_text, percent, tally_text, test_text

#: Drawing costs some milliseconds of the loop that also times the engines: not more often than this, in seconds.
INTERVAL = 1.0
REMARKS = 4


@define
class Board:
    """A game in progress: its last moves by White and Black, with clock, score and depth."""

    game: ScheduledGame
    opening: Opening
    plies: int = 0
    last: list[Ply | None] = field(factory=lambda: [None, None])


class LiveTable(Observer):
    """Draws on the terminal until the match ends."""

    def __init__(self, console: Console | None = None) -> None:
        """Draw on `console`, by default stdout."""
        self._live = Live(console=console or Console(), auto_refresh=False, transient=False)
        self._settings: MatchSettings | None = None
        self._standings = Standings()
        self._planned = 0
        self._boards: dict[int, Board] = {}
        self._test: TestState | None = None
        self._timer: Timer | None = None
        self._drawn = -INTERVAL
        self._remarks: deque[str] = deque(maxlen=REMARKS)

    def match_began(self, settings: MatchSettings, planned: int, slots: int, standings: Standings) -> None:
        """Begin to draw."""
        self._settings, self._planned, self._standings = settings, planned, standings
        self._timer = Timer(planned, standings.games)
        self._live.start()
        self._draw()

    def game_began(self, slot: int, game: ScheduledGame, opening: Opening) -> None:
        """Show the game."""
        self._boards[slot] = Board(game, opening)
        self._draw_in_time()

    def move_made(self, slot: int, game: Game, ply: Ply) -> None:
        """Show the move."""
        board = self._boards[slot]
        board.plies = len(game.moves)
        board.last[game.turn.other] = ply
        self._draw_in_time()

    def game_ended(
        self,
        slot: int,
        game: ScheduledGame,
        summary: GameSummary,
        standings: Standings,
        test: TestState | None,
    ) -> None:
        """Show the result in the table."""
        self._boards.pop(slot, None)
        self._standings, self._test = standings, test
        self._draw_in_time()

    def told(self, event: str, player: str, detail: str) -> None:
        """Show a remark."""
        self._remarks.append(": ".join(part for part in (event, player, detail) if part))
        if self._timer is not None:
            self._draw()

    def match_ended(self, ending: Ending, standings: Standings, test: TestState | None) -> None:
        """Leave the last table on the terminal."""
        self._boards.clear()
        self._remarks.append(f"{ending}: {standings.games} of {self._planned} games")
        self._draw()
        self._live.stop()

    def _draw_in_time(self) -> None:
        if trio.current_time() - self._drawn >= INTERVAL:
            self._draw()

    def _draw(self) -> None:
        self._drawn = trio.current_time()
        self._live.update(self.render(), refresh=True)

    def render(self) -> RenderableType:
        """Return what is drawn."""
        parts = [self._cross_table(), self._games(), self._progress()]
        if self._test is not None:
            parts.append(Text(test_text(self._test)))
        parts += [Text(remark, style="dim") for remark in self._remarks]
        return Group(*parts)

    def _cross_table(self) -> RenderableType:
        names = [player.name for player in self._settings.players] if self._settings else []
        table = Table("Player", title=self._settings.name if self._settings else None)
        for column in ("Games", "Score", "Elo", "LOS", *names):
            table.add_column(column, justify="right", no_wrap=True)
        for name in sorted(names, key=lambda name: -(self._standings.tally(name).score or 0)):
            tally = self._standings.tally(name)
            evidence = best_evidence(tally, self._standings.pair_counts(name))
            against = [
                tally_text(self._standings.tally(name, other)) if other != name else "" for other in names
            ]
            table.add_row(
                name,
                str(tally.games),
                percent(tally.score),
                elo_text(elo_estimate(evidence)),
                percent(superiority(evidence)),
                *against,
            )
        return table

    def _games(self) -> RenderableType:
        table = Table("Game", "White", "Black", "Opening", "Ply", box=None)
        table.add_column("White's last")
        table.add_column("Black's last")
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
        done = self._standings.games
        timer = self._timer
        left = timer.left(done) if timer is not None else None
        line = Table.grid(padding=(0, 1))
        line.add_row(
            ProgressBar(total=max(self._planned, 1), completed=done, width=40),
            f"{done}/{self._planned}",
            "" if timer is None else duration(timer.elapsed),
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
