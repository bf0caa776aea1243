"""What the recorded Hub sessions hold."""

import json
from collections.abc import Iterator
from pathlib import Path

from hub.codec import parse_line
from hub.moves import read_move
from rules.fen import FenError, parse_hub
from rules.game import Game
from rules.notation import MoveTextError
from rules.position import Position

CAPTURES = Path(__file__).parent / "data" / "captures"
HUB_1 = sorted(CAPTURES.glob("d_hub_v1_*.jsonl"))
HUB_2 = sorted(CAPTURES.glob("d_hub_v2_*.jsonl"))
GO = ("go", "ponder", "analyse")


def rows(path: Path) -> Iterator[tuple[str, str]]:
    """Give sender ("gui" or "engine") and line of a recording."""
    for row in map(json.loads, path.read_text().splitlines()):
        if ">" in row["dir"] and "event" not in row:
            yield row["dir"].split(">")[0], row["data"].rstrip("\n")


def engine_lines(path: Path) -> list[str]:
    """Return what the engine said."""
    return [line for sender, line in rows(path) if sender == "engine"]


def searches(path: Path) -> Iterator[tuple[Game, str]]:
    """Give the game of each search, and its answer as the engine sent it ("" for none)."""
    game, searched = Game(), None
    for sender, line in rows(path):
        command = parse_line(line)
        words = line.split()
        if sender == "engine":
            if searched is not None and command.name in ("done", "move"):
                yield searched, command.get("move") or (words[1] if command.name == "move" else "")
                searched = None
        elif command.name in GO:
            searched = game.copy()
        elif command.name in ("pos", "start"):
            given = command.get("pos") or ("".join(words[1:2]) if command.name == "pos" else "")
            told = _game(given, command.get("moves"))
            game = game if told is None else told
        elif command.name == "move":
            _push(game, words[1])


def _game(text: str, moves: str) -> Game | None:
    """Build the game of a `pos` command; None if the engine refused it."""
    try:
        game = Game(parse_hub(text[:1].upper() + text[1:]) if text != "start" and text else Position.start())
    except FenError:
        return None
    for move in moves.split():
        _push(game, move)
    return game


def _push(game: Game, text: str) -> None:
    try:
        game.push(read_move(text, game.position))
    except MoveTextError:
        return
