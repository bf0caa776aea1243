"""Both versions of the protocol as the driver reads and writes them, against recorded sessions and cases."""

from collections import Counter

import pytest
from hub_sessions import CAPTURES, engine_lines
from hypothesis import given
from hypothesis import strategies as st
from known import case

from hub.codec import parse_line
from hub.dialect import Dialect, format_real, read_real, read_whole
from hub.dialect2 import read_level
from hub.messages import Complaint, Done, Identity, Info, Level, Param, Pong, Ready, Text, Wait
from hub.moves import read_move
from hub.versions import HUB_1, HUB_2, detect
from rules.fen import format_hub, parse_fen
from rules.game import Game
from rules.notation import MoveTextError

MAIN_1 = CAPTURES / "d_hub_v1_scan2_main.jsonl"
MAIN_2 = CAPTURES / "d_hub_v2_scan31_zero_eval_main.jsonl"


def kinds(dialect: Dialect, lines: list[str]) -> Counter[str]:
    """Count the messages of each kind."""
    return Counter(type(dialect.read(line)).__name__ for line in lines)


def test_every_line_of_a_recorded_session_of_version_1() -> None:
    lines = engine_lines(MAIN_1)
    counted = kinds(HUB_1, lines)
    assert counted["Info"] == sum(line.startswith("info") for line in lines)
    assert counted["Done"] == sum(line.startswith("move") for line in lines) == 7
    assert counted["Pong"] == 3
    assert counted["Identity"] == 3
    assert counted["Complaint"] == 5
    assert counted["Text"] == 7  # the banner, two notes of `init` and four echoes
    assert counted.total() == len(lines)


def test_every_line_of_a_recorded_session_of_version_2() -> None:
    lines = engine_lines(MAIN_2)
    counted = kinds(HUB_2, lines)
    assert counted["Param"] == 8
    assert counted["Identity"] == counted["Wait"] == counted["Ready"] == 1
    assert counted["Done"] == sum(line.startswith("done") for line in lines) == 8
    assert counted["Info"] == sum(line.startswith("info") for line in lines)
    assert counted["Complaint"] == 8
    assert counted["Pong"] == 2
    assert counted["Text"] == 3  # a note of `init` and two lines of its death
    assert counted.total() == len(lines)


def test_the_greeting_of_version_1() -> None:
    lines = case("HUB-01")["expected"]["engine_lines"]
    assert [detect(line) for line in lines[:2]] == [None, HUB_1]
    messages = [HUB_1.read(line) for line in lines]
    banner, name, author, country, wait = messages
    assert isinstance(banner, Text)
    assert name == Identity(name="Scan 2.0")
    assert author == Identity(author="Fabien Letouzey")
    assert country == Identity(country="France")
    assert wait == Wait()


def test_the_greeting_of_version_2() -> None:
    banner, line, _ = case("HUB-02")["input"]["engine"]
    assert detect(banner) is None
    assert detect(line) is HUB_2
    assert HUB_2.read(line) == Identity(name="A", version="1")


@pytest.mark.parametrize(
    ("line", "dialect"),
    [
        ("wait", HUB_2),
        ("param name=threads value=1 type=int", HUB_2),
        ("author X", HUB_1),
        ("name", None),
        ("id", None),
        ("Scan 2.0 by Fabien Letouzey", None),
        ("", None),
    ],
)
def test_detection(line: str, dialect: Dialect | None) -> None:
    assert detect(line) is dialect


@pytest.mark.parametrize(
    ("dialect", "line", "message"),
    [
        (
            HUB_1,
            "info 13 15.4 -2 435186 0.14 3.1 34-30 17-21",
            Info(13, 15.4, -0.02, 435186, 0.14, 3.1e6, ("34-30", "17-21")),
        ),
        (HUB_1, "info", Info()),
        (HUB_1, "info 3 x", Info(depth=3)),
        (HUB_1, "move 31-26 17-21", Done("31-26", "17-21")),
        (HUB_1, "move 34-30", Done("34-30")),
        (HUB_1, "move 0-0", Done()),
        (HUB_1, "move", Done()),
        (HUB_1, "error bad position", Complaint("bad position")),
        (HUB_1, 'input "ping"', Text('input "ping"')),
        (
            HUB_2,
            'info depth=6 mean-depth=7.6 score=-1.25 nodes=2707 time=0.001 nps=2.7 pv="31-27 17-21"',
            Info(6, 7.6, -1.25, 2707, 0.001, 2.7e6, ("31-27", "17-21")),
        ),
        (HUB_2, 'info depth=x score=nan time=inf pv="31-27', Info(pv=("31-27",))),
        (HUB_2, "info score=0,25 line=2", Info(score=0.25, line=2)),
        (HUB_2, "done move=46x10x14x23 ponder=5x14x10", Done("46x10x14x23", "5x14x10")),
        (HUB_2, "done", Done()),
        (HUB_2, "done move=0-0", Done()),
        (HUB_2, 'error message="bad move"', Complaint("bad move")),
        (
            HUB_2,
            'param name=variant value=normal type=enum values="normal bt"',
            Param("variant", "normal", "enum", choices=("normal", "bt")),
        ),
        (HUB_2, "param name=t value=1 type=int min=1 max=16", Param("t", "1", "int", 1, 16)),
        (HUB_2, "param name=t value=1 type=lie min=x", Param("t", "1", "string")),
        (HUB_2, "param value=1", Text("param value=1")),
        (HUB_2, "ready", Ready()),
        (HUB_2, "pong", Pong()),
        (HUB_2, "init eval", Text("init eval")),
        (HUB_2, 'error: variant = "chess"', Text('error: variant = "chess"')),
    ],
)
def test_reading(dialect: Dialect, line: str, message: object) -> None:
    assert dialect.read(line) == message


@given(st.sampled_from([HUB_1, HUB_2]), st.text() | st.text('info done move=x1-"\x00 '))
def test_reading_never_raises(dialect: Dialect, line: str) -> None:
    dialect.read(line)
    dialect.read(f"info {line}")
    dialect.read(f"param name={line} min={line}")


@pytest.mark.parametrize(
    ("dialect", "level", "lines"),
    [
        (HUB_2, Level(time=58.0), ["level time=58"]),
        (HUB_2, Level(time=20.5, moves=40), ["level moves=40 time=20.5"]),
        (HUB_2, Level(time=57.25, increment=1), ["level time=57.25 inc=1"]),
        (HUB_2, Level(time=0, increment=0.1), ["level time=0 inc=0.1"]),
        (HUB_2, Level(move_time=0.2), ["level move-time=0.2"]),
        (HUB_2, Level(depth=9), ["level depth=9"]),
        (HUB_2, Level(nodes=20000), ["level nodes=20000"]),
        (HUB_2, Level(move_time=1, depth=9), ["level move-time=1", "level depth=9"]),
        (HUB_2, Level(), ["level infinite"]),
        (HUB_1, Level(time=20, moves=40), ["level 40 20000 0"]),
        (HUB_1, Level(time=30.0019, increment=1), ["level 0 30001 1000"]),
        (HUB_1, Level(move_time=0.7), ["time 700"]),
        (HUB_1, Level(depth=5), ["depth 5"]),
        (HUB_1, Level(), []),
    ],
)
def test_levels(dialect: Dialect, level: Level, lines: list[str]) -> None:
    assert dialect.level(level) == lines


def test_case_negative_clock_after_a_margin() -> None:
    assert HUB_2.level(Level(time=0.0, increment=0.1)) == [case("MATCH-07")["expected"]["sent"]]


def test_version_1_has_no_node_limit() -> None:
    with pytest.raises(ValueError, match="nodes"):
        HUB_1.level(Level(nodes=1))


@pytest.mark.parametrize(
    ("line", "level"),
    [
        ("level depth=5", Level(depth=5)),
        ("level moves=40 time=20", Level(time=20, moves=40)),
        ("level time=30 inc=1", Level(time=30, increment=1)),
        ("level moves=0 time=1,5", Level(time=1.5)),
        ("level time=-3", Level(time=0)),
        ("level move-time=x", Level()),
        ("level infinite", Level()),
    ],
)
def test_our_engine_reads_every_form_of_level(line: str, level: Level) -> None:
    assert read_level(parse_line(line)) == level


def test_positions_and_moves() -> None:
    game = Game()
    for text in case("HUB-05")["input"]["game"]:
        game.play(text)
    expected = case("HUB-05")["expected"]["b"]
    assert HUB_2.position(game.start, game.moves) == [expected]
    first, *moves = HUB_1.position(game.start, game.moves)
    assert first == "pos wbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww"
    assert moves == [f"move {move}" for move in expected.split('"')[1].split()]
    assert HUB_2.position(game.position, ()) == [f"pos pos={format_hub(game.position)}"]


def test_commands() -> None:
    assert HUB_1.set_param("book", "false") == "set book false"
    assert HUB_2.set_param("dir", "") == 'set-param name=dir value=""'
    assert [HUB_1.go(mode) for mode in ("think", "ponder", "analyze")] == ["go", "ponder", "analyse"]
    assert [HUB_2.go(mode) for mode in ("think", "analyze")] == ["go think", "go analyze"]
    assert (HUB_1.new_game(), HUB_2.new_game()) == ("new", "new-game")


def test_captured_squares_in_any_order_and_no_path() -> None:
    known = case("HUB-04")
    position = parse_fen(known["input"]["fen"])
    text = parse_line(known["input"]["done"]).get("move")
    assert read_move(text, position).captured == (13, 20, 37)
    with pytest.raises(MoveTextError):
        read_move("4x15x31x42", position)  # the landing squares of the same move


def test_a_capture_without_its_captured_squares() -> None:
    game = Game()
    for text in ("32-28", "19-23"):
        game.play(text)
    assert read_move("28x19", game.position).captured == (23,)
    with pytest.raises(MoveTextError):
        read_move("4x15", parse_fen(case("HUB-04")["input"]["fen"]))


def test_numbers() -> None:
    assert [read_real(text) for text in ("1.5", "1,5", "", "x", "1e999", "nan")] == [
        1.5,
        1.5,
        None,
        None,
        None,
        None,
    ]
    assert [read_whole(text) for text in ("3", "3.9", "-", "9" * 5000)] == [3, 3, None, None]
    assert [format_real(number) for number in (3.0, 0.5, 0.12345, 0)] == ["3", "0.5", "0.123", "0"]
