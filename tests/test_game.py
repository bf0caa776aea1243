"""rules.game: rules.md 3 and 10, and the draw cases."""

import random

import pytest
from hypothesis import given
from known import case, cases
from strategies import games, random_game, shuffle

from rules.colour import Colour
from rules.fen import format_fen, parse_fen
from rules.game import DRAW_LIMITS, Game, IllegalMoveError, Outcome, Reason
from rules.move import Move
from rules.notation import MoveTextError
from rules.position import Position

pytestmark = pytest.mark.rules

DRAW_CASES = [row for row in cases("rules") if "draw_after_ply" in row["expected"]]

# The game of rules.md 3.2: three kings against one, and a capture at ply 26 that leaves two.
THREE_TO_TWO = """47-38 3-9 46-23 9-22 38-24 22-17 48-31 17-39 24-38 39-17 31-42 17-22 38-15 22-6 42-31 6-1
31-18 1-6 18-13 6-17 15-20 17-39 13-18 39-17 20-33 17x39 18-13 39-33 13-27 33-17 23-19 17-12 27-22 12-29 19-32
29-12""".split()  # noqa: SIM905 - a game is read as a game


def played(fen: str, moves: list[str], draw_rules: str = "fmjd") -> list[Outcome | None]:
    """Return the outcome after each ply; entry 0 is that of the start."""
    game = Game(parse_fen(fen), draw_rules)  # type: ignore[arg-type]
    outcomes = [game.outcome()]
    for move in moves:
        game.play(move)
        outcomes.append(game.outcome())
    return outcomes


@pytest.mark.parametrize("row", DRAW_CASES, ids=lambda row: row["id"])
def test_draw_cases(row: dict[str, dict[str, object]]) -> None:
    outcomes = played(str(row["input"]["fen"]), list(row["input"]["moves"]))  # type: ignore[call-overload]
    drawn = next(ply for ply, outcome in enumerate(outcomes) if outcome)
    assert drawn == row["expected"]["draw_after_ply"]
    reasons = {
        "RULES-27": Reason.FIVE_MOVES,
        "RULES-29": Reason.FIVE_MOVES,
        "RULES-30": Reason.SIXTEEN_MOVES,
        "RULES-33": Reason.TWENTY_FIVE_MOVES,
        "RULES-35": Reason.REPETITION,
    }
    outcome = outcomes[drawn]
    assert outcome == Outcome(None, reasons[str(row["id"])])
    assert outcome.result == "1-1"


def test_case_rules_34_a_man_move_restarts_the_count_of_king_moves() -> None:
    game = Game(parse_fen(case("RULES-34")["input"]["fen"]))
    assert shuffle(game, 48)
    assert game.draw_clocks() == {Reason.TWENTY_FIVE_MOVES: 2}
    game.play("36-31")
    assert game.draw_clocks() == {}
    assert shuffle(game, 49)  # black's man stands still, so black begins and the kings of both sides count
    assert game.draw_clocks() == {Reason.TWENTY_FIVE_MOVES: 1}
    assert Reason.TWENTY_FIVE_MOVES not in game.draws()
    assert shuffle(game, 1)
    assert Reason.TWENTY_FIVE_MOVES in game.draws()


def test_two_clocks_are_independent_and_never_restarted() -> None:
    outcomes = played("W:WK46,K47,K48:BK3", THREE_TO_TWO)
    assert outcomes.index(Outcome(None, Reason.SIXTEEN_MOVES)) == 32
    game = Game(parse_fen("W:WK46,K47,K48:BK3"))
    for text in THREE_TO_TWO[:26]:
        game.play(text)
    assert game.draw_clocks() == {Reason.SIXTEEN_MOVES: 6, Reason.FIVE_MOVES: 10}


def test_a_capture_into_two_against_one_lets_the_shorter_clock_decide() -> None:
    game = Game(parse_fen("B:WK2,K1,24:BK5"))
    for text in ("5-46", "1-6", "46-5", "24-19"):
        game.play(text)
    assert game.draw_clocks() == {Reason.SIXTEEN_MOVES: 28}
    game.push(next(move for move in game.legal_moves() if move.captured))
    assert game.draw_clocks() == {Reason.SIXTEEN_MOVES: 27, Reason.FIVE_MOVES: 10}


def test_man_moves_count_in_the_class_of_three() -> None:
    game = Game(parse_fen("W:WK2,42,43:BK36"))
    assert game.draw_clocks() == {Reason.SIXTEEN_MOVES: 32}
    game.play("42-37")
    assert game.draw_clocks() == {Reason.SIXTEEN_MOVES: 31}


def test_the_crowning_that_makes_the_class_is_not_counted() -> None:
    game = Game(parse_fen("W:W6,7,8:BK46"))
    assert game.draw_clocks() == {}
    game.play("7-1")
    assert game.draw_clocks() == {Reason.SIXTEEN_MOVES: 32}
    game.play("46-41")
    assert game.draw_clocks() == {Reason.SIXTEEN_MOVES: 31, Reason.TWENTY_FIVE_MOVES: 49}


@pytest.mark.parametrize(
    "fen", ["W:W42,43,44:BK40", "W:W42,43:BK40", "W:WK1,K2:BK49,K50", "W:WK1,K2,K3:BK5,20"]
)
def test_other_material_has_no_clock(fen: str) -> None:
    assert Game(parse_fen(fen)).draw_clocks() == {}


def test_losing_the_only_king_drops_both_clocks() -> None:
    game = Game(parse_fen("B:WK28,36,37:BK5"))
    assert game.draw_clocks() == {Reason.SIXTEEN_MOVES: 32}
    capture = next(move for move in game.legal_moves() if 28 in move.captured)
    game.push(capture)
    assert game.draw_clocks() == {}


def test_a_win_on_the_last_ply_of_a_clock_stands() -> None:
    game = Game(parse_fen("B:WK46,K6:BK45"))
    for text in ("45-50", "46-41", "50-45", "41-46", "45-50", "46-37", "50-45", "37-41", "45-23"):
        game.play(text)
        assert game.outcome() is None
    assert game.draw_clocks()[Reason.FIVE_MOVES] == 1
    game.play("41x19")
    assert game.outcome() == Outcome(Colour.WHITE, Reason.NO_MOVE)


def test_a_lost_position_is_no_draw_even_if_a_clock_stands_at_zero() -> None:
    # Black is blocked; the counts are set by hand, as if 25 moves had just been made.
    game = Game(parse_fen("B:WK37,K41,K1,36:BK46"))
    game._counts[-1] = game._counts[-1]._replace(kings_only=50)
    game._positions = [game.position] * 51
    assert Reason.TWENTY_FIVE_MOVES in game.draws()
    assert Reason.REPETITION in game.draws()
    assert game.outcome() == Outcome(Colour.WHITE, Reason.NO_MOVE)


@pytest.mark.parametrize(("name", "winner"), [("RULES-17", Colour.WHITE), ("RULES-18", Colour.BLACK)])
def test_a_side_without_a_move_has_lost(name: str, winner: Colour) -> None:
    outcome = Game(parse_fen(case(name)["input"]["fen"])).outcome()
    assert outcome == Outcome(winner, Reason.NO_MOVE)
    assert outcome.result == case(name)["expected"]["result"]


def test_case_rules_06_the_whole_combination() -> None:
    game = Game(parse_fen(case("RULES-06")["input"]["fen"]))
    game.push(game.legal_moves()[0])
    assert [move.short for move in game.legal_moves()] == ["38x27"]
    game.play("38x27")
    assert format_fen(game.position) == "B:W27:B"
    assert game.outcome() == Outcome(Colour.WHITE, Reason.NO_MOVE)


def test_case_rules_10_crowned_at_the_end_of_the_capture() -> None:
    game = Game(parse_fen(case("RULES-10")["input"]["fen"]))
    game.play("11x2")
    assert format_fen(game.position) == case("RULES-10")["expected"]["after_fen"]


LONG_DIAGONAL_START = "W:WK1,K2,K3:BK46"


def test_long_diagonal_rule_is_off_by_default() -> None:
    assert Reason.LONG_DIAGONAL not in Game(parse_fen(LONG_DIAGONAL_START)).draw_clocks()


def test_long_diagonal_clock_runs_while_the_lone_king_holds_it_alone() -> None:
    game = Game(parse_fen(LONG_DIAGONAL_START), "long-diagonal")
    assert game.draw_clocks()[Reason.LONG_DIAGONAL] == 10
    for ply, text in enumerate(["1-7", "46-5", "7-1", "5-46", "1-7", "46-41", "7-1", "41-46", "1-7"], 1):
        game.play(text)
        assert game.draw_clocks()[Reason.LONG_DIAGONAL] == 10 - ply
        assert Reason.LONG_DIAGONAL not in game.draws()
    game.play("46-5")
    assert game.draws() == (Reason.LONG_DIAGONAL,)
    assert game.outcome() == Outcome(None, Reason.LONG_DIAGONAL)


def test_long_diagonal_clock_starts_anew() -> None:
    game = Game(parse_fen(LONG_DIAGONAL_START), "long-diagonal")
    for text in ("1-7", "46-41"):
        game.play(text)
    assert game.draw_clocks()[Reason.LONG_DIAGONAL] == 8
    game.play("7-1")
    game.play("41-36")  # the king leaves the diagonal
    assert Reason.LONG_DIAGONAL not in game.draw_clocks()
    game.play("1-7")
    game.play("36-41")
    assert game.draw_clocks()[Reason.LONG_DIAGONAL] == 10
    game.play("3-14")  # another piece enters it
    assert Reason.LONG_DIAGONAL not in game.draw_clocks()
    assert game.draw_clocks()[Reason.SIXTEEN_MOVES] == 25


def test_repetition_needs_the_same_side_to_move() -> None:
    game = Game(parse_fen("W:WK1,K2:BK49,K50"))
    for ply, text in enumerate(["1-6", "50-45", "6-1", "45-50"] * 2, 1):
        game.play(text)
        assert game.repetitions == {4: 2, 5: 2, 6: 2, 7: 2, 8: 3}.get(ply, 1)
    assert game.draws() == (Reason.REPETITION,)


def test_a_game_without_moves_is_a_game() -> None:
    """Not passed over by `game or other`, as what has the length 0 would be."""
    assert Game()
    assert len(Game()) == 0


def test_pop_takes_everything_back() -> None:
    game = random_game(random.Random(3), 60)
    moves = game.moves
    seen = []
    while len(game):
        seen.append((game.position, game.draw_clocks(), game.repetitions))
        assert game.pop() == moves[len(game)]
    assert game.position == Position.start()
    for move in moves:
        game.push(move)
        assert (game.position, game.draw_clocks(), game.repetitions) == seen.pop()
    with pytest.raises(IndexError):
        Game().pop()


def test_an_illegal_move_changes_nothing() -> None:
    game = Game()
    for listed in (False, True):
        if listed:
            game.legal_moves()
        with pytest.raises(IllegalMoveError, match="32-23 is illegal at ply 1"):
            game.push(Move(32, 23))
        with pytest.raises(MoveTextError):
            game.play("32-23")
        assert (len(game), game.position) == (0, Position.start())


def test_a_copy_goes_its_own_way() -> None:
    game = Game()
    game.play("32-28")
    twin = game.copy()
    twin.play("19-23")
    assert (len(game), len(twin)) == (1, 2)
    assert game.moves == twin.moves[:1]


def test_positions_since_the_last_man_move_or_capture() -> None:
    game = Game(parse_fen("W:WK1,40:BK50"))
    game.play("40-35")
    game.play("50-44")
    game.play("1-6")
    assert game.positions == (game.start.make(Move(40, 35)), *game.positions[1:])
    assert [move.short for move in game.quiet_moves] == ["50-44", "1-6"]
    position = game.positions[0]
    for move in game.quiet_moves:
        position = position.make(move)
    assert position == game.position == game.positions[-1]
    assert Game().quiet_moves == ()


def test_unknown_draw_rules_are_refused() -> None:
    with pytest.raises(ValueError, match="accepted are fmjd and long-diagonal"):
        Game(draw_rules="other")  # type: ignore[arg-type]


def test_results() -> None:
    assert Outcome(Colour.WHITE, Reason.TIME).result == "2-0"
    assert Outcome(Colour.BLACK, Reason.RESIGN).result == "0-2"
    assert Outcome(None, Reason.AGREEMENT).result == "1-1"
    assert Outcome(None, Reason.ABORTED).result == "*"


@given(games())
def test_clocks_as_the_text_of_the_rules_counts_them(game: Game) -> None:
    """Count again from the whole history, move by move, as article 6 is worded."""
    position = game.start
    kings_only = 0
    started: dict[Reason, int | None] = {Reason.SIXTEEN_MOVES: None, Reason.FIVE_MOVES: None}

    def look(ply: int) -> None:
        counts = sorted(
            [
                (len(position.white_men) + len(position.white_kings), len(position.white_kings), 0),
                (len(position.black_men) + len(position.black_kings), len(position.black_kings), 1),
            ]
        )
        lone, other = counts
        held = None
        if lone[:2] == (1, 1) and other[1] and other[0] <= 3:
            held = Reason.SIXTEEN_MOVES if other[0] == 3 else Reason.FIVE_MOVES
        for reason, since in started.items():
            started[reason] = ply if held is reason and since is None else since if held else None

    look(0)
    for ply, move in enumerate(game.moves, 1):
        king = move.from_square in (*position.white_kings, *position.black_kings)
        position = position.make(move)
        kings_only = kings_only + 1 if king and not move.captured else 0
        look(ply)
    plies = {reason: len(game) - start for reason, start in started.items() if start is not None}
    if kings_only:
        plies[Reason.TWENTY_FIVE_MOVES] = kings_only
    assert game.draw_clocks() == {
        reason: max(0, DRAW_LIMITS[reason] - count) for reason, count in plies.items()
    }


@given(games())
def test_repetitions_are_counted_over_the_whole_game(game: Game) -> None:
    position = game.start
    history = [position]
    for move in game.moves:
        position = position.make(move)
        history.append(position)
    assert game.repetitions == history.count(position)
    assert list(game.positions) == history[-len(game.positions) :]
