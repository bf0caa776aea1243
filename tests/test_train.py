"""`bonnard train` and the loop behind it: small runs from nothing to weights, continued where broken off."""

import json
from pathlib import Path

import pytest

from bonnard.cli import run
from engine.assets import load_weights
from tournament.sprt import Sprt
from training.dataset import read_records
from training.generations import Duel, duel, games_of, kept
from training.selfplay import Plan, self_play


def test_self_play_goes_on_with_what_is_there(tmp_path: Path) -> None:
    plan = Plan(tmp_path / "a", 1500, nodes=40, processes=1, niceness=0)
    _, positions = self_play(plan)
    assert positions >= 1500
    path = tmp_path / "a" / "positions-0.bin"
    whole = read_records(path)
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])
    _, again = self_play(plan)
    assert again == positions
    assert read_records(path) == whole


def test_from_nothing_to_weights_by_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    games, weights = str(tmp_path / "games"), tmp_path / "new.bin"
    assert run(["train", "selfplay", games, "--positions", "3000", "--nodes", "40", "--processes", "1"]) == 0
    assert "positions in" in capsys.readouterr().out
    plots = tmp_path / "plots"
    assert run(["train", "fit", str(weights), games, "--passes", "2", "--plots", str(plots)]) == 0
    assert "held-out loss" in capsys.readouterr().out
    provenance = load_weights(weights, tmp_path)
    assert provenance["command"].startswith("bonnard ")
    assert provenance["data"][0]["nodes"] == 40
    assert sorted(path.name for path in plots.iterdir()) == ["curve.png", "men.png"]


def test_a_generation_is_played_fitted_tested_and_told(tmp_path: Path) -> None:
    command = ["train", "generation", str(tmp_path), "--positions", "3000", "--nodes", "40", "--pairs", "10"]
    assert run([*command, "--processes", "1"]) == 0
    (line,) = [json.loads(text) for text in (tmp_path / "generations.jsonl").read_text().splitlines()]
    assert line["generation"] == 1
    assert sum(line["pairs"]) == 10
    assert line["kept"] == (len(kept(tmp_path)) == 1)
    assert [path.name for path in games_of(tmp_path, 2)] == ["positions-0.bin"]


def test_a_duel_of_equals_is_even_and_its_test_can_decide() -> None:
    result = duel(None, None, Duel(nodes=30, most_pairs=20, processes=1))
    assert result.score == pytest.approx(0.5)
    assert result.decision is None
    result = duel(None, None, Duel(nodes=30, most_pairs=400, processes=1, test=Sprt(100, 200)))
    assert result.decision == "H0 accepted"
    assert result.pairs.number < 400


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["fit", "out.bin"], "name at least one"),
        (["fit", "out.bin", "missing.bin"], "no positions in missing.bin"),
        (["fit", "out.bin", ".", "--result-share", "2"], "between 0 and 1"),
        (["selfplay", "out", "--nodes", "0"], "at least 1"),
    ],
)
def test_wrong_use_is_one_line(
    arguments: list[str],
    message: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["train", *arguments]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
