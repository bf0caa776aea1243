"""Writing PDN: what is written is read back to the same game, and no more is written than is needed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from known import DATA, case, pdn_files
from strategies import games

from rules.fen import format_fen, parse_fen
from rules.game import START, Game
from rules.notation import format_move
from rules.pdn import parse_pdn, read_pdn
from rules.pdn_game import POINTS, Annotation, Line, PdnGame, format_seconds, parse_seconds
from rules.pdn_writer import WIDTH, format_pdn
from rules.position import Position

pytestmark = pytest.mark.rules


def back(game: PdnGame) -> PdnGame:
    (read,) = parse_pdn(format_pdn(game))
    assert read.error is None
    assert read.warnings == []
    return read


def test_a_short_game_as_it_is_written() -> None:
    game = Game()
    for text in ("32-28", "19-23", "28x19"):
        game.play(text)
    tags = {"GameType": "20", "White": 'The "best"', "Event": "a\nb", "Round": "1"}
    comments = {0: "start", 1: "[%clk 0:00:05]"}
    assert format_pdn(PdnGame.of(game.moves, tags=tags, result="2-0", comments=comments)) == (
        '[Event "a b"]\n[Round "1"]\n[White "The \\"best\\""]\n[Result "2-0"]\n[GameType "20"]\n\n'
        "{start} 1. 32-28 {[%clk 0:00:05]} 19-23 2. 28x19 *\n\n"
    )


def test_another_start_is_written_as_fen() -> None:
    start = parse_fen("B:W20,23,24,26,34:BK48")
    move = start.legal_moves()[0]
    assert format_pdn(PdnGame.of([move], start=start, result="0-2")) == (
        '[Result "0-2"]\n[SetUp "1"]\n[FEN "B:W20,23,24,26,34:BK48"]\n\n1... 48x25x14x28 *\n\n'
    )


@pytest.mark.parametrize("name", ["RULES-01", "RULES-03", "RULES-04"])
def test_case_pdn_16_neither_too_little_nor_too_much(name: str) -> None:
    position = parse_fen(case(name)["input"]["fen"])
    for known, move in zip(case(name)["expected"]["moves"], position.legal_moves(), strict=True):
        text = format_pdn(PdnGame.of([move], start=position)).split("1. ")[1].split()[0]
        paths = case(name)["expected"].get("pdn", [known["move"]] * 9)
        assert text in paths
        assert back(PdnGame.of([move], start=position)).moves == [move]


@pytest.mark.parametrize("row", pdn_files(), ids=lambda row: row["file"])
def test_files_are_written_and_read_back(row: dict[str, str]) -> None:
    for game in read_pdn(DATA / "pdn" / row["file"]):
        if game.error is None:
            (read,) = parse_pdn(format_pdn(game))
            assert (read.error, read.line, read.result) == (None, game.line, game.result)
            added = {"Result": game.result}
            if game.start != START:
                added |= {"SetUp": "1", "FEN": format_fen(game.start)}
            assert read.tags == {**added, **game.tags} | {
                name: added[name] for name in added if name == "FEN"
            }


def test_an_end_that_is_not_the_tag_is_kept() -> None:
    (game,) = parse_pdn('[Result "2-0"]\n1. 32-28 0-2')
    (read,) = parse_pdn(format_pdn(game))
    assert (read.tags["Result"], read.end, read.result) == ("2-0", "0-2", "0-2")


def test_lines_are_short() -> None:
    for game in read_pdn(DATA / "pdn" / "70_real_server_games.pdn"):
        assert max(map(len, format_pdn(game).splitlines())) <= WIDTH


def test_braces_in_a_comment_become_brackets() -> None:
    game = PdnGame.of([], comments={0: "a { b } c"})
    assert back(game).line.annotations[0].comments == ["a ( b ) c"]


@given(st.integers(0, 10**6))
def test_seconds(seconds: int) -> None:
    assert parse_seconds(format_seconds(seconds)) == seconds


def test_clock_texts() -> None:
    assert format_seconds(6921) == "1:55:21"
    assert [parse_seconds(text) for text in ("1:55:21", "09:58", "7", "0:00:10.5")] == [6921, 598, 7, 10.5]


WORDS = st.text(
    st.characters(codec="utf-8", exclude_characters="{}\r\ufeff", exclude_categories=["Cc"]), max_size=30
)
VALUES = st.text(
    st.characters(codec="utf-8", exclude_characters="\ufeff", exclude_categories=["Cc", "Zl", "Zp"]),
    max_size=20,
)
NAMES = st.sampled_from(["Event", "Site", "Date", "White", "Black", "Annotator", "TimeControl"])


@st.composite
def lines(draw: st.DrawFn, start: Position | None = None, depth: int = 2) -> Line:
    """Draw moves with comments, marks and variations."""
    game = draw(games(plies=20)) if start is None else Game(start)
    if start is not None:
        for choice in draw(st.lists(st.integers(0, 9), min_size=1, max_size=4)):
            if game.legal_moves():
                game.push(game.legal_moves()[choice % len(game.legal_moves())])
    line = Line(game.start, list(game.moves))
    position = line.start
    for ply in range(len(line.moves) + 1):
        if draw(st.integers(0, 5)) == 0:
            marks = draw(st.sampled_from([[], ["!"], ["?!", "$7"], ["*"], ["$1", "$255"]])) if ply else []
            note = Annotation(draw(st.lists(WORDS, max_size=2)), marks)
            if ply and depth and draw(st.booleans()):
                note.variations = [draw(lines(position, depth - 1))]
            if note.comments or note.marks or note.variations:
                line.annotations[ply] = note
        if ply:
            position = position.make(line.moves[ply - 1])
    return line


@given(lines(), st.dictionaries(NAMES, VALUES), st.sampled_from([*POINTS, "*", "4-6"]))
def test_any_game_is_read_back(line: Line, tags: dict[str, str], result: str) -> None:
    read = back(PdnGame({**tags, "Result": result}, line, "*"))
    assert read.line == line
    assert read.result == result
    assert {name: value for name, value in read.tags.items() if name in tags} == tags


@given(st.lists(games(plies=30), max_size=5))
def test_several_games_are_read_back_in_order(several: list[Game]) -> None:
    text = "".join(format_pdn(PdnGame.of(game.moves, start=game.start, result="1-1")) for game in several)
    read = parse_pdn(text)
    assert [tuple(game.moves) for game in read] == [game.moves for game in several]
    assert [game.start for game in read] == [game.start for game in several]


@given(games(plies=30))
def test_moves_are_short_unless_ambiguous(game: Game) -> None:
    position = game.start
    for move in game.moves:
        same = [other for other in position.legal_moves() if other.short == move.short]
        assert (format_move(move, position) == move.short) == (len(same) == 1)
        position = position.make(move)
