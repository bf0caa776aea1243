"""Matches as a user runs them: the command in a process of its own, engines in theirs."""

import json
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from processes import PROGRAM, ROOT

ENGINES = ROOT / "tests" / "engines"
#: Endgames that random moves end after some plies, with either side to move.
ENDGAMES = [
    "W:WK50,31:BK1,20",
    "B:WK45,32:BK6,19",
    "W:W28:B17,22,33",
    "B:W33,38,28:B17,22",
    "W:W31,36:B16,21",
    "B:WK46:BK5,10",
    "W:W27,32,37:B16,18,9",
    "B:W42,43,38:B18,12,13",
]
LIMIT = 120.0
"""Seconds for one command, on a machine that is busy with other tests."""


def endgames(directory: Path) -> str:
    """Write the endgames into a file and return its path."""
    path = directory / "endgames.fen"
    path.write_text("\n".join(ENDGAMES) + "\n")
    return str(path)


def mover(name: str, seed: int, *marks: str) -> str:
    """Return the SPEC of a random mover; `marks` are found in its command line while it runs."""
    command = shlex.join([sys.executable, str(ENGINES / "random_mover.py"), str(seed), *marks])
    return f"{name}=hub:{command}"


def scripted(name: str, answers: dict[str, object], *marks: str) -> str:
    """Return the SPEC of a scripted engine."""
    command = shlex.join([sys.executable, str(ENGINES / "scripted.py"), json.dumps(answers), *marks])
    return f"{name}=hub:{command}"


def bonnard(*arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run a command to its end."""
    return subprocess.run(
        [*PROGRAM, *arguments], capture_output=True, text=True, timeout=LIMIT, check=False, cwd=ROOT
    )


def start(*arguments: str) -> "subprocess.Popen[str]":
    """Start a command; its stdout is a pipe of lines."""
    return subprocess.Popen(
        [*PROGRAM, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT
    )


def report(directory: Path) -> Any:  # noqa: ANN401 - JSON
    """Return what `bonnard report --json` tells of a directory with one match."""
    done = bonnard("report", str(directory), "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def running(mark: str) -> list[int]:
    """Return the processes, ourselves and our ancestors apart, that have `mark` in their command line."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                command = (entry / "cmdline").read_bytes()
                state = (entry / "stat").read_text().rpartition(")")[2].split()[0]
            except OSError:
                continue
            if mark.encode() in command and state != "Z":
                found.append(int(entry.name))
    return found


def kill_after(lines: int, arguments: Sequence[str]) -> int:
    """Run a command with --json and kill it after so many lines; return how many games it told to end."""
    ended = 0
    with start(*arguments, "--json") as process:
        assert process.stdout is not None
        for number, line in enumerate(process.stdout):
            ended += json.loads(line)["event"] == "end"
            if number >= lines:
                os.kill(process.pid, signal.SIGKILL)
                break
    return ended
