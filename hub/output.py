"""Lines to the program that drives us, each one when the last one was read."""

import contextlib
import fcntl
import os
import struct
import termios
import threading
import time

PATIENCE = 0.05
"""Seconds until a program that does not read is no longer waited for."""
_PAUSE = 0.0001


class PacedOutput:
    """Writes lines to a pipe from any thread.

    Programs that ask select() whether there is a line and then read through a buffer (py-draughts 1.10 is
    one) lose sight of a line that arrives together with another one, and wait for ever. So a line is written
    when the one before has been read. That takes some 50 microseconds; a program that reads later than
    `PATIENCE` gets its lines at once until it has caught up.
    """

    def __init__(self, descriptor: int) -> None:
        """Write to `descriptor`; anything but a pipe of Linux is written to at once."""
        self._descriptor = descriptor
        self._lock = threading.Lock()
        self._patient = True

    def write(self, line: str) -> None:
        """Write a line. A reader that is gone is no error here: the end of our input tells it."""
        with self._lock, contextlib.suppress(OSError):
            self._wait()
            data = f"{line}\n".encode()
            while data:
                data = data[os.write(self._descriptor, data) :]

    def _wait(self) -> None:
        if not self._unread():
            self._patient = True
        elif self._patient:
            end = time.monotonic() + PATIENCE
            while self._unread():
                if time.monotonic() > end:
                    self._patient = False
                    return
                time.sleep(_PAUSE)

    def _unread(self) -> int:
        """Return the bytes in the pipe, 0 where that cannot be told."""
        try:
            answer = fcntl.ioctl(self._descriptor, termios.FIONREAD, b"\0" * 4)
        except OSError:
            return 0
        return int(struct.unpack("i", answer)[0])
