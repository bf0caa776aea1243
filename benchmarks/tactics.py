"""Combinations: how many are solved in a time, beside another Hub engine.

    python -m benchmarks.tactics [--seconds 1] [--peer COMMAND --dir DIRECTORY]
    python -m benchmarks.tactics --find 200 --seed 1    (JSON lines: tests/data/tactics/combinations.jsonl)

A combination is a quiet position of self-play in which a small search sees nothing and a deep one finds a
move that gains: its score is at least 0.8 men, 0.8 men above what 2,000 nodes made of the position, and 0.6
men above the second best move's, and a search of ten times as many nodes agrees with all that.
"""

import argparse
import functools
import json
import random
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import trio

from engine.searcher import load_weights_once, search_position
from engine.tree import Memory, Tree, clock
from hub.client import Launch, open_engine
from hub.messages import Level
from rules.fen import format_fen, parse_fen
from rules.game import Game
from rules.position import Position

FILE = Path(__file__).parents[1] / "tests/data/tactics/combinations.jsonl"
GAIN = 80  # 1/100 men
LEAD = 60
GLANCE = 2_000  # nodes
LOOK = 60_000
PROOF = 600_000
SECOND_PROOF = 6_000_000


def analysed(tree: Tree, position: Position, nodes: int) -> tuple[str, int, int]:
    """Return the best move, its score, and the second best move's."""
    tree.memory.clear()
    tree.forget()
    tree.memory.arm()
    choices = tree.set_root(position, lines=2, nodes=nodes)
    tree.run(1, 60)
    score = tree.line(0)[0]
    return tree.best().hub, score, tree.line(1)[0] if choices > 1 else -score


def is_won(score: int, second: int) -> bool:
    """Return whether the best of two moves is the only one that gains."""
    return score >= GAIN and score - second >= LEAD


def self_play(tree: Tree, chance: random.Random) -> Iterator[Position]:
    """Yield the positions of a game that begins and at times goes on at random."""
    position = Position.start()
    for ply in range(120):
        moves = position.legal_moves()
        if not moves:
            return
        if ply < 8 or chance.random() < 0.08:  # noqa: PLR2004
            position = position.make(chance.choice(moves))
            continue
        move, _, _ = search_position(tree, position, nodes=400)
        if move is None:
            return
        position = position.make(move)
        yield position


def find(count: int, seed: int) -> Iterator[dict[str, Any]]:
    """Yield `count` combinations, no position twice."""
    chance = random.Random(seed)  # noqa: S311 - no secrets
    player, judge = Tree(Memory(4)), Tree(Memory(64))
    seen: set[Position] = set()
    while count:
        for position in self_play(player, chance):
            if position.must_capture or position in seen or len(position.legal_moves()) < 3:  # noqa: PLR2004
                continue
            seen.add(position)
            _, glance, _ = search_position(player, position, nodes=GLANCE)
            if abs(glance) > GAIN:
                continue
            _, look, _ = search_position(player, position, nodes=LOOK)
            if look < max(GAIN, glance + GAIN):
                continue
            best, score, second = analysed(judge, position, PROOF)
            if not is_won(score, second):
                continue
            again, proof, second = analysed(judge, position, SECOND_PROOF)
            if again == best and is_won(proof, second):
                yield {
                    "fen": format_fen(position),
                    "best": best,
                    "score": proof,
                    "second": second,
                    "glance": glance,
                }
                count -= 1
                break
        player.memory.clear()


def ours(problems: list[dict[str, Any]], seconds: float) -> list[bool]:
    """Let our kernel try every problem for some seconds."""
    memory = Memory(64)
    tree = Tree(memory)
    solved = []
    for problem in problems:
        memory.clear()
        tree.forget()
        memory.arm()
        tree.set_root(parse_fen(problem["fen"]))
        now = clock()
        memory.set_deadlines(now + seconds, now + seconds)
        tree.run(1, 127)
        solved.append(tree.best().hub == problem["best"])
    return solved


async def peer(
    command: str, directory: Path | None, problems: list[dict[str, Any]], seconds: float
) -> list[bool]:
    """Let a Hub engine try every problem for some seconds."""
    solved = []
    async with open_engine(Launch(tuple(shlex.split(command)), directory, nice=0)) as engine:
        for problem in problems:
            await engine.new_game()
            answer = await engine.think(Game(parse_fen(problem["fen"])), Level(move_time=seconds))
            solved.append(answer.move.hub == problem["best"])
    return solved


def main() -> None:
    """Find combinations, or print how many were solved."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--find", type=int, metavar="COUNT")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--peer", help="command of a Hub engine")
    parser.add_argument("--dir", type=Path, help="directory to run the peer in")
    arguments = parser.parse_args()
    load_weights_once()
    if arguments.find:
        for problem in find(arguments.find, arguments.seed):
            print(json.dumps(problem), flush=True)
        return
    problems = [json.loads(line) for line in FILE.read_text().splitlines()]
    own = ours(problems, arguments.seconds)
    print(f"ours: {sum(own)} of {len(own)} solved in {arguments.seconds:g} s each")
    if arguments.peer:
        run = functools.partial(peer, arguments.peer, arguments.dir, problems, arguments.seconds)
        other = trio.run(run)
        print(f"peer: {sum(other)} of {len(other)}, ratio {sum(own) / max(1, sum(other)):.3f}")
    for index, problem in enumerate(problems):
        if not own[index]:
            sys.stdout.write(f"not solved by ours: {problem['fen']} {problem['best']}\n")


if __name__ == "__main__":
    main()
