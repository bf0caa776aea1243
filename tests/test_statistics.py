"""tournament.statistics: published results (cases MATCH-17 and 19), and the results that have no Elo."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from known import case

from tournament.statistics import Pairs, Tally, elo_estimate, normalized_elo, superiority

counts = st.tuples(*[st.integers(0, 300)] * 5)


def test_case_match_17_published_pentanomial_result() -> None:
    row = case("MATCH-17")
    pairs, expected = Pairs(tuple(row["input"]["pairs"])), row["expected"]
    assert 2 * pairs.number == expected["games"]
    assert pairs.ratio == pytest.approx(expected["pairs_ratio"], abs=0.005)
    elo, normalized = elo_estimate(pairs), normalized_elo(pairs)
    assert elo.value == pytest.approx(expected["elo"], abs=0.005)
    assert elo.error == pytest.approx(expected["elo_err"], abs=0.005)
    assert normalized.value == pytest.approx(expected["nelo"], abs=0.005)
    assert normalized.error == pytest.approx(expected["nelo_err"], abs=0.005)


def test_case_match_19_published_trinomial_result() -> None:
    row = case("MATCH-19")
    wins, losses, draws = row["input"]["wld"]
    tally, expected = Tally(wins, draws, losses), row["expected"]
    assert elo_estimate(tally).value == pytest.approx(expected["elo"], abs=0.0005)
    assert 100 * (superiority(tally) or 0) == pytest.approx(expected["los"], abs=0.05)
    assert 100 * (tally.draw_rate or 0) == pytest.approx(expected["draw_ratio"], abs=0.05)


@pytest.mark.parametrize("nothing", [Tally(), Pairs()])
def test_without_games_nothing_is_said(nothing: Tally | Pairs) -> None:
    assert elo_estimate(nothing).value is None
    assert normalized_elo(nothing).value is None
    assert superiority(nothing) is None


@pytest.mark.parametrize("won", [Tally(wins=20), Pairs((0, 0, 0, 0, 20))])
def test_all_games_won_is_beyond_measure(won: Tally | Pairs) -> None:
    assert elo_estimate(won) == normalized_elo(won)
    assert elo_estimate(won).value == math.inf
    assert elo_estimate(won).error is None
    assert superiority(won) == 1


@pytest.mark.parametrize("drawn", [Tally(draws=20), Pairs((0, 0, 20, 0, 0))])
def test_all_games_drawn_is_even_without_an_error_bar(drawn: Tally | Pairs) -> None:
    assert elo_estimate(drawn).value == 0
    assert elo_estimate(drawn).error is None
    assert superiority(drawn) == 0.5


@given(counts)
def test_the_other_side_sees_the_opposite(results: tuple[int, int, int, int, int]) -> None:
    ours, theirs = Pairs(results), Pairs(results[::-1])
    mine, other = elo_estimate(ours), elo_estimate(theirs)
    assert (mine.value is None) == (other.value is None) == (ours.number == 0)
    if mine.value is not None and other.value is not None:
        assert mine.value == pytest.approx(-other.value, abs=1e-6)
        assert (superiority(ours) or 0) + (superiority(theirs) or 0) == pytest.approx(1)


def test_opposite_results_of_a_pair_are_better_evidence_than_independent_games() -> None:
    # Two games of an opening that White always wins are one even result, not a win and a loss by chance.
    assert (normalized_elo(Pairs((0, 1, 98, 1, 0))).error or 0) > 0
    pairs, games = elo_estimate(Pairs((0, 1, 98, 1, 0))), elo_estimate(Tally(99, 2, 99))
    assert (pairs.error or 0) < (games.error or 0) / 5


def test_games_are_added_by_their_points() -> None:
    assert Tally().add(1).add(0.5).add(0.5).add(0) == Tally(1, 2, 1)
    assert Pairs().add(4).add(2).add(2) == Pairs((0, 0, 2, 0, 1))
