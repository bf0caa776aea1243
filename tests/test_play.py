"""`bonnard play`: games asked of a server, and the score at the end."""

import contextlib
import json
from pathlib import Path

import pytest
import trio
from moby import MobyLike
from processes import RANDOM_MOVER, run, serving

from rules.game import Reason
from tournament.store import MATCH_FILE, Store


async def test_two_whole_games_against_a_second_server(tmp_path: Path) -> None:
    async with serving(tmp_path / "serve", "--engine", RANDOM_MOVER, "--name", "Second") as server:
        result = await run(
            "play",
            f"127.0.0.1:{server.port}",
            "--data",
            str(tmp_path / "play"),
            "--move-time",
            "0.02",
            "--json",
        )
        assert result.returncode == 0, result.stderr.decode()
        assert (await server.stop())[0] == 0
    first, second, score = map(json.loads, result.stdout.decode().splitlines())
    assert (first["white"], first["black"]) == ("Bonnard 0.1.0", "Second")
    assert (second["white"], second["black"]) == ("Second", "Bonnard 0.1.0")
    assert score["points"][0] + score["points"][1] == 4
    with (
        Store.open(tmp_path / "serve" / MATCH_FILE, read_only=True) as theirs,
        Store.open(tmp_path / "play" / MATCH_FILE, read_only=True) as ours,
    ):
        for left, right in zip(theirs.games(), ours.games(), strict=True):
            assert [ply.move for ply in left.record.plies] == [ply.move for ply in right.record.plies]
            assert left.record.outcome == right.record.outcome
            assert left.record.outcome.reason not in {Reason.ABORTED, Reason.PROTOCOL_FAULT}


async def test_two_whole_games_against_a_follower_like_moby_dam(tmp_path: Path) -> None:
    moby = MobyLike(delay=0.01)
    async with trio.open_nursery() as nursery:
        listeners = await nursery.start(trio.serve_tcp, moby.run, 0)
        port = listeners[0].socket.getsockname()[1]
        result = await run(
            "play", f"127.0.0.1:{port}", "--data", str(tmp_path), "--engine", RANDOM_MOVER, "--moves", "30"
        )
        nursery.cancel_scope.cancel()
    assert result.returncode == 0, result.stderr.decode()
    lines = result.stdout.decode().splitlines()
    assert [line.split(":")[0] for line in lines[:2]] == ["game 1", "game 2"]
    assert lines[2].startswith("Random 1 ")
    # refused once, cleared by E00, asked again; then the other colour
    assert [message[:1] for message in moby.heard[:3]] == ["R", "E", "R"]
    assert [message[35] for message in moby.heard if message.startswith("R")] == ["Z", "Z", "W"]
    assert len(moby.games) == 2
    with Store.open(tmp_path / MATCH_FILE, read_only=True) as store:
        for game, stored in zip(moby.games, store.games(), strict=True):
            assert [ply.move for ply in stored.record.plies] == list(game.moves)
            assert stored.record.outcome.reason in {
                Reason.MOVE_LIMIT,
                Reason.NO_MOVE,
                Reason.REPETITION,
                Reason.TWENTY_FIVE_MOVES,
            }


async def test_a_server_that_always_refuses(tmp_path: Path) -> None:
    async def refuse(stream: trio.SocketStream) -> None:
        with contextlib.suppress(trio.BrokenResourceError):
            async for data in stream:
                refusal = b"A" + b"Nobody".ljust(32) + b"2\0"
                await stream.send_all(b"E00\0" if data.startswith(b"E") else refusal)

    async with trio.open_nursery() as nursery:
        listeners = await nursery.start(trio.serve_tcp, refuse, 0)
        port = listeners[0].socket.getsockname()[1]
        result = await run("play", f"127.0.0.1:{port}", "--data", str(tmp_path), "--engine", RANDOM_MOVER)
        nursery.cancel_scope.cancel()
    assert result.returncode == 1
    assert "refused with code 2" in result.stderr.decode()


@pytest.mark.parametrize(
    ("arguments", "code", "named"),
    [
        ((), 2, "SERVER"),
        (("localhost",), 2, "HOST:PORT"),
        (("127.0.0.1:1",), 1, "127.0.0.1:1"),
        (("127.0.0.1:1", "--minutes", "0.333"), 2, "--minutes"),
        (("127.0.0.1:1", "--colour", "red"), 2, "--colour"),
        (("127.0.0.1:1", "--games", "0"), 2, "play.games"),
        (("127.0.0.1:1", "--fen", "W:W1:B2"), 2, "--fen"),
    ],
)
async def test_wrong_use_is_one_line(
    arguments: tuple[str, ...], code: int, named: str, tmp_path: Path
) -> None:
    flags = ("--engine", RANDOM_MOVER, "--data", str(tmp_path)) if arguments else ()
    result = await run("play", *arguments, *flags, env={"BONNARD_LOG_LEVEL": "error"})
    complaints = result.stderr.decode().splitlines()
    assert (result.returncode, len(complaints)) == (code, 1), complaints
    assert named in complaints[0]
