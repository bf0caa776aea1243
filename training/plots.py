"""Pictures of what was learned: the learning curve and what a man is worth on each square."""

from pathlib import Path

import numpy as np
import numpy.typing as npt
from matplotlib.figure import Figure

from training.descent import PARTS_OF_PAIRS
from training.fit import Fitted

PLACE = (0, 3, 1, 4, 2, 5)
"""Where the pair of bits of each row of a window stands (engine.weights)."""

STAGES = ("opening", "ending")


def draw_all(fitted: Fitted, directory: Path) -> list[Path]:
    """Draw the pictures into a directory, and return their files."""
    directory.mkdir(parents=True, exist_ok=True)
    return [draw_curve(fitted, directory / "curve.png"), draw_men(fitted.parts, directory / "men.png")]


def draw_curve(fitted: Fitted, path: Path) -> Path:
    """Draw the loss in learning and on the held-out games, pass by pass."""
    figure = Figure(figsize=(6, 4), layout="constrained")
    axes = figure.subplots()
    passes = range(1, len(fitted.curve) + 1)
    axes.plot(passes, [loss for loss, _ in fitted.curve], label="learned from")
    axes.plot(passes, [loss for _, loss in fitted.curve], label="held out")
    axes.set_xlabel("pass")
    axes.set_ylabel("logistic loss")
    axes.legend()
    figure.savefig(path)
    return path


def man_values(parts: bytes) -> npt.NDArray[np.float64]:
    """Return what the single men's parts give a white man, in men: [stage, row from the top, column]."""
    sizes = list(PARTS_OF_PAIRS.values())
    pairs = np.frombuffer(parts, dtype="<i2").reshape(-1, 2)
    singles = pairs[sizes[0] + sizes[1] : sum(sizes[:3])].reshape(4, 2, 12, 2)
    values = np.zeros((2, 10, 5))
    for window in range(4):
        for row in range(6):
            for column in range(2):
                own, other = singles[window, :, 2 * PLACE[row] + column] / 1000
                values[:, row, window + column] += own
                # The same window seen from the other side: there a white man is the other's.
                values[:, 9 - row, 4 - window - column] -= other
    return values


def draw_men(parts: bytes, path: Path) -> Path:
    """Draw what a white man is worth by square, white moving up."""
    figure = Figure(figsize=(9, 4.5), layout="constrained")
    for axes, stage, values in zip(figure.subplots(1, 2), STAGES, man_values(parts), strict=True):
        board = np.full((10, 10), np.nan)
        for row in range(10):
            board[row, (1 - row % 2) :: 2] = values[row]
        picture = axes.imshow(board, cmap="viridis")
        axes.set_title(f"a white man, {stage}")
        axes.set_xticks([])
        axes.set_yticks([])
        figure.colorbar(picture, ax=axes, label="men")
    figure.savefig(path)
    return path
