"""The hand-made evaluation against a plain one, made from squares, and what it is to know."""

import itertools
import random
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from diagonals import Cell, cell, on_board
from test_evaluate import attacked, divisor, lopsided, pieces, reach, samples

from engine import evaluate
from engine.assets import HAND_MADE, LEARNED, folded, load_evaluation
from engine.handmade import NUMBERS, handmade
from hub.serve import Front
from rules.fen import parse_fen
from rules.position import Position

SQUARES = [cell(square) for square in range(1, 51)]
LONG_DIAGONAL = [(9 - step, step) for step in range(10)]


class Side:
    """The men of a position as white sees them, or black on the turned board."""

    def __init__(self, seen: Position) -> None:
        """Look at the men."""
        self.mine = {cell(square) for square in seen.white_men}
        self.theirs = {cell(square) for square in seen.black_men}

    def state(self, at: Cell) -> str:
        """Return what stands somewhere; kings count as empty."""
        if not on_board(at):
            return "off"
        return "mine" if at in self.mine else "theirs" if at in self.theirs else "empty"

    def around(self, at: Cell) -> tuple[str, str, str, str]:
        """Return what stands before a square and behind it: left, right, left, right."""
        row, file = at
        steps = ((-1, -1), (-1, 1), (1, -1), (1, 1))
        first, second, third, fourth = (self.state((row + down, file + right)) for down, right in steps)
        return first, second, third, fourth

    def window(self, window: int, rows: range) -> tuple[int, int]:
        """Return the numbers of men of both sides in some rows of a window."""
        squares = [at for at in SQUARES if at[0] in rows and at[1] // 2 in (window, window + 1)]
        return sum(at in self.mine for at in squares), sum(at in self.theirs for at in squares)


def safe(ahead: str, front: str, back: str) -> bool:
    """Return whether nobody can take what steps onto a square, coming from opposite of `ahead`."""
    return ahead != "theirs" and (front, back) not in {("theirs", "empty"), ("empty", "theirs")}


def man_terms(side: Side, at: Cell) -> Iterator[str]:
    """Yield the terms of a man."""
    rank, file = 9 - at[0], at[1]
    fronts, backs = side.around(at)[:2], side.around(at)[2:]
    behind = backs.count("mine")
    yield "man"
    yield from (f"rank_{rank}", f"file_{file}") if rank else (f"home_{file // 2 + 1}",)
    if rank in range(3, 7) and file in range(3, 7):
        yield "centre"
    if (fronts[0], backs[1]) == ("mine", "mine") or (fronts[1], backs[0]) == ("mine", "mine"):
        yield "column"
    if rank > 1:
        yield from ["support"] * behind
        if "mine" not in fronts + backs:
            yield "alone"
    if rank in (5, 6, 7):
        yield f"{('loose', 'half', 'held')[behind + backs.count('off')]}_{rank}"
    if "empty" not in fronts:
        yield "blocked"
    yield from ["faced"] * fronts.count("theirs")
    if fronts == ("theirs", "theirs"):
        yield "locked"
    lines = ((fronts[0], backs[1]), (fronts[1], backs[0]))
    if any(set(line) == {"theirs", "empty"} for line in lines):
        yield "threatened"


def empty_terms(side: Side, at: Cell) -> Iterator[str]:
    """Yield the terms of a square without a man."""
    left, right, back_left, back_right = side.around(at)
    step = "far_step" if at[0] < 4 else "step"
    if back_left == "mine" and safe(right, left, back_right):
        yield step
    if back_right == "mine" and safe(left, right, back_left):
        yield step
    yield from ["hole"] * [(left, back_right), (right, back_left)].count(("mine", "mine"))


def plain_terms(seen: Position) -> Counter[str]:
    """Return how often each term counts for white; a runner counts two, a half in each of two windows."""
    side, terms = Side(seen), Counter[str]()
    for at in SQUARES:
        terms.update(man_terms(side, at) if at in side.mine else ())
        terms.update(empty_terms(side, at) if side.state(at) == "empty" else ())
        terms["phalanx"] += at in side.mine and (at[0], at[1] + 2) in side.mine
    home = [cell(square) in side.mine for square in range(46, 51)]
    terms["home_gap"] = [any(pair) for pair in itertools.pairwise(home)].count(False)
    for window in range(4):
        for row in (1, 2, 3):
            guards = side.window(window, range(row))[1]
            for at in [at for at in side.mine if at[0] == row and at[1] // 2 in (window, window + 1)]:
                terms[f"runner_{9 - row}"] += (1 + (at[1] // 2 in (0, 4))) * (guards == 0)
        mine, theirs = side.window(window, range(4))
        terms["majority"] += max(0, mine - theirs)
        mine, theirs = side.window(window, range(2, 6))
        terms["press"] += max(0, mine - theirs)
        terms["hold"] += min(0, mine - theirs)
    kings = [cell(square) for square in seen.white_kings]
    if kings:
        terms["first_king"], terms["further_king"] = 1, len(kings) - 1
        reached = {target for king in kings for target in reach(king, seen)}
        terms["danger"] = sum(attacked(target, seen) for target in reached)
        terms["reach"] = len(reached) - terms["danger"]
        terms["long_diagonal"] = sum(at in LONG_DIAGONAL for at in kings)
    terms["lean"] = max(0, lopsided(seen) - 2)
    return terms


def plain_score(position: Position, numbers: dict[str, tuple[int, int]]) -> int:
    """Return the score by the definition; runners' numbers are to be even."""
    stage = min(32, 40 - len(pieces(position)))
    terms = plain_terms(position)
    terms.subtract(plain_terms(position.rotated()))
    terms["move"] = 1 if position.turn == 0 else -1
    total = 0
    for name, count in terms.items():
        opening, ending = numbers[name]
        worth = opening * (32 - stage) + ending * stage
        total += count * (worth // 2 if name.startswith("runner") else worth)
    divided = divisor(position if total > 0 else position.rotated())
    score = abs(total) // divided // 320 * (1 if total > 0 else -1)
    return score if position.turn == 0 else -score


def test_every_term_counts_where_it_should() -> None:
    chance = random.Random(11)
    numbers = {name: (2 * chance.randint(-99, 99), 2 * chance.randint(-99, 99)) for name in NUMBERS}
    evaluate.use_weights(folded(handmade(numbers)))
    for position in samples(12, 400):
        assert evaluate.score(position) == plain_score(position, numbers), position


def test_the_kernel_knows_the_terms_in_their_order() -> None:
    declared = Path(evaluate.__file__).with_name("handmade.pxd").read_text()
    names = re.findall(r"^    ([A-Z]\w*)", declared, re.MULTILINE)
    assert [name.lower() for name in names] == list(NUMBERS)


@pytest.fixture
def in_use() -> Iterator[None]:
    """Evaluate with the hand-made numbers in a test, and with the learned ones after it."""
    load_evaluation(HAND_MADE)
    yield
    load_evaluation(LEARNED)


@pytest.mark.usefixtures("in_use")
@pytest.mark.parametrize(
    ("better", "worse"),
    [
        # a man more
        ("W:W28,32,37,38,42:B8,9,13,14", "W:W32,37,38,42:B8,9,13,14"),
        # an outpost with support, and one without
        ("W:W23,28,29,37,42:B3,4,7,11,15", "W:W23,36,35,37,42:B3,4,7,11,15"),
        # the golden piece at home, instead of in the corner
        ("W:W48,33,38:B2,13,18", "W:W50,33,38:B2,13,18"),
        # a man that nobody stops
        ("W:W11,48:B14,15,20", "W:W31,48:B14,15,20"),
        # two wings instead of one
        ("W:W31,32,33,34:B16,17,18,19", "W:W30,34,35,40:B16,17,18,19"),
    ],
)
def test_what_is_better_scores_more(better: str, worse: str) -> None:
    assert evaluate.score(parse_fen(better)) > evaluate.score(parse_fen(worse))


@pytest.mark.usefixtures("in_use")
def test_a_king_is_worth_more_than_two_men_and_the_start_nothing() -> None:
    men = evaluate.score(parse_fen("W:W38,42,43,47,48:B3,4,8,9,13"))
    king = evaluate.score(parse_fen("W:WK46,42,43,47,48:B3,4,8,9,13"))
    assert 120 < king - men < 300, "the king has taken a man's place"
    start = Position.start()
    assert abs(evaluate.score(start)) < 15
    assert evaluate.score(start) == evaluate.score(start.rotated())


def test_the_evaluation_is_a_parameter_of_the_engine() -> None:
    lines: list[str] = []
    front = Front(lines.append, "1.0")

    def said(*commands: str) -> list[str]:
        lines.clear()
        for command in commands:
            front.handle(command)
        front.finish()
        return list(lines)

    declared = 'param name=evaluation value={} type=enum values="learned hand-made"'
    assert declared.format("learned") in said("hub")
    (error,) = said("set-param name=evaluation value=made-by-hand")
    assert "evaluation is learned or hand-made, not 'made-by-hand'" in error
    scores = []
    for name in ("learned", "hand-made", "learned"):
        assert said("set-param name=tt-size value=16", f"set-param name=evaluation value={name}", "init") == [
            "ready"
        ]
        assert declared.format(name) in said("hub")
        scores.append(evaluate.score(parse_fen("W:W27,32,38,43:B8,13,19,24")))
    assert scores[0] == scores[2] != scores[1]
