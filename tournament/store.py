"""The game store: one SQLite file of matches, pairs, games and moves, written by one process at a time."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

from attrs import frozen

from tournament.record import GameRecord


class StoreError(Exception):
    """The store cannot be used: it is in use by another process, newer than this program, or not a store."""


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
    """A row of games. `number` and `pair` place a match game in its schedule, from 0; a game that is not `counted`
    was broken off or is to be played again, and no statistic includes it.
    """

    id: int
    match: int
    number: int | None
    pair: int | None
    counted: bool
    record: GameRecord


class Store:
    """The open file. Reading needs no lock (WAL); opening for writing fails while another process writes.

    Methods block for some milliseconds (a commit is synced to disk); call `record_game` in a thread from async code:
    the object may be used from any thread.
    """

    @classmethod
    def open(cls, path: Path, *, read_only: bool = False) -> Self:
        """Open the store at `path`, creating it and its directory unless `read_only`; raise StoreError with the fault."""
        raise NotImplementedError

    def close(self) -> None:
        """Close the file and release the writer's lock."""
        raise NotImplementedError

    def begin_match(self, name: str, kind: str, configuration: Mapping[str, object]) -> int:
        """Return the id of the match `name`, new or resumed; ConfigurationChangedError when it was set up otherwise.

        `configuration` holds JSON values. For "serve" and "play" give {}: games of many configurations are one log.
        """
        raise NotImplementedError

    def record_game(
        self, match: int, record: GameRecord, *, number: int | None = None, pair: int | None = None, counted: bool = True
    ) -> int:
        """Store a game with its moves in one transaction, on disk when this returns; return its id."""
        raise NotImplementedError

    def matches(self) -> list[StoredMatch]:
        """Return all matches, oldest first."""
        raise NotImplementedError

    def finished(self, match: int) -> set[int]:
        """Return the schedule numbers of the counted games of a match."""
        raise NotImplementedError

    def games(self, match: int | None = None) -> Iterator[StoredGame]:
        """Yield the games of a match, or of all, in the order they were stored, with their moves."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        """Return self."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close."""
        self.close()
