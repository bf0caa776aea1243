"""`bonnard analyse`: a position or a game's position, by our engine and by any other."""

import json
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest
from known import case

from bonnard.analysis import Effort, finding
from bonnard.cli import run
from hub.messages import Info
from rules.fen import parse_fen
from rules.game import Game
from rules.notation import parse_move

DATA = Path(__file__).parent / "data"
SCRIPTED = Path(__file__).parent / "engines" / "scripted.py"
START = "W:W31-50:B1-20"
TWO_WAYS = case("HUB-04")["input"]["fen"]


def analyse(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, Any]]:
    """Return the objects that the command prints; it must end well."""
    assert run(["analyse", *arguments, "--json"]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def scripted(answers: dict[str, Any]) -> str:
    """Return the SPEC of an engine that says what it is told."""
    return "hub:" + shlex.join([sys.executable, str(SCRIPTED), json.dumps(answers)])


def check_lines(position: str, lines: list[dict[str, Any]]) -> None:
    """Expect legal variations, and a best move at the end that begins the last best one."""
    for line in lines[:-1]:
        game = Game(parse_fen(position))
        for move in line["pv"]:
            game.push(parse_move(move, game.position))
            assert game.moves[-1].hub == move
    best = [line["pv"][0] for line in lines[:-1] if line["line"] == 1]
    assert lines[-1] == {"bestmove": best[-1]}


def test_a_position(capsys: pytest.CaptureFixture[str]) -> None:
    lines = analyse(capsys, START, "--depth", "6", "--tt-size", "1")
    check_lines(START, lines)
    assert set(lines[0]) == {"depth", "score", "win_in", "nodes", "time", "line", "pv"}
    assert lines[-2]["depth"] == 6
    assert abs(lines[-2]["score"]) < 1


def test_a_won_position_tells_the_plies(capsys: pytest.CaptureFixture[str]) -> None:
    lines = analyse(capsys, TWO_WAYS, "--depth", "12", "--tt-size", "1")
    check_lines(TWO_WAYS, lines)
    last = lines[-2]
    assert last["win_in"] > 0
    assert last["score"] == pytest.approx(100 - 0.01 * last["win_in"])


def test_text(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["analyse", TWO_WAYS, "--depth", "12", "--tt-size", "1"]) == 0
    *lines, last = capsys.readouterr().out.splitlines()
    assert "win in" in lines[-1]
    assert "pv 4x15x" in lines[-1]
    assert last.startswith("bestmove 4x15x")


@pytest.mark.parametrize("limit", [("--time", "0.2"), ("--nodes", "5000")])
def test_limits(capsys: pytest.CaptureFixture[str], limit: tuple[str, str]) -> None:
    check_lines(START, analyse(capsys, START, *limit, "--tt-size", "1"))


def test_several_lines_are_different_moves_and_the_best_is_first(capsys: pytest.CaptureFixture[str]) -> None:
    lines = analyse(capsys, START, "--depth", "7", "--lines", "3", "--tt-size", "1")
    check_lines(START, lines)
    last = {line["line"]: line for line in lines[:-1]}
    assert sorted(last) == [1, 2, 3]
    assert len({line["pv"][0] for line in last.values()}) == 3
    assert last[1]["score"] >= max(last[2]["score"], last[3]["score"]) - 0.1  # each is a search of its own


def test_several_lines_of_an_engine_that_tells_one(capsys: pytest.CaptureFixture[str]) -> None:
    """Its moves are searched one by one: what it says after each is seen from the other side."""
    position = "W:W31,32:B1"
    answers = [[f"info depth=4 score={score} pv=1-6", "done move=1-6"] for score in (0.5, -0.25, 0.75)]
    lines = analyse(capsys, position, "--depth", "5", "--lines", "2", "--engine", scripted({"go": answers}))
    check_lines(position, lines)
    assert [(line["line"], line["score"], line["depth"], line["pv"]) for line in lines[:-1]] == [
        (1, 0.25, 5, ["31-27", "1-6"]),
        (2, -0.5, 5, ["31-26", "1-6"]),
    ]


@pytest.mark.parametrize(("ply", "moves"), [("0", 0), ("3", 3)])
def test_a_game_at_a_ply(capsys: pytest.CaptureFixture[str], ply: str, moves: int, tmp_path: Path) -> None:
    pdn = tmp_path / "games.pdn"
    pdn.write_text("1. 32-28 19-23 2. 28x19 14x23 *\n\n1. 31-27 17-21 *\n")
    lines = analyse(capsys, str(pdn), "--ply", ply, "--depth", "3", "--tt-size", "1")
    expected = Game()
    for text in ("32-28", "19-23", "28x19", "14x23")[:moves]:
        expected.play(text)
    assert expected.position.is_legal(parse_move(lines[-1]["bestmove"], expected.position))


def test_another_game_of_the_file_at_its_end(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    pdn = tmp_path / "games.pdn"
    pdn.write_text("1. 32-28 19-23 *\n\n1. 31-26 17-21 *\n")
    lines = analyse(capsys, str(pdn), "--game", "2", "--depth", "3", "--tt-size", "1")
    assert lines[-1] == {"bestmove": "26x17x21"}


def test_a_finished_position(capsys: pytest.CaptureFixture[str]) -> None:
    assert analyse(capsys, "W:W16:B7,11") == [{"bestmove": None}]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["W:W31-50:B1-99"], 2, "FEN"),
        (["nothing.pdn"], 2, "no such file"),
        ([START, "--ply", "3"], 2, "PDN file"),
        ([str(DATA / "pdn" / "01_plain.pdn"), "--game", "99"], 2, "no game 99"),
        ([str(DATA / "pdn" / "01_plain.pdn"), "--ply", "999"], 2, "--ply is from 0"),
        ([START, "--time", "1", "--depth", "1"], 2, "one of --time, --depth and --nodes"),
        ([START, "--time", "0"], 2, "above 0"),
        ([START, "--time", "inf"], 2, "--time"),
        ([START, "--depth", "1", "--threads", "0"], 2, "--threads"),
        ([START, "--depth", "1", "--threads", "65"], 2, "--threads is a whole number from 1 to 64"),
        ([START, "--depth", "1", "--tt-size", "-5"], 2, "--tt-size"),
        ([START, "--depth", "1", "--tt-size", "20000"], 2, "--tt-size is a number of MB from 1 to 16384"),
        ([START, "--lines", "0"], 2, "1 to 20"),
        ([START, "--engine", "dxp:localhost:1"], 2, "no analysis"),
        ([START, "--engine", "hub:/nonexistent"], 1, "cannot be started"),
        ([START, "--depth", "1", "--engine", scripted({"go": ["!exit 3"]})], 1, "exit code 3"),
        ([START, "--depth", "1", "--engine", scripted({"go": ["done move=1-2"]})], 1, "1-2"),
    ],
)
def test_faults_are_one_line(
    capsys: pytest.CaptureFixture[str], arguments: list[str], code: int, message: str
) -> None:
    assert run(["analyse", *arguments]) == code
    told = capsys.readouterr()
    assert message in told.err
    assert told.err.count("\n") == 1


def test_a_variation_is_cut_where_it_is_not_legal() -> None:
    found = finding(Info(score=99.5, pv=("32-28", "19-23", "28x19", "1-2")), Game().position, ours=False)
    assert [move.hub for move in found.variation] == ["32-28", "19-23", "28x19x23"]
    assert found.win_in is None
    lost = finding(Info(score=-99.94), Game().position, ours=True)
    assert lost.win_in == -6


def test_efforts_are_shared_among_moves() -> None:
    assert Effort(seconds=1).share(10) == Effort(seconds=0.1)
    assert Effort(depth=5).share(10) == Effort(depth=4)
    assert Effort(nodes=5).share(10) == Effort(nodes=1)
