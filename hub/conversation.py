"""The conversation with an engine's process: what was said, what is still awaited, and why it ended.

Two tasks keep it going, `read` and `watch`. Whoever waits for something does so through `until`, which
notices at once when the engine fails.
"""

import math
from collections import deque
from collections.abc import Callable
from typing import Literal

import attrs
import trio

from hub.errors import EngineCrashError, EngineError, EngineStallError, describe_exit
from hub.lines import LineSplitter
from hub.messages import Complaint, Done, Identity, Info, Message, Param, Pong, Ready, Wait
from hub.process import EngineProcess
from hub.versions import HUB_2, detect
from rules.position import Position

FLOOD = 256
"""Lines in one read above which only what matters is looked at."""
INFOS_OF_A_FLOOD = 32
LAST_WORDS = 0.5
"""Seconds between a process's end and the end of its output, or the other way round."""
SHOWN = 200
"""Characters of a line that are kept in the transcript, and of what is told of it."""
TRANSCRIPT = 300
"""Lines of the transcript that are kept, the last ones."""
_MATTERS = (b"id", b"name", b"author", b"param", b"wait", b"ready", b"pong", b"done", b"move", b"error")


@attrs.frozen
class Exchange:
    """One line of the conversation; `time` is Trio's clock."""

    time: float
    sender: Literal["we", "engine"]
    text: str


@attrs.define
class Search:
    """A `go` that was sent and what is known of its answer."""

    position: Position
    on_info: Callable[[Info], None] | None = None
    began: float = math.inf
    """When `go` or `ponder-hit` was flushed, by Trio's clock."""
    info: Info = attrs.field(factory=Info)
    done: Done | None = None
    done_at: float = math.inf
    told_to_stop: bool = False


class Conversation:
    """What was said by an engine and by us.

    Searches and answers are counted, so that a late answer is told apart.
    """

    def __init__(self, process: EngineProcess) -> None:
        """Begin with a process that was just started."""
        self.process = process
        self.dialect = HUB_2
        self.identity = Identity()
        self.params: dict[str, Param] = {}
        self.waiting = self.ready = False
        """Whether `wait` and `ready` came."""
        self.pings = self.pongs = 0
        self.asked = self.answered = 0
        """Searches begun and answers to them; they differ while the engine searches."""
        self.spare_answers = 0
        """Answers that belonged to no search."""
        self.search: Search | None = None
        """The last search that was begun, if its answer is still wanted."""
        self.transcript: deque[Exchange] = deque(maxlen=TRANSCRIPT)
        self.complaints: deque[str] = deque(maxlen=TRANSCRIPT)
        self._last_complaint = ""
        """The last `error` message since the last `go`, or since the start."""
        self.failure: EngineError | None = None
        self.failed = trio.Event()
        self._detected = False
        self._changed = trio.Event()
        self._output_ended = trio.Event()

    async def send(self, *lines: str) -> None:
        """Write lines, or raise what ended the conversation."""
        self.check()
        now = trio.current_time()
        self.transcript.extend(Exchange(now, "we", line[:SHOWN]) for line in lines)
        try:
            await self.process.send("".join(f"{line}\n" for line in lines))
        except EngineStallError as error:
            self.fail(error)
            raise

    async def end_input(self) -> None:
        """Let the engine see the end of its input, which ends it by the protocol."""
        self.transcript.append(Exchange(trio.current_time(), "we", "(end of input)"))
        await self.process.close_input()

    async def until(self, condition: Callable[[], bool], seconds: float, awaited: str) -> None:
        """Wait for what a line of the engine brings about; EngineStallError names what was `awaited`."""
        with trio.move_on_after(seconds):
            while not condition():
                self.check()
                await self._changed.wait()
            return
        self.check()
        heard = next((item.text for item in reversed(self.transcript) if item.sender == "engine"), None)
        told = "it has said nothing" if heard is None else f"its last line is {heard!r}"
        raise EngineStallError(f"no {awaited} within {seconds:g} s; {told}")

    async def stop_search(self) -> None:
        """Tell the running search to stop, once."""
        if self.search and self.answered < self.asked and not self.search.told_to_stop:
            self.search.told_to_stop = True
            await self.send("stop")

    def begin_search(self, search: Search) -> None:
        """Count a search that is about to be sent."""
        self.search = search
        self.asked += 1
        self._last_complaint = ""

    def check(self) -> None:
        """Raise what ended the conversation, if something did."""
        if self.failure:
            raise self.failure

    def fail(self, error: EngineError) -> None:
        """Remember why the engine is no longer usable; the first reason stands."""
        if self.failure is None:
            self.failure = error
        self.failed.set()
        self._wake()

    async def read(self) -> None:
        """Read the engine's output to its end."""
        splitter = LineSplitter()
        while data := await self.process.receive():
            self._take(splitter.feed(data))
        self._take(splitter.finish())
        self._output_ended.set()

    async def watch(self) -> None:
        """Wait for the end of the process, or of its output, and give the other one a moment to follow."""
        async with trio.open_nursery() as first:

            async def wait_for_exit() -> None:
                await self.process.wait()
                first.cancel_scope.cancel()

            first.start_soon(wait_for_exit)
            await self._output_ended.wait()
            first.cancel_scope.cancel()
        exit_code = None
        with trio.move_on_after(LAST_WORDS):
            exit_code = await self.process.wait()
            await self._output_ended.wait()
        how = "closed its output" if exit_code is None else describe_exit(exit_code)
        if self._last_complaint:
            how += f", after the error {self._last_complaint!r}"
        self.fail(EngineCrashError(how, exit_code, self.process.stderr.decode(errors="replace")))
        self.process.kill()  # what it started must not go on alone

    def _wake(self) -> None:
        self._changed.set()
        self._changed = trio.Event()

    def _take(self, lines: list[bytes]) -> None:
        """Handle the lines of one read; of a flood, only what changes something and the last infos."""
        if len(lines) > FLOOD:
            messages = [line for line in lines[:-INFOS_OF_A_FLOOD] if line.lstrip().startswith(_MATTERS)]
            lines = messages + lines[-INFOS_OF_A_FLOOD:]
        now = trio.current_time()
        for line in lines:
            text = line.decode(errors="replace").rstrip("\r")
            self.transcript.append(Exchange(now, "engine", text[:SHOWN]))
            if not self._detected and (dialect := detect(text)):
                self.dialect, self._detected = dialect, True
            self._handle(self.dialect.read(text), now)
        if lines:
            self._wake()

    def _handle(self, message: Message, now: float) -> None:
        match message:
            case Info():
                self._note(message)
            case Done():
                self._answer(message, now)
            case Identity():
                told = attrs.asdict(message, filter=lambda _, value: bool(value))
                self.identity = attrs.evolve(self.identity, **told)
            case Param():
                self.params[message.name] = message
            case Wait():
                self.waiting = True
            case Ready():
                self.ready = True
            case Pong():
                self.pongs += 1
            case Complaint():
                self.complaints.append(message.message)
                self._last_complaint = message.message[:SHOWN]

    def _note(self, info: Info) -> None:
        search = self.search
        if search and search.done is None and self.answered == self.asked - 1:
            if info.line is None:
                search.info = search.info.updated(info)
            if search.on_info:
                search.on_info(info)

    def _answer(self, done: Done, now: float) -> None:
        if self.answered == self.asked:
            self.spare_answers += 1
            return
        self.answered += 1
        if self.answered == self.asked and self.search:
            self.search.done, self.search.done_at = done, now
