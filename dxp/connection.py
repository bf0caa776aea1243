"""One DXP peer on a trio stream: a session, and the reading, writing and waiting around it."""

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

import structlog
import trio

from dxp.address import Address
from dxp.codec import escape
from dxp.events import Disconnected, EndAcknowledged, Ending, Event, GameEnded, Ignored
from dxp.limits import Allowance, ConnectionLimits, Slots
from dxp.message import Acceptance, Chat, Colour, EndReason, GameAccept, GameRequest, Malformed, Move
from dxp.session import DxpSession
from dxp.state import State
from dxp.writer import PacedWriter

if TYPE_CHECKING:
    from structlog.typing import FilteringBoundLogger

_NOWHERE = Address("nowhere", 0)
_CHUNK = 1024
_BACKLOG = 32
"""Messages waiting to be sent above which nothing more is read."""
_UNTAKEN = 100
"""Events waiting to be received above which chat is dropped."""
_LAST_WORDS = 1.0
"""Seconds in which a connection that is over still sends what waits: perhaps only half of it was closed."""


class DxpConnection:
    """A peer: `receive` its events, send what the session allows.

    `run` must run as long as the connection is used: it reads, writes and keeps the times, whether or not
    anyone receives. Every sending method waits until the bytes are out. It returns False, without an error,
    when the peer has meanwhile ended the game or the connection: the event that says so is there to receive.
    It raises `LocalProtocolError` for a move out of turn and the like.
    """

    def __init__(
        self,
        stream: trio.abc.Stream,
        session: DxpSession,
        *,
        address: Address = _NOWHERE,
        limits: ConnectionLimits | None = None,
        slots: Slots | None = None,
    ) -> None:
        """Wrap a stream; `address` is for the log and counts in `slots`, the games of a server at once."""
        self.session = session
        self.address = address
        self.heard_at = trio.current_time()
        """When the event that `receive` returned last had come in completely (trio.current_time)."""
        self.log: FilteringBoundLogger = structlog.get_logger().bind(peer=str(address))
        self._stream = stream
        self._limits = limits or ConnectionLimits()
        self._writer = PacedWriter(stream, self._limits.gap, self._limits.write_timeout)
        self._allowance = Allowance(self._limits.rate, self._limits.burst)
        self._flooding = False
        self._slots = slots
        self._has_slot = False
        self._put, self._take = trio.open_memory_channel[tuple[Event, float]](math.inf)
        self._last: Disconnected | None = None
        self._running = trio.CancelScope()
        self._stopped = trio.Event()
        self._leaving = trio.Lock()
        self._to_write = trio.Event()
        self._written = trio.Event()
        self._patience = trio.CancelScope()
        self._stage = (session.state, session.stopped)
        self._stage_since = self._quiet_since = trio.current_time()
        self._unfinished_since: float | None = None

    # What the owner does

    async def receive(self) -> Event:
        """Return the next event; the last one is Disconnected, which is returned again and again."""
        if self._last and not self._take.statistics().current_buffer_used:
            await trio.lowlevel.checkpoint()
            return self._last
        event, self.heard_at = await self._take.receive()
        return event

    async def request_game(self, request: GameRequest) -> bool:
        """Propose a game (initiator), when the server has a slot for it; the answer is a GameAccept."""
        if self._slots and not self._has_slot and not self._finished:
            await self._slots.wait(self.address.host)
            self._has_slot = True
            if self._finished:
                self._free_slot()
        return await self._send(lambda: self.session.request_game(request))

    async def accept_game(self) -> bool:
        """Accept the game that was requested."""
        return await self._send(self.session.accept_game)

    async def refuse_game(self, code: Acceptance = Acceptance.GAME_REFUSED, why: str = "") -> bool:
        """Refuse the game that was requested, with a CHAT if there is something to say."""
        self._free_slot()
        return await self._send(lambda: self.session.refuse_game(code, why))

    async def send_move(self, move: Move) -> bool:
        """Send our move; when True is returned it is out, and the peer's clock runs."""
        return await self._send_in_game(lambda: self.session.send_move(move))

    async def ask_again(self, why: str) -> bool:
        """Ask the peer for another move: the one it sent was not legal."""
        return await self._send_in_game(lambda: self.session.ask_again(why))

    async def end_game(self, reason: EndReason, *, stop: bool = False) -> bool:
        """End the game at our turn; EndAcknowledged follows, after silence too."""
        return await self._send_in_game(lambda: self.session.end_game(reason, stop=stop))

    async def break_off(self, reason: EndReason, *, stop: bool = False) -> bool:
        """End the game although the peer may be on move; EndAcknowledged follows, after silence too."""
        return await self._send_in_game(lambda: self.session.break_off(reason, stop=stop))

    async def clear_stale_game(self) -> bool:
        """End a game that the peer alone believes in (initiator); EndAcknowledged follows."""
        return await self._send(self.session.clear_stale_game)

    async def send_chat(self, text: str) -> bool:
        """Send text for people."""
        return await self._send(lambda: self.session.send_chat(text))

    async def request_back(self, number: int, colour: Colour) -> bool:
        """Ask for a take-back; the answer is a BackAccept."""
        return await self._send_in_game(lambda: self.session.request_back(number, colour))

    async def grant_back(self) -> bool:
        """Grant the take-back that was asked for."""
        return await self._send_in_game(self.session.grant_back)

    async def refuse_back(self) -> bool:
        """Refuse the take-back that was asked for."""
        return await self._send_in_game(self.session.refuse_back)

    async def leave(self, grace: float = 2.0) -> None:
        """Close, after telling the peer what the protocol allows; takes `grace` seconds at most.

        At our turn that is a GAMEEND with stop code, whose answer is awaited; at the peer's turn nothing.
        Works, and is not interrupted, when everything around it is cancelled.
        """
        try:
            with trio.CancelScope(shield=True, deadline=trio.current_time() + grace):
                self._running.cancel()
                await self._stopped.wait()
                async with self._leaving:  # two may want to leave at once; a stream has one reader and writer
                    await self._say_farewell()
        finally:
            self._finish(Ending.LEFT)
            await trio.aclose_forcefully(self._stream)

    # Reading, writing, waiting

    async def run(self) -> None:
        """Read, write and keep the times until the connection is over."""
        try:
            with self._running:
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(self._write_all)
                    while not self._finished:
                        await self._read()
                    with trio.move_on_after(_LAST_WORDS):
                        await self._flush()
                    nursery.cancel_scope.cancel()
                await trio.aclose_forcefully(self._stream)
        except Exception:
            self._finish(Ending.RESET)  # whoever waits for an event must not wait for ever
            raise
        finally:
            self._stopped.set()
            self._written.set()

    async def _read(self) -> None:
        """Read once, as long as patience lasts."""
        with trio.CancelScope(deadline=self._deadline()[0]) as self._patience:
            try:
                data = await self._stream.receive_some(_CHUNK)
            except (trio.BrokenResourceError, trio.ClosedResourceError):
                self._finish(Ending.RESET)
                return
        if self._patience.cancelled_caught:
            self._lose_patience()
        elif not data:
            self._finish(Ending.CLOSED)
        else:
            await self._take_in(bytes(data))

    async def _take_in(self, data: bytes) -> None:
        """Hand bytes to the session; then slow down a peer that floods or does not read our answers."""
        self._writer.heard()
        count = self.session.receive(data)
        now = trio.current_time()
        if count:
            self._quiet_since = now
        if not self.session.unfinished:
            self._unfinished_since = None
        elif count or self._unfinished_since is None:
            self._unfinished_since = now
        self._settle()
        if self._finished:
            return
        wait = self._allowance.spend(count)
        if wait and not self._flooding:
            self.log.warning("flood: the peer is read slowly, and its chat not logged")
        self._flooding = wait > 0
        await trio.sleep(wait)
        if self.session.backlog > _BACKLOG:
            await self._flush()

    async def _write_all(self) -> None:
        while True:
            await self._to_write.wait()
            self._to_write = trio.Event()
            while (data := self.session.take_output()) is not None:
                await self._writer.send(data)
            if self._writer.stuck:
                self._finish(Ending.NOT_READING)
            self._written.set()
            self._written = trio.Event()

    async def _flush(self) -> bool:
        """Wait until everything is written, or cannot be; return whether it was."""
        self._to_write.set()
        if self._stopped.is_set():
            return False
        await self._written.wait()
        return self._writer.usable

    def _deadline(self) -> tuple[float, Ending | None]:
        """Return until when to wait for the peer now, and what it means when nothing comes."""
        limits = self._limits
        match self.session.state:
            case State.REQUESTED:
                return self._stage_since + limits.answer_timeout, Ending.NO_ANSWER
            case State.ENDING:
                return self._stage_since + limits.acknowledge_timeout, None
            case State.IDLE if self.session.stopped:
                return self._stage_since + limits.goodbye_timeout, Ending.GOODBYE
            case State.IDLE:
                deadline = max(self._stage_since, self._quiet_since) + limits.idle_timeout
                if self._unfinished_since is not None:
                    deadline = min(deadline, self._unfinished_since + limits.message_timeout)
                return deadline, Ending.IDLE
            case _:
                return math.inf, None

    def _lose_patience(self) -> None:
        deadline, why = self._deadline()
        if trio.current_time() < deadline or self._finished:
            return
        if why is None:
            self.session.expire_end()
            self._settle()
        else:
            self._finish(why)

    def _finish(self, why: Ending) -> None:
        """Take note that the connection is over."""
        if not self._finished:
            self.session.disconnect(why)
            self._settle()
            self._patience.cancel()

    @property
    def _finished(self) -> bool:
        return self.session.state is State.CLOSED

    # Between the session and its owner

    async def _send(self, action: Callable[[], None]) -> bool:
        if self._finished:
            await trio.lowlevel.checkpoint()
            return False
        action()
        self._settle()
        return await self._flush()

    async def _send_in_game(self, action: Callable[[], None]) -> bool:
        if self.session.state is not State.PLAYING:
            await trio.lowlevel.checkpoint()
            return False
        return await self._send(action)

    async def _say_farewell(self) -> None:
        """Send what waits and a farewell, and wait for the answer to it, if there is one."""
        self._add_farewell()
        while (data := self.session.take_output()) is not None and await self._writer.send(data):
            pass
        while self.session.state is State.ENDING and not self._finished:
            await self._read()

    def _add_farewell(self) -> None:
        """Put what the protocol allows now among the messages to send."""
        session = self.session
        match session.state:
            case State.PLAYING if session.our_turn:
                session.end_game(EndReason.UNKNOWN, stop=True)
            case State.OFFERED:
                session.refuse_game(Acceptance.NEVER)
            case State.IDLE if session.role == "initiator" and session.peer_name and not session.stop_sent:
                session.say_goodbye()
        self._settle()

    def _settle(self) -> None:
        """Pass on what the session tells, and restart the times."""
        now = trio.current_time()
        while events := self.session.take_events():
            for event in events:
                self._deliver(event, now)
        if (stage := (self.session.state, self.session.stopped)) != self._stage:
            self._stage, self._stage_since = stage, now
        self._patience.deadline = self._deadline()[0]
        self._to_write.set()

    def _deliver(self, event: Event, now: float) -> None:
        self._log(event)
        match event:
            case Ignored():
                return
            case GameRequest() if not self._take_slot():
                self.log.warning("game refused: no slot is free")
                self.session.refuse_game(why="too many games are on here, please ask again later")
                return
            case Chat() if self._take.statistics().current_buffer_used >= _UNTAKEN:
                return
            case GameEnded() | EndAcknowledged():
                self._free_slot()
            case GameAccept() if event.code is not Acceptance.ACCEPTED:
                self._free_slot()
            case Disconnected():
                self._free_slot()
                self._last = event
        self._put.send_nowait((event, now))

    def _take_slot(self) -> bool:
        if self._slots and not self._has_slot:
            self._has_slot = self._slots.take(self.address.host)
            return self._has_slot
        return True

    def _free_slot(self) -> None:
        if self._slots and self._has_slot:
            self._slots.free(self.address.host)
        self._has_slot = False

    def _log(self, event: Event) -> None:
        match event:
            case Chat() | Ignored() if self._flooding:
                pass
            case Ignored(message=Malformed(data=data)):
                self.log.info("message dropped", why=event.why, data=escape(data))
            case Ignored():
                self.log.info("message dropped", why=event.why, dropped=str(event.message))
            case Malformed():
                self.log.warning("unreadable move", why=event.why, data=escape(event.data))
            case Chat():
                self.log.info("chat", text=event.text)
            case Disconnected():
                self.log.info("disconnected", why=event.why.value)
            case _:
                self.log.debug("received", what=str(event))
