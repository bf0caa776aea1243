"""A game in one line: what tables and statistics need of it, without its moves."""

from attrs import frozen

from rules.colour import Colour
from rules.game import Reason
from tournament.record import GameRecord


@frozen
class TimeUse:
    """What one side of a game did with its time: moves made, seconds for all of them and for the longest."""

    moves: int = 0
    seconds: float = 0.0
    longest: float = 0.0

    def plus(self, other: "TimeUse") -> "TimeUse":
        """Return the use of both together."""
        return TimeUse(
            self.moves + other.moves, self.seconds + other.seconds, max(self.longest, other.longest)
        )


@frozen
class GameSummary:
    """A stored game without its moves. `times` are white's and black's."""

    number: int | None
    pair: int | None
    counted: bool
    opening: str
    white: str
    black: str
    winner: Colour | None
    reason: Reason
    detail: str
    result: str
    times: tuple[TimeUse, TimeUse]
    seconds: float

    @property
    def plies(self) -> int:
        """The length of the game."""
        return self.times[0].moves + self.times[1].moves

    def points(self, colour: Colour) -> float:
        """Return the points of a side: 1, 0.5 or 0."""
        return 0.5 if self.winner is None else float(self.winner is colour)


def summarise(
    record: GameRecord, *, number: int | None, pair: int | None, opening: str, counted: bool
) -> GameSummary:
    """Return the summary of a game just played."""
    first = record.start.turn
    uses = []
    for colour in Colour:
        seconds = [ply.seconds for ply in record.plies[0 if colour is first else 1 :: 2]]
        uses.append(TimeUse(len(seconds), sum(seconds), max(seconds, default=0.0)))
    return GameSummary(
        number,
        pair,
        counted,
        opening,
        record.white,
        record.black,
        record.outcome.winner,
        record.outcome.reason,
        record.detail,
        record.outcome.result,
        (uses[0], uses[1]),
        (record.finished - record.started).total_seconds(),
    )
