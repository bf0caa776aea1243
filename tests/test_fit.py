"""Fitting: it finds the weights that made the results, is the same each time, and scales a man to 1."""

from pathlib import Path

import numpy as np
import pytest

from engine.assets import folded, load_weights, unpack_weights
from engine.weights import PARTS, untaught
from training.arena import RECORD_SIZE, Arena
from training.dataset import DatasetError, PositionWriter
from training.descent import NET_WEIGHTS, PAIRS, PARTS_OF_PAIRS, Model
from training.fit import (
    RECORD,
    Recipe,
    fit,
    fit_to_file,
    go_on,
    load,
    quantised,
    score_scale,
    targets_of,
)

RECIPE = Recipe(passes=3)


def play(path: Path, seed: int, number: int) -> Path:
    """Write the positions of some quick games to a file."""
    table = folded(untaught())
    buffer = bytearray(30_000 * RECORD_SIZE)
    games, size = Arena(table, table, 60).play(seed, 0, number, buffer)
    writer = PositionWriter.open(path, {"nodes": 60})
    writer.append(games, buffer[:size])
    writer.close()
    return path


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a file with the positions of some quick games."""
    return play(tmp_path_factory.mktemp("games") / "positions-0.bin", 1, 300)


def test_the_parts_of_fitting_and_of_folding_are_the_same() -> None:
    parts = [(name, 2 * size) for name, size in PARTS_OF_PAIRS.items()]
    assert [*parts, ("net", NET_WEIGHTS)] == list(PARTS)
    assert RECORD.itemsize == RECORD_SIZE


def test_loading_leaves_each_position_once_and_holds_whole_games_out(data: Path) -> None:
    records, held = load([data, data])
    seen = {(int(r["white"]), int(r["black"]), int(r["kings"]), int(r["turn"])) for r in records}
    assert len(seen) == len(records)
    assert 0 < held.sum() < len(records) / 5
    once, held_once = load([data])
    assert len(once) == len(records)
    assert not set(once["game"][held_once]) & set(once["game"][~held_once])


def test_a_fit_lowers_the_loss_of_games_it_has_not_seen(data: Path) -> None:
    fitted = fit([data], RECIPE)
    records, held = load([data])
    targets = targets_of(records[held], RECIPE.result_share)
    logits = np.zeros(len(targets), dtype=np.float32)
    nothing = Model().judge(np.ascontiguousarray(records[held]).view(np.uint8), targets, logits)
    assert nothing == pytest.approx(np.log(2), abs=1e-6)
    assert not logits.any()
    assert fitted.curve[-1][1] < nothing - 0.02
    assert fitted.curve[-1][0] < fitted.curve[0][0]
    assert fitted.positions + fitted.held_out == len(records)


def test_the_same_data_and_seed_give_the_same_weights(data: Path) -> None:
    assert fit([data], RECIPE).parts == fit([data], RECIPE).parts


def test_a_man_is_worth_about_1000(data: Path, tmp_path: Path) -> None:
    target = tmp_path / "weights.bin"
    fitted = fit_to_file([data], RECIPE, target, {"generation": 1})
    assert unpack_weights(target) == fitted.parts
    provenance = load_weights(target, tmp_path)
    assert provenance["positions"] == fitted.positions
    assert provenance["recipe"]["passes"] == 3
    assert provenance["data"] == [{"file": "positions-0.bin", "nodes": 60}]
    singles = np.frombuffer(fitted.parts, dtype="<i2")[: 2 * PAIRS].reshape(PAIRS, 2)[
        PARTS_OF_PAIRS["cells"] + PARTS_OF_PAIRS["small"] :
    ]
    assert singles[:12].mean() > 0 > singles[12:24].mean()


def test_going_on_begins_with_exactly_the_weights_before(data: Path) -> None:
    parts = fit([data], RECIPE).parts
    model = Model()
    go_on(model, parts, 0.8)
    assert quantised(model, 1000 / 0.8) == parts


def test_a_fit_that_goes_on_knows_more_of_other_games(data: Path, tmp_path: Path) -> None:
    before, after = tmp_path / "before.bin", tmp_path / "after.bin"
    fit_to_file([data], RECIPE, before, {"generation": 1})
    others = play(tmp_path / "positions-1.bin", 2, 100)
    once = Recipe(passes=1, rate=0.1, net_rate=0.05)
    gone_on = fit_to_file([others], once, after, {"generation": 2}, before=before)
    # In the first pass the loss is met before anything is learned from the position.
    assert gone_on.curve[0][0] < fit([others], once).curve[0][0] - 0.005
    assert load_weights(after, tmp_path)["before"]["provenance"]["generation"] == 1


def test_a_strong_pull_keeps_weights_where_they_began(data: Path) -> None:
    records, _ = load([data])
    raw, targets = np.ascontiguousarray(records).view(np.uint8), targets_of(records, 1.0)
    first = np.linspace(-1, 1, PAIRS, dtype=np.float32)
    model = Model()
    model.start_pairs(first, -first)
    model.weigh(raw, dict.fromkeys(PARTS_OF_PAIRS, 1e9))
    model.learn(raw, targets, 0.3, 0.0)
    opening, ending = np.ones(PAIRS, dtype=np.float32), np.ones(PAIRS, dtype=np.float32)
    model.export(opening, ending)
    assert max(abs(opening - first).max(), abs(ending + first).max()) < 1e-3


def test_the_scale_of_scores_is_found() -> None:
    generator = np.random.default_rng(1)
    scores = generator.normal(0, 150, 50_000).astype(np.float32)
    results = (generator.random(50_000) < 1 / (1 + np.exp(-0.008 * scores))).astype(np.float32)
    assert score_scale(scores, results) == pytest.approx(0.008, rel=0.05)


def test_a_strong_pull_keeps_weights_at_zero(data: Path) -> None:
    records, _ = load([data])
    raw, targets = np.ascontiguousarray(records).view(np.uint8), targets_of(records, 1.0)
    model = Model()
    model.weigh(raw, dict.fromkeys(PARTS_OF_PAIRS, 1e9))
    model.learn(raw, targets, 0.3, 0.0)
    opening, ending = np.ones(PAIRS, dtype=np.float32), np.ones(PAIRS, dtype=np.float32)
    model.export(opening, ending)
    assert max(abs(opening).max(), abs(ending).max()) < 1e-3


def test_what_does_not_fit_together_is_refused(data: Path) -> None:
    records, _ = load([data])
    raw = np.ascontiguousarray(records).view(np.uint8)
    with pytest.raises(ValueError, match="targets"):
        Model().learn(raw, np.zeros(3, dtype=np.float32), 0.1, 0.1)
    with pytest.raises(ValueError, match="the net has"):
        Model().start_net(np.zeros(3, dtype=np.float32))
    with pytest.raises(ValueError, match="pairs"):
        Model().export(np.zeros(3, dtype=np.float32), np.zeros(3, dtype=np.float32))
    with pytest.raises(ValueError, match="pairs"):
        Model().start_pairs(np.zeros(3, dtype=np.float32), np.zeros(3, dtype=np.float32))
    with pytest.raises(DatasetError, match="no positions"):
        load([])
