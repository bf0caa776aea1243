"""Generations: play with the last weights, fit, and keep the new ones if a match shows them better.

In a directory: weights-N.bin of each generation that was kept, games-N/ with the positions of self-play
that weights-N played (games-0 is played by an engine that knows nothing), and generations.jsonl with a line
for each try.
"""

import json
import multiprocessing
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import attrs

from engine import bitbase_file
from tournament.sprt import Decision, Sprt, normalized_ratio
from tournament.statistics import Pairs
from training.arena import Arena
from training.fit import Fitted, Recipe, fit_to_file
from training.selfplay import Plan, load_table, self_play

PAIRS_IN_A_TASK = 10
LOG = "generations.jsonl"
TEST = Sprt(0.0, 10.0)
"""Is the new generation 10 normalized Elo better, or not better at all?"""

Told = Callable[[str], None]


@attrs.frozen
class Duel:
    """A match inside one program: pairs of games with a fixed number of nodes a move, ended by an SPRT."""

    nodes: int = 1000
    most_pairs: int = 2000
    seed: int = 7
    processes: int = 2
    test: Sprt = TEST


@attrs.frozen
class DuelResult:
    """How a duel ended, from the first player's view."""

    pairs: Pairs
    decision: Decision | None
    """None if the pairs ran out before the test decided."""

    @property
    def score(self) -> float:
        """The first player's share of the points."""
        points = sum(points * count for points, count in enumerate(self.pairs.counts))
        return points / (4 * self.pairs.number) if self.pairs.number else 0.5


def _play_pairs(task: tuple[Path | None, Path | None, int, int, int, int]) -> list[int]:
    first, second, nodes, seed, start, pairs = task
    results: list[int] = Arena(load_table(first), load_table(second), nodes).duel(seed, start, pairs)
    return results


def _prepare() -> None:
    os.nice(19)
    bitbase_file.load()


def duel(first: Path | None, second: Path | None, plan: Duel) -> DuelResult:
    """Let two sets of weights (None for none) play until the test decides or the pairs run out."""
    pairs = Pairs()
    decision: Decision | None = None
    tasks = [
        (first, second, plan.nodes, plan.seed, start, min(PAIRS_IN_A_TASK, plan.most_pairs - start))
        for start in range(0, plan.most_pairs, PAIRS_IN_A_TASK)
    ]
    with multiprocessing.get_context("spawn").Pool(plan.processes, _prepare) as pool:
        # In the order of the tasks: the decision does not depend on which process was faster.
        for points in pool.imap(_play_pairs, tasks):
            for point in points:
                pairs = pairs.add(point)
            decision = plan.test.decision(normalized_ratio(pairs, plan.test.elo0, plan.test.elo1))
            if decision is not None:
                pool.terminate()
                break
    return DuelResult(pairs, decision)


def kept(directory: Path) -> list[Path]:
    """Return the weights of the generations that were kept, oldest first."""
    found = directory.glob("weights-*.bin")
    return sorted(found, key=lambda path: int(path.stem.partition("-")[2]))


def games_of(directory: Path, last: int) -> Iterator[Path]:
    """Yield the files of positions of the `last` newest generations."""
    found = sorted(directory.glob("games-*"), key=lambda path: int(path.name.partition("-")[2]))
    for games in found[-last:]:
        yield from sorted(games.glob("positions-*.bin"))


@attrs.frozen
class Generation:
    """What one generation takes."""

    directory: Path
    positions: int
    nodes: int = 1000
    last: int = 3
    """Generations whose positions are learned from."""
    recipe: Recipe = attrs.field(factory=Recipe)
    duel: Duel = attrs.field(factory=Duel)
    seed: int = 1
    processes: int = 2

    def run(self, told: Told, provenance: dict[str, Any]) -> bool:
        """Play (or go on), fit and test; return whether the new weights were kept."""
        weights = kept(self.directory)
        best = weights[-1] if weights else None
        number = len(weights)
        plan = Plan(
            self.directory / f"games-{number}",
            self.positions,
            best,
            self.nodes,
            seed=self.seed + number,
            processes=self.processes,
        )
        games, positions = self_play(plan, lambda games, found: told(f"{games} games, {found} positions"))
        told(f"generation {number}: {games} games, {positions} positions")
        new = self.directory / f"new-{number + 1}.bin"
        fitted: Fitted = fit_to_file(
            list(games_of(self.directory, self.last)),
            self.recipe,
            new,
            {**provenance, "generation": number + 1},
            lambda turn, loss, judged: told(f"pass {turn}: loss {loss:.5f}, held out {judged:.5f}"),
        )
        result = duel(new, best, self.duel)
        keep = result.decision == "H1 accepted" or (result.decision is None and result.score > 0.5)  # noqa: PLR2004
        line = {
            "generation": number + 1,
            "games": games,
            "positions": fitted.positions,
            "nodes": self.nodes,
            "held_out_loss": fitted.curve[-1][1],
            "pairs": list(result.pairs.counts),
            "score": round(result.score, 4),
            "decision": result.decision,
            "kept": keep,
        }
        with (self.directory / LOG).open("a") as log:
            log.write(json.dumps(line) + "\n")
        told(json.dumps(line))
        if keep:
            new.replace(self.directory / f"weights-{number + 1}.bin")
        return keep
