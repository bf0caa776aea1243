"""tournament.openings: the 79 and the 375, by the rules alone (case MATCH-13), and files with faults."""

from pathlib import Path

import pytest
from known import case

from rules.fen import format_fen
from rules.position import Position
from tournament.openings import OpeningsError, ballots, load_openings, settled_material


def test_case_match_13_two_plies() -> None:
    row = case("MATCH-13")["expected"]
    start = Position.start()
    lines = {
        (first.short, second.short): start.make(first).make(second)
        for first in start.legal_moves()
        for second in start.make(first).legal_moves()
    }
    assert len(lines) == row["all"]
    openings = load_openings("2ply")
    assert len(openings) == row["used"]
    kept = {opening.position for opening in openings}
    assert sorted(moves for moves, position in lines.items() if position not in kept) == sorted(
        map(tuple, row["dropped"])
    )


def test_three_plies() -> None:
    openings = ballots(3)
    assert len(openings) == len({opening.position for opening in openings}) == 375
    assert all(settled_material(opening.position) == 0 for opening in openings)


def test_an_opening_is_called_by_its_moves() -> None:
    first = load_openings("2ply")[0]
    assert first.name == "31-26 16-21"
    assert first.position == Position.start().make(Position.start().legal_moves()[0]).make(
        Position.start().make(Position.start().legal_moves()[0]).legal_moves()[0]
    )


def test_a_file_of_fens(tmp_path: Path) -> None:
    file = tmp_path / "ballots.fen"
    file.write_text("# two\n\nW:W31,32:B19,20\n  B:WK5:B20,21.\n")
    assert [format_fen(opening.position) for opening in load_openings("ballots.fen", tmp_path)] == [
        "W:W31,32:B19,20",
        "B:WK5:B20,21",
    ]


def test_a_file_of_games(tmp_path: Path) -> None:
    file = tmp_path / "ballots.pdn"
    file.write_text('[Event "1"]\n\n1. 32-28 18-23 *\n\n[Event "2"]\n\n1. 31-26 *\n')
    openings = load_openings(str(file))
    assert [opening.name for opening in openings] == ["32-28 18-23", "31-26"]
    assert [opening.position.turn.letter for opening in openings] == ["W", "B"]


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("a.fen", "W:W31:B20\nW:W31,99:B20\nX\n", ["a.fen: line 2", "a.fen: line 3"]),
        ("a.fen", "W:B20:W\n", ["line 1", "no legal move"]),
        ("a.fen", "# nothing\n", ["a.fen: there is no opening"]),
        ("a.pdn", "1. 32-28 18-24 *\n", ["line 1"]),
        ("a.fen", "X\n" * 500, ["line 10", "and 490 more"]),
    ],
)
def test_every_fault_of_a_file_is_told(tmp_path: Path, name: str, text: str, told: list[str]) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(OpeningsError) as raised:
        load_openings(name, tmp_path)
    for part in told:
        assert part in str(raised.value)


def test_a_missing_file_is_told_with_what_is_accepted(tmp_path: Path) -> None:
    with pytest.raises(OpeningsError, match="2ply, 3ply, start"):
        load_openings("nowhere.fen", tmp_path)
