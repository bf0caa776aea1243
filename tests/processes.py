"""Our program as a process, as a user runs it."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import attrs
import trio

ROOT = Path(__file__).parent.parent
PROGRAM = (sys.executable, "-P", "-m", "bonnard")
RANDOM_MOVER = f"hub:{sys.executable} {ROOT / 'tests' / 'engines' / 'random_mover.py'}"
START = 60.0
"""Seconds to start, on a machine that is busy with other tests."""


@attrs.define
class Server:
    """A running `bonnard serve`."""

    process: trio.Process
    port: int
    line: str
    log: bytearray

    async def stop(self, number: signal.Signals = signal.SIGTERM) -> tuple[int, float]:
        """Send a signal; return the exit code and the seconds until the end."""
        began = trio.current_time()
        self.process.send_signal(number)
        with trio.fail_after(START):
            code = await self.process.wait()
        return code, trio.current_time() - began

    def events(self, name: str) -> list[dict[str, object]]:
        """Return what was logged so far under a name."""
        lines = self.log.decode().splitlines()
        return [
            event for line in lines if line.startswith("{") and (event := json.loads(line))["event"] == name
        ]


@asynccontextmanager
async def serving(data: Path, *flags: str) -> AsyncIterator[Server]:
    """Run `bonnard serve` on a free port for the length of a block."""
    process = await trio.lowlevel.open_process(
        [*PROGRAM, "serve", "--port", "0", "--data", str(data), *flags],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "BONNARD_LOG_FORMAT": "json"},
    )
    assert process.stdout is not None
    assert process.stderr is not None
    log = bytearray()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(drain, process.stderr, log)
        try:
            with trio.fail_after(START):
                line = await read_line(process.stdout)
            assert line.startswith("listening on 127.0.0.1:"), log.decode()
            yield Server(process, int(line.rsplit(":", 1)[1]), line, log)
        finally:
            with trio.CancelScope(shield=True):
                if process.poll() is None:
                    process.send_signal(signal.SIGTERM)
                with trio.move_on_after(10):
                    await process.wait()
                if process.poll() is None:
                    process.kill()
                    await process.wait()
                await process.stdout.aclose()
        nursery.cancel_scope.cancel()
    await process.stderr.aclose()


async def run(
    *arguments: str, deadline: float = 120.0, env: dict[str, str] | None = None
) -> "subprocess.CompletedProcess[bytes]":
    """Run the program to its end."""
    with trio.fail_after(deadline):
        return await trio.run_process(
            [*PROGRAM, *arguments],
            capture_stdout=True,
            capture_stderr=True,
            check=False,
            env={**os.environ, **(env or {})},
        )


async def read_line(stream: trio.abc.ReceiveStream) -> str:
    """Return a line without its end; what there is at the end of the stream."""
    line = bytearray()
    while not line.endswith(b"\n"):
        data = await stream.receive_some(1)
        if not data:
            break
        line += data
    return line.decode().rstrip("\n")


async def drain(stream: trio.abc.ReceiveStream, into: bytearray) -> None:
    """Read a stream to its end."""
    async for data in stream:
        into += data


def descendants(pid: int) -> dict[int, str]:
    """Return the processes below `pid`, with their command lines."""
    parents: dict[int, int] = {}
    commands: dict[int, str] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                stat = (entry / "stat").read_text()
                commands[int(entry.name)] = (entry / "cmdline").read_text().replace("\0", " ").strip()
            except OSError:
                continue
            parents[int(entry.name)] = int(stat.rpartition(")")[2].split()[1])
    found: dict[int, str] = {}
    todo = [pid]
    while todo:
        parent = todo.pop()
        children = [child for child, its in parents.items() if its == parent]
        found.update({child: commands[child] for child in children})
        todo += children
    return found


def alive(pid: int) -> bool:
    """Whether a process runs (a zombie does not)."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
