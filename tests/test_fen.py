"""rules.fen: FEN as in rules.md 6 and the FEN cases; Hub and DXP position texts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from known import case, legal_moves
from strategies import positions

from rules.colour import Colour
from rules.fen import FenError, format_dxp, format_fen, format_hub, parse_dxp, parse_fen, parse_hub
from rules.position import Position

pytestmark = pytest.mark.rules

START = "W:W" + ",".join(map(str, range(31, 51))) + ":B" + ",".join(map(str, range(1, 21)))
ROWS = [row for name in ("FEN-01", "FEN-02", "FEN-04", "FEN-06") for row in case(name)["expected"]["rows"]]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["fen"])
def test_cases(row: dict[str, object]) -> None:
    if row["accept"]:
        parse_fen(str(row["fen"]))
    else:
        with pytest.raises(FenError):
            parse_fen(str(row["fen"]))


def test_what_the_cases_mean() -> None:
    first, second = (parse_fen(text) for text in case("FEN-01")["input"]["fens"])
    moves = "25-20 27-22 28-22 33-29 34-29 37-31"
    assert " ".join(move.hub for move in first.legal_moves()) == moves
    assert second == Position.of(range(31, 51), (), range(1, 21), (), Colour.BLACK)
    assert len(second.legal_moves()) == 9
    assert parse_fen("W:W31-50:B1-20.") == Position.start()
    kings = parse_fen("W:WK31-33:B1")
    assert (kings.white_kings, kings.white_men, len(kings.legal_moves())) == ((31, 32, 33), (), 41)
    assert parse_fen("W:W06,07:B041") == Position.of((6, 7), (), (41,), (), Colour.WHITE)
    assert parse_fen("W:W31:B1:H0:F1") == Position.of((31,), (), (1,), (), Colour.WHITE)
    assert parse_fen("W:W31:B") == Position.of((31,), (), (), (), Colour.WHITE)


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("", 1, "side to move"),
        ("X:W31:B1", 1, "side to move"),
        ("?:W31:B1", 1, "side to move"),
        ("W", 2, "white pieces are missing"),
        ("W:W31", 6, "black pieces are missing"),
        ("W:W31:W32:B1", 7, "white pieces are given twice"),
        ("W:W31:B1:X9", 10, "expected W or B"),
        ("W:31:B1", 3, "expected W or B"),
        ("W:W31,:B1", 7, "is no square"),
        ("W:W31,x2:B1", 7, "'x2' is no square"),
        ("W:W31-:B1", 4, "'31-' is no square"),
        ("W:W40,31-30:B1", 7, "range 31-30 falls"),
        ("W:W31,51:B1", 7, "square 51 is not on the board"),
        ("W:W31,0:B1", 7, "square 0 is not on the board"),
        ("W:W31, 31:B1", 8, "square 31 is used twice"),
        ("W:W31:B1,31", 10, "square 31 is used by both sides"),
        ("W:W5:B1", 4, "white man cannot stand on 5"),
        ("W:W31:B46", 8, "black man cannot stand on 46"),
        ("W:W21-45:B6-20", 4, "white has more than 20 pieces"),
        ("W:WG31:B1", 4, "'G31' is no square"),
        ("W:W99999999999:B1", 4, "is no square"),
    ],
)
def test_an_error_names_the_fault_and_its_column(text: str, column: int, message: str) -> None:
    with pytest.raises(FenError, match=message) as error:
        parse_fen(text)
    assert error.value.column == column
    assert f"column {column} of {text!r}" in str(error.value)


def test_an_error_repeats_no_endless_text() -> None:
    with pytest.raises(FenError) as error:
        parse_fen("W:W" + "9" * 100_000)
    assert len(str(error.value)) < 600


@pytest.mark.parametrize(
    "text",
    [
        " W : W 31 - 33 , K 5 : B K46 , 12-14 . ",
        "w:wk5,31,32,33:b12,13,14,k46",
        "W:B12-14,K46:W31-33,K5:H3:F20",
    ],
)
def test_tolerant_reading(text: str) -> None:
    assert format_fen(parse_fen(text)) == "W:WK5,31,32,33:B12,13,14,K46"


def test_writing() -> None:
    assert format_fen(Position.start()) == START
    assert format_fen(parse_fen("B:BK50,7:W")) == "B:W:B7,K50"


def test_known_positions_are_written_as_they_are_read() -> None:
    for row in legal_moves():
        assert format_fen(parse_fen(row["fen"])) == row["fen"]


def test_start_position_in_hub_and_dxp() -> None:
    assert format_hub(Position.start()) == "W" + "b" * 20 + "e" * 10 + "w" * 20
    assert format_dxp(Position.start()) == "W" + "z" * 20 + "e" * 10 + "w" * 20
    assert format_hub(parse_fen("B:WK46:BK5"))[:6] == "BeeeeB"
    assert format_dxp(parse_fen("B:WK46:BK5")) == "Z" + "eeeeZ" + "e" * 40 + "W" + "eeee"


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("", 1, "not 0 characters"),
        ("W" + "e" * 49, 51, "not 50 characters"),
        ("w" + "e" * 50, 1, "side to move is W or B"),
        ("We" + "x" + "e" * 48, 3, "'x' is no piece"),
        ("W" + "w" + "e" * 49, 2, "white man cannot stand on 1"),
        ("W" + "e" * 49 + "b", 51, "black man cannot stand on 50"),
        ("W" + "e" * 20 + "w" * 21 + "e" * 9, 42, "white has more than 20 pieces"),
    ],
)
def test_a_bad_hub_position_names_the_fault_and_its_column(text: str, column: int, message: str) -> None:
    with pytest.raises(FenError, match=message) as error:
        parse_hub(text)
    assert error.value.column == column


def test_a_hub_text_is_no_dxp_text() -> None:
    with pytest.raises(FenError, match="W or Z"):
        parse_dxp("B" + "e" * 50)
    with pytest.raises(FenError, match="'b' is no piece"):
        parse_dxp("Zb" + "e" * 49)


@given(positions())
def test_every_form_gives_the_position_back(position: Position) -> None:
    assert parse_fen(format_fen(position)) == position
    assert parse_hub(format_hub(position)) == position
    assert parse_dxp(format_dxp(position)) == position


@given(st.text() | st.text(alphabet="WBKwb:,-. 0123456789", max_size=40))
def test_any_text_is_a_position_or_a_fen_error(text: str) -> None:
    for read in (parse_fen, parse_hub, parse_dxp):
        try:
            position = read(text)
        except FenError as error:
            assert 1 <= error.column <= len(text) + 1  # noqa: PT017 - both ends are right
        else:
            assert parse_fen(format_fen(position)) == position
