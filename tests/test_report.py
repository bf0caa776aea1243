"""tournament.report, report_text and plot: a report is read from the store and holds what was played."""

import json
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from match_games import game_record, settings_of

from bonnard.cli import run
from bonnard.game_log import open_game_log
from rules.colour import Colour
from rules.game import Reason
from tournament.openings import ballots
from tournament.plot import Curve, draw
from tournament.report import Report, read_report, report_values, write_reports
from tournament.report_text import report_text, table
from tournament.settings import MatchSettings, configuration
from tournament.sprt import Sprt
from tournament.store import Store

WHITE, BLACK = Colour.WHITE, Colour.BLACK


def report_of(
    directory: Path, settings: MatchSettings, games: Sequence[tuple[str, str, Colour | None, Reason]]
) -> Report:
    """Return the report of a match with these games, in the order of the schedule."""
    with Store.open(directory / "match.db") as store:
        match = store.begin_match("m", "match", configuration(settings, ballots(2)))
        for number, (white, black, winner, reason) in enumerate(games):
            record = game_record(white, black, winner, reason)
            store.record_game(match, record, number=number, pair=number // 2, opening=f"o{number // 2}")
        return read_report(store, store.matches()[0])


def values_of(report: Report) -> Any:  # noqa: ANN401 - JSON
    """Return the report's values as a reader of its JSON gets them."""
    return json.loads(json.dumps(report_values(report), allow_nan=False))


def test_a_match_of_two(tmp_path: Path) -> None:
    games = [
        ("A", "B", WHITE, Reason.NO_MOVE),
        ("B", "A", None, Reason.REPETITION),
        ("A", "B", BLACK, Reason.TIME),
        ("B", "A", None, Reason.REPETITION),
        ("A", "B", WHITE, Reason.RESIGN),
    ]
    report = report_of(tmp_path, settings_of(games=6), games)
    values = values_of(report)
    assert (values["games"], values["planned"], values["complete"]) == (5, 6, False)
    assert values["reasons"] == {"repetition": 2, "no move": 1, "time": 1, "resign": 1}
    assert values["draw_rate"] == 0.4
    (pairing,) = values["pairings"]
    assert (pairing["wins"], pairing["draws"], pairing["losses"]) == (2, 2, 1)
    assert pairing["pairs"] == [0, 1, 0, 1, 0]
    assert (pairing["elo"], pairing["superiority"]) == (0, 0.5)
    first, second = values["players"]
    assert first["faults"] == {"time": 1}
    assert second["as_white"]["games"] == 2
    # A moved first in three games of four plies of 0.25, 0.5, 0.75 and 1.0 seconds, and second in two.
    assert first["time"] == {"moves": 10, "seconds": 6.0, "mean": 0.6, "longest": 1.0}
    text = report_text(report)
    assert "5 of 6 games" in text
    assert "| A      |     5 |      3 | 60.0 % |" in text
    assert "| A      |  time |     1 |" in text
    # White won the first game of the first opening, and the second was drawn.
    assert "| o0      | +1 =1 -0 |  75.0 % | 50.0 % |" in text


def test_three_players(tmp_path: Path) -> None:
    games = [
        ("A", "B", WHITE, Reason.NO_MOVE),
        ("B", "A", BLACK, Reason.NO_MOVE),
        ("A", "C", None, Reason.REPETITION),
        ("C", "A", None, Reason.REPETITION),
        ("B", "C", BLACK, Reason.NO_MOVE),
        ("C", "B", WHITE, Reason.NO_MOVE),
    ]
    report = report_of(tmp_path, settings_of(["A", "B", "C"], games=2, form="round-robin"), games)
    values = values_of(report)
    assert (values["planned"], values["complete"]) == (6, True)
    assert len(values["pairings"]) == 3
    assert values["pairings"][0]["elo"] is None
    assert values["pairings"][0]["superiority"] == 1
    assert [curve.name for curve in report.curves] == ["A", "B", "C"]
    assert "+inf" in report_text(report)


def test_no_game_yet(tmp_path: Path) -> None:
    report = report_of(tmp_path, settings_of(games=2, sprt=Sprt(0, 10)), [])
    values = values_of(report)
    assert values["games"] == 0
    assert values["players"][0]["elo"] is None
    assert "0 of 2 games" in report_text(report)
    write_reports(tmp_path, report, report_text(report))
    assert ET.parse(tmp_path / "report.svg").getroot().tag.endswith("svg")  # noqa: S314 - our own


def test_games_of_serve_have_no_schedule(tmp_path: Path) -> None:
    with Store.open(tmp_path / "games.db") as store:
        match = store.begin_match("serve", "serve", {})
        store.record_game(match, game_record("Peer", "Bonnard", WHITE, Reason.RESIGN))
        store.record_game(match, game_record("Bonnard", "Peer"))
        report = read_report(store, store.matches()[0])
    values = values_of(report)
    assert (values["planned"], values["complete"], values["games"]) == (None, False, 2)
    assert values["players"][0]["name"] == "Bonnard"
    assert values["players"][0]["losses"] == 1
    assert "2 games" in report_text(report)


async def test_games_of_serve_are_listed_and_those_without_a_result_count_for_nothing(tmp_path: Path) -> None:
    with open_game_log(str(tmp_path), "serve") as games:
        await games.write(game_record("Peer", "Bonnard", WHITE, Reason.RESIGN))
        await games.write(game_record("Peer", "Bonnard", None, Reason.ABORTED))
        await games.write(game_record("Bonnard", "Other", None, Reason.ABORTED))
    with Store.open(tmp_path / "match.db", read_only=True) as store:
        report = read_report(store, store.matches()[0])
    values = values_of(report)
    assert (values["games"], values["uncounted"], values["draw_rate"]) == (1, 2, 0.0)
    assert [(game["game"], game["result"], game["reason"]) for game in values["latest"]] == [
        (1, "2-0", "resign"),
        (2, "*", "aborted"),
        (3, "*", "aborted"),
    ]
    text = report_text(report)
    assert "Other" in text
    assert "report.svg" not in text  # only a match writes it


async def test_a_server_that_has_finished_no_game_has_a_report(tmp_path: Path) -> None:
    with open_game_log(str(tmp_path), "serve") as games:
        await games.write(game_record("Peer", "Bonnard", None, Reason.ABORTED))
    with Store.open(tmp_path / "match.db", read_only=True) as store:
        report = read_report(store, store.matches()[0])
    assert values_of(report)["games"] == 0
    assert "aborted" in report_text(report)


def test_a_server_that_has_played_no_game_has_a_report_without_a_plot(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with open_game_log(str(tmp_path), "serve"):
        pass
    assert run(["report", str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    assert "0 games" in printed
    assert "report.svg" not in printed


def test_a_plot_is_linked_once_there_is_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = report_of(tmp_path, settings_of(games=2), [("A", "B", WHITE, Reason.NO_MOVE)])
    assert run(["report", str(tmp_path)]) == 0
    assert "report.svg" not in capsys.readouterr().out
    write_reports(tmp_path, found, report_text(found))
    assert run(["report", str(tmp_path)]) == 0
    assert "![Score by game](report.svg)" in capsys.readouterr().out
    assert "![Score by game](report.svg)" in (tmp_path / "report.md").read_text()


def test_a_decided_test_stays_decided(tmp_path: Path) -> None:
    won = [("A", "B", WHITE, Reason.NO_MOVE), ("B", "A", BLACK, Reason.NO_MOVE)] * 30
    lost = [("A", "B", BLACK, Reason.NO_MOVE), ("B", "A", WHITE, Reason.NO_MOVE)] * 30
    report = report_of(tmp_path, settings_of(games=120, sprt=Sprt(0, 200)), won + lost)
    assert report.sprt is not None
    assert report.sprt.decision == "H1 accepted"
    assert "H1 accepted" in report_text(report)


def test_reports_replace_each_other(tmp_path: Path) -> None:
    report = report_of(tmp_path, settings_of(games=2), [("A", "B", WHITE, Reason.NO_MOVE)])
    for text in ("one", "two"):
        write_reports(tmp_path, report, text)
    assert (tmp_path / "report.md").read_text() == "two"
    assert not list(tmp_path.glob("*.new"))
    assert json.loads((tmp_path / "report.json").read_text()) == report_values(report)


@pytest.mark.parametrize("games", [0, 1, 3, 5000])
def test_a_plot_is_an_image_of_bounded_size(games: int) -> None:
    curves = [Curve("A<B>", [1.0, 0.5, 0.0] * (games // 3) + [1.0] * (games % 3)), Curve("C", [0.5] * games)]
    text = draw(curves, "a & b")
    root = ET.fromstring(text)  # noqa: S314 - our own
    lines = [element for element in root if element.tag.endswith("polyline")]
    assert len(lines) == (2 if games else 0)
    assert len(text) < 30_000


def test_a_table_is_aligned() -> None:
    assert table(["a", "bb"], [["ccc", "d"]]) == ["| a   | bb |", "| :-- | -: |", "| ccc |  d |"]
