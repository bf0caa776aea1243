"""`bonnard check`: engines that keep the protocols, and engines that break a known point."""

import json
import shlex
import subprocess
import sys
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import trio

from bonnard.check_dxp import CHECKS as DXP_CHECKS
from bonnard.check_dxp import check_dxp
from bonnard.check_hub import CHECKS as HUB_CHECKS
from bonnard.check_hub import check_hub
from bonnard.check_point import Point, shortened
from bonnard.cli import run
from hub.client import Launch
from tournament.spec import PlayerSpec

ROOT = Path(__file__).parent.parent
SCRIPTED = Path(__file__).parent / "engines" / "scripted.py"


def command(answers: dict[str, Any]) -> tuple[str, ...]:
    """Return the command of an engine that says what it is told."""
    return (sys.executable, str(SCRIPTED), json.dumps(answers))


async def hub_points(answers: dict[str, Any]) -> dict[str, Point]:
    """Check a scripted engine."""
    points: list[Point] = []
    await check_hub(Launch(command(answers), quit_deadline=0.2, stop_deadline=0.5), points.append)
    return {point.claim: point for point in points}


def test_our_engine_keeps_every_point(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "builtin", "--json"]) == 0
    points = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(points) == len(HUB_CHECKS) + 1
    assert [point["claim"] for point in points if point["kept"] is not True] == []
    assert all(point["exchange"] for point in points)
    shown = {point["claim"]: point["exchange"] for point in points}
    assert shown["leaves at the end of its input"][0] == "> (end of input)"


async def test_an_engine_that_always_says_the_same() -> None:
    points = await hub_points({"go": ["done move=32-28"], "quit": []})
    broken = {claim for claim, point in points.items() if point.kept is False}
    assert {
        "plays legal moves, in a whole game with itself",
        "names the captured squares of its move",
        "answers in a finished position, without a move",
        "tells an error for a bad position, and lives",
        "leaves after quit",
    } <= broken
    assert points["answers ping"].kept
    assert points["moves in its time after a ponder hit"].kept is None
    shown = points["names the captured squares of its move"]
    assert shown.grave
    assert shown.exchange[-1] == "< done move=32-28"


async def test_an_engine_that_answers_twice() -> None:
    points = await hub_points({"go": ["done move=25-20", "done move=25-20"]})
    assert points["answers each go once"].kept is False
    assert "too many" in points["answers each go once"].note


async def test_an_engine_that_dies_is_started_again() -> None:
    points = await hub_points({"go": ["!exit 5"], "frobnicate": ["!kill"]})
    assert len(points) == len(HUB_CHECKS) + 1
    assert points["keeps to a fixed time a move"].note == "exit code 5"
    assert points["ignores commands and parameters that it does not know"].note == "signal 9 (SIGKILL)"
    assert points["leaves after quit"].kept


def test_a_broken_point_is_told_with_its_exchange_and_ends_with_1(capsys: pytest.CaptureFixture[str]) -> None:
    spec = "hub:" + shlex.join(command({"hub": ["hello", "!exit 4"]}))
    assert run(["check", spec]) == 1
    text = capsys.readouterr().out
    assert text.startswith("BREAKS  says who it is")
    assert "exit code 4" in text
    assert "(loses games)" in text
    assert text.endswith("1 points, 1 broken, 1 of them lose games\n")


@pytest.mark.parametrize("spec", ["nobody", "hub:", "dxp:host"])
def test_a_wrong_spec_is_wrong_use(spec: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", spec]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_nobody_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "dxp:127.0.0.1:1"]) == 1
    assert "BREAKS  is there" in capsys.readouterr().out


def test_our_server_keeps_every_point(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["serve", "--port", "0", "--move-time", "0.05", "--data", str(tmp_path)]
    server = subprocess.Popen(
        [sys.executable, "-m", "bonnard", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        cwd=ROOT,
    )
    with server:
        try:
            assert server.stdout
            port = server.stdout.readline().strip().rpartition(":")[2]
            assert run(["check", f"dxp:127.0.0.1:{port}", "--json"]) == 0
        finally:
            server.terminate()
    points = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(points) == len(DXP_CHECKS) + 1
    assert [point["claim"] for point in points if point["kept"] is not True] == []


ACCEPT = b"A" + b"Liar".ljust(32) + b"0\0"
REFUSE = b"A" + b"Liar".ljust(32) + b"2\0"
Handler = Callable[[trio.SocketStream], Awaitable[None]]


async def _refuses(stream: trio.SocketStream) -> None:
    async for data in stream:
        if data.startswith(b"R"):
            await stream.send_all(REFUSE)


async def _plays_an_illegal_move(stream: trio.SocketStream) -> None:
    async for data in stream:
        if data.startswith(b"R"):
            await stream.send_all(ACCEPT + b"M0000322100\0")


async def _hides_its_captures(stream: trio.SocketStream) -> None:
    async for data in stream:
        if data.startswith(b"R") and b"BW" in bytes(data):
            await stream.send_all(ACCEPT + b"M0000041500\0")
        elif data.startswith(b"R"):
            await stream.send_all(ACCEPT + b"Cgood luck\0E00\0")


async def _goes_away(stream: trio.SocketStream) -> None:
    await stream.receive_some(100)


@pytest.mark.parametrize(
    ("handler", "claim", "note"),
    [
        (_refuses, "accepts a game", "refuses with code 2"),
        (_plays_an_illegal_move, "plays legal moves and names their captured squares", "32-21"),
        (_hides_its_captures, "accepts a second game, from a position", "captured squares"),
        (_goes_away, "accepts a game", "closed the connection"),
    ],
)
async def test_a_program_that_breaks_a_point(
    handler: Handler, claim: str, note: str, nursery: trio.Nursery
) -> None:
    listeners = await nursery.start(partial(trio.serve_tcp, handler, 0, host="127.0.0.1"))
    port = listeners[0].socket.getsockname()[1]
    points: list[Point] = []
    await check_dxp(PlayerSpec("dxp", "liar", host="127.0.0.1", port=port), points.append)
    found = next(point for point in points if point.claim == claim)
    assert found.kept is False
    assert found.grave
    assert note in found.note
    nursery.cancel_scope.cancel()


def test_long_exchanges_are_shortened_in_the_middle() -> None:
    lines = [f"> {number}" for number in range(100)]
    short = shortened(lines)
    assert (short[0], short[-1], len(short)) == ("> 0", "> 99", 13)
    assert "88 more" in short[6]
    assert shortened(lines[:12]) == tuple(lines[:12])
