"""Time budgets: what a move may take under each form of clock, and that no clock is ever overrun."""

import random

import pytest

from engine.limits import Budget, Limits, Pace, budget
from rules.clock import Clock, TimeControl

CLOCKS = [
    "5m/75",
    "1m/75",
    "1m/12",
    "6s/75",
    "90s",
    "10s",
    "3m+2s",
    "10s+0.1s",
    "2s+0.5s",
    "1m/2",
    "20m/75",
    "30s/30+1s",
]


def test_without_a_time_limit_there_is_no_budget() -> None:
    assert budget(Limits(depth=9, nodes=1000)) == Budget()


def test_a_move_time_is_used_almost_whole() -> None:
    for seconds in (0.05, 0.1, 1.0, 60.0):
        given = budget(Limits(move_time=seconds))
        assert given.soft == given.hard
        assert 0.93 * seconds < given.hard < seconds


def test_the_last_move_of_a_period_may_take_all_but_the_overhead() -> None:
    given = budget(Limits(clock=10.0, moves_left=1, overhead=0.05))
    assert given.soft == given.hard == pytest.approx(9.9)


def test_a_period_is_shared_among_its_moves() -> None:
    given = budget(Limits(clock=60.0, moves_left=12))
    assert 4.0 < given.soft < 5.0
    assert given.soft < given.hard < 20.0


def test_a_long_period_is_shared_among_the_moves_a_game_still_lasts() -> None:
    opening = budget(Limits(clock=300.0, moves_left=75), pieces=40)
    ending = budget(Limits(clock=300.0, moves_left=75), pieces=6)
    assert 300.0 / 75 < opening.soft < ending.soft < 300.0 / 10


def test_an_increment_is_spent_when_the_bank_is_empty() -> None:
    given = budget(Limits(clock=0.0, increment=2.0, overhead=0.03))
    assert 1.5 < given.soft <= given.hard < 2.0


def test_an_empty_clock_still_moves() -> None:
    given = budget(Limits(clock=0.0))
    assert 0 < given.soft <= given.hard <= 0.001


def test_a_period_clock_and_its_control_become_limits() -> None:
    clock = Clock.start(TimeControl.parse("5m/75"))
    clock.spend(100.0)
    limits = Limits.of_clock(clock)
    assert (limits.clock, limits.moves_left, limits.increment) == (200.0, 74, 0.0)
    assert Limits.of_clock(Clock.start(TimeControl(depth=7))).depth == 7
    assert Limits.of_clock(Clock.start(TimeControl(nodes=5000))).nodes == 5000
    assert Limits.of_clock(Clock.start(TimeControl(move_time=0.5))).move_time == 0.5


def test_a_falling_score_and_a_new_move_take_longer_than_a_stable_one() -> None:
    calm, changed, falling = (Pace(Budget(1.0, 4.0)) for _ in range(3))
    for iteration in range(6):
        calm.iteration(20, "32-28")
        changed.iteration(20, f"move {iteration}")
        falling.iteration(20 - 30 * iteration, "32-28")
    assert calm.stretch < 1 < changed.stretch
    assert falling.stretch > calm.stretch
    assert calm.deadline < changed.deadline <= 4.0
    assert calm.enough(0.5)
    assert not changed.enough(0.5)


def test_an_exact_budget_is_used_whatever_the_search_says() -> None:
    pace = Pace(Budget(1.0, 1.0), exact=True)
    for _ in range(9):
        pace.iteration(0, "32-28")
    assert not pace.enough(0.9)
    assert pace.deadline == 1.0


def play_out(control: TimeControl, chance: random.Random) -> None:
    """Play a game's worth of moves by the clock: each search as short or as long as its budget allows."""
    clock = Clock.start(control)
    pieces = 40
    for move in range(control.moves or 110):
        if move % 3 == 2:
            pieces = max(3, pieces - 1)
        limits = Limits.of_clock(clock, overhead=0.03)
        pace = Pace(budget(limits, pieces=pieces))
        elapsed, score = 0.0, 0
        while not pace.enough(elapsed):
            elapsed = elapsed * chance.uniform(1.2, 4.0) + pace.budget.soft * chance.uniform(0.001, 0.05)
            failing = chance.random() < 0.2
            if elapsed > (pace.budget.hard if failing else pace.deadline):
                elapsed = pace.budget.hard if failing else pace.deadline
                break
            score += chance.randrange(-60, 40)
            pace.iteration(score, chance.randrange(3))
        # Whatever passes outside the search: as told on average, at times double.
        flag = clock.spend(elapsed + min(0.059, chance.expovariate(1 / 0.03)))
        assert not flag, f"{control}: flag on move {move + 1}, {limits}"


@pytest.mark.parametrize("text", [text for text in CLOCKS if text not in ("10s", "6s/75", "1m/75")])
def test_no_clock_is_overrun_in_ten_thousand_games(text: str) -> None:
    control = TimeControl.parse(text)
    chance = random.Random(text)
    for _ in range(10_000 // 9):
        play_out(control, chance)
