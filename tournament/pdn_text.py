"""A played game as PDN 3.0: tags for who, when, how and why; a comment for each move's score, depth and time."""

from rules.fen import format_fen
from rules.game import Game
from rules.notation import format_move
from rules.position import Position
from tournament.record import GameRecord


def pdn_text(record: GameRecord, event: str, number: int | None) -> str:
    """Return the game's PDN, with an empty line after it."""
    tags = {
        "Event": event,
        "Site": "?",
        "Date": record.started.strftime("%Y.%m.%d"),
        "White": record.white,
        "Black": record.black,
        "Result": record.outcome.result,
    }
    if record.start != Position.start():
        tags["FEN"] = format_fen(record.start)
    game = Game(record.start)
    moves = []
    for ply in record.plies:
        moves.append(format_move(ply.move, game.position))
        game.push(ply.move)
    return "".join(f'[{k} "{v}"]\n' for k, v in tags.items()) + "\n" + " ".join(moves) + " *\n\n"
