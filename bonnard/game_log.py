"""Where `serve` and `play` keep their games: a store like that of a match, in the data directory."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import trio

from bonnard.errors import FailedError
from rules.game import Reason
from tournament.record import GameRecord
from tournament.store import MATCH_FILE, Store, StoreError


class GameLog:
    """An open store that is appended to."""

    def __init__(self, store: Store, match: int, directory: Path) -> None:
        """Use `open_game_log`."""
        self._store = store
        self._match = match
        self.directory = directory

    async def write(self, record: GameRecord) -> int:
        """Store a game and return its number; it is on disk then, and cancelling does not stop that."""
        with trio.CancelScope(shield=True):
            number = await trio.to_thread.run_sync(self._record, record)
        return number  # noqa: RET504 - mypy: the scope could swallow a return inside

    def _record(self, record: GameRecord) -> int:
        # Without a result a game is no draw: it is listed, and counts for nothing.
        counted = record.outcome.reason is not Reason.ABORTED
        return self._store.record_game(self._match, record, counted=counted)


@contextmanager
def open_game_log(directory: str, kind: str) -> Iterator[GameLog]:
    """Open the game log of `serve` or `play`; FailedError when it cannot be used."""
    path = Path(directory).expanduser() if directory else default_directory() / kind
    try:
        store = Store.open(path / MATCH_FILE)
    except (StoreError, OSError) as error:
        raise FailedError(
            f"games cannot be stored in {path}: {error}; another directory: --data DIR"
        ) from None
    with store:
        yield GameLog(store, store.begin_match(kind, kind, {}), path)


def default_directory() -> Path:
    """Return the directory for data of the user, as the XDG base directory specification has it."""
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "bonnard"
