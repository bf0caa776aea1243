"""The sequential probability ratio test of two hypotheses about the Elo difference.

After each pair it is asked whether one of them has been shown; the match ends with the answer.

Two models. "normalized": the hypotheses are normalized Elo and the observations are pairs; the likelihood
of each hypothesis is that of the most likely distribution of pair results which has exactly its t-value.
"bayes": the trinomial BayesElo model of single games, its hypotheses divided by the scale that the draw
rate gives, as published trinomial tests do.
"""

import math
from collections.abc import Sequence
from typing import Literal

from attrs import frozen

from tournament.statistics import SCALE, Pairs, Tally

#: Counts of zero are taken as this many pairs, so that a result not yet seen keeps a likelihood.
UNSEEN = 1e-3
#: The search for a distribution ends when no probability changes by more than this.
UNCHANGED = 1e-9
SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)

Decision = Literal["H0 accepted", "H1 accepted"]


@frozen
class Sprt:
    """A test of H0 "the Elo is `elo0`" against H1 "it is `elo1`", with error rates `alpha`, `beta`."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: Literal["normalized", "bayes"] = "normalized"

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at and beyond which H0 and H1 are accepted."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def ratio(self, pairs: Pairs, tally: Tally) -> float:
        """Return the log-likelihood ratio of H1 to H0; 0 before there is anything to judge by."""
        if self.model == "bayes":
            return bayes_ratio(tally, self.elo0, self.elo1)
        return normalized_ratio(pairs, self.elo0, self.elo1)

    def decision(self, ratio: float) -> Decision | None:
        """Return what a log-likelihood ratio decides; None while the test goes on."""
        lower, upper = self.bounds
        if ratio >= upper:
            return "H1 accepted"
        return "H0 accepted" if ratio <= lower else None


def normalized_ratio(pairs: Pairs, elo0: float, elo1: float) -> float:
    """Return the log-likelihood ratio of two normalized Elo differences, given pairs."""
    if not pairs.number:
        return 0.0
    counts = [count or UNSEEN for count in pairs.counts]
    total = sum(counts)
    observed = [count / total for count in counts]
    per_pair = math.sqrt(2) / (2 * SCALE)
    under0 = most_likely(observed, elo0 * per_pair)
    under1 = most_likely(observed, elo1 * per_pair)
    return sum(count * math.log(b / a) for count, a, b in zip(counts, under0, under1, strict=True))


def bayes_ratio(tally: Tally, elo0: float, elo1: float) -> float:
    """Return the log-likelihood ratio of two Elo differences in the BayesElo model, given games.

    The draw parameter is the one that the games show; without a win and a loss there is none yet, and the
    ratio is 0.
    """
    if not tally.wins or not tally.losses:
        return 0.0
    wins, losses = tally.wins / tally.games, tally.losses / tally.games
    draw_elo = 200 * math.log10((1 - losses) / losses * (1 - wins) / wins)
    odds = 10 ** (-draw_elo / 400)
    scale = 4 * odds / (1 + odds) ** 2

    def likelihoods(difference: float) -> tuple[float, float, float]:
        win = 1 / (1 + 10 ** ((draw_elo - difference) / 400))
        loss = 1 / (1 + 10 ** ((draw_elo + difference) / 400))
        return win, max(1 - win - loss, 1e-12), loss

    counts = (tally.wins, tally.draws, tally.losses)
    under0, under1 = likelihoods(elo0 / scale), likelihoods(elo1 / scale)
    return sum(count * math.log(b / a) for count, a, b in zip(counts, under0, under1, strict=True))


def most_likely(observed: Sequence[float], t_value: float) -> Sequence[float]:
    """Return the distribution over SCORES of this t-value under which `observed` is most likely.

    The t-value is (mean - 1/2) / deviation. The condition on it is linearised about the distribution
    found so far, and the linear problem
    solved; this repeats until nothing changes. It starts from a distribution that has the t-value, so that
    there is always a solution.
    """
    best = _tilted(t_value)
    for _ in range(50):
        mean = sum(p * score for p, score in zip(best, SCORES, strict=True))
        deviation = math.sqrt(sum(p * (score - mean) ** 2 for p, score in zip(best, SCORES, strict=True)))
        slopes = [
            score - 0.5 - t_value * deviation * (1 + ((mean - score) / deviation) ** 2) / 2
            for score in SCORES
        ]
        if min(slopes) >= 0 or max(slopes) <= 0:
            break
        multiplier = _root(observed, slopes)
        found = [p / (1 + multiplier * slope) for p, slope in zip(observed, slopes, strict=True)]
        change = max(abs(a - b) for a, b in zip(found, best, strict=True))
        best = found
        if change < UNCHANGED:
            break
    return best


def _root(observed: Sequence[float], slopes: Sequence[float]) -> float:
    """Return the multiplier x with sum of p * v / (1 + x * v) = 0, which falls as x rises; by bisection."""
    low, high = -1 / max(slopes), -1 / min(slopes)
    for _ in range(60):
        middle = (low + high) / 2
        if sum(p * v / (1 + middle * v) for p, v in zip(observed, slopes, strict=True)) > 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _tilted(t_value: float) -> list[float]:
    """Return a distribution with this t-value: the uniform one, weighted by a power that bisection finds."""
    low, high = -200.0, 200.0
    weights = [1.0] * len(SCORES)
    for _ in range(60):
        middle = (low + high) / 2
        weights = [math.exp(middle * (score - (middle > 0))) for score in SCORES]
        total = sum(weights)
        weights = [weight / total for weight in weights]
        mean = sum(p * score for p, score in zip(weights, SCORES, strict=True))
        deviation = math.sqrt(sum(p * (score - mean) ** 2 for p, score in zip(weights, SCORES, strict=True)))
        if mean - 0.5 < t_value * deviation:
            low = middle
        else:
            high = middle
    return weights
