"""What a match leaves in its directory while it runs: the store, and games.pdn which is derived from it."""

from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

import trio

from tournament.pdn_file import PdnFile
from tournament.record import GameRecord
from tournament.schedule import ScheduledGame
from tournament.standings import Standings
from tournament.store import DAMAGE, MATCH_FILE, Store, StoreError

PDN_FILE = "games.pdn"
#: A match may be extended: with more games its schedule begins as before.
GROWS = "games"


class Archive:
    """The files of one match, open for writing."""

    def __init__(self, store: Store, match: int, pdn: PdnFile) -> None:
        """Use `open` instead."""
        self.store = store
        self.match = match
        self._pdn = pdn
        # One writer: games that end together are written one after the other, in both files in the same
        # order.
        self._writer = trio.CapacityLimiter(1)

    @classmethod
    def open(cls, directory: Path, name: str, configuration: Mapping[str, object]) -> Self:
        """Open, extend or begin the match `name` in `directory`; StoreError with the fault.

        games.pdn is compared with the store and written anew when it differs: it may lack the last game
        after a kill.
        """
        store = Store.open(directory / MATCH_FILE)
        try:
            number = store.begin_match(name, "match", configuration, grows=GROWS)
            pdn = PdnFile(directory / PDN_FILE, {match.id: match.name for match in store.matches()})
            pdn.restore(store.games())
        except OSError as error:
            store.close()
            raise StoreError(f"{directory / PDN_FILE} cannot be written: {error.strerror}") from None
        except DAMAGE as error:
            store.close()
            raise StoreError(f"{directory / MATCH_FILE} is damaged: {error}") from None
        except BaseException:
            store.close()
            raise
        return cls(store, number, pdn)

    def close(self) -> None:
        """Close the files."""
        self.store.close()

    def __enter__(self) -> Self:
        """Return self."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close."""
        self.close()

    def standings(self) -> Standings:
        """Return how the match stands by what is stored."""
        standings = Standings()
        for game in self.store.summaries(self.match):
            standings.add(game)
        return standings

    async def write(self, game: ScheduledGame, opening: str, record: GameRecord, *, counted: bool) -> None:
        """Store a game, on disk when this returns; no cancellation comes between store and games.pdn."""

        def write() -> None:
            self.store.record_game(
                self.match, record, number=game.number, pair=game.pair, opening=opening, counted=counted
            )
            if counted:
                self._pdn.append(self.match, record, game.number)

        with trio.CancelScope(shield=True):
            await trio.to_thread.run_sync(write, limiter=self._writer)
