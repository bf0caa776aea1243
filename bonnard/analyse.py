"""`bonnard analyse`: what an engine thinks of a position."""

import json as json_text
import sys
from collections.abc import Callable
from pathlib import Path

import trio

from bonnard.analysis import Effort, Finding
from bonnard.analysis import analyse as analyse_with
from bonnard.errors import FailedError, UsageError
from bonnard.moves import read_fen
from hub.client import Launch, open_engine
from hub.errors import EngineError
from hub.guard import Guard
from rules.game import Game
from rules.move import Move
from rules.pdn import read_pdn
from tournament.hub_player import check_ours, launch_of
from tournament.spec import PlayerOptions, PlayerSpec, SpecError, parse_spec

SECONDS = 5.0
"""How long an analysis lasts when nothing is said."""
MOST_LINES = 20
LONGEST = 86400.0
"""Seconds of the longest analysis."""


def analyse(
    position: str,
    /,
    *,
    game: int | None = None,
    ply: int | None = None,
    time: float | None = None,
    depth: int | None = None,
    nodes: int | None = None,
    threads: int | None = None,
    tt_size: int = 64,
    lines: int = 1,
    engine: str = "builtin",
    json: bool = False,
) -> None:
    """Print what an engine finds in a position, a line for each iteration, and at last its move.

    Scores are men, from the side to move's view.

    Parameters
    ----------
    position
        A FEN such as W:W31-50:B1-20, or a PDN file.
    game
        Which game of the file, counted from 1 (1).
    ply
        Plies of the game that are played before (all of them).
    time
        Seconds (5, if neither depth nor nodes is given).
    depth
        Plies to search.
    nodes
        Positions to search.
    threads
        Search threads (1).
    tt_size
        Transposition table in MB.
    lines
        How many best moves to tell, each with its variation.
    engine
        builtin, or hub:COMMAND for any Hub engine.
    json
        One JSON object a line.

    """
    effort = _effort(time, depth, nodes)
    if not 1 <= lines <= MOST_LINES:
        raise UsageError(f"--lines is a number from 1 to {MOST_LINES}, not {lines}")
    start = _read_game(position, game, ply)
    parameters = {} if lines == 1 else {"lines": str(lines)}
    spec = _engine_spec(engine)
    try:
        options = PlayerOptions(threads=threads, tt_size=tt_size, parameters=parameters)
        if spec.kind == "builtin":
            check_ours(options)
    except ValueError as error:
        raise UsageError(f"--{error}") from None
    launch = launch_of(spec, options)
    write = _write_json if json else _write_text
    move = trio.run(_run, spec.name, launch, start, effort, lines, write) if start.legal_moves() else None
    bestmove = None if move is None else move.hub
    sys.stdout.write(json_text.dumps({"bestmove": bestmove}) if json else f"bestmove {bestmove or 'none'}")
    sys.stdout.write("\n")


async def _run(  # noqa: PLR0917 - trio.run passes them by place
    name: str,
    launch: Launch,
    game: Game,
    effort: Effort,
    lines: int,
    write: Callable[[Finding], None],
) -> Move:
    try:
        with Guard() as guard:
            async with open_engine(launch, guard) as engine:
                return await analyse_with(engine, game, effort, lines, write)
    except (EngineError, ValueError) as error:
        raise FailedError(f"{name}: {error}") from None


def _effort(time: float | None, depth: int | None, nodes: int | None) -> Effort:
    given = {"--time": time, "--depth": depth, "--nodes": nodes}
    told = {name: value for name, value in given.items() if value is not None}
    if len(told) > 1:
        raise UsageError(f"give one of --time, --depth and --nodes, not {' and '.join(told)}")
    for name, value in told.items():
        if not value > 0:
            raise UsageError(f"{name} is a number above 0, not {value:g}")
    if time is not None and time > LONGEST:
        raise UsageError(f"--time is {LONGEST:g} seconds at most, not {time:g}")
    return Effort(time, depth, nodes) if told else Effort(SECONDS)


def _engine_spec(text: str) -> PlayerSpec:
    try:
        spec = parse_spec(text)
    except SpecError as error:
        raise UsageError(str(error)) from None
    if spec.kind not in ("builtin", "hub"):
        raise UsageError(f"--engine {text}: DXP knows no analysis; accepted are builtin and hub:COMMAND")
    return spec


def _read_game(text: str, number: int | None, ply: int | None) -> Game:
    """Return the game whose last position is meant."""
    path = Path(text)
    if path.suffix.lower() != ".pdn" and (":" in text or not path.is_file()):
        if number is not None or ply is not None:
            raise UsageError("--game and --ply belong to a PDN file, not to a FEN")
        return Game(read_fen(text))
    if not path.is_file():
        raise UsageError(f"no such file: {text}")
    wanted = 1 if number is None else number
    found = next((game for count, game in enumerate(read_pdn(path), 1) if count == wanted), None)
    if found is None:
        raise UsageError(f"{text} has no game {wanted}")
    played = len(found.moves)
    if ply is not None and not 0 <= ply <= played:
        reason = f" ({found.error})" if found.error else ""
        raise UsageError(
            f"game {wanted} has {played} plies, so that --ply is from 0 to {played}, not {ply}{reason}"
        )
    if found.error and ply is None:
        raise FailedError(f"game {wanted} of {text}: {found.error}")
    game = Game(found.start)
    for move in found.moves[:ply]:
        game.push(move)
    return game


def _write_text(found: Finding) -> None:
    words = [] if found.line == 1 else [f"line {found.line}"]
    if found.depth is not None:
        words.append(f"depth {found.depth}")
    if found.win_in is not None:
        words.append(f"{'win' if found.win_in > 0 else 'loss'} in {abs(found.win_in)}")
    elif found.score is not None:
        words.append(f"score {found.score:+.2f}")
    if found.nodes is not None:
        words.append(f"nodes {found.nodes}")
    if found.time is not None:
        words.append(f"time {found.time:.2f}")
    words.append("pv " + " ".join(move.hub for move in found.variation))
    sys.stdout.write("  ".join(words) + "\n")
    sys.stdout.flush()


def _write_json(found: Finding) -> None:
    told = {
        "depth": found.depth,
        "score": found.score,
        "win_in": found.win_in,
        "nodes": found.nodes,
        "time": found.time,
        "line": found.line,
        "pv": [move.hub for move in found.variation],
    }
    sys.stdout.write(json_text.dumps(told) + "\n")
    sys.stdout.flush()
