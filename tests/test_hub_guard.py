"""The guard: engines end with the runner, however it ends."""

import json
import os
import select
import signal
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path

import pytest

from hub.guard import Guard

ENGINES = Path(__file__).parent / "engines"
ROOT = Path(__file__).parent.parent
NO_GROUP = 2**22 + 1
"""More than the kernel gives out."""
SLEEPER = [sys.executable, "-S", "-c", "import time; time.sleep(3600)"]


def wait_for_end(descriptors: list[int], seconds: float) -> list[int]:
    """Return the process descriptors whose process has not ended after so many seconds."""
    end = time.monotonic() + seconds
    waiting = list(descriptors)
    while waiting and time.monotonic() < end:
        ended, _, _ = select.select(waiting, [], [], max(0, end - time.monotonic()))
        waiting = [descriptor for descriptor in waiting if descriptor not in ended]
    return waiting


def watched(stack: ExitStack, process_id: int) -> int:
    """Open a descriptor of a process, closed with `stack`."""
    descriptor = os.pidfd_open(process_id)
    stack.callback(os.close, descriptor)
    return descriptor


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_engines_end_with_a_killed_runner(number: signal.Signals) -> None:
    """The engine ignores the end of its input and has a child; nothing is left after two seconds."""
    script = json.dumps({"init": ["!child", "ready", "!deaf"]})
    engine = (sys.executable, str(ENGINES / "scripted.py"), script)
    command = [sys.executable, str(ENGINES / "runner.py"), *engine]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with ExitStack() as stack:
        runner = stack.enter_context(subprocess.Popen(command, stdout=subprocess.PIPE, env=environment))
        stack.callback(runner.kill)
        assert runner.stdout
        guard, *engines = map(int, runner.stdout.readline().split())
        descriptors = [watched(stack, process_id) for process_id in (guard, *engines)]
        runner.send_signal(number)
        runner.wait()
        assert wait_for_end(descriptors, 2.0) == []


def test_what_was_dropped_is_left_alone_and_the_rest_is_killed() -> None:
    with ExitStack() as stack:
        kept, dropped = (
            stack.enter_context(subprocess.Popen(SLEEPER, start_new_session=True)) for _ in range(2)
        )
        stack.callback(kept.kill)
        stack.callback(dropped.kill)
        with Guard() as guard:
            guard.add(kept.pid)
            guard.add(dropped.pid)
            guard.add(NO_GROUP)
            guard.drop(dropped.pid)
        assert kept.wait(2) == -signal.SIGKILL
        assert dropped.poll() is None


def test_a_guard_that_was_killed_is_no_error() -> None:
    with Guard() as guard:
        assert guard.process_id
        with ExitStack() as stack:
            descriptor = watched(stack, guard.process_id)
            os.kill(guard.process_id, signal.SIGKILL)
            assert wait_for_end([descriptor], 2.0) == []
        guard.add(NO_GROUP)
    assert guard.process_id is None


def test_a_signal_to_our_group_does_not_reach_the_guard() -> None:
    with Guard() as guard:
        assert guard.process_id
        assert os.getsid(guard.process_id) == guard.process_id != os.getsid(0)


def test_it_is_used_inside_its_context_only() -> None:
    with pytest.raises(RuntimeError, match="outside"):
        Guard().add(1)
