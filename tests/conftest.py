"""What every test leaves behind: nothing; and the DXP connection that several test files talk over."""

from collections.abc import AsyncIterator, Iterator

import pytest
import structlog
import trio
from dxp_wire import REQUEST, Wire, wired
from trio.testing import MockClock

from dxp.codec import encode


@pytest.fixture(autouse=True)
def logging_as_before() -> Iterator[None]:
    """Undo what a command has configured: its standard error may be captured, and closed by now."""
    yield
    structlog.reset_defaults()


@pytest.fixture
def clock() -> MockClock:
    """Return a clock that jumps when everything waits."""
    return MockClock(autojump_threshold=0)


@pytest.fixture
async def wire(nursery: trio.Nursery) -> AsyncIterator[Wire]:
    """Return a wire on which we follow."""
    wire = wired(nursery)
    yield wire
    await wire.connection.leave()


@pytest.fixture
async def asking(nursery: trio.Nursery) -> AsyncIterator[Wire]:
    """Return a wire on which we are the initiator and have asked for a game."""
    wire = wired(nursery, "initiator")
    assert await wire.connection.request_game(REQUEST)
    await wire.read(encode(REQUEST))
    yield wire
    await wire.connection.leave()
