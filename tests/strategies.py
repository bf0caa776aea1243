"""Positions and games for property tests."""

import random

from hypothesis import strategies as st

from rules.game import Game
from rules.move import Move
from rules.position import Position


def random_position(source: random.Random) -> Position:
    """Return a position with any number of pieces, from bare kings to crowded boards; kings are rarer."""
    squares = list(range(1, 51))
    source.shuffle(squares)
    share = source.choice((0.0, 0.1, 0.3, 1.0))
    most = 6 if share == 1.0 else source.choice((3, 8, 20))
    groups: list[list[int]] = [[], [], [], []]
    for side in (0, 1):
        for _ in range(source.randint(1, most)):
            square = squares.pop()
            crowned = square <= 5 if side == 0 else square >= 46
            king = crowned or source.random() < share
            groups[2 * side + king].append(square)
    return Position.of(groups[0], groups[1], groups[2], groups[3], source.choice((0, 1)))


def random_game(source: random.Random, plies: int, start: Position | None = None) -> Game:
    """Return a game of random moves, ended by the rules or after so many plies."""
    game = Game(start)
    while len(game) < plies and game.outcome() is None:
        game.push(source.choice(game.legal_moves()))
    return game


def shuffle(game: Game, plies: int) -> bool:
    """Play quiet king moves that allow no capture and repeat no position; return whether it was possible."""
    if not plies:
        return True
    for move in quiet_king_moves(game):
        game.push(move)
        if game.repetitions == 1 and shuffle(game, plies - 1):
            return True
        game.pop()
    return False


def quiet_king_moves(game: Game) -> list[Move]:
    """Return the king moves that take nothing and give nothing away."""
    return [
        move
        for move in game.legal_moves()
        if not move.is_capture
        and game.position.piece_at(move.from_square) in "WB"
        and not game.position.make(move).must_capture
    ]


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """Draw any position that a FEN may hold; a side may be without pieces."""
    squares = draw(st.lists(st.integers(1, 50), unique=True, max_size=40))
    groups: list[list[int]] = [[], [], [], []]
    for square in squares:
        side = draw(st.integers(0, 1))
        if len(groups[2 * side]) + len(groups[2 * side + 1]) == 20:
            side = 1 - side
        crowned = square <= 5 if side == 0 else square >= 46
        groups[2 * side + (crowned or draw(st.booleans()))].append(square)
    return Position.of(groups[0], groups[1], groups[2], groups[3], draw(st.integers(0, 1)))


@st.composite
def games(draw: st.DrawFn, plies: int = 80) -> Game:
    """Draw a game of legal moves from the start position or another one."""
    game = Game(draw(st.none() | positions()))
    for choice in draw(st.lists(st.integers(0, 1 << 16), max_size=plies)):
        moves = game.legal_moves()
        if not moves:
            break
        game.push(moves[choice % len(moves)])
    return game
