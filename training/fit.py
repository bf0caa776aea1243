"""From files of positions to weights: sort out, split, fit, scale, pack."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import attrs
import numpy as np
import numpy.typing as npt

from engine.assets import Packed, pack_weights, weights_in
from training.dataset import DatasetError, read_header, read_records
from training.descent import NET_FACTORS, NET_SHIFT, NET_WEIGHTS, PAIRS, PARTS_OF_PAIRS, Model

RECORD = np.dtype(
    [
        ("white", "<u8"),
        ("black", "<u8"),
        ("kings", "<u8"),
        ("score", "<i2"),
        ("result", "i1"),
        ("turn", "u1"),
        ("game", "<u4"),
    ]
)
"""A position as training.arena records it."""

HELD_OUT = 20
"""One game in so many is kept for judging."""

NET_SPREAD = 0.12
"""Standard deviation of the numbers that the net starts with."""

NET_UNIT = 256
"""What 1 is among the net's 16-bit sums."""

MOST_SCALE = 0.05
"""Logits per 1/100 man that no evaluation comes near."""

Records = npt.NDArray[np.void]
Floats = npt.NDArray[np.float32]


@attrs.frozen
class Recipe:
    """How weights are fitted."""

    passes: int = 3
    """Times that every position is learned from."""
    rate: float = 0.4
    """First step; it falls to a twentieth in the last pass."""
    net_rate: float = 0.2
    """The net's first step; with 0 it is not learned."""
    result_share: float = 0.3
    """Share of the game's result in what is learned; the rest is the score of the search."""
    strengths: dict[str, float] = attrs.field(
        factory=lambda: {"cells": 150.0, "small": 60.0, "singles": 1.0, "terms": 1.0}
    )
    """Pull towards zero or the weights before: the imagined positions that speak for those, by part."""
    seed: int = 1


GOING_ON = Recipe(rate=0.1, net_rate=0.05)
"""The recipe for going on from earlier weights: what is known already needs shorter steps."""


@attrs.frozen
class Fitted:
    """What came out."""

    parts: bytes
    """Unfolded weights."""
    positions: int
    """Positions learned from."""
    held_out: int
    curve: list[tuple[float, float]]
    """Loss while learning and on the held-out games, pass by pass."""
    logit_per_man: float


def load(paths: Sequence[Path]) -> tuple[Records, npt.NDArray[np.bool_]]:
    """Return the different positions of some files, and which of them are of held-out games."""
    found, held = [], []
    for number, path in enumerate(paths):
        records = np.frombuffer(read_records(path), dtype=RECORD)
        found.append(records)
        # A multiplicative hash: neighbours in number, which share nothing, spread evenly anyway.
        held.append((records["game"].astype(np.uint64) * 2654435761 + number * 40503) >> 7 & 0xFFFF)
    if not found or not sum(map(len, found)):
        raise DatasetError("there are no positions to learn from")
    records = np.concatenate(found)
    chosen = np.concatenate(held) % HELD_OUT == 0
    key = records["white"] * np.uint64(0x9E3779B97F4A7C15)
    key ^= np.bitwise_xor(records["black"] * np.uint64(0xC2B2AE3D27D4EB4F), key >> np.uint64(29))
    key = key * np.uint64(0xD6E8FEB86659FD93) + records["kings"] * np.uint64(2) + records["turn"]
    _, first = np.unique(key, return_index=True)
    return records[first], chosen[first]


def score_scale(scores: npt.NDArray[np.floating], results: npt.NDArray[np.floating]) -> float:
    """Return the logit per 1/100 man that makes scores predict results best (Newton's method)."""
    scale = 0.005
    for _ in range(30):
        chance = 1 / (1 + np.exp(-scale * scores))
        slope = float(np.mean((chance - results) * scores))
        curvature = float(np.mean(chance * (1 - chance) * scores * scores))
        if curvature == 0:
            break
        # Where scores separate wins from losses, in few games, there is no best scale.
        scale = min(max(scale - slope / curvature, 1e-4), MOST_SCALE)
    return scale


def targets_of(records: Records, result_share: float) -> Floats:
    """Return what is to be learned for each position: result and score mixed, from white's view, 0 to 1."""
    results: Floats = records["result"].astype(np.float32) * np.float32(0.5)
    scores = np.clip(records["score"].astype(np.float32), -1500, 1500)
    played = records["result"] >= 0
    chance = 1 / (1 + np.exp(-score_scale(scores[played], results[played]) * scores))
    share = np.where(played, np.float32(result_share), np.float32(0))
    mixed: Floats = (share * results + (1 - share) * chance).astype(np.float32)
    return mixed


def _bytes(records: Records) -> npt.NDArray[np.uint8]:
    return np.ascontiguousarray(records).view(np.uint8)


def man_value(records: Records, logits: Floats) -> float:
    """Return the logit of one man: the logits' slope over the difference in men, where there is no king."""
    plain = records["kings"] == 0
    men = np.bitwise_count(records["white"][plain]).astype(np.float64) - np.bitwise_count(
        records["black"][plain]
    )
    return float(np.sum(men * logits[plain]) / max(1.0, float(np.sum(men * men))))


def fit(
    paths: Sequence[Path],
    recipe: Recipe,
    on_pass: Callable[[int, float, float], None] | None = None,
    before: bytes | None = None,
) -> Fitted:
    """Fit weights to the positions of some files. `on_pass` gets the number of the pass and both losses.

    `before` are unfolded weights to go on from: what they have learned is kept.
    """
    records, held = load(paths)
    generator = np.random.default_rng(recipe.seed)
    learned = records[~held]
    learned = learned[generator.permutation(len(learned))]
    judged = records[held]
    targets = targets_of(learned, recipe.result_share)
    judged_targets = targets_of(judged, recipe.result_share)
    model = Model()
    model.weigh(_bytes(learned), recipe.strengths)
    logits = np.zeros(len(judged), dtype=np.float32)
    if before is not None:
        # A logit for a man first; what these weights say is proportional to it.
        go_on(model, before, 1.0)
        model.judge(_bytes(judged), judged_targets, logits)
        go_on(model, before, 100 * score_scale(100 * logits, judged_targets))
    elif recipe.net_rate:
        model.start_net(generator.normal(0.0, NET_SPREAD, NET_WEIGHTS).astype(np.float32))
    curve = []
    for number in range(recipe.passes):
        fall = 0.05 ** (number / max(1, recipe.passes - 1))
        loss = model.learn(_bytes(learned), targets, recipe.rate * fall, recipe.net_rate * fall)
        judged_loss = model.judge(_bytes(judged), judged_targets, logits)
        curve.append((loss, judged_loss))
        if on_pass is not None:
            on_pass(number + 1, loss, judged_loss)
    unit = man_value(judged, logits)
    return Fitted(quantised(model, 1000 / unit), len(learned), len(judged), curve, unit)


def go_on(model: Model, before: bytes, logit_per_man: float) -> None:
    """Start a model with unfolded weights, the reverse of `quantised`."""
    numbers = np.frombuffer(before, dtype="<i2").astype(np.float32)
    pairs = numbers[: 2 * PAIRS] * np.float32(logit_per_man / 1000)
    model.start_pairs(pairs[::2].copy(), pairs[1::2].copy())
    net = numbers[2 * PAIRS :]
    net[:NET_FACTORS] /= NET_UNIT
    net[NET_FACTORS:] *= logit_per_man / 1000 * NET_UNIT / (1 << NET_SHIFT)
    model.start_net(net)


def quantised(model: Model, scale: float) -> bytes:
    """Return a model's weights times `scale` as the int16 numbers of `engine.weights`."""
    opening, ending = np.empty(PAIRS, dtype=np.float32), np.empty(PAIRS, dtype=np.float32)
    model.export(opening, ending)
    pairs = np.stack([opening, ending], axis=1)
    rounded = np.clip(np.rint(pairs * scale), -32768, 32767).astype("<i2")
    # A cell's own part is kept in steps of 1/200 man: finer differences are noise, and do not pack.
    cells = PARTS_OF_PAIRS["cells"]
    rounded[:cells] = np.rint(pairs[:cells] * scale / 5).astype("<i2") * 5
    net = np.empty(NET_WEIGHTS, dtype=np.float32)
    model.export_net(net)
    net[:NET_FACTORS] *= NET_UNIT
    net[NET_FACTORS:] *= scale * (1 << NET_SHIFT) / NET_UNIT
    return rounded.tobytes() + np.clip(np.rint(net), -32768, 32767).astype("<i2").tobytes()


def fit_to_file(
    paths: Sequence[Path],
    recipe: Recipe,
    target: Path,
    provenance: dict[str, Any],
    on_pass: Callable[[int, float, float], None] | None = None,
    *,
    before: Path | None = None,
) -> Fitted:
    """Fit, and write packed weights with their provenance to `target`.

    `before` are packed weights to go on from; AssetError if they cannot be read.
    """
    packed = None if before is None else Packed.read(before)
    fitted = fit(paths, recipe, on_pass, None if packed is None else weights_in(packed))
    told = {
        **provenance,
        "before": None if packed is None else packed.header,
        "recipe": attrs.asdict(recipe),
        "data": [{"file": path.name, **read_header(path)[0]} for path in paths],
        "positions": fitted.positions,
        "held_out": fitted.held_out,
        "held_out_loss": round(fitted.curve[-1][1], 6),
    }
    pack_weights(fitted.parts, told, target)
    return fitted
