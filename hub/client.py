"""Drive a Hub engine, version 1 or 2, that runs as a process of its own.

    engine = await nursery.start(run_engine, Launch(("scan", "hub")), guard)
    answer = await engine.think(game, Level(move_time=1.0))

The task started by `run_engine` owns the process: when it is cancelled, or `close` is called, the engine and
every process of its group are gone before it ends. What an engine does never raises there; it reaches the
caller of the next method as an `EngineError`.
"""

import contextlib
import math
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Literal

import attrs
import trio

from hub.conversation import SHOWN, Conversation, Exchange, Search
from hub.errors import EngineClosedError, EngineError, EngineMoveError
from hub.guard import Guard
from hub.messages import Done, Identity, Info, Level, Mode, Param
from hub.moves import read_move
from hub.process import EngineProcess
from rules.game import Game
from rules.move import Move
from rules.notation import MoveTextError


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

    Every method may raise EngineCrashError, EngineStallError or EngineClosedError. A method that is cancelled
    leaves the engine usable: the search is told to stop and its late answer is dropped.
    """

    def __init__(self, launch: Launch, process: EngineProcess) -> None:
        """Take over a process; `run_engine` makes engines."""
        self.launch = launch
        self.conversation = Conversation(process)
        """What goes on beneath, for tools that look closer."""
        self._fence_due = False
        """Whether the ping behind the last answer is still to be sent."""
        self._closing = trio.Event()
        self._closed = trio.Event()

    @property
    def identity(self) -> Identity:
        """Who the engine says it is."""
        return self.conversation.identity

    @property
    def version(self) -> Literal[1, 2]:
        """Version of the protocol that the engine speaks."""
        return self.conversation.dialect.version

    @property
    def params(self) -> Mapping[str, Param]:
        """What the engine declared (nothing in version 1)."""
        return self.conversation.params

    @property
    def process_id(self) -> int:
        """The engine's process and process group."""
        return self.conversation.process.process_id

    @property
    def stderr(self) -> str:
        """The last text that the engine wrote to its standard error."""
        return self.conversation.process.stderr.decode(errors="replace")

    @property
    def transcript(self) -> Sequence[Exchange]:
        """The last lines in both directions, each cut to a sensible length."""
        return self.conversation.transcript

    @property
    def complaints(self) -> Sequence[str]:
        """The last `error` messages of the engine."""
        return self.conversation.complaints

    @property
    def spare_answers(self) -> int:
        """How often the engine answered without being asked: more than one `done` for a `go`."""
        return self.conversation.spare_answers

    async def new_game(self) -> None:
        """Tell the engine that the next search has nothing to do with earlier ones."""
        await self._settle()
        await self.conversation.send(self.conversation.dialect.new_game())
        # Clearing a large table takes a while; with the fence behind it, that is on nobody's clock.
        await self._fence()

    async def think(
        self,
        game: Game,
        level: Level,
        *,
        on_info: Callable[[Info], None] | None = None,
        deadline: float | None = None,
    ) -> Answer:
        """Ask for a move in `game`'s position.

        After `deadline` seconds `stop` is sent; EngineStallError if no answer comes within `stop_deadline`
        after that. Raises EngineMoveError for an answer that is no legal move, ValueError if the position has
        none or the engine's version of the protocol cannot tell the level. `on_info` must not raise; of a
        flood of lines it sees a sample.
        """
        return await self._finish(await self._start(game, level, "think", on_info), deadline)

    async def analyse(
        self,
        game: Game,
        level: Level,
        *,
        on_info: Callable[[Info], None] | None = None,
        deadline: float | None = None,
    ) -> Answer:
        """Like `think`, by `go analyze`: the engine goes on although the move is clear."""
        return await self._finish(await self._start(game, level, "analyze", on_info), deadline)

    async def ponder(self, game: Game, level: Level) -> None:
        """Start thinking in `game`, which contains the expected reply already. Returns once it is sent."""
        await self._start(game, level, "ponder", None)

    async def ponder_hit(
        self, *, on_info: Callable[[Info], None] | None = None, deadline: float | None = None
    ) -> Answer:
        """Return the engine's move, as `think` does, now that the reply expected by `ponder` was played."""
        search = self.conversation.search
        if search is None:
            raise RuntimeError("ponder_hit without ponder")
        search.on_info = on_info
        await self.conversation.send("ponder-hit")
        search.began = trio.current_time()
        return await self._finish(search, deadline)

    async def stop(self) -> None:
        """End whatever search is running and drop its answer; nothing to do if none is."""
        await self._settle()

    async def ping(self) -> float:
        """Return the seconds from `ping` to `pong`."""
        began = trio.current_time()
        self.conversation.pings += 1
        number = self.conversation.pings
        await self.conversation.send("ping")
        await self.conversation.until(
            lambda: self.conversation.pongs >= number, self.launch.stop_deadline, '"pong"'
        )
        return trio.current_time() - began

    async def wait_failed(self) -> EngineError:
        """Wait until the engine has failed or was closed; return the error that the next method raises."""
        await self.conversation.failed.wait()
        assert self.conversation.failure  # noqa: S101 - set before the event
        return self.conversation.failure

    async def close(self) -> None:
        """End the engine: `quit`, then the process group is killed. Never fails; may be called twice."""
        self.conversation.fail(EngineClosedError("the engine was closed"))
        self._closing.set()
        await self._closed.wait()

    async def run(self, ready: Callable[[], None]) -> None:
        """Be the task that owns the process: greet it, call `ready`, wait for `close` and end it.

        Raises EngineError if the engine gets not ready.
        """
        failure = None
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self.conversation.read)
            nursery.start_soon(self.conversation.process.drain_stderr)
            nursery.start_soon(self.conversation.watch)
            try:
                await self._greet()
                ready()
                await self._closing.wait()
            except EngineError as error:
                failure = error  # carried out of the nursery, so that it arrives alone and not in a group
            finally:
                self.conversation.fail(EngineClosedError("the engine was closed"))
                try:
                    await self.conversation.process.end(
                        "stop\nquit\n", self.launch.quit_deadline, heard=self._closing.is_set()
                    )
                finally:
                    self._closed.set()
            nursery.cancel_scope.cancel()
        if failure:
            raise failure

    async def _greet(self) -> None:
        talk, launch = self.conversation, self.launch
        await talk.send("hub")
        await talk.until(lambda: talk.waiting, launch.greet_deadline, '"wait" after "hub"')
        await talk.send(*(talk.dialect.set_param(*item) for item in launch.parameters.items()), "init")
        await talk.until(lambda: talk.ready, launch.init_deadline, '"ready" after "init"')
        # Not waited for: with an engine that never answers, `_settle` does without the ping.
        talk.pings += 1
        await talk.send("ping")

    async def _start(
        self, game: Game, level: Level, mode: Mode, on_info: Callable[[Info], None] | None
    ) -> Search:
        if not game.legal_moves():
            raise ValueError("a finished position has no move to ask for")
        dialect = self.conversation.dialect
        # The last irreversible position and the moves since: enough for repetitions, the same for every
        # engine.
        lines = [*dialect.position(game.positions[0], game.quiet_moves), *dialect.level(level)]
        search = Search(game.position, on_info)
        await self._settle()
        self.conversation.begin_search(search)
        await self.conversation.send(*lines, dialect.go(mode))
        search.began = trio.current_time()
        return search

    async def _finish(self, search: Search, deadline: float | None) -> Answer:
        def answered() -> bool:
            return search.done is not None

        try:
            with trio.move_on_after(math.inf if deadline is None else deadline):
                await self.conversation.until(answered, math.inf, '"done"')
            if not answered():
                await self.conversation.stop_search()
                await self.conversation.until(answered, self.launch.stop_deadline, '"done" after "stop"')
            self._fence_due = True
        except trio.Cancelled:
            # `_settle` waits for the late answer before the next command, and meets what goes wrong here.
            with contextlib.suppress(EngineError):
                await self.conversation.stop_search()
            raise
        finally:
            search.on_info = None
        return _read_answer(search)

    async def tidy(self) -> None:
        """Do what was put off when the last answer came, so that the next request need not wait for it.

        To be called, if at all, when the answer has been passed on: while the opponent thinks.
        """
        if self._fence_due:
            self._fence_due = False
            await self._fence()

    async def _settle(self) -> None:
        """End the running search, and see that nothing of an earlier one is still on its way."""
        talk = self.conversation
        talk.check()
        await self.tidy()
        await talk.stop_search()
        await talk.until(
            lambda: talk.answered >= talk.asked, self.launch.stop_deadline, '"done" after "stop"'
        )
        if talk.search is not None and talk.search.told_to_stop:
            await self._fence()
        talk.search = None
        if talk.pongs:
            await talk.until(lambda: talk.pongs >= talk.pings, self.launch.stop_deadline, '"pong"')

    async def _fence(self) -> None:
        """Send a ping behind an answer: what comes before its pong belongs to no later search."""
        if self.conversation.pongs:
            self.conversation.pings += 1
            await self.conversation.send("ping")


def _read_answer(search: Search) -> Answer:
    done = search.done or Done()
    if done.move is None:
        raise EngineMoveError("the engine names no move although there is one")
    try:
        move = read_move(done.move, search.position)
    except MoveTextError as error:
        raise EngineMoveError(str(error)[:SHOWN], done.move[:SHOWN]) from None
    ponder = None
    if done.ponder:
        with contextlib.suppress(MoveTextError):
            ponder = read_move(done.ponder, search.position.make(move))
    return Answer(move, ponder, search.info, max(0.0, search.done_at - search.began), done.move)


async def run_engine(
    launch: Launch,
    guard: Guard | None = None,
    *,
    task_status: trio.TaskStatus[Engine] = trio.TASK_STATUS_IGNORED,
) -> None:
    """Start an engine, greet it, set its parameters, and own it until it is closed or this task is cancelled.

    `task_status` gets the engine when it is ready. Before that it raises EngineStartError, EngineCrashError
    or EngineStallError.
    """
    process = await EngineProcess.start(
        launch.command, directory=launch.directory, nice=launch.nice, guard=guard
    )
    engine = Engine(launch, process)
    await engine.run(lambda: task_status.started(engine))


@asynccontextmanager
async def open_engine(launch: Launch, guard: Guard | None = None) -> AsyncIterator[Engine]:
    """Run an engine for the length of a block. Errors arrive as they are, not in a group."""
    failure: BaseException | None = None
    async with trio.open_nursery() as nursery:
        try:
            engine = await nursery.start(run_engine, launch, guard)
            try:
                yield engine
            finally:
                with trio.CancelScope(shield=True):
                    await engine.close()
        except BaseException as error:  # noqa: BLE001 - raised below, outside of the nursery
            failure = error
    if failure:
        raise failure
