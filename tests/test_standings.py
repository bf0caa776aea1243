"""tournament.standings: tallies, pairs and faults add up, in whatever order the games end."""

import random

import attrs
from hypothesis import given
from hypothesis import strategies as st
from match_games import game_summary

from rules.colour import Colour
from rules.game import Reason
from tournament.standings import Standings
from tournament.statistics import Pairs, Tally

WINNERS = [Colour.WHITE, Colour.BLACK, None]


def test_a_pair_counts_when_both_its_games_are_there() -> None:
    standings = Standings()
    standings.add(game_summary(0, "A", "B", Colour.WHITE))
    assert standings.pair_counts("A", "B") == Pairs()
    assert standings.half_pairs == 1
    standings.add(game_summary(1, "B", "A", None))
    assert standings.pair_counts("A", "B") == Pairs((0, 0, 0, 1, 0))
    assert standings.pair_counts("B", "A") == Pairs((0, 1, 0, 0, 0))
    assert standings.half_pairs == 0
    assert standings.tally("A") == Tally(1, 1, 0)


@given(st.lists(st.tuples(st.sampled_from(WINNERS), st.sampled_from(WINNERS)), max_size=12), st.randoms())
def test_the_order_of_games_does_not_matter(
    results: list[tuple[Colour | None, Colour | None]], chance: random.Random
) -> None:
    games = []
    for pair, (first, second) in enumerate(results):
        games.append(game_summary(2 * pair, "A", "B", first))
        games.append(game_summary(2 * pair + 1, "B", "A", second))
    standings = Standings()
    for game in chance.sample(games, len(games)):
        standings.add(game)
    tally, pairs = standings.tally("A", "B"), standings.pair_counts("A")
    assert tally.games == standings.games == 2 * len(results)
    assert pairs.number == len(results)
    half_points = sum(points * count for points, count in enumerate(pairs.counts))
    assert half_points == 2 * tally.wins + tally.draws
    opposite = standings.tally("B", "A")
    assert (tally.wins, tally.draws, tally.losses) == (opposite.losses, opposite.draws, opposite.wins)
    assert standings.white().games == standings.games


def test_faults_are_counted_in_games_that_are_not() -> None:
    standings = Standings()
    crashed = game_summary(0, "A", "B", Colour.BLACK, Reason.CRASH)
    standings.add(attrs.evolve(crashed, counted=False))
    standings.add(game_summary(0, "A", "B", Colour.WHITE, Reason.TIME))
    assert standings.faults == {"A": {Reason.CRASH: 1}, "B": {Reason.TIME: 1}}
    assert (standings.games, standings.uncounted) == (1, 1)
    assert standings.reasons == {Reason.TIME: 1}


def test_colours_and_three_players() -> None:
    standings = Standings()
    standings.add(game_summary(0, "A", "B", Colour.WHITE))
    standings.add(game_summary(2, "A", "C", Colour.BLACK))
    standings.add(game_summary(3, "C", "A", Colour.BLACK))
    assert standings.by_colour["A", Colour.WHITE] == Tally(1, 0, 1)
    assert standings.by_colour["A", Colour.BLACK] == Tally(1, 0, 0)
    assert standings.tally("A") == Tally(2, 0, 1)
    assert standings.tally("B", "C") == Tally()
    assert standings.pair_counts("A") == Pairs((0, 0, 1, 0, 0))
