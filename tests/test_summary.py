"""tournament.summary: a game in one line."""

from match_games import game_record

from rules.colour import Colour
from rules.fen import parse_fen
from rules.game import Reason
from tournament.summary import TimeUse, summarise


def test_each_side_has_its_own_time_whoever_moves_first() -> None:
    # The plies take 0.25, 0.5, 0.75 seconds.
    for fen, first in (("W:W31,32:B19,20", Colour.WHITE), ("B:W31,32:B19,20", Colour.BLACK)):
        record = game_record(plies=3, start=parse_fen(fen))
        summary = summarise(record, number=None, pair=None, opening="", counted=True)
        assert summary.times[first] == TimeUse(2, 1.0, 0.75)
        assert summary.times[first.other] == TimeUse(1, 0.5, 0.5)
        assert summary.plies == 3
        assert summary.seconds == 12


def test_points() -> None:
    won = game_record(winner=Colour.BLACK, reason=Reason.RESIGN)
    summary = summarise(won, number=0, pair=0, opening="", counted=True)
    assert (summary.points(Colour.WHITE), summary.points(Colour.BLACK)) == (0, 1)
    drawn = summarise(game_record(), number=0, pair=0, opening="", counted=True)
    assert (drawn.points(Colour.WHITE), drawn.points(Colour.BLACK)) == (0.5, 0.5)


def test_time_use_adds_up() -> None:
    assert TimeUse(1, 2.0, 2.0).plus(TimeUse(2, 3.0, 1.5)) == TimeUse(3, 5.0, 2.0)
