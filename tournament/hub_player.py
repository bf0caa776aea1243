"""A player that is a Hub engine in a process of its own: ours or anybody's."""

import sys
from pathlib import Path

import trio

from hub.client import Answer as EngineAnswer
from hub.client import Engine, Launch, run_engine
from hub.errors import EngineCrashError, EngineError, EngineMoveError, EngineProtocolError, EngineStallError
from hub.guard import Guard
from hub.messages import Level
from hub.options import Options
from rules.game import Game, Outcome
from rules.move import Move
from tournament.player import Answer, Clocks, Fault, Notice, Played, Player, Setup
from tournament.spec import PlayerOptions, PlayerSpec

OUR_ENGINE = (sys.executable, "-P", "-m", "bonnard", "hub")
"""Our own engine; -P keeps packages of the working directory from taking the place of ours."""

ENTRIES_A_MEGABYTE = 16
"""Transposition entries of 16 bytes in a megabyte, as a power of two."""

MOST_MEGABYTES = 1 << 14
"""The largest table of our engine."""

TIDY_AFTER = 0.001
"""Seconds into the opponent's time after which the engine is spoken to: then the opponent has its request."""

SHORT_OF_TIME = 10
"""A fixed time a move is given up for the clock when it is more than the bank's this many-th part."""


class HubPlayer(Player):
    """A Hub engine. It is restarted by opening it again, and never says that a game is over."""

    restartable = True

    def __init__(
        self,
        spec: PlayerSpec,
        options: PlayerOptions,
        nursery: trio.Nursery,
        guard: Guard | None = None,
        *,
        move_time: float | None = None,
        own_name: bool = False,
    ) -> None:
        """Prepare a player; its process will live in `nursery`.

        `move_time` caps the seconds of a move; with `own_name` the player has the name that the engine tells.
        """
        self.name = spec.name
        self.engine: Engine | None = None
        self._launch = launch_of(spec, options)
        self._ponders = options.ponder
        self._move_time = move_time
        self._own_name = own_name
        self._nursery = nursery
        self._guard = guard
        self._hoped: Move | None = None
        """The reply that the engine is thinking about in the opponent's time."""

    async def open(self) -> Fault | None:
        """Start the process and wait until it is ready."""
        await self.close()
        try:
            self.engine = await self._nursery.start(run_engine, self._launch, self._guard)
        except EngineError as error:
            return _fault(error)
        if self._own_name:
            self.name = self.engine.identity.title or self.name
        return None

    async def begin(self, setup: Setup) -> Fault | None:  # noqa: ARG002 - engines are told at each move
        """Tell the engine that a new game begins."""
        if self.engine is None:
            return Fault("crash", "the engine is not running")
        try:
            await self.engine.new_game()
        except EngineError as error:
            return _fault(error)
        return None

    async def move(self, game: Game, clocks: Clocks) -> Answer:
        """Ask for a move; an engine that is still silent when its time is over is told to stop."""
        if self.engine is None:
            return Fault("crash", "the engine is not running")
        asked = trio.current_time()
        hoped, self._hoped = self._hoped, None
        # A time a move is an aim to some engines (Scan 2.0): they are told to stop when it is over, and have
        # the margin to answer. A clock is the engine's own affair until its flag falls.
        fixed = clocks.own.control.move_time is not None
        deadline = clocks.own.allowance if fixed else clocks.own.limit
        try:
            if hoped is not None and game.moves and game.moves[-1] == hoped:
                answer = await self.engine.ponder_hit(deadline=deadline)
            else:
                if hoped is not None:
                    await self.engine.stop()
                answer = await self.engine.think(game, self._level(clocks), deadline=deadline)
        except EngineMoveError as error:
            return Played(None, trio.current_time() - asked, error.text)
        except EngineError as error:
            return _fault(error)
        return _played(answer)

    async def ponder(self, game: Game, clocks: Clocks, expected: Move | None) -> None:
        """Think about the expected reply, if the engine can and is meant to."""
        if not self._ponders or expected is None or self.engine is None:
            return
        if self.engine.version != 1 and "ponder" not in self.engine.params:
            return
        ahead = game.copy()
        ahead.push(expected)
        if ahead.outcome() is not None:
            return
        try:
            await self.engine.ponder(ahead, self._level(clocks))
        except EngineError:
            return  # whoever watches or asks next is told
        self._hoped = expected

    async def watch(self) -> Notice:
        """Wait until the process fails."""
        if self.engine is None:
            return Fault("crash", "the engine is not running")
        await trio.sleep(TIDY_AFTER)
        try:
            await self.engine.tidy()
        except EngineError as error:
            return _fault(error)
        return _fault(await self.engine.wait_failed())

    async def finish(self, game: Game, outcome: Outcome, *, last: bool = False) -> Fault | None:  # noqa: ARG002
        """Stop whatever the engine is doing."""
        self._hoped = None
        if self.engine is None:
            return Fault("crash", "the engine is not running")
        try:
            await self.engine.stop()
        except EngineError as error:
            return _fault(error)
        return None

    async def close(self) -> None:
        """End the process."""
        self._hoped = None
        if self.engine is not None:
            await self.engine.close()
            self.engine = None

    def _level(self, clocks: Clocks) -> Level:
        own = clocks.own
        if self._move_time is not None and (own.bank is None or self._move_time * SHORT_OF_TIME <= own.bank):
            return Level(move_time=self._move_time)
        if own.bank is not None:
            return Level(time=own.bank, moves=own.moves_left, increment=own.control.increment)
        return Level(move_time=own.control.move_time, depth=own.control.depth, nodes=own.control.nodes)


def launch_of(spec: PlayerSpec, options: PlayerOptions) -> Launch:
    """Return how to start the engine that a SPEC and its options name."""
    return Launch(
        command=spec.command if spec.kind == "hub" else OUR_ENGINE,
        directory=Path(options.directory) if options.directory else None,
        nice=options.nice,
        parameters=parameters_of(options),
    )


def parameters_of(options: PlayerOptions) -> dict[str, str]:
    """Return the Hub parameters that say what the options say."""
    parameters = {}
    if options.threads is not None:
        parameters["threads"] = str(options.threads)
    if options.tt_size is not None:
        parameters["tt-size"] = str(ENTRIES_A_MEGABYTE + options.tt_size.bit_length() - 1)
    if options.ponder:
        parameters["ponder"] = "true"
    return parameters | options.parameters


def check_ours(options: PlayerOptions) -> None:
    """Raise ValueError for what our engine does not accept; it would only complain, and play without it."""
    if options.tt_size is not None and options.tt_size > MOST_MEGABYTES:
        raise ValueError(f"tt-size is a number of MB from 1 to {MOST_MEGABYTES}, not {options.tt_size}")
    ours = Options()
    for name, value in parameters_of(options).items():
        ours.set(name, value)


def _played(answer: EngineAnswer) -> Played:
    return Played(
        move=answer.move,
        seconds=answer.seconds,
        text=answer.text,
        score=answer.info.score,
        depth=answer.info.depth,
        nodes=answer.info.nodes,
        ponder=answer.ponder,
    )


def _fault(error: EngineError) -> Fault:
    """Return what an engine's failure means for its game."""
    match error:
        case EngineCrashError(exit_code=None):
            return Fault("disconnect", error.detail)
        case EngineStallError():
            return Fault("stall", error.detail)
        case EngineProtocolError():
            return Fault("protocol", error.detail)
        case _:
            return Fault("crash", error.detail)
