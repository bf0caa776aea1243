"""`bonnard train`: an evaluation from self-play: games, fitting, generations. Needs the extra `train`."""

import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import cyclopts

from bonnard.errors import FailedError, UsageError
from bonnard.version import version
from engine.assets import AssetError
from training.dataset import DatasetError

app = cyclopts.App(name="train", help="Learn the evaluation from games of the engine against itself.")


@app.command
def selfplay(
    out: Path,
    /,
    *,
    positions: int = 1_000_000,
    weights: Path | None = None,
    nodes: int = 1000,
    plies: tuple[int, int] = (4, 14),
    seed: int = 1,
    processes: int = 2,
) -> None:
    """Play games and write their quiet positions to OUT; the same command continues a broken-off run.

    Parameters
    ----------
    out
        Directory for positions-0.bin and so on, one file for each process.
    positions
        Positions wanted from all processes together.
    weights
        Packed weights to play with; without, the engine knows men and advancing and nothing else.
    nodes
        Nodes of search for each move.
    plies
        Least and most random plies at the start of a game.
    seed
        Of the random openings: the same seed gives the same games.
    processes
        Games at once.

    """
    from training.selfplay import Plan, self_play  # noqa: PLC0415 - needs no numpy, but compiled kernels

    if positions < 1 or nodes < 1 or processes < 1 or not 0 <= plies[0] <= plies[1]:
        raise UsageError("positions, nodes and processes are at least 1, and plies two rising numbers")
    try:
        games, found = self_play(
            Plan(out, positions, weights, nodes, plies, seed=seed, processes=processes),
            lambda games, found: _progress(f"{games} games, {found} of {positions} positions"),
        )
    except (AssetError, DatasetError, OSError, RuntimeError) as error:
        raise FailedError(str(error)) from None
    _progress("")
    sys.stdout.write(f"{games} games, {found} positions in {out}\n")


@app.command
def fit(
    out: Path,
    /,
    *data: Path,
    passes: int = 3,
    rate: float | None = None,
    net_rate: float | None = None,
    result_share: float = 0.3,
    seed: int = 1,
    number: int | None = None,
    before: Path | None = None,
    plots: Path | None = None,
) -> None:
    """Fit weights to the positions in DATA and write them, packed, to OUT.

    Parameters
    ----------
    out
        The packed weights; engine/weights.bin is what is shipped.
    data
        Directories of self-play, or files of positions.
    passes
        Times that every position is learned from.
    rate
        The first step; 0.4, or 0.1 with `before`.
    net_rate
        The first step of the net; half of `rate`.
    result_share
        Share of the game's result in what is learned, 0 to 1; the rest is the score of the search.
    seed
        Of the order of the positions.
    number
        The generation that the weights say they are.
    before
        Packed weights to go on from, instead of from zero: what they have learned is kept.
    plots
        Directory for a picture of the learning curve and one of the values of the squares.

    """
    fitting = _fitting()
    if not data:
        raise UsageError("train fit: name at least one directory or file of positions")
    if not 0 <= result_share <= 1 or passes < 1:
        raise UsageError("result-share is between 0 and 1, and passes at least 1")
    if rate is None:
        rate = fitting.Recipe().rate if before is None else fitting.GOING_ON.rate
    recipe = fitting.Recipe(
        passes=passes,
        rate=rate,
        net_rate=rate / 2 if net_rate is None else net_rate,
        result_share=result_share,
        seed=seed,
    )
    try:
        fitted = fitting.fit_to_file(
            files_of(data),
            recipe,
            out,
            provenance() | {"generation": number},
            lambda *losses: _progress(_told(*losses)),
            before=before,
        )
    except (AssetError, DatasetError, OSError) as error:
        raise FailedError(str(error)) from None
    _progress("")
    loss, size = fitted.curve[-1][1], out.stat().st_size
    sys.stdout.write(f"{fitted.positions} positions, held-out loss {loss:.5f}, {size} bytes in {out}\n")
    if plots is not None:
        from training.plots import draw_all  # noqa: PLC0415 - matplotlib is slow to import

        draw_all(fitted, plots)


@app.command
def generation(
    directory: Path,
    /,
    *,
    positions: int = 3_000_000,
    nodes: int = 1000,
    last: int = 3,
    pairs: int = 2000,
    count: int = 1,
    seed: int = 1,
    processes: int = 2,
) -> None:
    """Play with the last weights of DIRECTORY, fit, match the new weights against them, keep the better.

    Parameters
    ----------
    directory
        Where weights-N.bin, games-N/ and generations.jsonl are; an empty one starts from nothing.
    positions
        Positions to play for each generation.
    nodes
        Nodes for each move, of the games and of the match.
    last
        Generations whose positions are learned from.
    pairs
        Most pairs of games in the match that decides.
    count
        Generations to make.
    seed
        Of games and fitting.
    processes
        Games at once.

    """
    _fitting()
    from training.generations import Duel, Generation  # noqa: PLC0415 - needs numpy

    plan = Generation(
        directory,
        positions,
        nodes,
        last,
        duel=Duel(nodes=nodes, most_pairs=pairs, processes=processes),
        seed=seed,
        processes=processes,
    )
    try:
        for _ in range(count):
            better = plan.run(_progress, provenance())
            sys.stdout.write("kept\n" if better else "dropped\n")
    except (AssetError, DatasetError, OSError, RuntimeError) as error:
        raise FailedError(str(error)) from None


def files_of(data: Sequence[Path]) -> list[Path]:
    """Return the files of positions that some directories and files name; UsageError if there are none."""
    found: list[Path] = []
    for path in data:
        found += sorted(path.glob("positions-*.bin")) if path.is_dir() else [path]
    missing = [str(path) for path in found if not path.is_file()]
    if missing or not found:
        raise UsageError(f"no positions in {', '.join(missing or map(str, data))}")
    return found


def provenance() -> dict[str, Any]:
    """Return what weights tell about their origin: the command, the version and, in a clone, the commit."""
    told: dict[str, Any] = {"command": shlex.join(["bonnard", *sys.argv[1:]]), "version": version()}
    try:
        commit = subprocess.run(
            ["git", "rev-parse", "HEAD"],  # noqa: S607 - whichever git the user has
            capture_output=True,
            text=True,
            check=True,
            cwd=Path(__file__).parent,
        )
    except (OSError, subprocess.CalledProcessError):
        return told
    return told | {"commit": commit.stdout.strip()}


def _fitting() -> ModuleType:
    """Return the module that fits; FailedError without numpy."""
    try:
        import training.fit as fitting  # noqa: PLC0415 - an extra that few installations have
    except ImportError as error:
        raise FailedError(
            f"training needs the extra 'train': pip install 'bonnard[train]' ({error})"
        ) from None
    return fitting


def _told(turn: int, loss: float, judged: float) -> str:
    return f"pass {turn}: loss {loss:.5f}, held out {judged:.5f}\n"


def _progress(text: str) -> None:
    """Show progress on stderr: on a terminal in one line that changes."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[K{text}")
    elif text:
        sys.stderr.write(text.rstrip("\n") + "\n")
    sys.stderr.flush()
