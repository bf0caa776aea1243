"""How a match stands: every table and statistic is read from here, and one game more is one `add`."""

from collections import Counter, defaultdict
from typing import TypeVar

from attrs import define, field

from rules.colour import Colour
from rules.game import Reason
from tournament.settings import FAULT_KINDS
from tournament.statistics import Pairs, Tally
from tournament.summary import GameSummary, TimeUse

Key = TypeVar("Key")


@define
class Standings:
    """The sum of the games added so far. Games that do not count are only looked through for faults."""

    tallies: dict[tuple[str, str], Tally] = field(factory=dict)
    """Of one player against another, the first one's view."""
    by_colour: dict[tuple[str, Colour], Tally] = field(factory=dict)
    """Of a player with one colour."""
    pairs: dict[tuple[str, str], Pairs] = field(factory=dict)
    """Complete pairs of one player against another, the first one's view."""
    openings: dict[str, Tally] = field(factory=dict)
    """By the opening's name, White's view."""
    reasons: Counter[Reason] = field(factory=Counter)
    """How the counted games ended."""
    faults: dict[str, Counter[Reason]] = field(factory=lambda: defaultdict(Counter))
    """Of each player by reason, in counted games and others."""
    times: dict[str, TimeUse] = field(factory=dict)
    """Of each player in counted games."""
    games: int = 0
    uncounted: int = 0
    plies: int = 0
    seconds: float = 0.0
    """The counted games' lengths by the wall clock, added up."""
    _halves: dict[int, GameSummary] = field(factory=dict)

    def add(self, game: GameSummary) -> None:
        """Take in a game."""
        if game.reason in FAULT_KINDS and game.winner is not None:
            loser = game.black if game.winner is Colour.WHITE else game.white
            self.faults[loser][game.reason] += 1
        if not game.counted:
            self.uncounted += 1
            return
        self.games += 1
        self.plies += game.plies
        self.seconds += game.seconds
        self.reasons[game.reason] += 1
        white_points = game.points(Colour.WHITE)
        _tally(self.openings, game.opening, white_points)
        for colour, player, other in (
            (Colour.WHITE, game.white, game.black),
            (Colour.BLACK, game.black, game.white),
        ):
            points = game.points(colour)
            _tally(self.tallies, (player, other), points)
            _tally(self.by_colour, (player, colour), points)
            self.times[player] = self.times.get(player, TimeUse()).plus(game.times[colour])
        self._pair_up(game)

    def tally(self, player: str, other: str | None = None) -> Tally:
        """Return a player's games against another, or against all."""
        if other is not None:
            return self.tallies.get((player, other), Tally())
        total = Tally()
        for (one, _), tally in self.tallies.items():
            if one == player:
                total = Tally(total.wins + tally.wins, total.draws + tally.draws, total.losses + tally.losses)
        return total

    def pair_counts(self, player: str, other: str | None = None) -> Pairs:
        """Return a player's complete pairs against another, or against all."""
        if other is not None:
            return self.pairs.get((player, other), Pairs())
        counts = [0] * 5
        for (one, _), pairs in self.pairs.items():
            if one == player:
                counts = [a + b for a, b in zip(counts, pairs.counts, strict=True)]
        return Pairs((counts[0], counts[1], counts[2], counts[3], counts[4]))

    def white(self) -> Tally:
        """Return all games from White's point of view."""
        total = Tally()
        for tally in self.openings.values():
            total = Tally(total.wins + tally.wins, total.draws + tally.draws, total.losses + tally.losses)
        return total

    @property
    def half_pairs(self) -> int:
        """Pairs of which one game is still to be played."""
        return len(self._halves)

    def _pair_up(self, game: GameSummary) -> None:
        if game.pair is None:
            return
        before = self._halves.pop(game.pair, None)
        if before is None:
            self._halves[game.pair] = game
            return
        points = before.points(Colour.WHITE) + game.points(
            Colour.WHITE if game.white == before.white else Colour.BLACK
        )
        half_points = round(2 * points)
        first, second = before.white, before.black
        self.pairs[first, second] = self.pairs.get((first, second), Pairs()).add(half_points)
        self.pairs[second, first] = self.pairs.get((second, first), Pairs()).add(4 - half_points)


def _tally(tallies: dict[Key, Tally], key: Key, points: float) -> None:
    tallies[key] = tallies.get(key, Tally()).add(points)
