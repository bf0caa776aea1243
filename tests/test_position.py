"""rules.position and rules.move: what Python sees of the kernels."""

import pickle

import pytest
from hypothesis import given
from strategies import positions

from rules.colour import Colour
from rules.fen import parse_fen
from rules.move import Move
from rules.position import Position

pytestmark = pytest.mark.rules


def turned(move: Move) -> Move:
    return Move(51 - move.from_square, 51 - move.to_square, tuple(51 - square for square in move.captured))


@given(positions())
def test_the_board_turned_with_colours_exchanged_has_the_same_moves(position: Position) -> None:
    rotated = position.rotated()
    assert rotated.rotated() == position
    assert sorted(turned(move) for move in rotated.legal_moves()) == position.legal_moves()
    for move in position.legal_moves():
        assert rotated.make(turned(move)) == position.make(move).rotated()


@given(positions())
def test_values_compare_hash_and_pickle_by_what_they_hold(position: Position) -> None:
    twin = Position.of(
        position.white_men, position.white_kings, position.black_men, position.black_kings, position.turn
    )
    assert twin == position
    assert (hash(twin), twin.key) == (hash(position), position.key)
    assert pickle.loads(pickle.dumps(position)) == position  # noqa: S301 - our own bytes
    for move in position.legal_moves():
        assert pickle.loads(pickle.dumps(move)) == move  # noqa: S301 - our own bytes
        assert position.is_legal(Move(move.from_square, move.to_square, reversed(move.captured)))
        after = position.make(move)
        assert after.turn is position.turn.other
        assert after != position
        assert after.key != position.key


@given(positions())
def test_moves_between_are_the_legal_moves_of_these_squares(position: Position) -> None:
    moves = position.legal_moves()
    assert moves == sorted(moves)
    for move in moves:
        same = [other for other in moves if other.short == move.short]
        assert position.moves_between(move.from_square, move.to_square) == same


def test_the_start_position() -> None:
    start = Position.start()
    assert (start.white_men, start.black_men) == (tuple(range(31, 51)), tuple(range(1, 21)))
    assert (start.white_kings, start.black_kings, start.turn) == ((), (), Colour.WHITE)
    assert [start.piece_at(square) for square in (1, 25, 50)] == ["b", "e", "w"]
    assert start.rotated() == parse_fen("B:W31-50:B1-20")


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        (((0,), (), (), ()), "square 0 is not in 1..50"),
        (((51,), (), (), ()), "square 51 is not in 1..50"),
        (((31,), (), (31,), ()), "square 31 is given twice"),
        (((5,), (), (), ()), "white man on 5"),
        (((), (), (46,), ()), "black man on 46"),
        ((range(30, 51), (), (), ()), "white has 21 pieces"),
    ],
)
def test_impossible_positions_are_refused(groups: tuple[tuple[int, ...], ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Position.of(groups[0], groups[1], groups[2], groups[3], Colour.WHITE)


def test_a_move_as_text() -> None:
    capture = Move(28, 19, (23,))
    assert (capture.hub, capture.short, str(capture), capture.is_capture) == (
        "28x19x23",
        "28x19",
        "28x19",
        True,
    )
    assert (Move(32, 28).hub, Move(32, 28).is_capture) == ("32-28", False)
    assert Move(1, 50, (30, 20)).captured == (20, 30)
    with pytest.raises(ValueError, match=r"squares are 1\.\.50"):
        Move(0, 5)
