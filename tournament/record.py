"""A played game as a value: what the referee hands over, the store keeps and the reports read."""

from attrs import frozen

from rules.colour import Colour
from rules.game import Outcome
from rules.move import Move
from rules.position import Position


@frozen
class PlayedMove:
    """One ply of a game as it was played.

    `seconds` is what the referee measured, from the flushed request to the last byte of the answer. `clock` is the bank
    left after the ply, in seconds, or None without a game clock. `score` is in men from the mover's point of view;
    it and `depth` are None where the player told none.
    """

    move: Move
    seconds: float = 0.0
    clock: float | None = None
    score: float | None = None
    depth: int | None = None


@frozen
class GameRecord:
    """A finished or broken-off game between two named players.

    `started` is in seconds since 1970 (UTC), `seconds` the length of the game by the wall clock. `white_time` and
    `black_time` are the time controls in the words of the command line ("5m/75", "0.1s a move"). `detail` says more than
    the reason can: the signal of a crash, the text of an illegal move. `round` is the PDN tag's value.
    """

    white: str
    black: str
    start: Position
    moves: tuple[PlayedMove, ...]
    outcome: Outcome
    started: float
    seconds: float = 0.0
    detail: str = ""
    white_time: str = ""
    black_time: str = ""
    round: str = ""

    def player(self, colour: Colour) -> str:
        """Return the name of the player of `colour`."""
        return self.white if colour is Colour.WHITE else self.black
