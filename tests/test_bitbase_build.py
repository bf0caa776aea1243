"""The generator against plain retrograde analysis by another move generator, and its refusals."""

from array import array
from collections.abc import Iterator

import pytest

from engine import bitbase, bitbase_build, bitbase_file
from engine.bitbase_file import Counts, opposite
from rules.position import Position
from tests.reference import State, legal_moves

Buffers = tuple[bytearray, bytearray]


@pytest.fixture(autouse=True)
def _empty() -> Iterator[None]:
    """Begin and end without tables."""
    bitbase_file.unload()
    yield
    bitbase_file.unload()


def solve(counts: Counts, stop: int = 0) -> dict[Counts, Buffers]:
    """Solve a class and its opposite."""
    sizes = {order: bitbase.slot_count(order) for order in (counts, opposite(counts))}
    buffers = {order: (bytearray(size), bytearray(size)) for order, size in sizes.items()}
    bitbase_build.solve(counts, (*buffers[counts], *buffers[opposite(counts)]), array("q", [0, stop]))
    return buffers


def attach_all(solved: dict[Counts, Buffers]) -> None:
    """Use the distances of solved classes."""
    for counts, (levels, states) in solved.items():
        bitbase.attach(counts, bitbase_build.distances(levels, states), 8)


TWO = ((0, 1, 0, 1), (0, 1, 1, 0), (1, 0, 1, 0))
"""The pairs of two pieces, each after those that it needs."""

Key = tuple[str, int, str, int]
"""A position of two pieces seen by the side to move, as white: our piece and square, theirs."""


def reference_keys() -> Iterator[Key]:
    """Yield all positions of two pieces; a man never stands on the row where it is crowned."""
    for ours, first in (("w", 6), ("W", 1)):
        for theirs, last in (("b", 45), ("B", 50)):
            for our_square in range(first, 51):
                for their_square in range(1, last + 1):
                    if our_square != their_square:
                        yield ours, our_square, theirs, their_square


def reference_plies() -> dict[Key, int | None]:
    """Return the plies to the end of all positions of two pieces, None for a draw: sweeps, ply by ply."""
    after = {key: list(reference_successors(key)) for key in reference_keys()}
    plies: dict[Key | None, int] = {None: 0}  # None: the other side has no piece left
    depth = 0
    while depth <= max(plies.values()) + 1:
        for key, followers in after.items():
            known = [plies[follower] for follower in followers if follower in plies]
            wins = any(number == depth - 1 and depth % 2 == 1 for number in known)
            loses = depth % 2 == 0 and len(known) == len(followers) and all(number % 2 for number in known)
            if key not in plies and (wins or loses):
                plies[key] = depth
        depth += 1
    return {key: plies.get(key) for key in after}


def reference_successors(key: Key) -> Iterator[Key | None]:
    """Yield the positions after each move, turned round; None where nothing is left."""
    ours, our_square, theirs, their_square = key
    cells = ["e"] * 50
    cells[our_square - 1], cells[their_square - 1] = ours, theirs
    state = State("W", "".join(cells))
    for move in legal_moves(state):
        if move[2]:
            yield None
        else:
            moved = state.after(move).cells[move[1] - 1]
            other = {"w": "b", "W": "B"}[moved]
            yield theirs.replace("b", "w").replace("B", "W"), 51 - their_square, other, 51 - move[1]


def test_two_pieces_agree_with_plain_analysis() -> None:
    for counts in TWO:
        attach_all(solve(counts))
    expected = reference_plies()
    assert len(expected) == 8845
    for (ours, our_square, theirs, their_square), plies in expected.items():
        squares = {"w": (), "W": (), "b": (), "B": (), ours: (our_square,), theirs: (their_square,)}
        position = Position.of(squares["w"], squares["W"], squares["b"], squares["B"], 0)
        assert bitbase.distance(position) == plies, position
        assert bitbase.distance(position.rotated()) == plies, position


def test_values_are_those_of_the_distances() -> None:
    solved = {}
    for counts in TWO:
        solved[counts] = solve(counts)
        tables = {order: bitbase_build.values(*buffers) for order, buffers in solved[counts].items()}
        attach_all(solved[counts])
        for order, table in tables.items():
            levels = solved[counts][order][0]
            for slot, level in enumerate(levels):
                value = table[slot >> 2] >> (slot & 3) * 2 & 3
                assert value == (0 if level == 0 else 2 if level & 1 else 1)


def test_without_distances_wins_draws_and_losses_are_the_same() -> None:
    exact, plain = [], []
    for counts in TWO:
        solved = solve(counts)
        exact += [bitbase_build.tally(*solved[order])[:3] for order in solved]
        attach_all(solved)
    bitbase.detach()
    for counts in TWO:
        solved = solve(counts)
        plain += [bitbase_build.tally(*solved[order])[:3] for order in solved]
        for order, buffers in solved.items():
            bitbase.attach(order, bitbase_build.values(*buffers), 2)
    assert plain == exact
    assert bitbase.pieces() == 2


def test_a_class_waits_for_those_that_it_needs() -> None:
    with pytest.raises(LookupError, match="not attached"):
        solve((1, 0, 1, 0))


def test_tables_of_the_wrong_size_are_refused() -> None:
    with pytest.raises(ValueError, match="2500 bytes"):
        bitbase_build.solve((0, 1, 0, 1), (bytearray(3),) * 4, array("q", [0, 0]))
    with pytest.raises(ValueError, match="too short"):
        bitbase.attach((0, 1, 0, 1), bytes(3), 2)


def test_another_thread_stops_it() -> None:
    with pytest.raises(KeyboardInterrupt):
        solve((0, 1, 0, 1), stop=1)
