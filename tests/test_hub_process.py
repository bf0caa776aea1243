"""An engine's process and its pipes: several writers, an engine that does not read, faults of ours."""

import os
import sys
from pathlib import Path

import pytest
import trio
import trio.testing

from hub.errors import EngineStallError
from hub.guard import Guard
from hub.process import EngineProcess

ECHO = ("cat",)
DEAF = (sys.executable, "-S", "-c", "import time; time.sleep(3600)")
MORE_THAN_A_PIPE_HOLDS = 1 << 20


async def started(command: tuple[str, ...]) -> EngineProcess:
    """Return the running process of a command."""
    return await EngineProcess.start(command, directory=None, nice=5, guard=None)


def open_descriptors() -> int:
    """Count the open files of this process."""
    return len(list(Path("/proc/self/fd").iterdir()))


def is_gone(process: EngineProcess) -> bool:
    """Whether nothing is left of a process group."""
    try:
        os.killpg(process.process_id, 0)
    except ProcessLookupError:
        return True
    return False


async def test_texts_of_several_tasks_arrive_whole_and_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hub.process.WRITE_DEADLINE", 30.0)
    process = await started(ECHO)
    texts = [letter * MORE_THAN_A_PIPE_HOLDS + "\n" for letter in "abc"] + ["ping\n"]
    received = b""
    with trio.fail_after(30):
        async with trio.open_nursery() as nursery:
            for text in texts:
                nursery.start_soon(process.send, text)
                # Each one stands in the queue before the next comes: nobody reads yet.
                await trio.testing.wait_all_tasks_blocked()
            while len(received) < sum(map(len, texts)):
                received += await process.receive()
    await process.end("", 5.0, heard=True)
    assert received.decode() == "".join(texts)


@pytest.mark.parametrize("heard", [False, True])
async def test_an_engine_that_does_not_read_is_ended_while_it_is_written_to(heard: bool) -> None:
    before = open_descriptors()
    process = await started(DEAF)
    stalls: list[EngineStallError] = []

    async def write() -> None:
        try:
            await process.send("x" * MORE_THAN_A_PIPE_HOLDS)
        except EngineStallError as error:
            stalls.append(error)

    with trio.fail_after(20):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(write)
            nursery.start_soon(process.drain_stderr)
            await trio.testing.wait_all_tasks_blocked()
            await process.end("stop\nquit\n", 0.1, heard=heard)
    assert len(stalls) <= 1
    assert is_gone(process)
    assert open_descriptors() == before


async def test_input_is_closed_while_it_is_written_to() -> None:
    process = await started(DEAF)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(process.send, "x" * MORE_THAN_A_PIPE_HOLDS)
        await trio.testing.wait_all_tasks_blocked()
        await process.close_input()
    await process.send("quit\n")  # silent, as to one that has ended
    await process.end("", 0.0, heard=False)
    assert is_gone(process)


async def test_a_fault_of_ours_leaves_neither_process_nor_pipes(monkeypatch: pytest.MonkeyPatch) -> None:
    before = open_descriptors()
    process = await started(DEAF)

    async def fail(_: str) -> None:
        await trio.lowlevel.checkpoint()
        raise OverflowError

    monkeypatch.setattr(process, "send", fail)
    with pytest.raises(OverflowError):
        await process.end("quit\n", 1.0, heard=True)
    assert is_gone(process)
    assert open_descriptors() == before


async def test_a_process_that_cannot_be_guarded_does_not_stay() -> None:
    before = open_descriptors()
    with pytest.raises(RuntimeError, match="guard"):
        await EngineProcess.start(DEAF, directory=None, nice=5, guard=Guard())
    assert open_descriptors() == before
