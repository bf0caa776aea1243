"""The moves that led to a node, as the draw rules see them.

Nodes stand in an array, the game's history first, then the line being searched; a node can repeat only nodes
since the last man move or capture. The clocks are those of rules.md 10: 25 moves with kings only, and the 16
and 5 moves against a lone king, each started when its material first stands on the board and dropped when the
material is in neither class.
"""

import cython
from cython.cimports.rules.bitboard import Bits, popcount
from cython.cimports.rules.board import WHITE_TURN, Board, key, key_after, occupied

FEW_PIECES = cython.declare(cython.int, 4)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def lone_king_class(board: Board) -> cython.int:
    """Return 16 or 5 when that rule's material is on the board, else 0."""
    white: cython.int = popcount(board.white_men | board.white_kings)
    black: cython.int = popcount(board.black_men | board.black_kings)
    more: cython.int
    if black == 1 and board.black_kings and board.white_kings:
        more = white
    elif white == 1 and board.white_kings and board.black_kings:
        more = black
    else:
        return 0
    if more == 3:
        return 16
    return 5 if more < 3 else 0


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _set_remaining(node: cython.pointer(Node)) -> cython.void:
    node.remaining = KING_PLIES - node.reversible
    if node.sixteen >= 0 and SIXTEEN_PLIES - node.sixteen < node.remaining:
        node.remaining = SIXTEEN_PLIES - node.sixteen
    if node.five >= 0 and FIVE_PLIES - node.five < node.remaining:
        node.remaining = FIVE_PLIES - node.five


def begin(node, board):
    """Make the first node of a game."""
    material: cython.int = lone_king_class(board)
    node.key = key(board)
    node.reversible = 0
    node.sixteen = 0 if material == 16 else NO_CLOCK
    node.five = 0 if material == 5 else NO_CLOCK
    _set_remaining(node)


def follow(node, before, step, after):
    """Make the node that follows `node`, next to it in the array."""
    child: cython.pointer(Node) = node + 1
    kings: Bits = before.white_kings if before.turn == WHITE_TURN else before.black_kings
    material: cython.int
    child.key = key_after(node.key, before, step)
    if step.captured == 0 and (kings >> step.from_bit) & 1:
        child.reversible = node.reversible + 1
    else:
        child.reversible = 0
    child.sixteen = NO_CLOCK
    child.five = NO_CLOCK
    child.remaining = KING_PLIES - child.reversible
    if popcount(occupied(after)) > FEW_PIECES:
        return
    material = lone_king_class(after)
    if material == 0:
        return
    if material == 16:
        child.sixteen = node.sixteen + 1
    else:
        child.five = node.five + 1
        if node.sixteen >= 0:
            child.sixteen = node.sixteen + 1
    _set_remaining(child)


def repeated(node):
    """Return whether the position of `node` stood on the board before, with the same side to move."""
    back: cython.int
    for back in range(4, node.reversible + 1, 2):
        if node[-back].key == node.key:
            return True
    return False
