"""Reading PDN: 100,000 games of 60 plies in one stream; games and plies a second, peak memory."""

import io
import random
import resource
import sys
import time
from typing import Any

from rules.game import Game
from rules.pdn import read_pdn
from rules.pdn_game import PdnGame
from rules.pdn_writer import format_pdn

GAMES = 100_000
PLIES = 60
DIFFERENT = 200
"""Games that differ; the stream repeats them."""
TARGET = 60.0
"""Seconds for all games on one core."""


class Repeated(io.RawIOBase):
    """A stream that gives a text again and again without holding it more than once."""

    def __init__(self, text: bytes, times: int) -> None:
        """Take the text and how often it comes."""
        super().__init__()
        self._text = text
        self._left = times * len(text)
        self._at = 0

    def readable(self) -> bool:
        """Say that this stream is read."""
        return True

    def readinto(self, buffer: Any, /) -> int:  # noqa: ANN401 - any writable buffer
        """Fill the buffer with what comes next."""
        size = min(len(buffer), len(self._text) - self._at, self._left)
        buffer[:size] = self._text[self._at : self._at + size]
        self._at = (self._at + size) % len(self._text)
        self._left -= size
        return size


def text() -> bytes:
    """Return different games of the length that is asked for, from moves chosen at random."""
    source = random.Random(1)  # noqa: S311 - games are no secrets
    games: list[str] = []
    while len(games) < DIFFERENT:
        game = Game()
        while len(game) < PLIES and game.legal_moves():
            game.push(source.choice(game.legal_moves()))
        if len(game) == PLIES:
            tags = {"Event": "Benchmark", "White": "One", "Black": "Two", "GameType": "20"}
            games.append(format_pdn(PdnGame.of(game.moves, tags=tags, result="1-1")))
    return "".join(games).encode()


def peak() -> float:
    """Return the largest resident size of this process so far, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    """Read the games and print the figures."""
    data = text()
    list(read_pdn(io.BytesIO(data)))
    before = peak()
    stream = io.BufferedReader(Repeated(data, GAMES // DIFFERENT))
    began = time.process_time()
    games = plies = 0
    for game in read_pdn(stream):
        if game.error is not None:
            sys.exit(f"game {games + 1}: {game.error}")
        games += 1
        plies += len(game.moves)
    seconds = time.process_time() - began
    megabytes = len(data) * (GAMES // DIFFERENT) / 1e6
    print(f"pdn: {games} games, {plies} plies, {megabytes:.0f} MB in {seconds:.1f} s of CPU time")
    print(f"     {games / seconds:.0f} games/s (target {GAMES / TARGET:.0f}), {plies / seconds:.0f} plies/s")
    print(f"     peak memory {peak():.1f} MiB, {peak() - before:.1f} MiB more than before reading")


if __name__ == "__main__":
    main()
