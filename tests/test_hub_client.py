"""The driver of Hub engines, against real processes that say and do what a script tells them."""

import json
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import trio
import trio.testing
from hub_sessions import CAPTURES, searches
from known import case

from hub.client import Answer, Engine, Launch, open_engine, run_engine
from hub.errors import (
    EngineClosedError,
    EngineCrashError,
    EngineError,
    EngineMoveError,
    EngineStallError,
    EngineStartError,
)
from hub.messages import Info, Level
from rules.fen import format_hub, parse_fen
from rules.game import Game

ENGINES = Path(__file__).parent / "engines"
LEVEL = Level(move_time=0.1)
MOVE = ["info depth=3 score=0.12 nodes=7", 'info depth=4 pv="32-28 19-23', "done move=32-28 ponder=19-23"]


def scripted(answers: dict[str, Any], **settings: Any) -> Launch:  # noqa: ANN401 - fields of Launch
    """Return how to launch an engine that answers `go` with a move, and otherwise as it is told."""
    command = (sys.executable, str(ENGINES / "scripted.py"), json.dumps({"go": MOVE, **answers}))
    return Launch(command, **{"stop_deadline": 1.0, "quit_deadline": 1.0, **settings})


async def first_answer(launch: Launch, deadline: float | None = None) -> Answer:
    """Start an engine and return its move in the start position."""
    async with open_engine(launch) as engine:
        return await engine.think(Game(), LEVEL, deadline=deadline)


def sent(engine: Engine) -> list[str]:
    """Return the lines that we said, without our pings."""
    return [item.text for item in engine.transcript if item.sender == "we" and item.text != "ping"]


async def gone(process_id: int, seconds: float = 2.0) -> None:
    """Wait for the end of a process that is not a child of ours, or was one."""
    try:
        descriptor = os.pidfd_open(process_id)
    except ProcessLookupError:
        return
    try:
        with trio.fail_after(seconds):
            await trio.lowlevel.wait_readable(descriptor)
    finally:
        os.close(descriptor)


def child_of(engine: Engine) -> int:
    """Return the child that a scripted engine said it has started."""
    return next(int(item.text.split()[1]) for item in engine.transcript if item.text.startswith("child "))


async def test_a_move_and_what_was_said_for_it() -> None:
    async with open_engine(scripted({}, parameters={"tt-size": "18", "dir": "a b"})) as engine:
        infos: list[Info] = []
        answer = await engine.think(Game(), LEVEL, on_info=infos.append)
        assert answer.move.hub == "32-28"
        assert answer.ponder is not None
        assert answer.ponder.hub == "19-23"
        assert answer.info == Info(depth=4, score=0.12, nodes=7, pv=("32-28", "19-23"))
        assert infos == [Info(depth=3, score=0.12, nodes=7), Info(depth=4, pv=("32-28", "19-23"))]
        assert 0 <= answer.seconds < 1
        assert (engine.version, engine.identity.title) == (2, "Scripted 1")
        assert sent(engine) == [
            "hub",
            "set-param name=tt-size value=18",
            'set-param name=dir value="a b"',
            "init",
            f"pos pos={format_hub(Game().position)}",
            "level move-time=0.1",
            "go think",
        ]


async def test_case_old_engine() -> None:
    known = case("HUB-01")
    script = {
        "hub": known["expected"]["engine_lines"],
        "go": ['input "x"', "info 4 9.1 25", "move 32-28"],
    }
    async with open_engine(scripted(script, parameters={"book": "false"})) as engine:
        assert engine.version == 1
        assert engine.identity.title == "Scan 2.0"
        answer = await engine.think(Game(), Level(time=20, moves=40))
        assert (answer.move.hub, answer.info.score) == ("32-28", 0.25)
        assert sent(engine)[1:] == [
            "set book false",
            "init",
            f"pos {format_hub(Game().position).replace('W', 'w')}",
            "level 40 20000 0",
            "go",
        ]
        with pytest.raises(ValueError, match="nodes"):
            await engine.think(Game(), Level(nodes=5))


async def test_case_banner_before_id() -> None:
    known = case("HUB-02")
    banner, *greeting = known["input"]["engine"]
    async with open_engine(scripted({"start": [banner], "hub": greeting})) as engine:
        assert engine.identity.name == known["expected"]["name"]


async def test_case_engine_with_an_argument() -> None:
    known = case("HUB-11")
    command = (sys.executable, str(ENGINES / "scripted.py"), "{}", *known["input"]["args"])
    async with open_engine(Launch(command)) as engine:
        assert (engine.process_id > 0) is known["expected"]["started"]


async def test_case_captured_squares_in_any_order() -> None:
    known = case("HUB-04")
    game = Game(parse_fen(known["input"]["fen"]))
    async with open_engine(scripted({"go": [known["input"]["done"]]})) as engine:
        assert (await engine.think(game, LEVEL)).move.captured == (13, 20, 37)


async def test_case_position_since_the_last_irreversible_move() -> None:
    known = case("HUB-05")
    game = Game()
    for text in known["input"]["game"]:
        game.play(text)
    kings = Game(parse_fen("W:WK46:BK3,K15"))
    for text in ("46-5", "3-8"):
        kings.play(text)
    async with open_engine(scripted({"go": [["done move=23x32"], ["done move=5-14"]]})) as engine:
        await engine.think(game, LEVEL)
        assert (await engine.think(kings, LEVEL)).move.hub == "5-14"
        positions = [line for line in sent(engine) if line.startswith("pos")]
        assert positions[0] == f"pos pos={format_hub(game.position)}"
        assert positions[1] == f'pos pos={format_hub(kings.start)} moves="46-5 3-8"'


async def test_case_a_finished_position_is_not_asked_for() -> None:
    game = Game(parse_fen("B:W50:B"))
    async with open_engine(scripted({})) as engine:
        with pytest.raises(ValueError, match="finished"):
            await engine.think(game, LEVEL)
        assert not [line for line in sent(engine) if line.startswith("go")]


async def test_line_ends_and_blanks() -> None:
    async with open_engine(scripted({"go": ["   info depth=3 score=0.1", "done move=32-28 \r"]})) as engine:
        answer = await engine.think(Game(), LEVEL)
        assert (answer.move.hub, answer.info.depth) == ("32-28", 3)


@pytest.mark.parametrize("path", sorted(CAPTURES.glob("d_hub_*_main.jsonl")), ids=lambda path: path.stem)
async def test_a_recorded_engine_is_understood(path: Path) -> None:
    recorded = list(searches(path))
    assert recorded
    async with open_engine(Launch((sys.executable, str(ENGINES / "replay.py"), str(path)))) as engine:
        assert engine.version == (1 if "_v1_" in path.stem else 2)
        assert engine.identity.title.startswith("Scan")
        for game, text in recorded:
            answer = await engine.think(game, LEVEL)
            assert answer.text == text
            assert game.position.is_legal(answer.move)


STEPS = ["start", "hub", "init", "pos", "go", "level"]


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize(
    ("deed", "exit_code", "detail"), [("!exit 3", 3, "exit code 3"), ("!kill", -9, "signal 9 (SIGKILL)")]
)
async def test_an_engine_that_dies_at_any_step(step: str, deed: str, exit_code: int, detail: str) -> None:
    with pytest.raises(EngineCrashError) as caught:
        await first_answer(scripted({step: ["!stderr 1", deed]}))
    assert (caught.value.exit_code, str(caught.value)) == (exit_code, detail)
    assert caught.value.stderr.endswith("last words\n")


@pytest.mark.parametrize("step", ["hub", "init", "go"])
@pytest.mark.parametrize("deed", ["!hang", "!deaf"])
async def test_an_engine_that_hangs_at_any_step(step: str, deed: str) -> None:
    launch = scripted(
        {step: [deed]}, greet_deadline=1.0, init_deadline=0.3, stop_deadline=0.3, quit_deadline=0.1
    )
    awaited = {"hub": "wait", "init": "ready", "go": "done"}[step]
    with pytest.raises(EngineStallError, match=awaited):
        await first_answer(launch, deadline=0.2)


async def test_an_engine_that_closes_its_output() -> None:
    with pytest.raises(EngineCrashError, match="closed its output") as caught:
        await first_answer(scripted({"go": ["!close"]}, quit_deadline=0.1))
    assert caught.value.exit_code is None


async def test_an_engine_that_reads_nothing_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hub.process.WRITE_DEADLINE", 0.2)
    async with open_engine(scripted({"new-game": ["!deaf"]}, quit_deadline=0.1)) as engine:
        await engine.new_game()
        with pytest.raises(EngineStallError, match="read"):
            await engine.conversation.send("x" * 1_000_000)
        assert isinstance(await engine.wait_failed(), EngineStallError)


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["done"], "names no move"),
        (["done move=0-0"], "names no move"),
        (["done move=1-2"], "1-2"),
        (["done move=31x22"], "31x22"),
        (["done move="], "names no move"),
        (["done move=hello ponder=32-28"], "hello"),
        ([f"done move={'x' * 100_000}"], "xxx"),
        (["done ponder=32-28"], "names no move"),
        (["done move=32-28-24"], "32-28-24"),
        (["move 32-28", "done move=20-24"], "20-24"),
    ],
)
async def test_an_engine_that_lies_can_still_be_used(lines: list[str], message: str) -> None:
    async with open_engine(scripted({"go": [lines, MOVE]})) as engine:
        with pytest.raises(EngineMoveError, match=re.escape(message)) as caught:
            await engine.think(Game(), LEVEL)
        assert len(str(caught.value)) + len(caught.value.text) < 500
        assert (await engine.think(Game(), LEVEL)).move.hub == "32-28"


async def test_a_second_done_is_not_taken_for_the_next_answer() -> None:
    twice = ["done move=32-28", "done move=1-2", "done move=1-2"]
    async with open_engine(scripted({"go": twice})) as engine:
        for _ in range(3):
            assert (await engine.think(Game(), LEVEL)).move.hub == "32-28"
        await engine.stop()
        assert engine.spare_answers == 6


async def test_an_illegal_ponder_move_is_dropped() -> None:
    async with open_engine(scripted({"go": ["done move=32-28 ponder=32-28"]})) as engine:
        assert (await engine.think(Game(), LEVEL)).ponder is None


@pytest.mark.parametrize("noise", ["!flood 10", "!garbage", "!stderr 1000"])
async def test_an_engine_that_floods(noise: str) -> None:
    async with open_engine(scripted({"start": [noise], "go": [noise, *MOVE, noise]})) as engine:
        for _ in range(2):
            with trio.fail_after(10):
                answer = await engine.think(Game(), LEVEL)
            assert answer.move.hub == "32-28"
            assert answer.info.nodes == 7 or noise == "!flood 10"


async def test_a_late_answer_is_told_apart() -> None:
    script = {"go": [[], ["done move=31-27"]], "stop": ["done move=1-2"]}
    async with open_engine(scripted(script)) as engine:
        with trio.move_on_after(0.1) as scope:
            await engine.think(Game(), LEVEL)
        assert scope.cancelled_caught
        assert (await engine.think(Game(), LEVEL)).move.hub == "31-27"
        assert sent(engine).count("stop") == 1
        assert engine.spare_answers == 0


async def test_after_the_deadline_the_engine_is_stopped_and_its_move_taken() -> None:
    async with open_engine(scripted({"go": [], "stop": ["done move=31-27"]})) as engine:
        answer = await engine.think(Game(), LEVEL, deadline=0.1)
        assert answer.move.hub == "31-27"
        assert answer.seconds >= 0.1


async def test_pondering() -> None:
    game = Game()
    game.play("32-28")
    game.play("19-23")
    ahead = ["info depth=9 score=0.5"]
    script = {
        "go": [ahead, ahead, ["done move=28x19"]],
        "ponder-hit": ["done move=28x19x23"],
        "stop": ["done move=1-2"],
    }
    async with open_engine(scripted(script)) as engine:
        await engine.ponder(game, Level(time=60, increment=1))
        answer = await engine.ponder_hit(deadline=1)
        assert (answer.move.hub, answer.info.score) == ("28x19x23", 0.5)
        assert sent(engine)[-3:] == ["level time=60 inc=1", "go ponder", "ponder-hit"]
        await engine.ponder(game, Level(time=60))
        await engine.stop()
        assert sent(engine)[-1] == "stop"
        assert (await engine.think(game, LEVEL)).move.hub == "28x19x23"
        assert engine.spare_answers == 0


async def test_a_ponder_answer_that_comes_early_is_held() -> None:
    game = Game()
    async with open_engine(scripted({"go": [["done move=32-28"], ["done move=31-27"]]})) as engine:
        await engine.ponder(game, LEVEL)
        await engine.ping()
        assert (await engine.ponder_hit(deadline=1)).move.hub == "32-28"
        await engine.ponder(game, LEVEL)
        await engine.ping()
        await engine.stop()
        assert "stop" not in sent(engine)


async def test_an_engine_without_ping_can_be_driven() -> None:
    async with open_engine(scripted({"ping": []}, stop_deadline=0.1)) as engine:
        assert (await engine.think(Game(), LEVEL)).move.hub == "32-28"
        assert (await engine.think(Game(), LEVEL)).move.hub == "32-28"
        with pytest.raises(EngineStallError, match="pong"):
            await engine.ping()


async def test_complaints_are_kept() -> None:
    async with open_engine(scripted({"pos": ['error message="bad position"']})) as engine:
        await engine.think(Game(), LEVEL)
        assert list(engine.complaints) == ["bad position"]


async def test_a_crash_while_nobody_asks_is_seen_at_once() -> None:
    async with open_engine(scripted({"new-game": ["!exit 7"]})) as engine:
        await engine.new_game()
        with trio.fail_after(2):
            error = await engine.wait_failed()
        assert str(error) == "exit code 7"
        with pytest.raises(EngineCrashError):
            await engine.think(Game(), LEVEL)


@pytest.mark.parametrize(
    ("command", "directory", "message"),
    [
        ((), None, "empty"),
        (("/nonexistent/engine",), None, "No such file"),
        ((str(ENGINES),), None, "Permission denied"),
        ((sys.executable,), Path("/nonexistent"), "directory /nonexistent"),
        (("a\0b",), None, "null byte"),
    ],
)
async def test_a_command_that_cannot_be_started(
    command: tuple[str, ...], directory: Path | None, message: str
) -> None:
    with pytest.raises(EngineStartError, match=message):
        async with open_engine(Launch(command, directory=directory)):
            pass


async def test_errors_reach_a_plain_nursery_as_they_are(nursery: trio.Nursery) -> None:
    with pytest.raises(EngineStartError):
        await nursery.start(run_engine, Launch(("/nonexistent/engine",)))
    with pytest.raises(EngineCrashError):
        await nursery.start(run_engine, scripted({"hub": ["!exit 1"]}))
    engine = await nursery.start(run_engine, scripted({}))
    await engine.close()
    await engine.close()
    with pytest.raises(EngineClosedError):
        await engine.think(Game(), LEVEL)
    assert isinstance(await engine.wait_failed(), EngineClosedError)


async def _cancel(nursery: trio.Nursery, engine: Engine) -> None:
    nursery.cancel_scope.cancel()
    with trio.CancelScope(shield=True):
        await gone(engine.process_id)


async def _close(_: trio.Nursery, engine: Engine) -> None:
    await engine.close()


async def _crash(_: trio.Nursery, engine: Engine) -> None:
    with pytest.raises(EngineError):
        await engine.think(Game(), LEVEL)


@pytest.mark.parametrize("end", [_cancel, _close, _crash])
async def test_no_process_is_left_behind(end: Callable[[trio.Nursery, Engine], Any]) -> None:
    """Neither the engine nor its child, which does not read its input and knows of no protocol."""
    async with trio.open_nursery() as nursery:
        script = {"init": ["!child", "ready"], "go": ["!exit 1"], "quit": []}
        engine = await nursery.start(run_engine, scripted(script, quit_deadline=0.1))
        child = child_of(engine)
        await end(nursery, engine)
        with trio.CancelScope(shield=True):
            await gone(engine.process_id)
            await gone(child)
        await engine.close()


async def test_engines_run_at_a_lower_priority_in_a_group_of_their_own() -> None:
    async with open_engine(scripted({}, nice=7)) as engine:
        assert os.getpriority(os.PRIO_PROCESS, engine.process_id) == min(
            19, os.getpriority(os.PRIO_PROCESS, 0) + 7
        )
        assert os.getpgid(engine.process_id) == os.getsid(engine.process_id) == engine.process_id


async def test_an_engine_that_stopped_reading_is_closed_while_it_is_written_to() -> None:
    """As when the ping behind an answer is still being written at the end of a match."""
    await first_answer(scripted({}))
    before = open_descriptors()
    errors: list[EngineError] = []

    async def write(engine: Engine) -> None:
        try:
            await engine.conversation.send("x" * (1 << 20))
        except EngineError as error:
            errors.append(error)

    launch = scripted({"new-game": ["!deaf"]}, quit_deadline=0.2)
    with trio.fail_after(20):
        async with trio.open_nursery() as nursery, open_engine(launch) as engine:
            await engine.new_game()
            nursery.start_soon(write, engine)
            await trio.testing.wait_all_tasks_blocked(0.01)
            await engine.close()
            await gone(engine.process_id)
    assert all(isinstance(error, EngineStallError | EngineClosedError) for error in errors)
    assert open_descriptors() == before


def open_descriptors() -> int:
    """Count the open files of this process."""
    return len(list(Path("/proc/self/fd").iterdir()))


async def test_no_descriptor_is_left_open() -> None:
    await first_answer(scripted({}))
    before = open_descriptors()
    for _ in range(3):
        await first_answer(scripted({}))
    assert open_descriptors() == before
