"""Openings: the usual ballots, computed from the rules, or the positions of a file of FENs or PDN games."""

from collections.abc import Sequence
from pathlib import Path

from attrs import frozen

from rules.colour import Colour
from rules.fen import FenError, parse_fen
from rules.move import Move
from rules.pdn import read_pdn
from rules.position import Position

#: Plies of the named sets. Two plies give the 79 ballots that the draughts programs' authors use in their
#: matches.
BALLOT_PLIES = {"2ply": 2, "3ply": 3}
NAMED = (*BALLOT_PLIES, "start")
MOST_FAULTS = 10
"""Faults of a file that are told: more help nobody."""


class OpeningsError(ValueError):
    """No openings to be had; the message has one line for each fault, with its line in the file."""


@frozen
class Opening:
    """A position to start games from, and how to call it."""

    name: str
    position: Position


def load_openings(source: str, directory: Path | None = None) -> Sequence[Opening]:
    """Return the openings of a set ("2ply", "3ply", "start") or of a file, in order.

    OpeningsError has every fault. A file's path is relative to `directory`.
    """
    if source == "start":
        return [Opening("start", Position.start())]
    if source in BALLOT_PLIES:
        return ballots(BALLOT_PLIES[source])
    path = (directory or Path()) / source
    if path.suffix.lower() == ".pdn":
        return read_pdn_openings(path, source)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise OpeningsError(
            f"{source}: {error.strerror}; accepted: {', '.join(NAMED)} or a file of FENs or PDN"
        ) from None
    except UnicodeDecodeError:
        raise OpeningsError(f"{source} is not UTF-8 text") from None
    return read_fens(text, source)


def ballots(plies: int) -> Sequence[Opening]:
    """Return the positions after `plies` plies from the start in which neither side is about to win a piece.

    Each position once, in the order of the moves; one in which material is not even after all pending
    captures is left out.
    """
    sequences: dict[Position, tuple[Move, ...]] = {Position.start(): ()}
    for _ in range(plies):
        longer: dict[Position, tuple[Move, ...]] = {}
        for position, moves in sequences.items():
            for move in position.legal_moves():
                longer.setdefault(position.make(move), (*moves, move))
        sequences = longer
    return [
        Opening(" ".join(move.short for move in moves), position)
        for position, moves in sequences.items()
        if settled_material(position) == 0
    ]


def settled_material(position: Position) -> int:
    """Return white's pieces less black's when all pending captures have been played.

    Each side chooses the best for itself.
    """
    if not position.must_capture:
        white = len(position.white_men) + len(position.white_kings)
        return white - len(position.black_men) - len(position.black_kings)
    values = [settled_material(position.make(move)) for move in position.legal_moves()]
    return max(values) if position.turn is Colour.WHITE else min(values)


def read_fens(text: str, source: str = "the openings") -> Sequence[Opening]:
    """Read one FEN a line; empty lines and lines beginning with # are skipped. Faults name the `source`."""
    openings, faults = [], []
    for number, line in enumerate(text.splitlines(), 1):
        fen = line.strip()
        if not fen or fen.startswith("#"):
            continue
        try:
            position = parse_fen(fen)
        except FenError as error:
            faults.append(f"line {number}: {error}")
            continue
        fault = _fault(position)
        if fault:
            faults.append(f"line {number}: {fault}")
        openings.append(Opening(fen, position))
    return _checked(openings, faults, source)


def read_pdn_openings(path: Path, source: str) -> Sequence[Opening]:
    """Read the final positions of a PDN file's games; an opening is called by its moves."""
    openings, faults = [], []
    try:
        for game in read_pdn(path):
            position = game.line.final()
            fault = str(game.error) if game.error else _fault(position)
            if fault:
                faults.append(fault if game.error else f"line {game.first_line}: {fault}")
            openings.append(Opening(" ".join(move.short for move in game.moves) or "start", position))
    except OSError as error:
        raise OpeningsError(f"{source}: {error.strerror}") from None
    return _checked(openings, faults, source)


def _fault(position: Position) -> str:
    return "" if position.legal_moves() else "the side to move has no legal move"


def _checked(openings: Sequence[Opening], faults: Sequence[str], source: str) -> Sequence[Opening]:
    if faults:
        more = [f"and {len(faults) - MOST_FAULTS} more"] if len(faults) > MOST_FAULTS else []
        raise OpeningsError("\n".join([*(f"{source}: {fault}" for fault in faults[:MOST_FAULTS]), *more]))
    if not openings:
        raise OpeningsError(f"{source}: there is no opening in the file")
    return openings
