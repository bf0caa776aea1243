"""What a peer may ask for: rates and slots."""

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from dxp.limits import Allowance, Slots


async def test_a_burst_is_free_and_the_rest_is_paid_in_time(clock: MockClock) -> None:
    allowance = Allowance(rate=10, burst=20)
    assert allowance.spend(15) == 0
    assert allowance.spend(5) == 0
    assert allowance.spend(5) == pytest.approx(0.5)
    await trio.sleep(0.5)
    assert allowance.spend(1) == pytest.approx(0.1)
    await trio.sleep(1000)
    assert allowance.spend(20) == 0
    assert allowance.spend(1) == pytest.approx(0.1)


async def test_slots_are_limited_in_all_and_per_address(nursery: trio.Nursery) -> None:
    slots = Slots(total=3, per_address=2)
    assert [slots.take("a"), slots.take("a"), slots.take("a")] == [True, True, False]
    assert [slots.take("b"), slots.take("c")] == [True, False]
    nursery.start_soon(slots.wait, "a")
    await wait_all_tasks_blocked()
    slots.free("b")
    await wait_all_tasks_blocked()
    assert slots.take("c")
    slots.free("a")
    await wait_all_tasks_blocked()
    assert not slots.take("b")
    slots.free("c")
    assert slots.take("b")
