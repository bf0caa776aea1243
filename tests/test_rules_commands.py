"""The commands moves, perft and pdn check, as DESIGN.md 7 promises them to scripts."""

import json
import re
from pathlib import Path

import pytest
from known import DATA, case, legal_moves, perft_rows

from bonnard.cli import run

PDN = DATA / "pdn"


def lines(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> list[str]:
    """Run a command line and return what it printed on stdout."""
    assert run(arguments) == code
    return capsys.readouterr().out.splitlines()


def complaint(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Run a wrong command line; return its one line on stderr, nothing being on stdout."""
    assert run(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("bonnard: ")
    assert err.count("\n") == 1
    return err


def test_moves(capsys: pytest.CaptureFixture[str]) -> None:
    for row in legal_moves()[::10]:
        assert lines(capsys, "moves", row["fen"]) == row["moves"]


@pytest.mark.parametrize("name", ["RULES-17", "RULES-18"])
def test_moves_prints_nothing_where_there_is_none(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert lines(capsys, "moves", case(name)["input"]["fen"]) == []


def test_a_wrong_fen_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert "square 51 is not on the board" in complaint(capsys, "moves", "W:W51:B1")
    assert "column 4" in complaint(capsys, "perft", "3", "--fen", "W:W51:B1")


@pytest.mark.parametrize("threads", ["1", "3"])
def test_perft(threads: str, capsys: pytest.CaptureFixture[str]) -> None:
    for row in perft_rows(20_000)[::20]:
        printed = lines(capsys, "perft", str(row["depth"]), "--fen", row["fen"], "--threads", threads)
        assert len(printed) == 1
        assert re.fullmatch(rf"{row['depth']} {row['nodes']} \d+\.\d+ \d+\.\d+", printed[0])


def test_perft_of_the_start_position(capsys: pytest.CaptureFixture[str]) -> None:
    assert lines(capsys, "perft", "6")[-1].startswith("6 167140 ")
    assert lines(capsys, "perft", "0")[-1].startswith("0 1 ")
    assert lines(capsys, "perft", "6", "--threads", "2", "--hash", "1")[-1].startswith("6 167140 ")


@pytest.mark.parametrize("depth", [1, 2, 4])
@pytest.mark.parametrize("threads", ["1", "2"])
def test_perft_divide(depth: int, threads: str, capsys: pytest.CaptureFixture[str]) -> None:
    nodes = case("RULES-26")["expected"]["perft"][depth - 1]
    *moves, last = lines(capsys, "perft", str(depth), "--divide", "--threads", threads)
    assert [line.split()[0] for line in moves] == [
        *("31-26", "31-27", "32-27", "32-28", "33-28", "33-29", "34-29", "34-30", "35-30")
    ]
    assert sum(int(line.split()[1]) for line in moves) == nodes
    assert last.startswith(f"{depth} {nodes} ")


@pytest.mark.parametrize(
    "arguments",
    [
        ["-1"],
        ["x"],
        ["1.5"],
        ["61"],
        ["3", "--threads", "0"],
        ["3", "--threads", "1.5"],
        ["3", "--hash", "-1"],
        [],
    ],
)
def test_perft_used_wrongly(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert complaint(capsys, "perft", *arguments)


def checked(capsys: pytest.CaptureFixture[str], *files: Path, code: int = 0) -> list[dict[str, object]]:
    printed = lines(capsys, "pdn", "check", "--json", *map(str, files), code=code)
    return [json.loads(line) for line in printed]


def test_pdn_check_json(capsys: pytest.CaptureFixture[str]) -> None:
    rows = json.loads((PDN / "expected.json").read_text())
    sound = [row for row in rows if row["error"] is None]
    games = checked(capsys, *(PDN / row["file"] for row in sound))
    expected = [game for row in sound for game in row["games"]]
    assert len(games) == len(expected)
    for game, right in zip(games, expected, strict=True):
        assert (game["moves"], game["result"], game["error"]) == (right["moves"], right["result"], None)


def test_pdn_check_json_of_one_game(capsys: pytest.CaptureFixture[str]) -> None:
    (game,) = checked(capsys, PDN / "39_repetition.pdn")
    assert game["fen"] == "W:WK1,K2:BK49,K50"
    assert game["tags"]["Event"] == "Test"  # type: ignore[index]
    assert (game["result"], game["reason"], game["warnings"]) == ("1-1", "repetition", [])


def test_pdn_check_tells_the_reason_of_the_tag_first(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "a.pdn"
    file.write_text('[Termination "time"]\n[Result "2-0"]\n\n1. 32-28 *\n\n1. 31-27 *\n')
    first, second = checked(capsys, file)
    assert (first["reason"], first["result"]) == ("time", "2-0")
    assert (second["reason"], second["result"]) == (None, "*")


@pytest.mark.parametrize(
    ("name", "line", "column", "plies"),
    [
        ("40_illegal_move.pdn", 1, 37, 6),
        ("41_unterminated_comment.pdn", 1, 31, 4),
        ("43_bad_tag.pdn", 1, 1, 0),
    ],
)
def test_pdn_check_errors(
    name: str, line: int, column: int, plies: int, capsys: pytest.CaptureFixture[str]
) -> None:
    (game,) = checked(capsys, PDN / name, code=1)
    error = game["error"]
    assert isinstance(error, dict)
    assert (error["line"], error["column"]) == (line, column)
    assert len(game["moves"]) == plies  # type: ignore[arg-type]
    printed = lines(capsys, "pdn", "check", str(PDN / name), code=1)
    assert printed[0] == f"{PDN / name}:{line}:{column}: error in game 1: {error['message']}"
    assert printed[-1] == "1 games, 1 with an error, 0 warnings"


def test_pdn_check_of_an_empty_file_and_of_warnings(capsys: pytest.CaptureFixture[str]) -> None:
    assert lines(capsys, "pdn", "check", str(PDN / "45_empty_file.pdn")) == [
        "0 games, 0 with an error, 0 warnings"
    ]
    printed = lines(capsys, "pdn", "check", str(PDN / "35_result_mismatch.pdn"))
    assert "warning in game 1: the Result tag says 2-0" in printed[0]


def test_pdn_check_used_wrongly(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "no such file" in complaint(capsys, "pdn", "check", str(tmp_path / "none.pdn"))
    assert "at least one" in complaint(capsys, "pdn", "check")
