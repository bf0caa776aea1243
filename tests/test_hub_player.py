"""Hub engines as players: what a failing process means for its game, levels, pondering, our own engine."""

import json
import os
import shlex
import signal
import sys
from pathlib import Path
from typing import Any

import attrs
import pytest
import trio
import trio.testing
from actors import Actor, first_move
from processes import descendants

from hub.guard import Guard
from hub.options import PARAMS
from rules.clock import Clock, TimeControl
from rules.game import Game, Outcome, Reason
from rules.position import Position
from tournament import hub_player
from tournament.conduct import Conduct, Terms
from tournament.hub_player import HubPlayer, launch_of
from tournament.player import Clocks, Fault, Played, Resign, Setup
from tournament.referee import play_game
from tournament.roster import create_player
from tournament.spec import PlayerOptions, PlayerSpec, parse_spec

SCRIPTED = Path(__file__).parent / "engines" / "scripted.py"
MINUTE = TimeControl.parse("60s")
PONDERS = ["id name=Thinker version=2", "param name=ponder value=false type=bool", "wait"]


def scripted(answers: dict[str, Any]) -> PlayerSpec:
    """Return an engine that answers as it is told."""
    command = shlex.join([sys.executable, str(SCRIPTED), json.dumps(answers)])
    return parse_spec(f"E=hub:{command}")


def clocks(control: TimeControl = MINUTE) -> Clocks:
    """Return two fresh clocks."""
    return Clocks(Clock.start(control, 0.2), Clock.start(control, 0.2))


@pytest.mark.parametrize(
    ("deed", "reason", "detail"),
    [
        # MATCH-02: these are different endings
        ("!kill", "crash", "signal 9"),
        ("!exit 3", "crash", "exit code 3"),
        ("!close", "disconnect", ""),
        ("!hang", "stall", ""),
        ("done move=32-21", "illegal move", "32-21"),
        ("done", "illegal move", ""),
    ],
)
async def test_how_an_engine_may_fail_its_game(
    deed: str, reason: str, detail: str, nursery: trio.Nursery
) -> None:
    player = HubPlayer(scripted({"go": [deed]}), PlayerOptions(), nursery)
    player._launch = attrs.evolve(player._launch, stop_deadline=0.5)
    assert await player.open() is None
    control = TimeControl(move_time=0.3)
    record = await play_game(player, Actor("B"), Terms(Position.start(), (control, control)), Conduct())
    await player.close()
    assert (record.outcome.result, record.outcome.reason.value) == ("0-2", reason)
    assert detail in record.detail


async def test_an_engine_that_dies_in_its_opponents_time_is_noticed_at_once(nursery: trio.Nursery) -> None:
    player = HubPlayer(scripted({}), PlayerOptions(), nursery)
    assert await player.open() is None
    assert player.engine is not None
    noticed = []
    async with trio.open_nursery() as watching:

        async def watch() -> None:
            noticed.append(await player.watch())

        watching.start_soon(watch)
        await trio.testing.wait_all_tasks_blocked()
        os.kill(player.engine.process_id, signal.SIGKILL)
    assert noticed == [Fault("crash", "signal 9 (SIGKILL)")]
    assert isinstance(await player.begin(setup()), Fault)
    assert isinstance(await player.finish(Game(), Outcome(None, Reason.ABORTED)), Fault)
    await player.close()


def setup() -> Setup:
    """Return a game from the start."""
    game = Game()
    return Setup(game.start, game.turn, MINUTE, "B")


async def test_an_engine_is_opened_again_after_a_fault(nursery: trio.Nursery) -> None:
    player = HubPlayer(scripted({"go": ["!kill"]}), PlayerOptions(), nursery)
    assert await player.open() is None
    assert await player.move(Game(), clocks()) == Fault("crash", "signal 9 (SIGKILL)")
    assert await player.open() is None
    assert await player.begin(setup()) is None
    await player.close()
    await player.close()


@pytest.mark.parametrize(
    ("spec", "named"),
    [("hub:/no/such/engine", "/no/such/engine"), (f"hub:{sys.executable} -c pass", "exit code 0")],
)
async def test_an_engine_that_does_not_start_is_a_fault(spec: str, named: str, nursery: trio.Nursery) -> None:
    player = HubPlayer(parse_spec(spec), PlayerOptions(), nursery)
    fault = await player.open()
    assert fault is not None
    assert fault.kind == "crash"
    assert named in fault.detail


@pytest.mark.parametrize(
    ("control", "move_time", "expected"),
    [
        ("60s/40", None, "level moves=40 time=60"),
        ("60s+1s", None, "level time=60 inc=1"),
        ("move-time=0.5", None, "level move-time=0.5"),
        ("depth=7", None, "level depth=7"),
        ("nodes=1000", None, "level nodes=1000"),
        ("60s", 0.25, "level move-time=0.25"),
        ("60s", 7.0, "level time=60"),  # more than a tenth of the bank: the clock decides
    ],
)
async def test_the_level_is_that_of_the_clock(
    control: str, move_time: float | None, expected: str, nursery: trio.Nursery
) -> None:
    player = HubPlayer(scripted({"go": ["done move=32-28"]}), PlayerOptions(), nursery, move_time=move_time)
    assert await player.open() is None
    assert player.engine is not None
    await player.move(Game(), clocks(TimeControl.parse(control)))
    told = [item.text for item in player.engine.transcript if item.text.startswith("level ")]
    await player.close()
    assert [line.replace(".000", "").replace(".500", ".5").replace(".250", ".25") for line in told] == [
        expected
    ]


@pytest.mark.parametrize(("reply", "hit"), [("19-23", True), ("20-24", False)])
async def test_an_engine_ponders_the_reply_that_it_expects(
    reply: str, hit: bool, nursery: trio.Nursery
) -> None:
    go = [["done move=32-28 ponder=19-23"], [], ["done move=37-32"]]
    answers = {"hub": PONDERS, "go": go, "ponder-hit": ["done move=28x19"], "stop": ["done move=28x19"]}
    player = HubPlayer(scripted(answers), PlayerOptions(ponder=True), nursery)
    assert await player.open() is None
    assert player.engine is not None
    game = Game()
    first = await player.move(game, clocks())
    assert isinstance(first, Played)
    assert first.move is not None
    game.push(first.move)
    await player.ponder(game, clocks(), first.ponder)
    game.play(reply)
    second = await player.move(game, clocks())
    said = [item.text.split()[0] for item in player.engine.transcript if item.sender == "we"]
    await player.close()
    assert isinstance(second, Played)
    assert second.move is not None
    assert second.move.short == ("28x19" if hit else "37-32")
    assert ("ponder-hit" in said) is hit
    assert said.count("go") == (2 if hit else 3)


async def test_a_ping_behind_the_answer_is_sent_in_the_opponents_time(nursery: trio.Nursery) -> None:
    """Nothing but the next request is written between a move and that request."""

    def last_sent() -> str:
        assert player.engine is not None
        return [item.text for item in player.engine.transcript if item.sender == "we"][-1]

    player = HubPlayer(scripted({"go": ["done move=32-28"]}), PlayerOptions(), nursery)
    assert await player.open() is None
    assert await player.begin(setup()) is None
    answer = await player.move(Game(), clocks())
    assert isinstance(answer, Played)
    assert last_sent() == "go think"
    nursery.start_soon(player.watch)
    with trio.fail_after(10):
        while last_sent() != "ping":  # noqa: ASYNC110 - the transcript has no event
            await trio.sleep(0.001)
    await player.close()


async def test_an_engine_without_the_parameter_does_not_ponder(nursery: trio.Nursery) -> None:
    player = HubPlayer(
        scripted({"go": ["done move=32-28 ponder=19-23"]}), PlayerOptions(ponder=True), nursery
    )
    assert await player.open() is None
    assert player.engine is not None
    game = Game()
    answer = await player.move(game, clocks())
    assert isinstance(answer, Played)
    assert answer.move is not None
    game.push(answer.move)
    await player.ponder(game, clocks(), answer.ponder)
    said = [item.text for item in player.engine.transcript if item.text.startswith("go")]
    await player.close()
    assert said == ["go think"]


def test_options_become_parameters() -> None:
    options = PlayerOptions(threads=2, tt_size=64, ponder=True, parameters={"book": "false"}, nice=7)
    launch = launch_of(parse_spec("hub:scan hub"), options)
    # Scan's tt-size is the power of two of 16-byte entries: 64 MB are 2^22 of them
    assert launch.parameters == {"threads": "2", "tt-size": "22", "ponder": "true", "book": "false"}
    assert (launch.command, launch.nice) == (("scan", "hub"), 7)
    assert launch_of(parse_spec("builtin"), PlayerOptions(tt_size=100)).parameters == {"tt-size": "22"}


def test_what_our_engine_accepts_is_what_it_declares() -> None:
    declared = {param.name: param for param in PARAMS}
    most = PlayerOptions(threads=int(declared["threads"].maximum or 0), tt_size=hub_player.MOST_MEGABYTES)
    hub_player.check_ours(most)
    assert hub_player.parameters_of(most)["tt-size"] == f"{declared['tt-size'].maximum:g}"
    hub_player.check_ours(PlayerOptions(threads=1, tt_size=1))
    with pytest.raises(ValueError, match="1 to 64"):
        hub_player.check_ours(attrs.evolve(most, threads=65))
    with pytest.raises(ValueError, match="1 to 16384"):
        hub_player.check_ours(attrs.evolve(most, tt_size=most.tt_size + 1))


async def test_our_engine_plays_and_leaves_nothing_behind(nursery: trio.Nursery) -> None:
    before = descendants(os.getpid())
    with Guard() as guard:
        player = create_player(parse_spec("builtin"), PlayerOptions(threads=1, tt_size=16), nursery, guard)
        assert await player.open() is None
        control = TimeControl(move_time=0.05)
        opponent = Actor("B", [first_move(0.0), Resign()])
        record = await play_game(
            player, opponent, Terms(Position.start(), (control, control)), Conduct(margin=5)
        )
        await player.close()
    assert record.outcome.result == "2-0"
    assert all(ply.depth and ply.score is not None and ply.nodes for ply in record.plies[::2])
    assert descendants(os.getpid()) == before


@pytest.mark.parametrize("restarts", [0, 2])
async def test_a_fault_in_our_search_is_a_crash_like_any_other(
    restarts: int, nursery: trio.Nursery, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = (
        "import sys, engine.searcher, hub.serve\n"
        "def fail(*_): raise OverflowError('too many plies')\n"
        "engine.searcher.Search._enough = fail\n"
        "sys.exit(hub.serve.main([], '1.0'))"
    )
    monkeypatch.setattr(hub_player, "OUR_ENGINE", (sys.executable, "-c", code))
    player = create_player(parse_spec("builtin"), PlayerOptions(tt_size=1), nursery, None)
    assert await player.open() is None
    record = await play_game(
        player, Actor("B", delay=0.3), Terms(Position.start(), (MINUTE, MINUTE)), Conduct(restarts=restarts)
    )
    await player.close()
    assert (record.outcome.result, record.outcome.reason) == ("0-2", Reason.CRASH)
    assert "exit code 1" in record.detail
    assert "too many plies" in record.detail
    # Where the opponent's move has cut a start short, there is one more remark.
    assert bool(record.remarks) is bool(restarts)
    assert all("started again: crash" in remark for remark in record.remarks)
    assert all("too many plies" in remark for remark in record.remarks[:1])
