"""Other programs as processes: `make peers` gives each its own environment under .peers/."""

import json
import subprocess
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
DEADLINE = 120
"""Seconds for one answer."""


class Peer:
    """A running peer: a request and its answer are a line of JSON each."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        """Take a process that has just been started."""
        self._process = process

    def ask(self, requests: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Return the answers to some requests; silence beyond the deadline fails the test."""
        return [self._answer(request) for request in requests]

    def _answer(self, request: dict[str, Any]) -> dict[str, Any]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        watchdog = threading.Timer(DEADLINE, self._process.kill)
        watchdog.start()
        try:
            self._process.stdin.write(json.dumps(request) + "\n")
            self._process.stdin.flush()
            line = self._process.stdout.readline()
        finally:
            watchdog.cancel()
        assert line, f"no answer to {request}"
        answer: dict[str, Any] = json.loads(line)
        return answer


@contextmanager
def running(name: str) -> Iterator[Peer]:
    """Run a peer as long as the context lasts. A missing one fails the test."""
    python = ROOT / ".peers" / name / "bin" / "python"
    if not python.exists():
        pytest.fail(f"the peer {name} is missing: run `make peers`", pytrace=False)
    script = Path(__file__).parent / "peers" / f"{name.replace('-', '_')}.py"
    with subprocess.Popen(
        [python, script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        yield Peer(process)


class Peers:
    """The peers of a test module, each started when it is first asked."""

    def __init__(self, stack: ExitStack) -> None:
        """Take the stack that ends the processes."""
        self._stack = stack
        self._running: dict[str, Peer] = {}

    def ask(self, name: str, requests: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Ask a peer by name."""
        if name not in self._running:
            self._running[name] = self._stack.enter_context(running(name))
        return self._running[name].ask(requests)
