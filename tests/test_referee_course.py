"""The referee's order of doing things: who is told when, and who is no longer waited for."""

import trio
from actors import Actor

from rules.clock import TimeControl
from rules.colour import Colour
from rules.game import Game, Reason
from rules.position import Position
from tournament.conduct import Conduct, Terms
from tournament.player import Played
from tournament.record import Ply
from tournament.referee import play_game

MINUTE = TimeControl.parse("1m")
TERMS = Terms(Position.start(), (MINUTE, MINUTE), move_limit=2)


async def test_moves_are_told_once_in_order_and_behind_the_next_request() -> None:
    """Whoever draws a table does not come between a move and the request to the other side."""
    happened: list[str] = []

    def step(game: Game) -> Played:
        happened.append(f"asked {len(game.moves)}")
        return Played(game.legal_moves()[0], 0.0)

    def told(game: Game, ply: Ply) -> None:
        assert game.moves[-1] == ply.move
        happened.append(f"told {len(game.moves)}")

    players = Actor("A", steps=[step] * 2), Actor("B", steps=[step] * 2)
    await play_game(*players, TERMS, Conduct(), on_ply=told)
    assert happened == [
        "asked 0", "asked 1", "told 1", "asked 2", "told 2", "asked 3", "told 3", "told 4",
    ]  # fmt: skip


async def test_an_engine_that_hangs_is_not_waited_for_again(autojump_clock: trio.testing.MockClock) -> None:
    """It is ended anyway; a DXP program, which somebody else started, is told how the game ended."""
    for remote in (False, True):
        hung = Actor("A", delay=1e6, remote=remote)
        record = await play_game(hung, Actor("B"), TERMS, Conduct())
        assert record.outcome.reason is Reason.STALL
        assert record.broken == {Colour.WHITE}
        assert any(heard[0] == "finish" for heard in hung.heard if isinstance(heard, tuple)) is remote
