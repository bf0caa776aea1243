"""`bonnard serve` as a process: whole games over real TCP, and how it starts, fails and stops."""

import json
import os
import signal
from pathlib import Path

import pytest
import trio
from dxp_peer import Peer, move_bytes, read_move, request
from processes import RANDOM_MOVER, ROOT, alive, descendants, run, serving

from rules.game import Reason
from tournament.record import GameRecord
from tournament.store import MATCH_FILE, Store

PYDRAUGHTS = ROOT / ".peers" / "pydraughts" / "bin" / "python"


def records(data: Path) -> list[GameRecord]:
    """Return the games that were stored."""
    with Store.open(data / MATCH_FILE, read_only=True) as store:
        return [game.record for game in store.games()]


async def test_pydraughts_plays_two_whole_games(tmp_path: Path) -> None:
    async with serving(tmp_path, "--move-time", "0.02", "--tt-size", "16") as server:
        with trio.fail_after(180):
            done = await trio.run_process(
                [str(PYDRAUGHTS), str(ROOT / "tests" / "peers" / "pydraughts_dxp.py"), str(server.port), "2"],
                capture_stdout=True,
            )
        assert (await server.stop())[0] == 0
    first, second = map(json.loads, done.stdout.decode().splitlines())
    assert (first["white"], second["white"]) == (True, False)
    stored = records(tmp_path)
    assert [record.outcome.result for record in stored] == ["0-2", "2-0"]
    assert [len(record.plies) for record in stored] == [first["plies"], second["plies"]]
    assert {record.outcome.reason for record in stored} == {Reason.NO_MOVE}
    # pydraughts found the same winner on its own board: 1 is black, 2 white
    assert (first["winner"], second["winner"]) == (1, 2)


async def test_a_stopping_server_ends_its_games(tmp_path: Path) -> None:
    async with serving(tmp_path, "--tt-size", "16") as server:
        ours = await Peer.connect(server.port)
        await ours.send(request("Z", minutes=b"900"))  # our engine is white, and thinks for long
        assert (await ours.receive())[33] == "0"
        theirs = await Peer.connect(server.port)
        await theirs.start_game("W")
        idle = await Peer.connect(server.port)
        family = descendants(server.process.pid)
        assert sum(command.endswith(" hub") for command in family.values()) == 2
        code, seconds = await server.stop()
        assert code == 0
        assert seconds < 5
        # At our turn the protocol allows GAMEEND; at the peer's turn it is given a moment to move first.
        assert await ours.receive() == "E01"
        assert await theirs.receive() == "E01"
        assert await idle.receive() == ""
        assert not any(map(alive, family))
        for peer in (ours, theirs, idle):
            await peer.stream.aclose()
    stored = records(tmp_path)
    assert [(record.outcome.result, record.outcome.reason) for record in stored] == [
        ("*", Reason.ABORTED)
    ] * 2


async def test_a_second_signal_right_after_the_first_loses_no_game(tmp_path: Path) -> None:
    async with serving(tmp_path, "--tt-size", "16") as server:
        peers = [await Peer.connect(server.port) for _ in range(2)]
        await peers[0].send(request("Z", minutes=b"900"))  # our engine thinks
        assert (await peers[0].receive())[33] == "0"
        game = await peers[1].start_game("W", minutes=b"001")
        game.push(game.legal_moves()[0])
        await peers[1].send(move_bytes(game.moves[-1]))
        read_move(await peers[1].receive(60))  # and here the peer
        family = descendants(server.process.pid)
        server.process.send_signal(signal.SIGTERM)
        await trio.sleep(0.05)
        code, seconds = await server.stop()
        assert (code, seconds < 5) == (0, True)
        assert not any(map(alive, family))
        for peer in peers:
            await peer.stream.aclose()
    stored = records(tmp_path)
    assert [record.outcome.reason for record in stored] == [Reason.ABORTED] * 2
    assert sorted(len(record.plies) for record in stored) == [0, 2]


async def test_a_killed_engine_is_started_again_and_its_game_goes_on(tmp_path: Path) -> None:
    async with serving(tmp_path, "--move-time", "0.2", "--tt-size", "16") as server:
        peer = await Peer.connect(server.port)
        game = await peer.start_game("W", minutes=b"010", moves=4)
        for ply in range(2):
            game.push(game.legal_moves()[0])
            await peer.send(move_bytes(game.moves[-1]))
            if ply == 0:
                (engine,) = (
                    pid
                    for pid, command in descendants(server.process.pid).items()
                    if command.endswith(" hub")
                )
                os.kill(engine, signal.SIGKILL)
            game.push(read_move(await peer.receive(60)))
        await peer.play_on(game, "W", 4)
        await peer.stream.aclose()
        assert (await server.stop())[0] == 0
    (record,) = records(tmp_path)
    assert record.outcome.reason is Reason.MOVE_LIMIT
    assert [remark for remark in record.remarks if "signal 9" in remark]


async def test_a_signal_while_nothing_is_on(tmp_path: Path) -> None:
    async with serving(tmp_path, "--engine", RANDOM_MOVER) as server:
        health = await run("health", "--port", str(server.port))
        assert (health.returncode, health.stderr) == (0, b"")
        code, seconds = await server.stop(signal.SIGINT)
        assert code == 0
        assert seconds < 5
    health = await run("health", "--port", str(server.port))
    assert health.returncode == 1
    assert health.stderr.decode().count("\n") == 1


async def test_what_the_games_may_use_is_told_at_the_start(tmp_path: Path) -> None:
    flags = ("--max-games", "3", "--threads", "2", "--tt-size", "32", "--engine", RANDOM_MOVER)
    async with serving(tmp_path, *flags) as server:
        (limits,) = server.events("limits")
        assert (limits["games"], limits["threads"], limits["table_megabytes"]) == (3, 6, 96)


@pytest.mark.parametrize(
    ("flags", "code", "named"),
    [
        (("--engine", "hub:/no/such/engine"), 1, "/no/such/engine"),
        (("--engine", "hub:false"), 1, "false"),
        (("--engine", "dxp:localhost:1"), 2, "--engine"),
        (("--engine", "scan"), 2, "builtin"),
        (("--fen", "W:W31-50"), 2, "--fen"),
        (("--fen", "B:W50:B"), 2, "--fen"),
        (("--allow", "everybody"), 2, "serve.allow"),
        (("--port", "99999"), 2, "serve.port"),
        (("--port", "abc"), 2, "--port"),
        (("--name", "x" * 33), 2, "dxp.name"),
        (("--role", "initiator", "--minutes", "7.25"), 2, "--minutes"),
        (("--host", "x" * 64, "--engine", RANDOM_MOVER), 1, "no host name"),
        (("--on-illegal", "maybe"), 2, "--on-illegal"),
        (("--prot", "1"), 2, "--port"),
        (("--config", "/no/such/file.toml"), 2, "/no/such/file.toml"),
        (("--host", "192.0.2.1", "--engine", RANDOM_MOVER), 1, "192.0.2.1"),
        (("--threads", "65"), 2, "threads is a whole number from 1 to 64"),
        (("--tt-size", "20000"), 2, "tt-size is a number of MB from 1 to 16384"),
        (("--threads", "1025", "--engine", RANDOM_MOVER), 2, "engine.threads"),
        (("--move-time", "nan"), 2, "engine.move_time"),
    ],
)
async def test_wrong_use_is_one_line(flags: tuple[str, ...], code: int, named: str, tmp_path: Path) -> None:
    result = await run("serve", "--data", str(tmp_path), *flags)
    complaints = [line for line in result.stderr.decode().splitlines() if not line.startswith("{")]
    assert result.returncode == code
    assert len(complaints) == 1
    assert named in complaints[0]
    assert result.stdout == b""


async def test_a_data_directory_has_one_writer(tmp_path: Path) -> None:
    async with serving(tmp_path, "--engine", RANDOM_MOVER):
        second = await run("serve", "--port", "0", "--data", str(tmp_path), "--engine", RANDOM_MOVER)
    assert second.returncode == 1
    assert "--data" in second.stderr.decode()
