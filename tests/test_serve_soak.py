"""Engines killed at random moments of games, 200 of them by make soak: all are recorded, the server stays."""

import os
import random
import signal
from pathlib import Path

import pytest
import trio
from dxp_peer import Peer, move_bytes, read_move, request
from processes import RANDOM_MOVER, Server, alive, descendants, serving

from rules.game import Game, Reason
from tournament.store import MATCH_FILE, Store

MOVES = 8
LONGEST_DELAY = 0.02
"""Seconds between our move and the kill: before the engine has it, while it answers, or after."""


async def engine_of(server: Server) -> int:
    """Return the engine's process, waiting for one that is being started again."""
    with trio.fail_after(30):
        while True:
            for pid, command in descendants(server.process.pid).items():
                if "random_mover.py" in command and alive(pid):
                    return pid
            await trio.sleep(0.01)


def open_descriptors(server: Server) -> int:
    """Return how many descriptors the server has open."""
    return len(list(Path(f"/proc/{server.process.pid}/fd").iterdir()))


async def play_with_a_kill(server: Server, peer: Peer, chance: random.Random) -> None:
    """Play a game in which the engine is killed once, and check every move of the server."""
    ours = chance.choice("WZ")
    await peer.send(request(ours, minutes=b"010", moves=MOVES))
    assert (await peer.receive())[33] == "0"
    game = Game()
    fatal = chance.randrange(MOVES - 1)
    for move in range(MOVES):
        if ours == "Z" or move:
            game.push(read_move(await peer.receive(60)))
        if ours == "Z" and move == fatal:
            os.kill(await engine_of(server), signal.SIGKILL)
        game.push(chance.choice(game.legal_moves()))
        await peer.send(move_bytes(game.moves[-1]))
        if ours == "W" and move == fatal:
            await trio.sleep(chance.uniform(0, LONGEST_DELAY))
            os.kill(await engine_of(server), signal.SIGKILL)
    if ours == "W":
        game.push(read_move(await peer.receive(60)))
        await peer.send(b"E00\0")
        assert (await peer.receive())[0] == "E"
    else:
        assert (await peer.receive())[0] == "E"
        await peer.send(b"E00\0")


@pytest.mark.parametrize("kills", [5, pytest.param(200, marks=pytest.mark.soak)])
async def test_engines_killed_at_random_moments(
    kills: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    chance = random.Random(kills)
    async with serving(tmp_path / "data", "--engine", RANDOM_MOVER, "--max-games", "1") as server:
        descriptors = []
        for number in range(kills):
            peer = await Peer.connect(server.port)
            await play_with_a_kill(server, peer, chance)
            await peer.stream.aclose()
            if number in (1, kills - 1):
                await trio.sleep(0.5)  # the server closes what belonged to the game
                descriptors.append(open_descriptors(server))
        family = descendants(server.process.pid)
        assert (await server.stop())[0] == 0
        assert not any(map(alive, family))
    assert descriptors[1] <= descriptors[0]
    assert list(temporary.iterdir()) == []
    with Store.open(tmp_path / "data" / MATCH_FILE, read_only=True) as store:
        records = [game.record for game in store.games()]
    assert [record.outcome.reason for record in records] == [Reason.MOVE_LIMIT] * kills
    assert [len(record.plies) for record in records] == [2 * MOVES] * kills
    assert all(any("signal 9" in remark for remark in record.remarks) for record in records)
