"""What a result is worth: Elo, normalized Elo, error bars and likelihood of superiority.

A pair is one opening played with both colours; the two games of it depend on each other, so the pair is the
observation and its five results (the pentanomial) give the error bars. Formulas: docs/statistics.md. Every
function is defined for no games, for all wins and for all draws: what cannot be said is None, never an
exception.
"""

import math
from statistics import NormalDist

from attrs import frozen

#: One Elo unit is 1/SCALE of the natural logarithm of the odds; a t-value per game is SCALE * 2 normalized
#: Elo.
SCALE = 400 / math.log(10)
#: The score of two players who are equal, and the points of a draw.
EVEN = 0.5
NORMAL = NormalDist()
#: 95 % of a normal distribution lies within this many standard deviations.
Z95 = NORMAL.inv_cdf(0.975)


@frozen
class Estimate:
    """A value and the half width of its 95 % interval; None where the results do not determine it.

    The value is infinite when every point went to one side.
    """

    value: float | None
    error: float | None = None


@frozen
class Tally:
    """Games by their result, from one player's point of view."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        """All games."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float | None:
        """The points of a game on average, between 0 and 1; None without games."""
        return (self.wins + self.draws / 2) / self.games if self.games else None

    @property
    def draw_rate(self) -> float | None:
        """The share of draws; None without games."""
        return self.draws / self.games if self.games else None

    def add(self, points: float) -> "Tally":
        """Return the tally with one more game of 0, 0.5 or 1 point."""
        return Tally(self.wins + (points == 1), self.draws + (points == EVEN), self.losses + (points == 0))


@frozen
class Pairs:
    """Pairs by their points: `counts[k]` pairs gave the player k half-points out of four."""

    counts: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)

    @property
    def number(self) -> int:
        """All complete pairs."""
        return sum(self.counts)

    @property
    def ratio(self) -> float | None:
        """Pairs won for each pair lost; None when no pair was lost."""
        lost = self.counts[0] + self.counts[1]
        return (self.counts[3] + self.counts[4]) / lost if lost else None

    def add(self, half_points: int) -> "Pairs":
        """Return the pairs with one more, of 0 to 4 half-points."""
        counts = list(self.counts)
        counts[half_points] += 1
        return Pairs((counts[0], counts[1], counts[2], counts[3], counts[4]))


def elo(score: float) -> float:
    """Return the Elo difference that gives this score; infinite at 0 and 1."""
    if score <= 0:
        return -math.inf
    if score >= 1:
        return math.inf
    return SCALE * math.log(score / (1 - score))


def distribution(results: Tally | Pairs) -> tuple[int, float, float]:
    """Return the number of observations, the mean score of one and its variance; (0, 0.5, 0) without any."""
    counts = (results.losses, results.draws, results.wins) if isinstance(results, Tally) else results.counts
    number = sum(counts)
    if not number:
        return 0, 0.5, 0.0
    scores = [index / (len(counts) - 1) for index in range(len(counts))]
    mean = sum(score * count for score, count in zip(scores, counts, strict=True)) / number
    variance = sum((score - mean) ** 2 * count for score, count in zip(scores, counts, strict=True)) / number
    return number, mean, variance


def best_evidence(tally: Tally, pairs: Pairs) -> Tally | Pairs:
    """Return the pairs, which give the right error bars, or the games where there are no pairs yet."""
    return pairs if pairs.number else tally


def elo_estimate(results: Tally | Pairs) -> Estimate:
    """Return the logistic Elo difference; its error is half the distance of the interval's ends."""
    number, mean, variance = distribution(results)
    if not number:
        return Estimate(None)
    width = Z95 * math.sqrt(variance / number)
    error = (elo(mean + width) - elo(mean - width)) / 2 if variance else None
    return Estimate(elo(mean), error if error is not None and math.isfinite(error) else None)


def normalized_elo(results: Tally | Pairs) -> Estimate:
    """Return the normalized Elo: the score above one half in standard deviations of a game, on Elo's scale.

    A pair holds two games, hence its deviation is multiplied by the square root of two.
    """
    number, mean, variance = distribution(results)
    if not number:
        return Estimate(None)
    unit = 2 * SCALE / (math.sqrt(2) if isinstance(results, Pairs) else 1)
    if not variance:
        return Estimate(0.0 if mean == EVEN else math.copysign(math.inf, mean - 0.5))
    return Estimate((mean - 0.5) / math.sqrt(variance) * unit, Z95 / math.sqrt(number) * unit)


def superiority(results: Tally | Pairs) -> float | None:
    """Return the likelihood that the player is the stronger one, between 0 and 1; None without games."""
    number, mean, variance = distribution(results)
    if not number:
        return None
    if not variance:
        return EVEN if mean == EVEN else float(mean > EVEN)
    return NORMAL.cdf((mean - 0.5) / math.sqrt(variance / number))
