"""The bitbases in the hands of the referee (what the draw clocks allow) and of the engine (wins are won)."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bonnard import endgames
from bonnard.errors import FailedError
from engine import bitbase, bitbase_file
from engine.bitbase import Value
from engine.limits import Limits
from engine.searcher import Searcher
from rules.colour import Colour
from rules.fen import parse_fen
from rules.game import Game, Reason
from rules.move import Move
from rules.notation import parse_move
from tests import known
from tournament.conduct import Conduct, Probe, Verdict
from tournament.verdict import judge_by_bitbase


@pytest.fixture(scope="module")
def probe(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Probe]:
    """Return the probe that `match` and `serve` give the referee."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield endgames.referee_probe()
    bitbase_file.unload()


def played(fen: str, moves: str = "") -> Game:
    """Return a game after some moves."""
    game = Game(parse_fen(fen))
    for text in moves.split():
        game.push(parse_move(text, game.position))
    return game


@pytest.mark.parametrize(
    ("fen", "expected"),
    [
        ("W:WK1,K7:BK50", Verdict("win", 7)),
        ("W:WK47,K48,K49:BK28", Verdict("draw")),
        ("B:W33:B28,45", Verdict("win", 1)),
        ("W:W46:B41,37", Verdict("loss", 0)),
        ("W:W31-50:B1-20", None),
    ],
)
def test_the_probe_says_what_the_tables_hold(probe: Probe, fen: str, expected: Verdict | None) -> None:
    assert probe(parse_fen(fen)) == expected


def test_a_win_within_the_clocks_is_adjudicated(probe: Probe) -> None:
    outcome = judge_by_bitbase(played("W:WK1,K7:BK50"), Conduct(probe=probe))
    assert outcome is not None
    assert (outcome.winner, outcome.reason) == (Colour.WHITE, Reason.ADJUDICATION_BITBASE)


def test_a_win_that_a_running_clock_forestalls_is_played_on(probe: Probe) -> None:
    # Two kings against one may move five times each; white has wasted three of its moves.
    game = played("W:WK1,K7:BK50", "1-6 50-45 6-1 45-50 1-6 50-45 6-1 45-50")
    left = min(game.draw_clocks().values())
    said = probe(game.position)
    assert said is not None
    assert said.value == "win"
    assert said.plies is not None
    assert said.plies > left
    assert judge_by_bitbase(game, Conduct(probe=probe)) is None


def test_damage_is_told_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bitbases.bin").write_text("hello")
    monkeypatch.setattr(bitbase_file, "_loaded", {})
    monkeypatch.setattr(bitbase_file, "SHIPPED", tmp_path / "bitbases.bin")
    with pytest.raises(FailedError, match=r"bitbases\.bin"):
        endgames.referee_probe()


def delaying(game: Game) -> Move:
    """Return the move after which the loser holds out longest."""

    def plies(move: Move) -> int:
        after = game.position.make(move)
        return (bitbase.distance(after) or 0) if bitbase.value(after) is Value.WIN else 1000

    return max(game.legal_moves(), key=plies)


@pytest.mark.parametrize("row", known.longest_wins(), ids=lambda row: row["fen"])
def test_the_engine_wins_what_is_won_as_fast_as_can_be(probe: Probe, row: dict[str, Any]) -> None:
    game = Game(parse_fen(row["fen"]))
    engine = Searcher(tt_mb=1)
    told = engine.search(game, Limits(nodes=1000)).win_in
    while game.outcome() is None and len(game) < row["plies"]:
        ours = game.turn is Colour.WHITE
        move = engine.search(game, Limits(nodes=1000)).move if ours else delaying(game)
        assert move is not None
        game.push(move)
    outcome = game.outcome()
    assert outcome is not None
    assert (outcome.winner, outcome.reason) == (Colour.WHITE, Reason.NO_MOVE)
    assert told == len(game) == row["plies"]
