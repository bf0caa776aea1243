"""The engines of a server: started when needed, used again, never more than there are places."""

import pytest
import trio
import trio.testing
from actors import Actor

from bonnard.engine_pool import EnginePool
from bonnard.errors import FailedError
from tournament.player import Fault


class Broken(Actor):
    """An engine that cannot be started."""

    async def open(self) -> Fault | None:
        """Fail."""
        return Fault("crash", "exit code 1")


async def test_an_engine_is_used_again_unless_it_failed() -> None:
    pool = EnginePool(lambda: Actor("E"), 2)
    await pool.warm_up()
    first = await pool.take()
    assert first is not None
    await pool.give_back(first, usable=True)
    assert await pool.take() is first
    await pool.give_back(first, usable=False)
    assert first.heard == ["open", "close"]
    second = await pool.take()
    assert second is not first
    await pool.close()
    assert second.heard == ["open", "close"]


async def test_a_game_waits_for_a_place(autojump_clock: trio.testing.MockClock) -> None:
    pool = EnginePool(lambda: Actor("E"), 1)
    first = await pool.take()
    with trio.move_on_after(10) as waiting:
        await pool.take()
    assert waiting.cancelled_caught
    await pool.give_back(first, usable=True)
    with trio.fail_after(1):
        assert await pool.take() is first


async def test_an_engine_that_does_not_start_takes_no_place() -> None:
    pool = EnginePool(lambda: Broken("E"), 1)
    with pytest.raises(FailedError, match="exit code 1"):
        await pool.warm_up()
    for _ in range(3):
        with trio.fail_after(1):
            assert await pool.take() is None
