"""rules.clock: cases MATCH-07, MATCH-09 and MATCH-26, and the arithmetic between them."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from known import case

from rules.clock import Clock, ClockTextError, TimeControl

pytestmark = pytest.mark.rules


def test_case_match_07_the_margin_pardons_and_gives_nothing() -> None:
    row = case("MATCH-07")
    clock = Clock.start(TimeControl(bank=10, increment=0.1), margin=row["input"]["margin_ms"] / 1000)
    flag = clock.spend(row["input"]["used_ms"] / 1000)
    assert flag is row["expected"]["flag"]
    assert clock.bank == 0  # sent as "level time=0 inc=0.1"
    assert clock.allowance == pytest.approx(row["expected"]["available_next_ms"] / 1000)


def test_case_match_09_the_increment_comes_before_the_move() -> None:
    row = case("MATCH-09")
    clock = Clock.start(TimeControl(bank=60, increment=1))
    banks = [clock.bank]
    for seconds in row["input"]["used_s"]:
        assert not clock.spend(seconds)
        banks.append(clock.bank)
    assert banks == row["expected"]["hub_level_times"]


def test_case_match_26_transport_is_pardoned_on_every_move() -> None:
    delay = case("MATCH-26")["input"]["peer_delay_ms"] / 1000
    clock = Clock.start(TimeControl(bank=3), margin=0.2)
    losses = 0
    for _ in range(100):
        assert clock.bank is not None
        losses += clock.spend(clock.bank / 20 + delay)
    losses += clock.spend(clock.bank + delay)
    assert losses == case("MATCH-26")["expected"]["losses_on_time"]


def test_the_flag_falls_beyond_allowance_and_margin_only() -> None:
    def flag(seconds: float) -> bool:
        return Clock.start(TimeControl(bank=10, increment=1), margin=0.5).spend(seconds)

    assert [flag(seconds) for seconds in (10, 11, 11.5, 11.501)] == [False, False, False, True]


def test_a_period_gives_its_minutes_again_after_its_last_move() -> None:
    clock = Clock.start(TimeControl.parse("1m/2"))
    assert (clock.bank, clock.moves_left) == (60, 2)
    assert not clock.spend(10)
    assert (clock.bank, clock.moves_left) == (50, 1)
    assert not clock.spend(20)
    assert (clock.bank, clock.moves_left) == (90, 2)


def test_a_new_period_does_not_save_an_overdrawn_clock() -> None:
    clock = Clock.start(TimeControl.parse("1m/1"))
    assert clock.spend(61)
    assert clock.bank == 60


def test_time_a_move_does_not_add_up() -> None:
    clock = Clock.start(TimeControl(move_time=2), margin=0.1)
    assert [clock.spend(seconds) for seconds in (0.5, 2.0, 2.1, 2.2)] == [False, False, False, True]
    assert clock.allowance == 2
    assert clock.limit == pytest.approx(2.1)


@pytest.mark.parametrize("control", [TimeControl(depth=9), TimeControl(nodes=1000)])
def test_depth_and_nodes_have_no_clock(control: TimeControl) -> None:
    clock = Clock.start(control)
    assert not control.timed
    assert clock.limit is None
    assert not clock.spend(1e9)


def test_ten_moves_of_a_tenth_take_one_second() -> None:
    clock = Clock.start(TimeControl(bank=1))
    flags = [clock.spend(0.1) for _ in range(10)]
    assert flags == [False] * 10
    assert clock.bank == 0


@pytest.mark.parametrize(
    ("text", "control"),
    [
        ("5m/75", TimeControl(bank=300, moves=75)),
        ("3m+2s", TimeControl(bank=180, increment=2)),
        ("90s", TimeControl(bank=90)),
        ("0s+1s", TimeControl(bank=0, increment=1)),
        ("1h/40+0.5s", TimeControl(bank=3600, moves=40, increment=0.5)),
        ("move-time=0.1", TimeControl(move_time=0.1)),
        ("depth=9", TimeControl(depth=9)),
        ("nodes=100000", TimeControl(nodes=100_000)),
    ],
)
def test_parse(text: str, control: TimeControl) -> None:
    assert TimeControl.parse(text) == control


@pytest.mark.parametrize(
    "text",
    ["", "5", "m", "-5m", "0s", "5m/0", "5m+2m", "5m/75/3", "depth=0", "depth=1.5", "nodes=", "nan", "infs"],
)
def test_a_bad_text_is_named_with_what_is_accepted(text: str) -> None:
    with pytest.raises(ClockTextError, match="accepted: 5m/75") as error:
        TimeControl.parse(text)
    assert repr(text) in str(error.value)


def test_a_control_is_one_form() -> None:
    for wrong in ({}, {"bank": 5, "depth": 3}, {"depth": 3, "increment": 1}, {"bank": -1, "increment": 2}):
        with pytest.raises(ValueError, match=r"time control|clock"):
            TimeControl(**wrong)


@pytest.mark.parametrize("number", [math.nan, math.inf])
@pytest.mark.parametrize("field", ["bank", "move_time", "increment"])
def test_a_control_is_made_of_finite_numbers(number: float, field: str) -> None:
    numbers = {"bank": 60.0, field: number} if field == "increment" else {field: number}
    with pytest.raises(ValueError, match="finite"):
        TimeControl(**numbers)


seconds = st.integers(0, 10**6).map(lambda hundredths: hundredths / 100)


@given(
    st.one_of(
        st.builds(
            TimeControl,
            bank=seconds.filter(bool),
            moves=st.none() | st.integers(1, 300),
            increment=seconds,
        ),
        st.builds(TimeControl, move_time=seconds.filter(bool)),
        st.builds(TimeControl, depth=st.integers(1, 200)),
        st.builds(TimeControl, nodes=st.integers(1, 10**12)),
    )
)
def test_what_is_written_is_read_back(control: TimeControl) -> None:
    assert TimeControl.parse(str(control)) == control


@given(seconds.filter(bool), seconds, st.lists(seconds, max_size=30))
def test_the_bank_never_goes_below_zero_nor_above_what_was_given(
    bank: float, increment: float, spent: list[float]
) -> None:
    clock = Clock.start(TimeControl(bank=bank, increment=increment))
    for number, used in enumerate(spent, 1):
        clock.spend(used)
        assert clock.bank is not None
        assert 0 <= clock.bank <= bank + number * increment + 1e-6
