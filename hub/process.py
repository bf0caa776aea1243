"""An engine's process.

Started in a group of its own, read without end, and ended with everything it started.
"""

import contextlib
import os
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path

import trio

from hub.errors import EngineStallError, EngineStartError
from hub.guard import Guard

CHUNK = 1 << 16
STDERR_KEPT = 1 << 14
"""Bytes of an engine's standard error that are kept, the last ones."""
WRITE_DEADLINE = 1.0
"""Seconds until an engine that does not read is given up; a pipe holds 64 KiB, so no other is."""
GONE_DEADLINE = 2.0
"""Seconds for the kernel to take away what was killed."""
LOWEST_PRIORITY = 19


class EngineProcess:
    """A running process and its three pipes. `end` must be called, once."""

    def __init__(self, process: trio.Process, guard: Guard | None) -> None:
        """Take over a process that was started with three pipes as the leader of a new session."""
        self._process = process
        self._guard = guard
        self._writing = trio.Lock()
        self.stderr = bytearray()
        """The last bytes of standard error."""

    @classmethod
    async def start(
        cls, command: Sequence[str], *, directory: Path | None, nice: int, guard: Guard | None
    ) -> "EngineProcess":
        """Start `command` without a shell. EngineStartError names what is wrong with it."""
        if not command:
            raise EngineStartError("the engine's command is empty")
        try:
            process = await trio.lowlevel.open_process(
                list(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=directory,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            raise EngineStartError(_start_fault(command, directory, error)) from error
        self = cls(process, guard)
        try:
            if guard:
                guard.add(self.process_id)
        except BaseException:
            await self.end("", 0.0, heard=False)
            raise
        with contextlib.suppress(OSError):  # it may have ended already
            priority = os.getpriority(os.PRIO_PROCESS, 0) + nice
            os.setpriority(os.PRIO_PGRP, self.process_id, min(priority, LOWEST_PRIORITY))
        return self

    @property
    def process_id(self) -> int:
        """The process, and its group: it leads one."""
        return self._process.pid

    async def send(self, text: str) -> None:
        """Write `text` whole, after what another task writes. EngineStallError if the engine does not read.

        A broken pipe is silent: the end of the process is seen anyway. A cancelled caller still writes the
        whole text, because half a line would be read together with the next one.
        """
        assert self._process.stdin  # noqa: S101 - asked for in `start`
        with (
            trio.CancelScope(shield=True, deadline=trio.current_time() + WRITE_DEADLINE) as scope,
            contextlib.suppress(trio.BrokenResourceError, trio.ClosedResourceError),
        ):
            async with self._writing:
                await self._process.stdin.send_all(text.encode(errors="replace"))
        if scope.cancelled_caught:
            raise EngineStallError("the engine does not read its input")

    async def receive(self) -> bytes:
        """Return the next bytes of its output; none at the end."""
        assert self._process.stdout  # noqa: S101 - asked for in `start`
        try:
            return bytes(await self._process.stdout.receive_some(CHUNK))
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            return b""

    async def drain_stderr(self) -> None:
        """Read standard error to its end, so that the engine never waits for us to do it."""
        assert self._process.stderr  # noqa: S101 - asked for in `start`
        with contextlib.suppress(trio.BrokenResourceError, trio.ClosedResourceError):
            async for data in self._process.stderr:
                self.stderr += data
                del self.stderr[:-STDERR_KEPT]

    async def wait(self) -> int:
        """Wait for the end of the process and return its exit status, negative for a signal."""
        return await self._process.wait()

    async def close_input(self) -> None:
        """Let the engine see the end of its input, which ends it by the protocol."""
        await self._close(self._process.stdin)

    def kill(self) -> None:
        """Kill the whole group, whatever is left of it."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process_id, signal.SIGKILL)

    async def end(self, farewell: str, deadline: float, *, heard: bool) -> None:
        """Say `farewell`, give the process `deadline` seconds to go, and kill what is left of its group.

        `heard` tells that its output is still being read. If not, the pipes are closed first, so that it does
        not wait for a reader. Never fails and is not cancelled: it takes at most some seconds more than
        `deadline`.
        """
        with trio.CancelScope(shield=True):
            try:
                if self._process.poll() is None:
                    with contextlib.suppress(EngineStallError):
                        await self.send(farewell)
                    await self._close(self._process.stdin)
                    if not heard:
                        await self._close(self._process.stdout)
                        await self._close(self._process.stderr)
                    with trio.move_on_after(deadline):
                        await self._process.wait()
            finally:  # a fault of ours must leave neither the process nor its pipes behind
                self.kill()
                with trio.move_on_after(GONE_DEADLINE):
                    await self._process.wait()
                for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
                    await self._close(pipe)
                if self._guard:
                    self._guard.drop(self.process_id)

    @staticmethod
    async def _close(pipe: trio.abc.AsyncResource | None) -> None:
        if pipe:
            await pipe.aclose()


def _start_fault(command: Sequence[str], directory: Path | None, error: Exception) -> str:
    """Say what is wrong with a command that could not be started."""
    if directory is not None and not directory.is_dir():
        return f"the engine's directory {directory} does not exist"
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return f"the engine {command[0]!r} cannot be started: {reason}"
