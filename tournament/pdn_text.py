"""A played game as PDN 3.0: tags for who, when, how and why, comments for score, depth and time."""

from rules.colour import Colour
from rules.pdn_game import PdnGame, format_seconds
from rules.pdn_writer import format_pdn
from tournament.record import GameRecord, Ply


def pdn_text(record: GameRecord, event: str, number: int | None) -> str:
    """Return the game's PDN, with an empty line after it.

    `event` is the name of the match, `number` the game's place in its schedule, from 0.
    """
    started = record.started
    tags = {
        "Event": event,
        "Site": "?",
        "Date": started.strftime("%Y.%m.%d"),
        "Round": "?" if number is None else str(number + 1),
        "White": record.white,
        "Black": record.black,
        "Result": record.outcome.result,
        "GameType": "20",
        "UTCDate": started.strftime("%Y.%m.%d"),
        "UTCTime": started.strftime("%H:%M:%S"),
        "PlyCount": str(len(record.plies)),
        "Termination": termination(record),
    }
    white, black = map(str, record.controls)
    if white == black:
        tags["TimeControl"] = white
    else:
        tags |= {"WhiteTimeControl": white, "BlackTimeControl": black}
    if record.remarks:
        tags["Annotator"] = "; ".join(record.remarks)
    first = record.start.turn
    comments = {
        ply: comment(played, first if ply % 2 else first.other) for ply, played in enumerate(record.plies, 1)
    }
    moves = [ply.move for ply in record.plies]
    return format_pdn(
        PdnGame.of(moves, tags=tags, start=record.start, result=record.outcome.result, comments=comments)
    )


def termination(record: GameRecord) -> str:
    """Return why a game ended: "repetition", "crash: signal 9"."""
    return ": ".join(filter(None, (record.outcome.reason.value, record.detail)))


def comment(ply: Ply, mover: Colour) -> str:
    """Return what is known of a move: score, depth, seconds used, clock after it.

    The score is in men from White's view, as readers of %eval expect.
    """
    parts = []
    if ply.score is not None:
        # Zero is added because minus nothing would be written as -0.00.
        parts.append(f"[%eval {(ply.score if mover is Colour.WHITE else -ply.score) + 0.0:+.2f}]")
    if ply.depth is not None:
        parts.append(f"[%depth {ply.depth}]")
    parts.append(f"[%emt {ply.seconds:.3f}]")
    if ply.clock is not None:
        parts.append(f"[%clk {format_seconds(ply.clock)}]")
    return " ".join(parts)
