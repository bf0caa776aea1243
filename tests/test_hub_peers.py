"""Whole games with other programs' Hub, as real processes: dame-rs as an engine, two drivers for ours."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from hub.client import Launch, open_engine
from hub.messages import Level
from rules.game import Game

ROOT = Path(__file__).parent.parent
PEERS = ROOT / ".peers"
SCRIPTS = Path(__file__).parent / "peers"
OURS = (sys.executable, "-P", "-m", "bonnard", "hub")
PLIES = 400
"""No game is as long: the draw rules end it before."""


def peer(*parts: str) -> str:
    """Return a peer's program. It fails where `make peers` has not been run: nothing is skipped."""
    path = PEERS.joinpath(*parts)
    assert path.exists(), f"{path} is missing: run make peers"
    return str(path)


@pytest.mark.parametrize("ours_is_white", [True, False])
async def test_dame_rs_plays_a_game_against_ours(*, ours_is_white: bool) -> None:
    game = Game()
    dame = Launch((peer("dame-rs", "bin", "dame"), "hub"), parameters={"hash": "16"})
    ours = Launch(OURS, directory=ROOT, parameters={"tt-size": "18"})
    async with open_engine(dame) as black, open_engine(ours) as white:
        assert black.identity.name == "dame"
        players = (white, black) if ours_is_white else (black, white)
        for player in players:
            await player.new_game()
        while game.outcome() is None:
            level = Level(time=2, increment=0.01) if len(game) % 4 < 2 else Level(depth=5)
            answer = await players[game.turn].think(game, level, deadline=10)
            game.push(answer.move)
        assert not list(black.complaints)
        assert not list(white.complaints)
    assert len(game) > 20


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """Return our engine as one file: the drivers want the path of a program."""
    path = tmp_path / "bonnard"
    path.write_text(f'#!/bin/sh\ncd "{ROOT}" && exec "{sys.executable}" -m bonnard "$@"\n')
    path.chmod(0o755)
    return path


@pytest.mark.parametrize("name", ["py-draughts", "pydraughts"])
def test_another_driver_plays_a_whole_game_with_ours(name: str, program: Path) -> None:
    script = SCRIPTS / f"{name.replace('-', '_')}_hub.py"
    result = subprocess.run(
        [peer(name, "bin", "python"), script, program, "4", str(PLIES)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={**os.environ, "PYTHONPATH": ""},
    )
    assert result.returncode == 0, result.stderr
    engine, plies, _ = result.stdout.split(maxsplit=2)
    assert engine == "Bonnard"
    assert int(plies) > 20
