"""Drive a Hub engine, version 1 or 2, that runs as a process of its own.

    engine = await nursery.start(run_engine, Launch(("scan", "hub")), guard)
    answer = await engine.think(game, Level(move_time=1.0))

The task started by `run_engine` owns the process: when it is cancelled, or `close` is called, the engine and every process of its
group are gone before it ends. What an engine does never raises there; it reaches the caller of the next method as an `EngineError`.
"""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Literal

import attrs
import trio

from hub.errors import EngineError
from hub.guard import Guard
from hub.messages import Identity, Info, Level, Param
from rules.game import Game
from rules.move import Move


@attrs.frozen
class Launch:
    """How to start an engine and how long to wait for it (seconds)."""

    command: tuple[str, ...]
    """Program and arguments; no shell is involved."""
    directory: Path | None = None
    """Working directory; ours if None."""
    nice: int = 5
    """Added to the priority number, so that referee and clock are never starved."""
    parameters: Mapping[str, str] = attrs.field(factory=dict)
    """Sent before `init`. Unknown names are sent too: engines ignore them."""
    greet_deadline: float = 10.0
    """From the start to `wait`."""
    init_deadline: float = 60.0
    """From `init` to `ready`: engines load weights and tables here."""
    stop_deadline: float = 5.0
    """From `stop` to `done`, and from `ping` to `pong`."""
    quit_deadline: float = 2.0
    """From `quit` to the end of the process; then it is killed."""


@attrs.frozen
class Answer:
    """A legal answer to `go`."""

    move: Move
    ponder: Move | None
    """The reply that the engine expects, None if it told none or one that is not legal."""
    info: Info
    """The last value of each field that the engine told during this search."""
    seconds: float
    """From the flushed `go` (or `ponder-hit`) to the last byte of the answer."""
    text: str
    """The move as it was sent."""


class Engine:
    """A running engine that has answered `ready`. One search at a time.

    Every method may raise EngineCrashed, EngineStalled or EngineClosed. A method that is cancelled leaves the engine usable: the
    search is told to stop and its late answer is dropped.
    """

    identity: Identity
    version: Literal[1, 2]
    """Of the protocol that the engine speaks."""
    params: Mapping[str, Param]
    """What the engine declared (nothing in version 1)."""
    process_id: int

    async def new_game(self) -> None:
        """Tell the engine that the next search has nothing to do with earlier ones."""
        raise NotImplementedError

    async def think(
        self,
        game: Game,
        level: Level,
        *,
        on_info: Callable[[Info], None] | None = None,
        deadline: float | None = None,
    ) -> Answer:
        """Ask for a move in `game`'s position.

        After `deadline` seconds `stop` is sent; EngineStalled if no answer comes within `stop_deadline` after that.
        Raises EngineMoveError for an answer that is no legal move, ValueError if the position has no legal move.
        """
        raise NotImplementedError

    async def analyse(
        self,
        game: Game,
        level: Level,
        *,
        on_info: Callable[[Info], None] | None = None,
        deadline: float | None = None,
    ) -> Answer:
        """Like `think`, by `go analyze`: the engine goes on although the move is clear."""
        raise NotImplementedError

    async def ponder(self, game: Game, level: Level) -> None:
        """Start thinking in `game`, which contains the expected reply already. Returns once it is sent."""
        raise NotImplementedError

    async def ponder_hit(
        self, *, on_info: Callable[[Info], None] | None = None, deadline: float | None = None
    ) -> Answer:
        """The reply expected by `ponder` was played: return the engine's move, as `think` does."""
        raise NotImplementedError

    async def stop(self) -> None:
        """End whatever search is running and drop its answer; nothing to do if none is."""
        raise NotImplementedError

    async def ping(self) -> float:
        """Return the seconds from `ping` to `pong`."""
        raise NotImplementedError

    async def wait_failed(self) -> EngineError:
        """Wait until the engine has failed or was closed, and return the error that the next method would raise."""
        raise NotImplementedError

    async def close(self) -> None:
        """End the engine: `quit`, then the process group is killed. Never fails; may be called twice."""
        raise NotImplementedError


async def run_engine(
    launch: Launch,
    guard: Guard | None = None,
    *,
    task_status: trio.TaskStatus[Engine] = trio.TASK_STATUS_IGNORED,
) -> None:
    """Start an engine, greet it, set its parameters, and own it until it is closed or this task is cancelled.

    `task_status` gets the engine when it is ready. Before that it raises EngineStartError, EngineCrashed or EngineStalled.
    """
    raise NotImplementedError


@asynccontextmanager
async def open_engine(launch: Launch, guard: Guard | None = None) -> AsyncIterator[Engine]:
    """Run an engine for the length of a block. Errors arrive as they are, not in a group."""
    raise NotImplementedError
    yield
