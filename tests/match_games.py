"""Games and players for the tests of matches: made by hand, without any process."""

import datetime as dt
import random
from collections.abc import Callable, Sequence

import trio

from rules.clock import TimeControl
from rules.colour import Colour
from rules.game import Game, Outcome, Reason
from rules.position import Position
from tournament.player import Answer, Clocks, Fault, Notice, Played, Player, Setup
from tournament.record import GameRecord, Ply
from tournament.settings import Entrant, MatchSettings
from tournament.spec import parse_spec
from tournament.summary import GameSummary, summarise

BEGAN = dt.datetime(2026, 5, 4, 12, 0, 0, tzinfo=dt.UTC)
MINUTE = TimeControl(bank=60)


def game_record(  # noqa: PLR0917 - a game has many parts
    white: str = "A",
    black: str = "B",
    winner: Colour | None = None,
    reason: Reason = Reason.REPETITION,
    detail: str = "",
    plies: int = 4,
    start: Position | None = None,
) -> GameRecord:
    """Return a game of the first legal moves, with scores, depths and times that differ from ply to ply."""
    game = Game(start)
    played = []
    for number in range(plies):
        move = game.legal_moves()[0]
        game.push(move)
        played.append(Ply(move, 0.25 * (number + 1), number / 10, 5 + number, 1000, 60.0 - number))
    return GameRecord(
        white=white,
        black=black,
        start=game.start,
        plies=tuple(played),
        outcome=Outcome(winner, reason),
        detail=detail,
        controls=(MINUTE, MINUTE),
        move_limit=None,
        started=BEGAN,
        finished=BEGAN + dt.timedelta(seconds=12),
        remarks=("a remark",),
    )


def game_summary(
    number: int, white: str, black: str, winner: Colour | None, reason: Reason = Reason.NO_MOVE
) -> GameSummary:
    """Return the summary of a match's game; the pair is its number's half."""
    record = game_record(white, black, winner, reason if winner is not None else Reason.REPETITION)
    return summarise(record, number=number, pair=number // 2, opening=f"opening {number // 2}", counted=True)


class Mover(Player):
    """A player in this process: it plays a seeded random move after `seconds`, or what `answer` returns."""

    def __init__(
        self, name: str, seconds: float = 0.0, answer: Callable[[Game], Answer | None] | None = None
    ) -> None:
        """Prepare a player; `answer` returns None for an ordinary move."""
        self.name = name
        self._seconds = seconds
        self._answer = answer
        self._random = random.Random(name)
        self.opened = 0
        self.closed = 0
        self.broken = trio.Event()
        self.lasts: list[bool] = []
        """For each game that ended, whether it was said to be the last."""

    async def open(self) -> Fault | None:
        """Count."""
        self.opened += 1
        return None

    async def begin(self, setup: Setup) -> Fault | None:
        """Accept."""
        return None if setup.opponent else Fault("protocol", "no opponent")

    async def move(self, game: Game, clocks: Clocks) -> Answer:
        """Play."""
        answer = self._answer(game) if self._answer is not None else None
        await trio.sleep(self._seconds)
        if answer is not None:
            return answer
        move = self._random.choice(game.legal_moves())
        return Played(move, self._seconds, score=0.0, depth=1)

    async def watch(self) -> Notice:
        """Wait until the test breaks this player."""
        await self.broken.wait()
        return Fault("disconnect", "gone")

    async def finish(
        self,
        game: Game,
        outcome: Outcome,
        *,
        last: bool = False,
    ) -> Fault | None:
        """Accept the end."""
        self.lasts.append(last)
        return None

    async def close(self) -> None:
        """Count."""
        self.closed += 1


def settings_of(names: Sequence[str] = ("A", "B"), games: int = 4, **more: object) -> MatchSettings:
    """Return the settings of a match of Hub players with a minute each."""
    players = tuple(Entrant((parse_spec(f"{name}=builtin"),), MINUTE) for name in names)
    return MatchSettings(players, games, **more)  # type: ignore[arg-type]  # whatever a test sets
