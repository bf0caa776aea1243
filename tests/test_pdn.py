"""Reading PDN: every file of data/pdn, the PDN cases, places of errors, recovery, any cut of the text."""

import io
import tracemalloc
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from known import DATA, case, pdn_files

from rules import pdn_state, pdn_text
from rules.bitboard import is_compiled
from rules.colour import Colour
from rules.fen import format_fen, parse_fen
from rules.pdn import parse_pdn, read_pdn
from rules.pdn_game import PdnGame

pytestmark = pytest.mark.rules

FILES = pdn_files()
SOUND = [row for row in FILES if row["error"] is None]
FAULTY = {
    "40_illegal_move.pdn": (1, 37, "illegal move at ply 7", 6),
    "41_unterminated_comment.pdn": (1, 31, "unterminated comment", 4),
    "43_bad_tag.pdn": (1, 1, "unterminated tag string", 0),
    "46_setup_command.pdn": (1, 16, "SETUP command after the first move is not supported", 2),
}


def only(text: str) -> PdnGame:
    (game,) = parse_pdn(text)
    return game


def shorts(game: PdnGame) -> list[str]:
    return [move.short for move in game.moves]


@pytest.mark.parametrize("row", SOUND, ids=lambda row: row["file"])
def test_files(row: dict[str, object]) -> None:
    games = list(read_pdn(DATA / "pdn" / str(row["file"])))
    expected: list[dict[str, object]] = row["games"]  # type: ignore[assignment]
    assert len(games) == len(expected)
    for game, right in zip(games, expected, strict=True):
        assert game.error is None
        assert [move.hub for move in game.moves] == right["moves"]
        assert game.start == parse_fen(str(right["start_fen"]))
        assert game.line.final() == parse_fen(str(right["final_fen"]))
        assert game.result == right["result"]
        assert right["tags"].items() <= game.tags.items()  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", FAULTY)
def test_faulty_files(name: str) -> None:
    assert name in {row["file"] for row in FILES if row["error"]}
    (game,) = read_pdn(DATA / "pdn" / name)
    line, column, message, plies = FAULTY[name]
    assert game.error is not None
    assert (game.error.line, game.error.column) == (line, column)
    assert message in game.error.message
    assert len(game.moves) == plies


def test_every_faulty_file_has_its_row() -> None:
    assert set(FAULTY) == {row["file"] for row in FILES if row["error"]}


def test_case_01_a_glued_star_is_a_mark() -> None:
    game = only(case("PDN-01")["input"]["pdn"])
    assert shorts(game) == case("PDN-01")["expected"]["plies"]
    assert (game.result, game.line.annotations[1].marks) == ("*", ["*"])


def test_case_03_tag_and_end_disagree() -> None:
    game = only(case("PDN-03")["input"]["pdn"])
    expected = case("PDN-03")["expected"]
    assert (game.tags["Result"], game.end) == (expected["tag_result"], expected["terminator"])
    assert game.result == expected["terminator"]
    assert [warning.message for warning in game.warnings] == [
        "the Result tag says 0-2, the moves end with 2-0"
    ]


def test_chess_and_international_results_do_not_disagree() -> None:
    assert only('[Result "2-0"]\n1. 32-28 1-0').warnings == []


def test_case_04_unusual_results_have_no_points() -> None:
    games = parse_pdn(case("PDN-04")["input"]["pdn"])
    assert [game.result for game in games] == case("PDN-04")["expected"]["results"]
    assert [game.points for game in games] == case("PDN-04")["expected"]["scored"]


def test_case_06_comments_do_not_nest() -> None:
    game = only(case("PDN-06")["input"]["pdn"])
    assert game.error is not None
    assert game.error.message == case("PDN-06")["expected"]["error"]
    assert (game.error.line, game.error.column) == (1, 20)
    assert shorts(game) == case("PDN-06")["expected"]["plies_before"]


def test_case_07_tags_hold_anything() -> None:
    game = only(case("PDN-07")["input"]["pdn"])
    expected = case("PDN-07")["expected"]
    tags = [game.tags[name] for name in ("White", "Black", "Event")]
    assert tags == [expected[name] for name in ("white", "black", "event")]
    assert len(game.moves) == expected["plies"]


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1"])
def test_case_09_encodings(encoding: str) -> None:
    text: str = case("PDN-09")["input"]["pdn"]
    data = text.encode() if encoding == "utf-8" else text.removeprefix("\ufeff").encode("latin-1")
    (game,) = read_pdn(io.BytesIO(data))
    assert (game.tags["Event"], game.result, game.warnings) == ("40° open", "1-1", [])


def test_case_10_old_spellings() -> None:
    first, second, third = parse_pdn(case("PDN-10")["input"]["pdn"])
    assert shorts(first) == ["32-28", "19-23"]
    assert [w.message for w in first.warnings] == ["19:23 is a quiet move written with a capture sign"]
    assert shorts(second) == case("PDN-10")["expected"]["game2"]
    assert second.error is None
    assert third.error is not None
    assert third.error.message == "white's move is missing before black's"


def test_black_may_begin_where_a_fen_says_so() -> None:
    game = only('[FEN "B:W31-50:B1-20"]\n1. ... 19-23 2. 32-28 *')
    assert (shorts(game), game.error, game.warnings) == (["19-23", "32-28"], None, [])


def test_case_12_variations_marks_and_glyphs() -> None:
    game = only(case("PDN-12")["input"]["pdn"])
    assert (shorts(game), game.result) == (case("PDN-12")["expected"]["main"], "1-1")
    assert {ply: note.marks for ply, note in game.line.annotations.items()} == {
        1: ["!?"],
        2: ["?", "$7"],
        3: [],
    }
    (variation,) = game.line.annotations[3].variations
    assert [move.short for move in variation.moves] == ["37-32", "23-29"]
    assert variation.annotations[1].marks == ["?"]
    assert variation.annotations[2].comments == [" black wins "]
    (inner,) = variation.annotations[2].variations
    assert [move.short for move in inner.moves] == ["12-18"]


def test_case_14_clocks() -> None:
    game = only(case("PDN-14")["input"]["pdn"])
    first = game.line.annotations[1].clock
    second = game.line.annotations[2].clock
    assert first is not None
    assert first.mover == 1 * 3600 + 55 * 60 + 21
    assert second is not None
    assert (second.white, second.black, second.running) == (10, 3, Colour.BLACK)
    assert game.line.annotations[3].clock is None


def test_case_16_ambiguous() -> None:
    game = only(case("PDN-16")["input"]["pdn"])
    assert game.error is not None
    assert case("PDN-16")["expected"]["error"] in game.error.message
    assert (game.error.line, game.error.column) == (3, 4)


@pytest.mark.parametrize("kind", ["25", "25,W,8,8,A0,0", "40,W,10,10,N2,0", "International"])
def test_another_game_is_one_error(kind: str) -> None:
    text = f'[Event "a"]\n[GameType "{kind}"]\n\n1. c3-d4 (1. a3-b4) {{x}} d6-c5 2. 99x1 1-0\n\n1. 32-28 *'
    first, second = parse_pdn(text)
    assert first.error is not None
    assert (first.error.line, first.error.column) == (2, 1)
    assert first.error.message == f"GameType {kind} is another game: only 20, International draughts, is read"
    assert (first.moves, first.result) == ([], "1-0")
    assert shorts(second) == ["32-28"]


@pytest.mark.parametrize("kind", ["20", "20,W,10,10,N2,0", "20,W,10,10,N1,0", " 020 "])
def test_the_international_game(kind: str) -> None:
    assert only(f'[GameType "{kind}"]\n1. 32-28 *').error is None


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("1. 32-28 18-23\n2. 38-32 99-98 *", 2, 10, "square 99 is not on the board"),
        ("1. 32-28 { a } }\n*", 1, 16, "stray } after ply 1"),
        ("1. 32-28 ) *", 1, 10, "stray )"),
        ("( 1. 32-28 ) *", 1, 1, "a variation before the first move"),
        ("1. 32-28 ( 1. 31-27 *", 1, 21, "variation not closed"),
        ("1. 32-28 ( 1. 31-20 ) 19-23 *", 1, 15, "illegal move at ply 1 of a variation"),
        ("1. 32-28 what 19-23 *", 1, 10, "'what' is no word of a game"),
        ('[FEN "W:W31:B99"]\n1. 31-27 *', 1, 1, "FEN: square 99 is not on the board"),
        ('[FEN "x"]\n*', 1, 1, "FEN: a FEN begins with the side to move"),
        ("[Event tournament]\n1. 32-28 *", 1, 1, 'a tag is [Name "value"]'),
        ('[Event "x\n', 1, 1, "unterminated tag string"),
        ('1. 32-28 *\n[Event "x', 2, 1, "unterminated tag string"),
        ('1. 32-28 /FEN "W:W31:B1"/ *', 1, 10, "SETUP command after the first move"),
        ("1. 32-28 19-23 2. 28-23 *", 1, 19, "must capture"),
        ("1. ... 19-23 *", 1, 4, "white's move is missing"),
        ("1... 19-23 *", 1, 1, "white's move is missing"),
    ],
)
def test_errors_have_their_place(text: str, line: int, column: int, message: str) -> None:
    game = parse_pdn(text)[-1]
    assert game.error is not None, game
    assert (game.error.line, game.error.column) == (line, column)
    assert message in game.error.message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1. 32-28 19-23 2. 28-19 *", "28-19 is a capture written with a hyphen"),
        ("1. 32 - 28 *", "blanks inside a move, 32-28"),
        ("1. 3228 *", "3228 is a move without a separator, 32-28"),
        ("1. 32-28 - - *", "- is passed over"),
        ("1 32-28 *", "1 is passed over"),
        ("1. 32-28", "the game has no end: a result or *"),
        ("1. 32-28 ; good\n *", "a comment that begins with ;"),
        ('[Event "The "Big" one"]\n1. 32-28 *', "a quote inside the value of tag Event is not escaped"),
        ('[Event "a"]\n[Site "b"]\n[Site "c"]\n1. 32-28 *', "tag Site is given twice: the first one counts"),
        ("1. 32-28 19-23 2... 28x19 *", "dots announce a black move, but white is to move"),
    ],
)
def test_what_is_unusual_is_a_warning(text: str, message: str) -> None:
    game = only(text)
    assert game.error is None
    assert message in game.warnings[0].message
    assert shorts(game)[0] == "32-28"


@pytest.mark.parametrize("result", ["2-0", "1-1", "0-2", "0-0", "1-0", "1/2-1/2", "0-1", "*"])
def test_results_are_no_moves(result: str) -> None:
    for text in (result, f"1. {result}", f"1.{result}", f"1. 32-28 {result}", f"1. 32-28 19-23 2. {result}"):
        game = only(text)
        assert (game.error, game.result) == (None, result)


def test_a_king_may_move_from_1_to_12() -> None:
    game = only('[FEN "W:WK1,K2:BK36"]\n1. 1-12 36-31 2. 2-11 *')
    assert shorts(game) == ["1-12", "36-31", "2-11"]


def test_a_star_after_a_result_only_separates() -> None:
    games = parse_pdn("1. 32-28 2-0 *\n\n1. 31-27 *\n")
    assert [(shorts(game), game.result) for game in games] == [(["32-28"], "2-0"), (["31-27"], "*")]


def test_a_setup_before_the_first_move_is_the_start() -> None:
    game = only('/FEN "W:W31,32:B1,2"/ 1. 31-27 2-7 *')
    assert (format_fen(game.start), shorts(game), game.error) == ("W:W31,32:B1,2", ["31-27", "2-7"], None)


def test_reading_goes_on_after_every_kind_of_bad_game() -> None:
    bad = [
        "1. 32-10 junk ( 31-27 { * } ) 2-0",
        "1. 32-28 { never closed",
        '[Event "never closed',
        "1. 32-28 ( 1. 31-27",
        "1. 32-28 } 19-23 *",
        "1. 32-28",
        '[GameType "25"]\n\n1. a3-b4 *',
    ]
    good = '[Event "good"]\n[Result "2-0"]\n\n1. 31-27 17-21 2-0\n\n'
    games = parse_pdn("\n\n".join(text + "\n\n" + good for text in bad))
    read = [game for game in games if game.tags.get("Event") == "good"]
    assert len(read) == len(bad)
    for game in read:
        assert (game.error, shorts(game), game.result) == (None, ["31-27", "17-21"], "2-0")
    assert sum(game.error is not None for game in games) == len(bad) - 1  # only a missing end is no error


def test_a_sound_comment_may_hold_a_tag_line() -> None:
    game = only('1. 32-28 { from\n[Event "x"]\n} 19-23 *')
    assert (game.error, shorts(game)) == (None, ["32-28", "19-23"])


def test_games_know_their_first_line() -> None:
    games = list(read_pdn(DATA / "pdn" / "20_three_games.pdn"))
    assert [game.first_line for game in games] == [1, 11, 22]


@pytest.mark.parametrize("chunk", [1, 2, 7, 50])
def test_any_chunk_gives_the_same_games(chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    names = [row["file"] for row in FILES]
    whole = {name: list(read_pdn(DATA / "pdn" / name)) for name in names}
    monkeypatch.setattr(pdn_text, "CHUNK", chunk)
    for name in names:
        if chunk > 10 or (DATA / "pdn" / name).stat().st_size < 5000:
            assert list(read_pdn(DATA / "pdn" / name)) == whole[name], name


def test_one_endless_line_is_read_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdn_text, "CHUNK", 64)
    text = " ".join(["1. 31 - 27 18 - 23 {a comment} 2. 27 - 21 16 x 27 *"] * 50)
    games = parse_pdn(text)
    assert len(games) == 50
    assert all(len(game.moves) == 4 and game.error is None for game in games)
    assert games[49].warnings[0].column == 49 * 52 + 4


GAMES = 500 if is_compiled() else 100


def test_memory_stays_flat() -> None:
    game = (DATA / "pdn" / "38_long_game.pdn").read_bytes() + b"\n\n"

    class Endless(io.RawIOBase):
        """Games that are nowhere in memory as a whole."""

        def __init__(self) -> None:
            super().__init__()
            self.left = GAMES
            self.rest = b""

        def readable(self) -> bool:
            return True

        def readinto(self, buffer: Any, /) -> int:  # noqa: ANN401 - any writable buffer
            if not self.rest and self.left:
                self.left -= 1
                self.rest = game
            size = min(len(buffer), len(self.rest))
            buffer[:size] = self.rest[:size]
            self.rest = self.rest[size:]
            return size

    tracemalloc.start()
    count = sum(1 for _ in read_pdn(io.BufferedReader(Endless())))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == GAMES
    assert peak < 1_000_000


def test_an_endless_comment_and_an_endless_game_do_not_fill_the_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pdn_text, "CHUNK", 1000)
    monkeypatch.setattr("rules.pdn.LONGEST_TOKEN", 5000)
    monkeypatch.setattr(pdn_state, "LONGEST_GAME", 20_000)
    (game,) = parse_pdn("1. 32-28 {" + "x" * 30_000 + "\n")
    assert game.error is not None
    assert game.error.message == "unterminated comment"
    shuffle = "1-6 50-45 6-1 45-50\n" * 5000
    first, second = parse_pdn(f'[FEN "W:WK1,K2:BK50,K49"]\n{shuffle}*\n\n1. 32-28 *')
    assert first.error is not None
    assert first.error.message == "the game is longer than 20000 characters"
    assert first.moves == []
    assert (second.error, shorts(second)) == (None, ["32-28"])


def test_a_header_has_an_end() -> None:
    header = "".join(f'[T{number} "x"]\n' for number in range(1005))
    first, second = parse_pdn(f"{header}\n1. 32-28 *\n\n1. 31-27 *")
    assert first.error is not None
    assert (first.error.line, first.error.message) == (1001, "a game has 1000 tags at most")
    assert (len(first.tags), first.moves) == (1000, [])
    assert (second.error, shorts(second)) == (None, ["31-27"])


def test_variations_nest_to_a_limit() -> None:
    deep = "1. 32-28 " + "( 31-27 " * 100 + ") " * 100 + "19-23 *"
    game = only(deep)
    assert game.error is not None
    assert "variations more than 64 deep" in game.error.message


@given(st.binary(max_size=200))
def test_no_bytes_raise(data: bytes) -> None:
    list(read_pdn(io.BytesIO(data)))


PLAIN_WORDS = [
    *"*()}!-%\n\r\\",
    "1.",
    "32-28",
    "19-23",
    "28x19",
    "14x23",
    "31 - 27",
    "3228",
    "{a",
    "2-0",
    "1-1",
]
OTHER_WORDS = [
    '[Event "a"]',
    '[FEN "W:W31:B1"]',
    '[GameType "25"]',
    '/FEN "W:W31:B1"/',
    "; x",
    "\n\n",
    "(?)",
    "$3",
    "...",
    "junk",
    "12",
    "[bad",
]
WORDS = st.sampled_from([*PLAIN_WORDS, *OTHER_WORDS])


@given(st.lists(WORDS, max_size=40), st.sampled_from([" ", "", "\n"]))
def test_no_words_raise_and_every_game_can_be_replayed(words: list[str], between: str) -> None:
    for game in parse_pdn(between.join(words)):
        position = game.start
        for move in game.moves:
            assert position.is_legal(move)
            position = position.make(move)
        assert position == game.line.final()
