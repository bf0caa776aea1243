"""Our engine as others see it: `bonnard hub`, and its front without a process."""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Self

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from known import case

from engine import bitbase
from engine.searcher import Search, SearchFaultError
from hub.codec import parse_line
from hub.dialect2 import Hub2
from hub.messages import Done, Identity, Info, Param
from hub.moves import read_move
from hub.options import PARAMS
from hub.serve import Front
from rules.fen import format_hub, parse_fen
from rules.game import Game

ROOT = Path(__file__).parent.parent
COMMAND = [sys.executable, "-P", "-m", "bonnard", "hub"]
START = f"pos pos={format_hub(Game().position)}"
SMALL = "set-param name=tt-size value=16"


class Talk:
    """A front whose lines are kept. Leaving the block ends its search."""

    def __init__(self) -> None:
        """Start before `hub`."""
        self.lines: list[str] = []
        self.front = Front(self.lines.append, "1.0")

    def __enter__(self) -> Self:
        """Make the table small, so that each test is quick."""
        self.say(SMALL)
        return self

    def __exit__(self, *_: object) -> None:
        """End the search."""
        self.front.finish()

    def say(self, *lines: str) -> list[str]:
        """Say lines, wait for the answer to a search that ends by itself, and return what came."""
        before = len(self.lines)
        for line in lines:
            assert self.front.handle(line)
        return self.lines[before:]

    def search(self, *lines: str) -> tuple[Done, list[Info]]:
        """Say lines that begin one search, wait for its end, and return its one answer and its progress."""
        before = len(self.lines)
        self.say(*lines)
        if self.front._search:
            self.front._search.result(10)
        told = [Hub2().read(line) for line in self.lines[before:]]
        (done,) = (message for message in told if isinstance(message, Done))
        assert isinstance(told[-1], Done)
        return done, [message for message in told if isinstance(message, Info)]


@pytest.fixture
def talk() -> Iterator[Talk]:
    """Return a front that has said nothing yet."""
    with Talk() as front:
        yield front


def fail(*_: object) -> None:
    """Stand for a part of the search that fails."""
    raise OverflowError("too many plies")


def dones(lines: list[str]) -> int:
    """Count the answers to searches."""
    return sum(parse_line(line).name == "done" for line in lines)


def test_it_introduces_itself(talk: Talk) -> None:
    first, *params, last = [Hub2().read(line) for line in talk.say("hub")]
    assert isinstance(first, Identity)
    assert first.name == "Bonnard"
    assert [param.name for param in params if isinstance(param, Param)] == [param.name for param in PARAMS]
    assert talk.lines[-1] == "wait"
    assert last
    assert talk.say("init") == ["ready"]
    assert talk.say("ping") == ["pong"]


def test_parameters_are_checked_and_kept(talk: Talk) -> None:
    assert talk.say("set-param name=threads value=2") == []
    (error,) = talk.say("set-param name=threads value=0")
    assert "threads" in parse_line(error).get("message")
    (error,) = talk.say("set-param value=3")
    assert "no parameter" in parse_line(error).get("message")
    assert "param name=threads value=2 type=int min=1 max=64" in talk.say("hub")


@pytest.mark.parametrize(
    "level",
    [
        "level depth=4",
        "level nodes=3000",
        "level move-time=0.05",
        "level move-time = 0,05",
        "level time=0.3",
        "level time=0",
        "level moves=10 time=1",
        "level moves=0 time=1 inc=0.05",
        "level time=0.1 inc=0.1",
        "level ponder depth=4 handicap=3 ply=7",
        "level depth=4 nodes=1e30 moves=1e308 time=1e300 inc=1e300 move-time=1e300",
        "level depth=4 moves=-1 time=-5 inc=-1 nodes=-3",
        "level depth=0",
        "level nodes=0",
    ],
)
def test_every_form_of_level_ends_with_one_done(talk: Talk, level: str) -> None:
    began = time.monotonic()
    done, infos = talk.search("init", START, level, "go think")
    assert time.monotonic() - began < 2
    move = read_move(done.move or "", Game().position)
    if done.ponder:
        assert read_move(done.ponder, Game().position.make(move))
    for info in infos:
        game = Game()
        for text in info.pv:
            game.push(read_move(text, game.position))


def test_mean_depth_is_where_variations_end(talk: Talk) -> None:
    _, infos = talk.search("init", START, "level depth=1", "go think")
    # Nine quiet moves and nothing to capture: every variation of the first iteration ends at its first ply.
    assert [info.mean_depth for info in infos] == [1.0]


def test_limits_are_obeyed(talk: Talk) -> None:
    _, infos = talk.search(START, "level depth=5", "go think")
    assert infos[-1].depth == 5
    assert infos[-1].nodes
    assert infos[-1].score is not None
    _, infos = talk.search("new-game", START, "level nodes=5000", "go think")
    assert (infos[-1].nodes or 0) < 20_000


@pytest.mark.parametrize("form", ["a", "b"])
def test_case_position_alone_or_with_its_moves(talk: Talk, form: str) -> None:
    known = case("HUB-05")
    game = Game()
    for text in known["input"]["game"]:
        game.play(text)
    line = known["expected"][form].replace("<51 chars after ply 5>", format_hub(game.position))
    done, _ = talk.search(line, "level depth=3", "go think")
    assert game.position.is_legal(read_move(done.move or "", game.position))


def test_captured_squares_come_in_any_order_or_not_at_all(talk: Talk) -> None:
    position = parse_fen(case("HUB-04")["input"]["fen"])
    assert talk.say(f'pos pos={format_hub(position)} moves="4x15x37x20x13"') == []
    assert talk.say(f'{START} moves="32-28 19-23 28x19"') == []
    (error,) = talk.say(f'pos pos={format_hub(position)} moves="4x15"')
    assert "ambiguous" in parse_line(error).get("message")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("pos pos=X", "bad position"),
        ('pos pos=""x', ""),
        ("pos pos=W" + "w" * 50, "bad position"),
        ("pos pos=W" + "e" * 49, "bad position"),
        (f'{START} moves="46-1"', "illegal move"),
        (f'{START} moves="hello"', "illegal move"),
        ("level depth=x", "depth"),
        ("level time=nan", "time"),
        ("set-param name=variant value=frisian", "variant"),
    ],
)
def test_faults_are_named_and_a_search_still_answers(talk: Talk, line: str, message: str) -> None:
    lines = talk.say(line)
    assert [message in parse_line(line).get("message") for line in lines] == [True] * bool(message)
    done, _ = talk.search("level depth=2", "go think")
    assert done.move


@pytest.mark.parametrize("fen", ["W:W16:B7,11", case("HUB-12")["input"]["fen"], "W:W:B1"])
@pytest.mark.parametrize("mode", ["think", "ponder", "analyze"])
def test_a_finished_position_is_answered_by_a_bare_done(talk: Talk, fen: str, mode: str) -> None:
    game = Game(parse_fen(fen))
    assert game.legal_moves() == []
    assert talk.say(f"pos pos={format_hub(game.position)}", "level infinite", f"go {mode}") == ["done"]
    assert talk.say("stop", "ponder-hit", "ping") == ["pong"]


@pytest.mark.parametrize("go", ["go think", "go analyze", "go ponder", "go"])
def test_an_endless_search_answers_ping_and_ends_with_stop(talk: Talk, go: str) -> None:
    talk.say(START, "level infinite", go)
    assert "pong" in talk.say("ping")
    assert dones(talk.lines) == 0
    done, _ = talk.search("stop")
    assert done.move
    talk.say("stop", "stop")
    assert dones(talk.lines) == 1


def test_pondering_ends_after_the_hit_and_not_before(talk: Talk) -> None:
    talk.say(START, "level move-time=0.05", "go ponder")
    assert talk.front._search
    with pytest.raises(TimeoutError):
        talk.front._search.result(0.2)
    assert dones(talk.lines) == 0
    done, _ = talk.search("ponder-hit")
    assert done.move


@pytest.mark.parametrize("line", ["pos", "level depth=1", "go think", "new-game", "init", SMALL, "quit"])
def test_any_other_command_ends_a_search_first(talk: Talk, line: str) -> None:
    talk.say(START, "go analyze")
    talk.front.handle(line)
    answers = [text for text in talk.lines if parse_line(text).name in ("done", "ready")]
    assert parse_line(answers[0]).name == "done"
    assert answers[1:] in (["ready"], [])


@pytest.mark.parametrize("sizes", [("4",), ("4", "0"), ("0",), ("5", "3")])
def test_bitbases_can_be_switched_on_and_off(talk: Talk, sizes: tuple[str, ...]) -> None:
    for size in sizes:
        assert talk.say(f"set-param name=bb-size value={size}", "init") == ["ready"]
        assert bitbase.pieces() == (0 if size == "0" else 4)
    talk.say("set-param name=bb-size value=0", "init")


def test_a_fault_of_the_search_is_told_and_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    faults: list[Exception] = []
    lines: list[str] = []
    front = Front(lines.append, "1.0", faults.append)
    with monkeypatch.context() as patch:
        patch.setattr(Search, "_enough", fail)
        for line in (SMALL, START, "level time=60", "go think"):
            front.handle(line)
        assert front._search
        with pytest.raises(SearchFaultError):
            front._search.result(10)
    error, done = lines[-2:]
    assert parse_line(error).get("message") == "the engine failed: OverflowError: too many plies"
    assert read_move(parse_line(done).get("move"), Game().position)
    assert dones(lines) == 1
    assert [str(fault) for fault in faults] == ["too many plies"]
    front.handle("ping")
    front.finish()
    assert lines[-1] == "pong"


def test_a_process_with_a_fault_answers_and_ends() -> None:
    code = (
        "import sys, engine.searcher, hub.serve\n"
        "def fail(*_): raise OverflowError('too many plies')\n"
        "engine.searcher.Search._enough = fail\n"
        "sys.exit(hub.serve.main([], '1.0'))"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
    ) as process:
        assert process.stdin
        process.stdin.write(f"{SMALL}\n{START}\nlevel time=60\ngo think\n".encode())
        process.stdin.flush()
        assert process.wait(20) == 1
        assert process.stdout
        assert process.stderr
        said = process.stdout.read().decode().splitlines()
        error, done = said[-2:]
        assert "too many plies" in parse_line(error).get("message")
        assert read_move(parse_line(done).get("move"), Game().position)
        assert dones(said) == 1
        assert process.stderr.read().decode().splitlines()[-1] == "OverflowError: too many plies"


def test_a_fault_of_the_reader_is_told_before_the_end() -> None:
    code = (
        "import sys, hub.serve\n"
        "class Searcher:\n"
        "    def __init__(self, *_): raise OverflowError('too many plies')\n"
        "hub.serve.Searcher = Searcher\n"
        "sys.exit(hub.serve.main([], '1.0'))"
    )
    process = subprocess.run(
        [sys.executable, "-c", code], input=b"init\nping\n", capture_output=True, check=False, cwd=ROOT
    )
    assert process.returncode == 1
    (error,) = process.stdout.decode().splitlines()
    assert parse_line(error).get("message") == "the engine failed: OverflowError: too many plies"


def test_a_level_holds_for_one_search(talk: Talk) -> None:
    talk.search(START, "level depth=1", "go think")
    talk.say("go think")
    assert dones(talk.lines) == 1
    talk.say("stop")


COMMANDS = st.sampled_from(
    [
        *("hub", "init", "new-game", "pos", "pos pos=X", START, f'{START} moves="32-28 19-23"'),
        *("level depth=2", "level infinite", "level time=0 inc=0", "level depth=x"),
        *("go", "go think", "go ponder", "go analyze", "go go", "ponder-hit", "stop", "ping", "", "="),
        *(
            f"set-param name={setting}"
            for setting in ("threads value=2", "threads value=x", "tt-size value=17")
        ),
    ]
)
ANYTHING = st.text(max_size=30).filter(lambda text: parse_line(text).name != "quit")


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        COMMANDS | st.text(max_size=30).filter(lambda text: parse_line(text).name != "quit"), max_size=12
    )
)
def test_any_conversation_has_one_done_for_each_go(lines: list[str]) -> None:
    with Talk() as talk:
        talk.say(*lines)
        talk.front.finish()
        assert dones(talk.lines) == sum(parse_line(line).name == "go" for line in lines)
        assert talk.say("ping") == ["pong"]


def run(data: bytes, seconds: float = 20) -> list[str]:
    """Give a real process its whole input at once and return its lines; it must end well, and quietly."""
    process = subprocess.run(COMMAND, input=data, capture_output=True, timeout=seconds, check=False, cwd=ROOT)
    assert process.returncode == 0
    assert process.stderr == b""
    return process.stdout.decode().splitlines()


def test_a_conversation_with_a_process() -> None:
    lines = run(f"hub\ninit\n{START}\nlevel depth=3\ngo think\nquit\nping\n".encode())
    assert lines[0].startswith("id name=Bonnard")
    assert lines.index("wait") < lines.index("ready")
    assert parse_line(lines[-1]).name == "done"


def test_the_end_of_input_ends_a_search() -> None:
    began = time.monotonic()
    lines = run(b"init\npos\nlevel infinite\ngo analyze\n")
    assert time.monotonic() - began < 5
    assert dones(lines) == 1


def test_garbage_is_never_fatal() -> None:
    noise = random.Random(1).randbytes(20_000)
    lines = [
        b"go think",
        b"stop",
        noise,
        b"pos pos=" + b"W" * 200_000,
        b'pos moves="' + b"32-28 " * 40_000 + b'"',
    ]
    lines += [
        b"level depth=" + b"9" * 100_000,
        b"\xff\xfe\x00ping",
        b'pos pos="W',
        b"go think",
        b"stop",
        b"ping",
        b"half a li",
    ]
    said = run(b"\n".join(lines))
    assert said.count("pong") == 1
    assert dones(said) == 2


def test_a_game_that_no_draw_rule_ended_is_gone_on_with() -> None:
    """The search must not look for repetitions behind the moves that it keeps."""
    moves = " ".join(("46-41", "50-45", "41-46", "45-50") * 8000)
    position = format_hub(parse_fen("W:WK46:BK50"))
    (done,) = run(f'{SMALL}\npos pos={position} moves="{moves}"\nlevel nodes=1\ngo\n'.encode())[-1:]
    assert parse_line(done).get("move")


def test_what_is_complained_about_is_not_sent_back_whole() -> None:
    (line,) = run(b"set-param name=" + b"z" * 200_000 + b" value=1\n")
    assert line.startswith("error message=")
    assert len(line) < 300


@pytest.fixture
def _interrupts_are_obeyed() -> Iterator[None]:
    """Let children obey SIGINT, although the suite may run in the background of a shell, which ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("_interrupts_are_obeyed")
def test_an_interrupt_ends_a_search() -> None:
    with subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(b"pos\ngo analyze\nping\n")
        process.stdin.flush()
        while process.stdout.readline() != b"pong\n":
            pass
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 130
        assert dones(process.stdout.read().decode().splitlines()) == 1


def test_a_half_line_is_not_obeyed() -> None:
    assert run(b"ping\nping") == ["pong"]


def test_arguments_are_wrong_use() -> None:
    process = subprocess.run([*COMMAND, "--fast"], capture_output=True, text=True, check=False, cwd=ROOT)
    assert process.returncode == 2
    assert process.stderr.count("\n") == 1
    assert "--fast" in process.stderr


def test_nothing_slow_is_imported() -> None:
    code = (
        "import runpy, sys; sys.argv = ['bonnard', 'hub']\n"
        "try: runpy.run_module('bonnard', run_name='__main__')\n"
        "except SystemExit: print(*sys.modules)"
    )
    process = subprocess.run(
        [sys.executable, "-c", code],
        input="hub\ninit\n",
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    modules = set(process.stdout.splitlines()[-1].split())
    assert "hub.serve" in modules
    assert not modules & {"trio", "structlog", "cyclopts", "rich", "cattrs", "numpy", "asyncio"}


def test_it_is_ready_within_three_tenths_of_a_second() -> None:
    """Seconds of a processor, the best of five; the wall clock is for benchmarks."""

    def start() -> float:
        before = os.times()
        assert run(b"hub\ninit\nquit\n")[-1] == "ready"
        after = os.times()
        return after.children_user + after.children_system - before.children_user - before.children_system

    assert min(start() for _ in range(5)) < 0.3
