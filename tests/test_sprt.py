"""tournament.sprt: published tests (cases MATCH-17, 19 and 21), and that no result makes it fail or hang."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from known import case

from tournament.sprt import Sprt, most_likely, normalized_ratio
from tournament.statistics import Pairs, Tally


def test_case_match_17_normalized_test_on_pairs() -> None:
    row = case("MATCH-17")
    values, expected = row["input"]["sprt"], row["expected"]
    sprt = Sprt(values["elo0"], values["elo1"], values["alpha"], values["beta"], values["model"])
    ratio = sprt.ratio(Pairs(tuple(row["input"]["pairs"])), Tally())
    assert ratio == pytest.approx(expected["llr"], abs=0.005)
    assert sprt.bounds == pytest.approx(expected["bounds"], abs=0.005)
    assert sprt.decision(ratio) == expected["decision"]


def test_case_match_19_trinomial_test_in_the_bayes_model() -> None:
    row = case("MATCH-19")
    values, expected = row["input"]["sprt"], row["expected"]
    wins, losses, draws = row["input"]["wld"]
    sprt = Sprt(values["elo0"], values["elo1"], values["alpha"], values["beta"], "bayes")
    ratio = sprt.ratio(Pairs(), Tally(wins, draws, losses))
    assert ratio == pytest.approx(expected["llr"], abs=0.0001)
    assert sprt.bounds == pytest.approx(expected["bounds"], abs=0.001)
    assert sprt.decision(ratio) is None


def test_case_match_21_all_lost_under_extreme_hypotheses() -> None:
    row = case("MATCH-21")
    sprt = Sprt(row["input"]["sprt"]["elo0"], row["input"]["sprt"]["elo1"])
    lost, won = row["input"]["pairs"], row["input"]["pairs"][::-1]
    assert sprt.ratio(Pairs(tuple(lost)), Tally()) < 0
    assert sprt.decision(sprt.ratio(Pairs(tuple(won)), Tally())) == "H1 accepted"


@given(
    st.tuples(*[st.integers(0, 500)] * 5),
    st.floats(-2000, 2000),
    st.floats(1, 2000),
)
def test_any_result_has_a_ratio(
    counts: tuple[int, int, int, int, int], elo0: float, difference: float
) -> None:
    ratio = normalized_ratio(Pairs(counts), elo0, elo0 + difference)
    assert math.isfinite(ratio)
    mirrored = normalized_ratio(Pairs(counts[::-1]), -elo0 - difference, -elo0)
    assert mirrored == pytest.approx(-ratio, abs=1e-3 + abs(ratio) * 1e-3)


@given(st.lists(st.floats(0.01, 1), min_size=5, max_size=5), st.floats(-0.5, 0.5))
def test_the_most_likely_distribution_has_the_t_value_asked_for(weights: list[float], t_value: float) -> None:
    observed = [weight / sum(weights) for weight in weights]
    found = most_likely(observed, t_value)
    mean = sum(p * k / 4 for k, p in enumerate(found))
    deviation = math.sqrt(sum(p * (k / 4 - mean) ** 2 for k, p in enumerate(found)))
    assert sum(found) == pytest.approx(1)
    assert (mean - 0.5) / deviation == pytest.approx(t_value, abs=1e-6)


@pytest.mark.parametrize("model", ["normalized", "bayes"])
def test_a_test_begins_undecided(model: str) -> None:
    sprt = Sprt(0, 5, model="bayes" if model == "bayes" else "normalized")
    assert sprt.decision(sprt.ratio(Pairs(), Tally())) is None


def test_the_truth_is_found() -> None:
    better = Pairs((40, 180, 400, 260, 120))
    assert Sprt(0, 10).decision(Sprt(0, 10).ratio(better, Tally())) == "H1 accepted"
    worse = Pairs(better.counts[::-1])
    assert Sprt(0, 10).decision(Sprt(0, 10).ratio(worse, Tally())) == "H0 accepted"
