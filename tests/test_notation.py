"""rules.notation and rules.routes: rules.md 4 and the rules cases."""

from contextlib import suppress
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from known import case, legal_moves
from strategies import positions

from rules.fen import parse_fen
from rules.move import Move
from rules.notation import (
    AmbiguousMoveError,
    MoveTextError,
    format_dxp_move,
    format_move,
    format_path,
    hub_move,
    parse_dxp_move,
    parse_move,
    read_move,
)
from rules.position import Position
from rules.routes import ray

pytestmark = pytest.mark.rules

STANDARD = parse_fen("W:WK47:B14,19,29,31,42")  # the example of the PDN standard


@pytest.mark.parametrize("name", ["RULES-01", "RULES-02", "RULES-03"])
def test_an_ambiguous_capture_is_written_with_the_path_of_the_case(name: str) -> None:
    row = case(name)
    position = parse_fen(row["input"]["fen"])
    moves = position.legal_moves()
    assert [move.hub for move in moves] == [move["hub"] for move in row["expected"]["moves"]]
    assert [format_move(move, position) for move in moves] == row["expected"]["pdn"]


@pytest.mark.parametrize("wrong", case("RULES-03")["expected"]["wrong_to_write"])
def test_what_is_wrong_to_write_is_not_written(wrong: str) -> None:
    assert wrong not in {format_move(move, STANDARD) for move in STANDARD.legal_moves()}


def test_an_ambiguous_text_lists_its_candidates() -> None:
    position = parse_fen(case("RULES-01")["input"]["fen"])
    with pytest.raises(AmbiguousMoveError, match="4x15 is ambiguous: 4x27x38x15, 4x31x42x15") as error:
        parse_move("4x15", position)
    assert list(error.value.candidates) == position.legal_moves()


@pytest.mark.parametrize("name", ["RULES-01", "RULES-02", "RULES-03", "RULES-04", "RULES-06", "RULES-13"])
def test_the_routes_of_the_cases_are_read(name: str) -> None:
    row = case(name)
    position = parse_fen(row["input"]["fen"])
    for known in row["expected"]["moves"]:
        assert parse_move(known["one_path"], position).hub == known["hub"]


def test_hub_and_dxp_forms_of_the_cases() -> None:
    row = case("RULES-01")["expected"]
    position = parse_fen(case("RULES-01")["input"]["fen"])
    for hub, dxp in zip(row["hub"], row["dxp"], strict=True):
        payload = dxp.removeprefix("M....").replace(" ", "")
        assert format_dxp_move(hub_move(hub, position)) == payload
        assert parse_dxp_move(payload, position).hub == hub
    circle = parse_fen(case("RULES-04")["input"]["fen"])
    move = hub_move(case("RULES-04")["expected"]["hub_circular"], circle)
    assert "M0000" + format_dxp_move(move) == case("RULES-04")["expected"]["dxp_circular"]


@pytest.mark.parametrize(
    ("text", "hub"),
    [
        ("47x38x24x13x36", "47x36x19x29x31x42"),
        ("47x33x24x13x36", "47x36x19x29x31x42"),  # any landing square, as py-draughts writes
        ("47x24x13x36", "47x36x19x29x31x42"),  # a part of the path
        ("47x13x36", "47x36x19x29x31x42"),
        ("47x36x19", "47x36x19x29x31x42"),  # the part of the list that tells, as Scan writes
        ("47x36x42x31x29x19", "47x36x19x29x31x42"),  # Hub form in any order
        ("47X38:20-9 x 36", "47x36x14x29x31x42"),
        ("47x09x36!?", "47x36x14x29x31x42"),
    ],
)
def test_every_text_with_one_meaning_is_read(text: str, hub: str) -> None:
    assert parse_move(text, STANDARD).hub == hub


@pytest.mark.parametrize("text", ["47x36", "47x38x36", "47x36x29", "47x33x36"])
def test_two_meanings_are_an_error(text: str) -> None:
    with pytest.raises(AmbiguousMoveError):
        parse_move(text, STANDARD)


@pytest.mark.parametrize(
    "text", ["32-28", "32x28", "3228", "32 - 28", " 32:28", "32-28!", "32-28(?)", "32-28*"]
)
def test_spellings_of_a_quiet_move(text: str) -> None:
    assert parse_move(text, Position.start()) == Move(32, 28)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is no move"),
        ("e4", "is no move"),
        ("32", "is no move"),
        ("32-", "is no move"),
        ("32-28-", "is no move"),
        ("32-51", "square 51 is not on the board"),
        ("0-28", "square 0 is not on the board"),
        ("28-23", "28-23 is illegal: no white piece stands on 28"),
        ("19-23", "no white piece stands on 19"),
        ("32-23", "32-23 is illegal"),
        ("32x28x23", "is illegal"),
    ],
)
def test_a_bad_text_is_refused_with_its_fault(text: str, message: str) -> None:
    with pytest.raises(MoveTextError, match=message):
        parse_move(text, Position.start())


def test_an_endless_text_is_not_repeated() -> None:
    for text in ("32-" * 10_000 + "28", "32-28" + "!" * 10_000, "x" * 10_000):
        with pytest.raises(MoveTextError, match="is no move") as error:
            parse_move(text, Position.start())
        assert len(str(error.value)) < 100


def test_a_refusal_tells_that_capturing_is_compulsory() -> None:
    position = parse_fen("W:WK18,50:B10,13")  # RULES-13: two pieces must be taken
    with pytest.raises(MoveTextError, match="white must capture the most pieces, with another piece"):
        parse_move("50-44", position)
    with pytest.raises(MoveTextError, match="white must capture the most pieces"):
        parse_move("18x9", position)


def test_what_is_unusual_is_noted() -> None:
    after = Position.start().make(Move(32, 28)).make(Move(19, 23))
    assert read_move("28x19", after).note is None
    assert read_move("28x19x23", after).note is None
    assert read_move("28-19", after).note == "28-19 is a capture written with a hyphen"
    assert read_move("2819", after).note == "2819 is a move without a separator, 28x19"
    quiet = read_move("32:28", Position.start())
    assert quiet.note == "32:28 is a quiet move written with a capture sign"


@pytest.mark.parametrize(
    "text", ["28x19", "28x19x23x23", "28x19x24", "28-19x23", "28 x19x23", "28x19x23 ", "x"]
)
def test_hub_form_is_exact(text: str) -> None:
    after = Position.start().make(Move(32, 28)).make(Move(19, 23))
    assert hub_move("28x19x23", after) == Move(28, 19, (23,))
    with pytest.raises(MoveTextError):
        hub_move(text, after)


@pytest.mark.parametrize(
    "text", ["281901", "28190023", "2819012323", "28190223", "2819022323", "28190124", "9919012", ""]
)
def test_dxp_form_is_exact(text: str) -> None:
    after = Position.start().make(Move(32, 28)).make(Move(19, 23))
    assert parse_dxp_move("28190123", after) == Move(28, 19, (23,))
    with pytest.raises(MoveTextError):
        parse_dxp_move(text, after)


def test_dxp_captures_may_come_in_any_order() -> None:
    position = parse_fen("W:WK46,50:B1,5,14,23")
    assert parse_dxp_move("4610021423", position) == parse_dxp_move("4610022314", position)


def check_all_forms(position: Position) -> None:
    moves = position.legal_moves()
    shorts = [move.short for move in moves]
    for move in moves:
        text = format_move(move, position)
        assert (text == move.short) == (shorts.count(move.short) == 1)
        assert text in {move.short, format_path(move, position)}
        for form in (text, format_path(move, position), move.hub):
            assert parse_move(form, position) == move
        assert hub_move(move.hub, position) == move
        assert parse_dxp_move(format_dxp_move(move), position) == move


def test_known_positions_in_every_form() -> None:
    for row in legal_moves():
        check_all_forms(parse_fen(row["fen"]))


def test_384_captures_in_every_form() -> None:
    position = parse_fen(case("RULES-19")["input"]["fen"])
    texts = {format_move(move, position) for move in position.legal_moves()}
    assert len(texts) == 384
    for move in position.legal_moves()[::8]:
        assert parse_move(format_move(move, position), position) == move


@given(positions())
def test_any_position_in_every_form(position: Position) -> None:
    if len(position.legal_moves()) <= 40:
        check_all_forms(position)


def path_is_standard(position: Position, move: Move, path: list[int]) -> None:
    """Check a path leg by leg (rules.md 4), without the code that made it."""
    captured: list[int] = []
    directions: list[tuple[tuple[int, int], int]] = []
    for start, end in pairwise(path):
        direction, squares = next(
            (direction, ray(start, direction))
            for direction in ((-1, -1), (-1, 1), (1, -1), (1, 1))
            if end in ray(start, direction)
        )
        between = squares[: squares.index(end)]
        taken = [square for square in between if square in move.captured]
        assert len(taken) == 1, "one piece a leg"
        if directions and directions[-1][0] == direction:
            last = directions[-1][1]
            assert start == ray(last, direction)[0], "straight on: the square directly behind the taken piece"
        directions.append((direction, taken[0]))
        captured += taken
    assert tuple(sorted(captured)) == move.captured
    assert (path[0], path[-1]) == (move.from_square, move.to_square)
    assert all(position.piece_at(square) == "e" for square in path[1:-1] if square != path[0])


def test_a_path_has_the_squares_of_the_standard() -> None:
    for row in legal_moves():
        position = parse_fen(row["fen"])
        for move in position.legal_moves():
            if move.is_capture:
                path_is_standard(
                    position, move, [int(part) for part in format_path(move, position).split("x")]
                )


@given(st.text() | st.text(alphabet="0123456789x-: !", max_size=20))
def test_any_text_is_a_move_or_a_move_text_error(text: str) -> None:
    for position in (Position.start(), STANDARD):
        for read in (parse_move, hub_move, parse_dxp_move):
            with suppress(MoveTextError):
                assert position.is_legal(read(text, position))
