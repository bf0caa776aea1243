"""Signals of a long-running command: the first Ctrl-C lets it finish, the second ends it."""

import signal
from collections.abc import Callable

import trio


async def obey_signals(
    drain: Callable[[], object],
    abort: Callable[[], object],
    patience: float,
    *,
    task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED,
) -> None:
    """Call `drain` at the first SIGINT or SIGTERM, and `abort` at the second.

    After a SIGTERM the second is not waited for longer than `patience` seconds.
    """
    with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        task_status.started()
        async for number in signals:
            drain()
            with trio.move_on_after(patience if number == signal.SIGTERM else float("inf")):
                async for _ in signals:
                    break
            abort()
            return
