"""games.pdn: the counted games of a store as PDN 3.0, always what the store would give.

The file is derived. It is appended to after each commit, so a kill can leave it without its last game or
with half of it; at the start it is compared with the store, game by game, and written anew if it differs.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path

from attrs import frozen

from tournament.pdn_text import pdn_text
from tournament.record import GameRecord
from tournament.store import StoredGame


@frozen
class PdnFile:
    """The file at `path`; `events` is the value of the games' Event tag by the match they belong to."""

    path: Path
    events: Mapping[int, str]

    def append(self, match: int, record: GameRecord, number: int | None) -> None:
        """Add a game of a match at the end. `number` is its place in the schedule, from 0."""
        text = pdn_text(record, self.events[match], number)
        # Unbuffered: the game is one write, and a kill cannot come between two halves of it.
        with self.path.open("ab", buffering=0) as file:
            file.write(text.encode())

    def restore(self, games: Iterable[StoredGame]) -> bool:
        """Make the file what the store says; return whether it had to be written anew."""
        temporary = self.path.with_name(self.path.name + ".new")
        try:
            with temporary.open("w", encoding="utf-8") as file:
                for game in games:
                    if game.counted:
                        file.write(pdn_text(game.record, self.events[game.match], game.number))
            if self.path.exists() and same_content(self.path, temporary):
                return False
            temporary.replace(self.path)
            return True
        finally:
            temporary.unlink(missing_ok=True)


def same_content(one: Path, other: Path) -> bool:
    """Whether two files have the same bytes; neither is read into memory."""
    size = 1 << 16
    if one.stat().st_size != other.stat().st_size:
        return False
    with one.open("rb") as first, other.open("rb") as second:
        while block := first.read(size):
            if block != second.read(size):
                return False
    return True
