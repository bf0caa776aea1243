"""A small process that ends the engines of a runner which was killed.

It holds the reading end of a pipe. When the pipe closes, however the runner ended, it kills the process
groups that are still registered. (PR_SET_PDEATHSIG would not do: it fires when the thread that started the
child ends, and Trio's threads do.)

The pipe carries lines: `add 1234`, `drop 1234`. Run as a script, this file is the guard process; it imports
nothing but the standard library, so that it starts in a few milliseconds.
"""

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterable
from typing import Self

LEAVE_DEADLINE = 5.0
"""Seconds given to the guard process to end after its pipe has closed."""


class Guard:
    """The guard of this process: use it as a context manager. One is enough for any number of engines."""

    def __init__(self) -> None:
        """Nothing is started before the context is entered."""
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        """Start the guard process, in a session of its own: a signal to our group does not reach it."""
        self._process = subprocess.Popen(  # noqa: S603 - our own file
            [sys.executable, "-I", "-S", __file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            bufsize=0,
            start_new_session=True,
            cwd="/",
        )
        return self

    def __exit__(self, *_: object) -> None:
        """End the guard process, which first kills what is still registered."""
        if self._process is None:
            return
        if self._process.stdin:
            self._process.stdin.close()
        try:
            self._process.wait(LEAVE_DEADLINE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process = None

    def add(self, group: int) -> None:
        """Register a process group: it does not outlive this process by more than a moment."""
        self._tell(f"add {group}\n")

    def drop(self, group: int) -> None:
        """Forget a process group that has ended."""
        self._tell(f"drop {group}\n")

    @property
    def process_id(self) -> int | None:
        """The guard process; None outside the context."""
        return self._process.pid if self._process else None

    def _tell(self, line: str) -> None:
        if self._process is None or self._process.stdin is None:
            raise RuntimeError("the guard is used outside its context")
        # Whoever kills the guard loses its service; the games go on.
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.write(line.encode())


def watch(lines: Iterable[str]) -> None:
    """Follow `lines` to their end, then kill the groups that are registered."""
    groups: set[int] = set()
    for line in lines:
        command, _, number = line.strip().partition(" ")
        (groups.add if command == "add" else groups.discard)(int(number))
    for group in groups:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(group, signal.SIGKILL)


def main() -> None:
    """Be the guard process: only the end of the pipe ends it."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    watch(sys.stdin)


if __name__ == "__main__":
    main()
