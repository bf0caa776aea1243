"""tournament.schedule: cases MATCH-14, 15 and 16, and what every schedule must have."""

import hashlib
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from known import case

from tournament.schedule import Format, Order, ScheduleError, opening_order, pairings, schedule


def test_case_match_14_start_wraps_round_and_colours_change() -> None:
    row = case("MATCH-14")
    values = row["input"]
    games = list(schedule(["A", "B"], values["ballots"], values["games"], start=values["start"]))
    assert [game.opening + 1 for game in games] == row["expected"]["order"]
    assert [game.white for game in games] == row["expected"]["white"]


def test_case_match_15_more_rounds_than_openings() -> None:
    values = case("MATCH-15")["input"]
    games = list(
        schedule(["A", "B"], values["ballots"], 2 * values["rounds"], order="random", seed=values["seed"])
    )
    assert len(games) == case("MATCH-15")["expected"]["games"]
    assert Counter(game.opening for game in games) in ({0: 6, 1: 4}, {0: 4, 1: 6})


def test_case_match_16_round_robin_of_three() -> None:
    row = case("MATCH-16")
    names = ["A", "B", "C"]
    games = list(schedule(names, row["input"]["ballots"], 2 * row["input"]["ballots"], form="round-robin"))
    assert len(games) == row["expected"]["games"]
    for pair in pairings(names, "round-robin"):
        met = [game.opening + 1 for game in games if {game.white, game.black} == set(pair)]
        assert met == row["expected"]["openings_per_pair"]


@given(
    players=st.integers(2, 5),
    openings=st.integers(1, 20),
    rounds=st.integers(1, 15),
    form=st.sampled_from(["round-robin", "gauntlet"]),
    order=st.sampled_from(["file", "random"]),
    seed=st.integers(0, 99),
    start=st.integers(1, 50),
)
def test_every_schedule(
    *, players: int, openings: int, rounds: int, form: Format, order: Order, seed: int, start: int
) -> None:
    names = [f"P{number}" for number in range(players)]
    games = list(schedule(names, openings, 2 * rounds, form=form, start=start, order=order, seed=seed))
    assert [game.number for game in games] == list(range(len(games)))
    assert len(games) == 2 * rounds * len(pairings(names, form))
    for first, second in zip(games[::2], games[1::2], strict=True):
        assert first.pair == second.pair == first.number // 2
        assert (first.white, first.black, first.opening) == (second.black, second.white, second.opening)
    used = Counter((game.white, game.opening) for game in games if {game.white, game.black} == {"P0", "P1"})
    assert max(used.values()) - min(used.values()) <= 1


@given(st.integers(1, 400), st.integers(0, 10**9), st.integers(1, 1000))
def test_a_random_order_has_every_opening_once(openings: int, seed: int, start: int) -> None:
    order = opening_order(openings, start, "random", seed)
    assert sorted(order) == list(range(openings))
    assert order == opening_order(openings, start, "random", seed)


def test_a_longer_match_begins_like_a_shorter_one() -> None:
    short = list(schedule(["A", "B", "C"], 79, 20, form="round-robin", order="random", seed=5))
    long = list(schedule(["A", "B", "C"], 79, 40, form="round-robin", order="random", seed=5))
    assert long[: len(short)] == short


def test_random_orders_favour_no_opening() -> None:
    firsts = Counter(opening_order(4, 1, "random", seed)[0] for seed in range(400))
    assert all(60 < count < 140 for count in firsts.values()), firsts


def test_a_gauntlet_is_the_first_against_each_other() -> None:
    assert pairings(["A", "B", "C"], "gauntlet") == [("A", "B"), ("A", "C")]


@pytest.mark.parametrize(
    ("players", "games", "form", "told"),
    [
        (["A", "B"], 3, "match", "even"),
        (["A", "B"], 0, "match", "even"),
        (["A"], 2, "match", "two players"),
        (["A", "A"], 2, "match", "two players are named A"),
        (["A", "B", "C"], 2, "match", "round-robin or gauntlet"),
    ],
)
def test_what_makes_no_schedule_is_told(players: list[str], games: int, form: Format, told: str) -> None:
    with pytest.raises(ScheduleError, match=told):
        schedule(players, 3, games, form=form)


def test_a_random_order_is_the_same_in_every_version() -> None:
    # A match begun by one version of the program is resumed by another: the order is a contract.
    digests = {index: hashlib.sha256(f"3:{index}".encode()).digest() for index in range(79)}
    assert opening_order(79, 1, "random", 3) == sorted(digests, key=lambda index: digests[index])
