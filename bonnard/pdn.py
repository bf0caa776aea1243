"""`bonnard pdn check`: read PDN files and tell what is wrong in them."""

import sys
from json import dumps
from pathlib import Path
from typing import Any

import cyclopts

from bonnard.errors import FailedError, UsageError
from rules.fen import format_fen
from rules.pdn import read_pdn
from rules.pdn_game import PdnGame, Problem

app = cyclopts.App(name="pdn", help="Portable draughts notation: check game files.")


@app.command
def check(*files: Path, json: bool = False) -> int:
    """Read game files and tell the errors and warnings of each game; exit code 1 if any game has an error.

    Parameters
    ----------
    files
        PDN files, of any size.
    json
        Print one JSON object a game instead.

    """
    if not files:
        raise UsageError("pdn check: name at least one PDN file")
    missing = [str(file) for file in files if not file.is_file()]
    if missing:
        raise UsageError(f"no such file: {', '.join(missing)}")
    games = errors = warnings = 0
    for file in files:
        try:
            for number, game in enumerate(read_pdn(file), 1):
                games += 1
                errors += game.error is not None
                warnings += len(game.warnings)
                (_print_json if json else _print_problems)(file, number, game)
        except OSError as error:
            raise FailedError(f"{file} cannot be read: {error.strerror}") from None
    if not json:
        sys.stdout.write(f"{games} games, {errors} with an error, {warnings} warnings\n")
    return 1 if errors else 0


def _print_problems(file: Path, number: int, game: PdnGame) -> None:
    """Print a line for each warning and for the error, in the form that editors jump to."""
    for kind, problems in (("warning", game.warnings), ("error", [game.error] if game.error else [])):
        for problem in problems:
            sys.stdout.write(
                f"{file}:{problem.line}:{problem.column}: {kind} in game {number}: {problem.message}\n"
            )


def _print_json(file: Path, number: int, game: PdnGame) -> None:
    sys.stdout.write(dumps(describe(game) | {"file": str(file), "game": number}) + "\n")


def describe(game: PdnGame) -> dict[str, Any]:
    """Return what `pdn check --json` tells of a game.

    The reason is that of the Termination tag, or what the rules say of the last position, or null.
    """
    reason = game.tags.get("Termination")
    if reason is None and game.error is None:
        outcome = game.game().outcome()
        reason = outcome.reason.value if outcome else None
    return {
        "tags": game.tags,
        "start": format_fen(game.start),
        "moves": [move.hub for move in game.moves],
        "fen": format_fen(game.line.final()),
        "result": game.result,
        "reason": reason,
        "warnings": [_place(problem) for problem in game.warnings],
        "error": _place(game.error) if game.error else None,
    }


def _place(problem: Problem) -> dict[str, Any]:
    return {"line": problem.line, "column": problem.column, "message": problem.message}
