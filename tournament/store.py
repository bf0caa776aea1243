"""The game store: one SQLite file of matches, pairs, games and moves, written by one process at a time.

A game is stored in one transaction that is on disk when `record_game` returns, so a killed program loses
nothing but the game it was playing. The file is in WAL mode: other processes read it while it is written.
"""

import fcntl
import json
import sqlite3
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from attrs import frozen

from tournament.record import GameRecord
from tournament.schema import (
    APPLICATION,
    GAME_COLUMNS,
    SUMMARIES,
    TABLES,
    VERSION,
    game_row,
    move_rows,
    read_record,
    read_summary,
)
from tournament.summary import GameSummary

#: The store's name in the directory of a match.
MATCH_FILE = "match.db"
#: What reading a damaged file may raise: SQLite's errors, and values that no game has.
DAMAGE = (sqlite3.Error, ValueError)
#: Games read at once: reading many games needs no more memory than this many.
BATCH = 100


class StoreError(Exception):
    """The store cannot be used: in use by another process, written by a newer program, or no store at all."""


class ConfigurationChangedError(StoreError):
    """A match of this name exists and was set up differently; the message lists each difference."""


@frozen
class StoredMatch:
    """A row of matches: `kind` is "match", "serve" or "play", `configuration` what it was set up with."""

    id: int
    name: str
    kind: str
    configuration: Mapping[str, object]
    created: float


@frozen
class StoredGame:
    """A game and its place. `number` and `pair` count the games and pairs of a match from 0.

    A game that is not `counted` was broken off or is to be played again, and no statistic includes it.
    """

    id: int
    match: int
    number: int | None
    pair: int | None
    counted: bool
    opening: str
    record: GameRecord


class Store:
    """The open file. Opening it for writing fails while another process writes; reading never does.

    Methods block for some milliseconds: from async code call them in a thread. Any thread may use the object.
    """

    def __init__(self, connection: sqlite3.Connection, lock: IO[str] | None) -> None:
        """Use `open` instead."""
        self._connection = connection
        self._lock = lock
        self._turn = threading.RLock()

    @classmethod
    def open(cls, path: Path, *, read_only: bool = False) -> Self:
        """Open the store at `path`, creating it unless `read_only`; StoreError names the fault."""
        if read_only and not path.exists():
            raise StoreError(f"there is no game store at {path}")
        lock = None if read_only else _lock(path)
        try:
            mode = "ro" if read_only else "rwc"
            connection = sqlite3.connect(
                f"{path.absolute().as_uri()}?mode={mode}",
                uri=True,
                isolation_level=None,
                check_same_thread=False,
            )
            connection.row_factory = sqlite3.Row
            try:
                _prepare(connection, path, read_only=read_only)
            except BaseException:
                connection.close()
                raise
        except sqlite3.Error as error:
            _release(lock)
            raise StoreError(f"{path} cannot be used as a game store: {error}") from None
        except BaseException:
            _release(lock)
            raise
        return cls(connection, lock)

    def close(self) -> None:
        """Close the file and let other processes write."""
        self._connection.close()
        _release(self._lock)

    def __enter__(self) -> Self:
        """Return self."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close."""
        self.close()

    def begin_match(
        self, name: str, kind: str, configuration: Mapping[str, object], *, grows: str = ""
    ) -> int:
        """Return the id of the match `name`, new or resumed; ConfigurationChangedError if it was another.

        `configuration` holds JSON values. "serve" and "play" give {}: they keep one log of games of any
        settings. The number under the key `grows` may be larger than before, and is then stored anew.
        """
        with self._turn:
            row = self._connection.execute("SELECT * FROM matches WHERE name = ?", (name,)).fetchone()
            if row is None:
                cursor = self._connection.execute(
                    "INSERT INTO matches (name, kind, configuration, created) VALUES (?, ?, ?, ?)",
                    (name, kind, json.dumps(configuration), time.time()),
                )
                return int(cursor.lastrowid or 0)
        if row["kind"] != kind:
            raise ConfigurationChangedError(f"{name!r} holds the games of a {row['kind']}, not of a {kind}")
        before, after = json.loads(row["configuration"]), json.loads(json.dumps(configuration))
        if grows in before and after.get(grows, 0) > before[grows]:
            before[grows] = after[grows]
        changes = differences(before, after)
        if changes:
            raise ConfigurationChangedError(
                f"match {name!r} has begun with other settings: {'; '.join(changes)}."
                " Use the same, or another --out or --name"
            )
        with self._turn:
            self._connection.execute(
                "UPDATE matches SET configuration = ?1 WHERE id = ?2 AND configuration <> ?1",
                (json.dumps(before), row["id"]),
            )
        return int(row["id"])

    def record_game(
        self,
        match: int,
        record: GameRecord,
        *,
        number: int | None = None,
        pair: int | None = None,
        opening: str = "",
        counted: bool = True,
    ) -> int:
        """Store a game with its moves in one transaction, on disk when this returns; return its id.

        A schedule number that has a counted game already is refused (StoreError): no game counts twice.
        """
        row = (match, number, pair, int(counted), *game_row(record))
        with self._turn, self._transaction():
            if pair is not None:
                start = row[6]
                self._connection.execute(
                    "INSERT OR IGNORE INTO pairs VALUES (?, ?, ?, ?)", (match, pair, opening, start)
                )
            try:
                cursor = self._connection.execute(
                    f"INSERT INTO games (match, number, pair, counted, {GAME_COLUMNS})"  # noqa: S608 - our own constant
                    f" VALUES ({', '.join('?' * len(row))})",
                    row,
                )
            except sqlite3.IntegrityError as error:
                raise StoreError(f"game {number} of the match is stored already: {error}") from None
            game = int(cursor.lastrowid or 0)
            self._connection.executemany(
                "INSERT INTO moves VALUES (?, ?, ?, ?, ?, ?, ?, ?)", move_rows(game, record)
            )
            return game

    def matches(self) -> list[StoredMatch]:
        """Return all matches, oldest first."""
        with self._turn:
            rows = self._connection.execute("SELECT * FROM matches ORDER BY id").fetchall()
        return [
            StoredMatch(row["id"], row["name"], row["kind"], json.loads(row["configuration"]), row["created"])
            for row in rows
        ]

    def finished(self, match: int) -> set[int]:
        """Return the schedule numbers of the counted games of a match."""
        return {
            row["number"]
            for row in self._select("number", "match = ? AND counted = 1 AND number IS NOT NULL", match)
        }

    def faults(self, match: int) -> dict[int, int]:
        """Return how often each schedule number was played without being counted."""
        counts: dict[int, int] = {}
        for row in self._select("number", "match = ? AND counted = 0 AND number IS NOT NULL", match):
            counts[row["number"]] = counts.get(row["number"], 0) + 1
        return counts

    def games(self, match: int | None = None) -> Iterator[StoredGame]:
        """Yield the games of a match, or all, in the order they were stored, with their moves."""
        last = 0
        while True:
            with self._turn:
                rows = self._connection.execute(
                    "SELECT games.*, pairs.opening FROM games"
                    " LEFT JOIN pairs ON pairs.match = games.match AND pairs.number = games.pair"
                    " WHERE games.id > ?1 AND (?2 IS NULL OR games.match = ?2) ORDER BY games.id LIMIT ?3",
                    (last, match, BATCH),
                ).fetchall()
                moves = [
                    self._connection.execute(
                        "SELECT * FROM moves WHERE game = ? ORDER BY ply", (row["id"],)
                    ).fetchall()
                    for row in rows
                ]
            if not rows:
                return
            for row, plies in zip(rows, moves, strict=True):
                last = row["id"]
                yield StoredGame(
                    last,
                    row["match"],
                    row["number"],
                    row["pair"],
                    bool(row["counted"]),
                    row["opening"] or "",
                    read_record(row, plies),
                )

    def summaries(self, match: int) -> Iterator[GameSummary]:
        """Yield the games of a match in the order they were stored, without their moves: fast."""
        last = 0
        while True:
            with self._turn:
                rows = self._connection.execute(SUMMARIES, (last, match, BATCH)).fetchall()
            if not rows:
                return
            for row in rows:
                last = row["id"]
                yield read_summary(row)

    def _select(self, columns: str, condition: str, *values: object) -> list[sqlite3.Row]:
        with self._turn:
            return self._connection.execute(
                f"SELECT {columns} FROM games WHERE {condition} ORDER BY id",  # noqa: S608 - our own constants
                values,
            ).fetchall()

    def _transaction(self) -> "_Transaction":
        return _Transaction(self._connection)


class _Transaction:
    """A transaction for the length of a block: committed at its end, undone when it fails."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def __enter__(self) -> None:
        self._connection.execute("BEGIN IMMEDIATE")

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: object) -> None:
        self._connection.execute("COMMIT" if kind is None else "ROLLBACK")


def differences(before: object, after: object, path: str = "") -> list[str]:
    """Return how two JSON values differ, a clause for each place: "clock was 1m, is 2m"."""
    if isinstance(before, dict) and isinstance(after, dict):
        return [
            clause
            for key in [*before, *(key for key in after if key not in before)]
            for clause in differences(before.get(key), after.get(key), f"{path}.{key}" if path else key)
        ]
    if isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        return [
            clause
            for index, (old, new) in enumerate(zip(before, after, strict=True))
            for clause in differences(old, new, f"{path}[{index}]")
        ]
    return [] if before == after else [f"{path} was {json.dumps(before)}, is {json.dumps(after)}"]


def _lock(path: Path) -> IO[str]:
    """Take the writer's lock: on a file beside the store, since SQLite has locks of its own on the store."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = path.with_name(path.name + "-lock").open("a")
    except OSError as error:
        raise StoreError(f"{path.parent} cannot be written: {error.strerror}") from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        lock.close()
        raise StoreError(f"{path} is being written by another process: one match, one process") from None
    return lock


def _release(lock: IO[str] | None) -> None:
    if lock is not None:
        lock.close()


def _prepare(connection: sqlite3.Connection, path: Path, *, read_only: bool) -> None:
    connection.execute("PRAGMA busy_timeout = 10000")
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    empty = not connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
    if not empty and application != APPLICATION:
        raise StoreError(f"{path} is an SQLite file, but no game store")
    if version > VERSION:
        raise StoreError(
            f"{path} was written by a newer version: its format is {version}, this program's {VERSION}"
        )
    if read_only:
        if empty:
            raise StoreError(f"{path} is empty")
        return
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")
    if empty:
        connection.executescript(
            f"BEGIN IMMEDIATE;\n{TABLES}\nPRAGMA application_id = {APPLICATION};\n"
            f"PRAGMA user_version = {VERSION};\nCOMMIT;"
        )
