"""`bonnard match` with real processes: cases MATCH-02, 06 and 24, kills, signals, refusals."""

import json
import os
import random
import re
import shlex
import signal
import socket
import sys
from collections import Counter
from pathlib import Path

import pytest
import trio
from known import case
from match_games import game_record
from matches import ENGINES, bonnard, endgames, kill_after, mover, report, running, scripted, start
from processes import PROGRAM, ROOT

from bonnard.cli import run
from rules.pdn import read_pdn
from tournament.store import MATCH_FILE, Store, StoredGame

GAMES = 40


def stored(directory: Path) -> list[StoredGame]:
    """Return the counted games of the only match of a directory, by their number."""
    with Store.open(directory / MATCH_FILE, read_only=True) as store:
        return sorted((game for game in store.games() if game.counted), key=lambda game: game.number or 0)


def plan(games: list[StoredGame]) -> list[tuple[object, ...]]:
    """Return what the schedule gave to each game."""
    return [
        (game.number, game.pair, game.record.white, game.record.black, game.record.start) for game in games
    ]


def terminations(directory: Path) -> list[str]:
    """Return the Termination tags of games.pdn, which must be without faults."""
    games = list(read_pdn(directory / "games.pdn"))
    assert [str(game.error) for game in games if game.error] == []
    return [game.tags["Termination"] for game in games]


def test_a_match_of_two_engines(tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = bonnard(
        "match", mover("A", 1), mover("B", 2), "--games", "6", "--move-time", "1", "--concurrency", "2",
        "--openings", endgames(tmp_path), "--order", "random", "--seed", "7", "--out", str(out),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "complete: 6 of 6 games" in done.stdout
    assert len(terminations(out)) == 6
    values = report(out)
    assert (values["games"], values["planned"], values["complete"]) == (6, 6, True)
    written = json.loads((out / "report.json").read_text())
    assert written == values
    assert (out / "report.md").read_text().startswith("# match\n")
    assert (out / "report.svg").read_text().startswith("<svg ")
    games = stored(out)
    for game in games:
        assert all(ply.score == 0.1 and ply.depth == 1 for ply in game.record.plies)
        assert game.record.controls[0].move_time == 1
    for first, second in zip(games[::2], games[1::2], strict=True):
        assert first.record.start == second.record.start
        assert (first.record.white, first.record.black) == (second.record.black, second.record.white)


def test_our_engine_and_a_search_by_nodes(tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = bonnard(
        "match", "ours=builtin", mover("random", 3), "--games", "2", "--nodes", "300", "--out", str(out),
        "--openings", "2ply", "--option", "ours.tt-size=1",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    values = report(out)
    assert values["players"][0]["wins"] == 2
    assert all(ply.depth for ply in stored(out)[0].record.plies[::2])


def test_dame_rs(tmp_path: Path) -> None:
    dame = ROOT / ".peers" / "dame-rs" / "bin" / "dame"
    assert dame.exists(), "make peers makes it"
    done = bonnard(
        "match", f"dame=hub:{dame} hub", "ours=builtin", "--games", "2", "--clock", "1s+0.02s", "--out",
        str(tmp_path / "out"), "--option", "dame.hash=16", "--option", "ours.clock=0.5s+0.02s",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    for game in stored(tmp_path / "out"):
        assert game.record.outcome.reason.value not in {"crash", "stall", "illegal move", "protocol fault"}
        clocks = dict(
            zip((game.record.white, game.record.black), map(str, game.record.controls), strict=True)
        )
        assert clocks == {"dame": "1s+0.02s", "ours": "0.5s+0.02s"}


def test_case_match_02_crash_stall_and_disconnect(tmp_path: Path) -> None:
    """Three endings that are not the same, and the match goes on after each."""
    deeds = dict(zip(case("MATCH-02")["expected"]["termination"], ("!kill", "!hang", "!close"), strict=True))
    for told, deed in deeds.items():
        file = tmp_path / "match.toml"
        spec = scripted("bad", {"go": [deed]}).removeprefix("bad=")
        file.write_text(
            "games = 2\nmove_time = 0.1\nstall = 0.3\n[openings]\nsource = 'start'\n"
            f"[[players]]\nname = 'bad'\nengine = {json.dumps(spec)}\n"
            f"[[players]]\nengine = {json.dumps(mover('good', 1))}\n"
        )
        out = tmp_path / deed.removeprefix("!")
        done = bonnard("match", "--config", str(file), "--out", str(out))
        assert done.returncode == 0, done.stderr
        assert [text[: len(told)] for text in terminations(out)] == [told, told]
        values = report(out)
        assert values["players"][1]["wins"] == 2
        assert values["players"][0]["faults"] == {told.partition(":")[0]: 2}


def test_case_match_06_what_was_told_to_be_over_is_in_the_files(tmp_path: Path) -> None:
    values = case("MATCH-06")["input"]
    out = tmp_path / "out"
    command = [
        "match", mover("A", 1), mover("B", 2), "--games", "40", "--move-time", "1", "--out", str(out),
        "--openings", endgames(tmp_path), "--concurrency", str(values["concurrency"]),
    ]  # fmt: skip
    ended = 0
    with start(*command, "--json") as process:
        assert process.stdout is not None
        for line in process.stdout:
            ended += json.loads(line)["event"] == "end"
            if ended == values["kill_after_games"]:
                process.send_signal(signal.SIGKILL)
                break
    games = list(read_pdn(out / "games.pdn"))
    assert len(games) >= case("MATCH-06")["expected"]["games_in_file_at_least"]
    assert sum(game.error is not None for game in games) == case("MATCH-06")["expected"]["parse_errors"]


def test_case_match_24_no_process_is_left(tmp_path: Path) -> None:
    mark = f"mark-{tmp_path.name}"
    children = tmp_path / "children"
    engine = tmp_path / "engine.py"
    engine.write_text(
        "import os, subprocess, sys\n"
        "sleep = [sys.executable, '-S', '-c', 'import time; time.sleep(3600)']\n"
        f"child = subprocess.Popen([*sleep, {mark!r}])\n"
        f"open({str(children)!r}, 'a').write(f'{{child.pid}}\\n')\n"
        f"os.execv(sys.executable, [sys.executable, {str(ENGINES / 'random_mover.py')!r}, '1', {mark!r}])\n"
    )
    done = bonnard(
        "match", f"A=hub:{sys.executable} {engine}", mover("B", 2, mark), "--games", "2", "--move-time", "1",
        "--openings", endgames(tmp_path), "--out", str(tmp_path / "out"),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert children.read_text().count("\n") == 1
    assert len(running(mark)) == case("MATCH-24")["expected"]["processes_left"]


async def killed_often(tmp_path: Path, kills: int, seed: int) -> None:
    """Kill a match of 40 games at random moments; what it leaves is the schedule of an undisturbed one."""
    chance = random.Random(seed)
    mark = f"mark-{tmp_path.name}"
    command = [
        "match", mover("A", 1, mark), mover("B", 2, mark), "--games", str(GAMES), "--move-time", "1",
        "--openings", endgames(tmp_path), "--order", "random", "--seed", "3", "--concurrency", "2",
    ]  # fmt: skip
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    done = bonnard(*command, "--out", str(whole))
    assert done.returncode == 0, done.stderr
    told = 0
    for _ in range(kills):
        lines = chance.randrange(1, 1 + 2 * len((whole / "games.pdn").read_text().split(".")) // (kills + 1))
        told += await trio.to_thread.run_sync(kill_after, lines, [*command, "--out", str(broken)])
        assert told <= len(stored(broken)) <= GAMES
    with trio.fail_after(10):  # the guard ends the engines of a killed runner within 2 seconds
        while running(mark):  # noqa: ASYNC110 - there is nothing to wait for but that they are gone
            await trio.sleep(0.05)
    done = bonnard(*command, "--out", str(broken))
    assert done.returncode == 0, done.stderr
    games = stored(broken)
    assert len(games) == GAMES
    assert plan(games) == plan(stored(whole))
    assert len(terminations(broken)) == GAMES
    rounds = Counter(game.tags["Round"] for game in read_pdn(broken / "games.pdn"))
    assert rounds == {str(number + 1): 1 for number in range(GAMES)}


async def test_killed_at_random_moments_a_match_goes_on(tmp_path: Path) -> None:
    await killed_often(tmp_path, kills=4, seed=1)


@pytest.mark.soak
async def test_killed_twenty_times_a_match_goes_on(tmp_path: Path) -> None:
    await killed_often(tmp_path, kills=20, seed=2)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_lets_the_games_in_progress_end(tmp_path: Path, number: signal.Signals) -> None:
    command = [
        "match", mover("A", 1), mover("B", 2), "--games", "1000", "--move-time", "1", "--out",
        str(tmp_path / "out"), "--openings", endgames(tmp_path), "--concurrency", "2",
    ]  # fmt: skip
    with start(*command, "--json") as process:
        assert process.stdout is not None
        events = []
        for line in process.stdout:
            events.append(json.loads(line))
            if len(events) == 20:
                process.send_signal(number)
    began = {event["game"] for event in events if event["event"] == "begin"}
    ended = {event["game"] for event in events if event["event"] == "end"}
    assert began == ended
    assert events[-1]["ending"] == "drained"
    assert process.returncode == 1
    assert {game.number for game in stored(tmp_path / "out")} == ended


def test_a_match_goes_on_when_nobody_reads_its_lines(tmp_path: Path) -> None:
    command = [
        "match", mover("A", 1), mover("B", 2), "--games", "10", "--move-time", "1", "--out",
        str(tmp_path / "out"), "--openings", endgames(tmp_path), "--json",
    ]  # fmt: skip
    with start(*command) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.stdout.close()
    assert process.returncode == 0
    assert len(stored(tmp_path / "out")) == 10


def test_a_second_interrupt_aborts(tmp_path: Path) -> None:
    command = [
        "match", scripted("A", {"go": ["!hang"]}), scripted("B", {"go": ["!hang"]}), "--games", "2",
        "--clock", "10m", "--out", str(tmp_path / "out"), "--openings", "start",
    ]  # fmt: skip
    with start(*command, "--json") as process:
        assert process.stdout is not None
        events = []
        for line in process.stdout:
            events.append(json.loads(line))
            if events[-1]["event"] in {"begin", "draining"}:
                process.send_signal(signal.SIGINT)
    assert events[-1]["ending"] == "aborted"
    assert process.returncode == 1
    assert stored(tmp_path / "out") == []


def test_an_engine_that_is_not_there_fails_at_once(tmp_path: Path) -> None:
    done = bonnard(
        "match", "A=hub:/nowhere/engine", mover("B", 1), "--games", "2", "--move-time", "1",
        "--out", str(tmp_path / "out"),
    )  # fmt: skip
    assert done.returncode == 1
    assert re.search(r"A does not start: .*nowhere", done.stderr)
    assert "Traceback" not in done.stderr


def test_a_changed_match_is_refused_with_the_difference(tmp_path: Path) -> None:
    common = [
        "match",
        mover("A", 1),
        mover("B", 2),
        "--openings",
        endgames(tmp_path),
        "--out",
        str(tmp_path / "out"),
    ]
    assert bonnard(*common, "--games", "2", "--move-time", "1").returncode == 0
    done = bonnard(*common, "--games", "2", "--move-time", "2")
    assert done.returncode == 2
    assert 'move-time=1", is "move-time=2"' in done.stderr
    done = bonnard(*common, "--games", "2", "--move-time", "1", "--name", "another")
    assert done.returncode == 0, done.stderr
    assert len(terminations(tmp_path / "out")) == 4


def test_a_damaged_store_is_told_in_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Store.open(tmp_path / MATCH_FILE) as store:
        for number in range(20):
            store.record_game(store.begin_match("match", "match", {}), game_record(), number=number)
    damaged = (tmp_path / MATCH_FILE).read_bytes()
    (tmp_path / MATCH_FILE).write_bytes(damaged[:4096] + bytes(len(damaged) - 4096))
    for command in (
        ["report", str(tmp_path)],
        ["match", "a=builtin", "b=builtin", "--depth", "1", "--out", str(tmp_path)],
    ):
        code = run(command)
        error = capsys.readouterr().err
        assert (code, error.count("\n")) == (1, 1)
        assert re.search(rf"{MATCH_FILE} (is damaged|cannot be used)", error), error


def test_reports_that_cannot_be_written_are_told(tmp_path: Path) -> None:
    out = tmp_path / "out"
    (out / "report.json.new").mkdir(parents=True)
    done = bonnard(
        "match", mover("A", 1), mover("B", 2), "--games", "2", "--depth", "1", "--out", str(out),
        "--openings", endgames(tmp_path),
    )  # fmt: skip
    assert done.returncode == 1
    assert "no reports can be written into" in done.stderr
    assert len(stored(out)) == 2


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["builtin"], "two players"),
        (["a=builtin", "b=builtin", "--margin", "-1"], "margin is a number of seconds from 0 to 60"),
        (["a=builtin", "b=builtin", "--margin", "nan"], "margin is a number of seconds from 0 to 60"),
        (["builtin", "builtin"], "two players are named Bonnard"),
        (["a=builtin", "b=nonsense"], "names no player"),
        (["a=builtin", "b=builtin", "--games", "3"], "even"),
        (["a=builtin", "b=builtin", "--depth", "3"], "one of --clock"),
        (["a=builtin", "b=builtin", "--sprt=5"], "ELO0,ELO1"),
        (["a=builtin", "b=builtin", "--openings", "nowhere"], "2ply, 3ply, start or a file"),
        (["a=builtin", "b=builtin", "--option", "c.threads=2"], "no player is named c"),
        (["a=builtin", "b=dxp:127.0.0.1:1"], "DXP carries minutes and moves"),
        (["--config", "match.toml"], "with --config only"),
        (["builtin", "b=builtin", "--option", "b.threads=65"], "b: threads is a whole number from 1 to 64"),
        (["builtin", "b=builtin", "--option", "b.tt-size=20000"], "tt-size is a number of MB from 1 to 16"),
        (["builtin", "b=builtin", "--option", "b.overhead=11"], "overhead is a number from 0 to 10"),
        (["builtin", "b=builtin", "--option", "b.contempt=3"], "there is no parameter 'contempt'"),
        (["builtin", "b=hub:x", "--option", "b.threads=1025"], "threads is a number from 1 to 1024"),
        (["builtin", "b=builtin", "--option", "b.nice=20"], "nice is a number from 0 to 19"),
        (["builtin", "b=builtin", "--games", "1000002"], "games is a number of games from 2 to 1000000"),
        (["builtin", "b=builtin", "--concurrency", "1001"], "games at once from 1 to 1000"),
        (["builtin", "b=builtin", "--concurrency", "0"], "games at once from 1 to 1000"),
    ],
)
def test_wrong_use_is_one_line_and_exit_code_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], told: str
) -> None:
    code = run(["match", *arguments, "--move-time", "1", "--out", str(tmp_path / "out")])
    error = capsys.readouterr().err
    assert (code, told in error, error.count("\n")) == (2, True, 1), error
    assert not (tmp_path / "out").exists()


def test_report_while_the_match_runs(tmp_path: Path) -> None:
    out = tmp_path / "out"
    command = [
        "match", mover("A", 1), mover("B", 2), "--games", "1000", "--move-time", "1", "--out", str(out),
        "--openings", endgames(tmp_path),
    ]  # fmt: skip
    with start(*command, "--json") as process:
        assert process.stdout is not None
        for line in process.stdout:
            if json.loads(line)["event"] == "end":
                break
        values = report(out)
        text = bonnard("report", str(out))
        process.kill()
    assert 1 <= int(str(values["games"])) < 1000
    assert values["planned"] == 1000
    assert text.returncode == 0
    assert "of 1000 games" in text.stdout


def test_report_of_nothing_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["report", str(tmp_path / "nowhere")]) == 2
    assert "no directory" in capsys.readouterr().err
    assert run(["report", str(tmp_path)]) == 1
    assert "no game store" in capsys.readouterr().err


def test_a_dxp_program_is_started_and_started_again(tmp_path: Path) -> None:
    """A program that the match owns plays over DXP; killed in a game, it is started on its port again."""
    port = free_port()
    out, file = tmp_path / "out", tmp_path / "match.toml"
    data = str(tmp_path / "data")
    served = shlex.join([*PROGRAM, "serve", "--port", str(port), "--move-time", "0.005", "--data", data])
    file.write_text(
        "games = 4\nclock = '1m/75'\n"
        f"[openings]\nsource = {json.dumps(endgames(tmp_path))}\n"
        f"[[players]]\nname = 'net'\nengine = 'dxp:127.0.0.1:{port}'\nrun = {json.dumps(served)}\n"
        f"[[players]]\nengine = {json.dumps(mover('good', 1))}\n"
    )
    with start("match", "--config", str(file), "--out", str(out), "--json") as process:
        assert process.stdout is not None
        events: list[dict[str, object]] = []
        killed: list[int] = []
        for line in process.stdout:
            events.append(json.loads(line))
            begun = [event["game"] for event in events if event["event"] == "begin"]
            # Once, and when both sides have moved: a game that has not begun is only asked for again.
            if not killed and begun[-1:] == [1] and events[-1]["event"] == "move" and events[-1]["ply"] > 1:
                killed = running(f"--port\0{port}")
                for served_by in killed:
                    os.kill(served_by, signal.SIGKILL)
    assert process.returncode == 0, events
    games = stored(out)
    assert [game.number for game in games] == [0, 1, 2, 3]
    reasons = [game.record.outcome.reason.value for game in games]
    assert reasons[1] == "disconnect"
    assert not {"disconnect", "crash", "stall", "protocol fault", "aborted"} & {*reasons[:1], *reasons[2:]}
    assert [event["player"] for event in events if event["event"] == "restart"] == ["net"]
    assert running(f"--port\0{port}") == []


def free_port() -> int:
    """Return a port that nobody listens at now."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port
