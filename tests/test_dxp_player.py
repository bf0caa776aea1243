"""DXP programs as players: requests, refusals, how a match reaches them, their processes, their names."""

import os
import sys
from pathlib import Path

import pytest
import trio
from actors import Actor
from dxp_peer import Peer
from moby import MobyLike
from processes import alive, descendants

from rules.clock import TimeControl
from rules.colour import Colour
from rules.fen import parse_fen
from rules.game import Outcome, Reason
from rules.position import Position
from tournament.conduct import Conduct, Terms
from tournament.dxp_player import DxpPlayer
from tournament.player import Resign, Setup
from tournament.reach import DxpReach
from tournament.referee import play_game
from tournament.roster import create_player
from tournament.spec import PlayerOptions, parse_spec

MINUTE = TimeControl.parse("1m/20")
FOLLOWER = Path(__file__).parent / "engines" / "dxp_follower.py"


async def listening(nursery: trio.Nursery, moby: MobyLike) -> int:
    """Let a follower listen; return its port."""
    listeners = await nursery.start(trio.serve_tcp, moby.run, 0)
    return int(listeners[0].socket.getsockname()[1])


async def test_a_program_that_listens_is_dialled_greeted_and_played(nursery: trio.Nursery) -> None:
    moby = MobyLike()
    spec = parse_spec(f"Moby=dxp:127.0.0.1:{await listening(nursery, moby)}")
    player = create_player(spec, PlayerOptions(greet=("console time 100",)), nursery)
    assert await player.open() is None
    engine = Actor("A")
    terms = Terms(Position.start(), (MINUTE, MINUTE), 20)
    first = await play_game(engine, player, terms, Conduct())
    second = await play_game(
        player, engine, Terms(Position.start(), (MINUTE, MINUTE), 20, last=True), Conduct()
    )
    await player.close()
    assert moby.heard[0] == "Cconsole time 100"
    assert (first.black, second.white) == ("Moby", "Moby")
    for game, record in zip(moby.games, (first, second), strict=True):
        assert [ply.move for ply in record.plies] == list(game.moves)
        assert record.outcome.reason in {Reason.MOVE_LIMIT, Reason.NO_MOVE, Reason.REPETITION}


@pytest.mark.parametrize(
    ("control", "fen", "colour", "expected"),
    [
        (TimeControl.parse("5m/75"), "", Colour.WHITE, "W005075A"),
        (TimeControl.parse("30s"), "", Colour.BLACK, "Z0.5000A"),
        (TimeControl(move_time=0.1), "", Colour.BLACK, "Z060000A"),
        (
            TimeControl.parse("1m"),
            "B:WK50:BK1,2",
            Colour.BLACK,
            "Z001000BZZzeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeW",
        ),
    ],
)
async def test_the_terms_of_a_request(
    control: TimeControl, fen: str, colour: Colour, expected: str, nursery: trio.Nursery
) -> None:
    moby = MobyLike(stale=True)
    spec = parse_spec(f"Moby=dxp:127.0.0.1:{await listening(nursery, moby)}")
    player = create_player(spec, PlayerOptions(time="external"), nursery)
    assert await player.open() is None
    start = parse_fen(fen) if fen else Position.start()
    nursery.start_soon(player.begin, Setup(start, colour, control, "A", control.moves))
    while not moby.heard:  # noqa: ASYNC110 - it is another program that hears
        await trio.sleep(0.001)
    await player.close()
    assert moby.heard[0][35:] == expected
    assert moby.heard[0][:35] == "R01" + "Bonnard".ljust(32)


async def test_nobody_there_is_a_fault(nursery: trio.Nursery) -> None:
    player = create_player(parse_spec("A=dxp:127.0.0.1:1"), PlayerOptions(), nursery)
    fault = await player.open()
    assert fault is not None
    assert fault.kind == "disconnect"
    assert "127.0.0.1:1" in fault.detail
    assert "\n" not in fault.detail
    await player.close()


async def test_nobody_comes_is_a_fault(nursery: trio.Nursery, autojump_clock: trio.testing.MockClock) -> None:
    player = create_player(parse_spec("A=dxp-listen:0"), PlayerOptions(), nursery)
    fault = await player.open()
    assert fault is not None
    assert "within 20 s" in fault.detail
    await player.close()


async def test_a_program_that_does_not_start_is_a_fault(nursery: trio.Nursery) -> None:
    options = PlayerOptions(run=("/no/such/program",))
    player = create_player(parse_spec("A=dxp:127.0.0.1:1"), options, nursery)
    fault = await player.open()
    assert fault is not None
    assert "/no/such/program" in fault.detail


async def test_a_program_that_connects_is_waited_for(nursery: trio.Nursery) -> None:
    reach = DxpReach(parse_spec("A=dxp-listen:0"), PlayerOptions(), nursery)
    heard = []

    async def follow() -> None:
        while not reach.port:  # noqa: ASYNC110 - the port is known when it listens
            await trio.sleep(0.001)
        peer = await Peer.connect(reach.port)
        heard.append(await peer.receive())
        await peer.stream.aclose()

    nursery.start_soon(follow)
    connection = await reach()
    assert connection.session.role == "initiator"
    await connection.leave()
    await reach.close()


async def test_the_process_of_a_program_is_ours(nursery: trio.Nursery, unused_port: int) -> None:
    options = PlayerOptions(run=(sys.executable, str(FOLLOWER), str(unused_port)))
    player = create_player(parse_spec(f"F=dxp:127.0.0.1:{unused_port}"), options, nursery)
    assert await player.open() is None
    (process,) = (pid for pid, command in descendants(os.getpid()).items() if str(FOLLOWER) in command)
    record = await play_game(
        player, Actor("A", [Resign()]), Terms(Position.start(), (MINUTE, MINUTE), 20), Conduct()
    )
    assert record.outcome.result == "2-0"
    # a second opening starts it anew
    assert await player.open() is None
    assert not alive(process)
    (process,) = (pid for pid, command in descendants(os.getpid()).items() if str(FOLLOWER) in command)
    await player.close()
    assert not alive(process)
    assert not alive(process)


@pytest.fixture
async def unused_port() -> int:
    """Return a port that nobody listens on."""
    listeners = await trio.open_tcp_listeners(0, host="127.0.0.1")
    port = int(listeners[0].socket.getsockname()[1])
    for listener in listeners:
        await listener.aclose()
    return port


def end_reason(outcome: Outcome, colour: Colour) -> int:
    """Return the reason that a peer of a colour is told."""
    player = DxpPlayer("A")
    player._colour = colour
    return player._end_reason(outcome).value


@pytest.mark.parametrize(
    ("outcome", "white_hears"),
    [
        (Outcome(Colour.WHITE, Reason.NO_MOVE), 1),
        (Outcome(Colour.BLACK, Reason.ILLEGAL_MOVE), 3),
        (Outcome(None, Reason.REPETITION), 2),
        (Outcome(None, Reason.ABORTED), 0),
        (Outcome(None, Reason.MOVE_LIMIT), 0),
    ],
)
def test_a_gameend_is_about_its_sender(outcome: Outcome, white_hears: int) -> None:
    assert end_reason(outcome, Colour.WHITE) == white_hears
