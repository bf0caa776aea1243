"""The tables of the game store, and how a game becomes rows and rows a game."""

import datetime as dt
import json
import sqlite3
from collections.abc import Iterable

from rules.clock import TimeControl
from rules.colour import Colour
from rules.fen import format_fen, parse_fen
from rules.game import Outcome, Reason
from rules.move import Move
from tournament.record import GameRecord, Ply
from tournament.summary import GameSummary, TimeUse

#: Kept in the file as its user_version; a file with a higher one was written by a newer program.
VERSION = 1
#: Marks the file as ours ("Bonn").
APPLICATION = 0x426F6E6E

TABLES = """
CREATE TABLE matches (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    configuration TEXT NOT NULL,  -- JSON
    created REAL NOT NULL         -- seconds since 1970
) STRICT;
CREATE TABLE pairs (
    match INTEGER NOT NULL REFERENCES matches,
    number INTEGER NOT NULL,
    opening TEXT NOT NULL,        -- its name
    start TEXT NOT NULL,          -- FEN
    PRIMARY KEY (match, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE games (
    id INTEGER PRIMARY KEY,
    match INTEGER NOT NULL REFERENCES matches,
    number INTEGER,               -- place in the schedule
    pair INTEGER,
    counted INTEGER NOT NULL,     -- 0: broken off, or to be played again
    white TEXT NOT NULL,
    black TEXT NOT NULL,
    start TEXT NOT NULL,
    winner TEXT,                  -- W, B or nothing
    reason TEXT NOT NULL,
    result TEXT NOT NULL,
    detail TEXT NOT NULL,
    white_time TEXT NOT NULL,
    black_time TEXT NOT NULL,
    move_limit INTEGER,
    draw_rules TEXT NOT NULL,
    remarks TEXT NOT NULL,        -- JSON
    started REAL NOT NULL,
    finished REAL NOT NULL
) STRICT;
CREATE UNIQUE INDEX counted_once ON games (match, number) WHERE counted = 1 AND number IS NOT NULL;
CREATE TABLE moves (
    game INTEGER NOT NULL REFERENCES games,
    ply INTEGER NOT NULL,         -- from 0
    move TEXT NOT NULL,           -- Hub notation
    seconds REAL NOT NULL,
    score REAL,                   -- men, the mover's view
    depth INTEGER,
    nodes INTEGER,
    clock REAL,                   -- seconds left in the bank after the move
    PRIMARY KEY (game, ply)
) STRICT, WITHOUT ROWID;
"""

WINNERS = {"W": Colour.WHITE, "B": Colour.BLACK, None: None}

GAME_COLUMNS = (
    "white, black, start, winner, reason, result, detail, white_time, black_time, move_limit,"
    " draw_rules, remarks, started, finished"
)

#: Games after ?1 of match ?2 with the time use of the sides: `first_` made the first move.
SUMMARIES = """
WITH batch AS (SELECT * FROM games WHERE id > ?1 AND match = ?2 ORDER BY id LIMIT ?3)
SELECT batch.*, pairs.opening,
    count(ply) FILTER (WHERE ply % 2 = 0) AS first_moves,
    total(seconds) FILTER (WHERE ply % 2 = 0) AS first_seconds,
    max(seconds) FILTER (WHERE ply % 2 = 0) AS first_longest,
    count(ply) FILTER (WHERE ply % 2 = 1) AS second_moves,
    total(seconds) FILTER (WHERE ply % 2 = 1) AS second_seconds,
    max(seconds) FILTER (WHERE ply % 2 = 1) AS second_longest
FROM batch
LEFT JOIN pairs ON pairs.match = batch.match AND pairs.number = batch.pair
LEFT JOIN moves ON moves.game = batch.id
GROUP BY batch.id ORDER BY batch.id
"""


def game_row(record: GameRecord) -> tuple[object, ...]:
    """Return the values of GAME_COLUMNS for a game."""
    outcome = record.outcome
    return (
        record.white,
        record.black,
        format_fen(record.start),
        None if outcome.winner is None else outcome.winner.letter,
        outcome.reason.value,
        outcome.result,
        record.detail,
        str(record.controls[0]),
        str(record.controls[1]),
        record.move_limit,
        record.draw_rules,
        json.dumps(record.remarks),
        record.started.timestamp(),
        record.finished.timestamp(),
    )


def move_rows(game: int, record: GameRecord) -> Iterable[tuple[object, ...]]:
    """Yield the rows of moves for a game stored under the id `game`."""
    for number, ply in enumerate(record.plies):
        yield game, number, ply.move.hub, ply.seconds, ply.score, ply.depth, ply.nodes, ply.clock


def read_record(row: sqlite3.Row, moves: Iterable[sqlite3.Row]) -> GameRecord:
    """Return the game of a row of games and its rows of moves."""
    return GameRecord(
        white=row["white"],
        black=row["black"],
        start=parse_fen(row["start"]),
        plies=tuple(
            Ply(
                read_move(move["move"]),
                move["seconds"],
                move["score"],
                move["depth"],
                move["nodes"],
                move["clock"],
            )
            for move in moves
        ),
        outcome=Outcome(WINNERS[row["winner"]], Reason(row["reason"])),
        detail=row["detail"],
        controls=(TimeControl.parse(row["white_time"]), TimeControl.parse(row["black_time"])),
        move_limit=row["move_limit"],
        started=dt.datetime.fromtimestamp(row["started"], dt.UTC),
        finished=dt.datetime.fromtimestamp(row["finished"], dt.UTC),
        draw_rules=row["draw_rules"],
        remarks=tuple(json.loads(row["remarks"])),
    )


def read_summary(row: sqlite3.Row) -> GameSummary:
    """Return the game of a row of SUMMARIES."""
    first, second = (
        TimeUse(row[f"{side}_moves"], row[f"{side}_seconds"], row[f"{side}_longest"] or 0.0)
        for side in ("first", "second")
    )
    white_first = row["start"].startswith("W")
    return GameSummary(
        number=row["number"],
        pair=row["pair"],
        counted=bool(row["counted"]),
        opening=row["opening"] or "",
        white=row["white"],
        black=row["black"],
        winner=WINNERS[row["winner"]],
        reason=Reason(row["reason"]),
        detail=row["detail"],
        result=row["result"],
        times=(first, second) if white_first else (second, first),
        seconds=row["finished"] - row["started"],
    )


def read_move(text: str) -> Move:
    """Return the move of a Hub text that we wrote: "32-28" or "28x19x23"."""
    squares = [int(square) for square in text.replace("-", "x").split("x")]
    return Move(squares[0], squares[1], tuple(squares[2:]))
