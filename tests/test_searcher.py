"""The engine from Python: limits, stopping, pondering, several lines and threads, and the engine cases."""

import itertools
import random
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from known import cases
from strategies import random_game

from engine import bitbase_file
from engine.limits import Limits
from engine.searcher import Info, Result, Search, Searcher, SearchFaultError
from engine.slices import DEFAULT, SHORT, ask_for_slices
from rules.fen import parse_fen
from rules.game import Game

CASES = {case["id"]: case for case in cases("engine")}
FORCED = "B:W7,13,14,19,25,29,30,32,41,43,44:BK2"
LOST = "W:W6:B1"


@pytest.fixture(scope="module")
def searcher() -> Searcher:
    """One engine for the whole file: every test clears it."""
    return Searcher(tt_mb=16)


@pytest.fixture(autouse=True)
def _fresh(searcher: Searcher) -> Iterator[None]:
    searcher.new_game()
    yield
    bitbase_file.unload()


def test_depth_and_nodes_limit_the_search(searcher: Searcher) -> None:
    assert searcher.search(Game(), Limits(depth=6)).depth == 6
    searcher.new_game()
    assert searcher.search(Game(), Limits(nodes=7_000)).nodes == 7_000


def test_a_forced_move_is_played_at_once(searcher: Searcher) -> None:
    began = time.monotonic()
    for limits in (Limits(clock=600.0), Limits(move_time=30.0)):
        result = searcher.search(Game(parse_fen(FORCED)), limits)
        assert result.move is not None
        assert result.move.short == "2x20"
    assert time.monotonic() - began < 5.0


def test_a_lost_position_has_no_move(searcher: Searcher) -> None:
    result = searcher.start(Game(parse_fen(LOST)), Limits(endless=True)).result(timeout=10)
    assert (result.move, result.ponder, result.win_in) == (None, None, 0)


def test_a_move_time_is_kept(searcher: Searcher) -> None:
    result = searcher.search(Game(), Limits(move_time=0.3))
    assert 0.25 < result.time < 0.45
    assert result.variation[0] == result.move
    assert result.ponder == result.variation[1]


def test_an_endless_search_goes_on_until_it_is_stopped(searcher: Searcher) -> None:
    search = searcher.start(Game(parse_fen("W:W10:BK46")), Limits(endless=True))
    with pytest.raises(TimeoutError):
        search.result(timeout=0.2)
    search.stop()
    result = search.result(timeout=10)
    assert (result.score, result.win_in) == (99.97, 3)


def test_one_search_at_a_time(searcher: Searcher) -> None:
    search = searcher.start(Game(), Limits(endless=True))
    with pytest.raises(RuntimeError, match="searching"):
        searcher.start(Game(), Limits(depth=1))
    with pytest.raises(RuntimeError, match="searching"):
        searcher.new_game()
    search.stop()
    search.result(timeout=10)
    assert searcher.search(Game(), Limits(depth=1)).depth == 1


def test_pondering_waits_for_the_hit_however_little_time_there_is(searcher: Searcher) -> None:
    search = searcher.start(Game(), Limits(ponder=True, depth=2, clock=0.5))
    with pytest.raises(TimeoutError):
        search.result(timeout=0.2)
    search.ponder_hit()
    assert search.result(timeout=10).depth == 2


def test_after_a_hit_the_clock_runs(searcher: Searcher) -> None:
    search = searcher.start(Game(), Limits(ponder=True, clock=30.0, moves_left=30))
    with pytest.raises(TimeoutError):
        search.result(timeout=0.3)
    began = time.monotonic()
    search.ponder_hit()
    search.ponder_hit()  # without effect
    search.result(timeout=20)
    assert time.monotonic() - began < 6.0


def test_pondering_can_be_stopped(searcher: Searcher) -> None:
    search = searcher.start(Game(), Limits(ponder=True, clock=30.0))
    search.stop()
    assert search.result(timeout=10).move in Game().legal_moves()


def test_a_search_that_has_ended_does_not_stop_the_next(searcher: Searcher) -> None:
    over = searcher.start(Game(), Limits(ponder=True, depth=1))
    over.stop()
    over.result(timeout=10)
    search = searcher.start(Game(), Limits(depth=9))
    for _ in range(100):
        over.stop()
        over.ponder_hit()
    assert search.result(timeout=30).depth == 9


def test_progress_is_told_at_most_ten_times_a_second(searcher: Searcher) -> None:
    told: list[tuple[float, Info]] = []
    result = searcher.search(
        Game(), Limits(move_time=0.6), lambda info: told.append((time.monotonic(), info))
    )
    times = [moment for moment, _ in told]
    assert 2 <= len(told) <= 9
    assert all(later - earlier > 0.09 for earlier, later in itertools.pairwise(times[:-1]))
    last = told[-1][1]
    assert last.depth == result.depth
    assert last.speed > 0
    position = Game().position
    for move in last.variation:
        assert position.is_legal(move)
        position = position.make(move)


def test_several_lines_are_different_and_ordered(searcher: Searcher) -> None:
    told: list[Info] = []
    searcher.search(Game(), Limits(depth=7, lines=4), told.append)
    lines = told[-4:]
    assert [info.line for info in lines] == [1, 2, 3, 4]
    assert len({info.variation[0] for info in lines}) == 4
    scores = [info.score for info in lines]
    assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize("seed", [0, 9, 26, 29, 33, 35, 37])
def test_the_best_line_comes_first_and_is_played(searcher: Searcher, seed: int) -> None:
    """A line is searched without the moves of those before it, so that it may be found to be better."""
    game = random_game(random.Random(seed), 30)
    told: list[Info] = []
    result = searcher.search(game, Limits(depth=7, lines=5), told.append)
    last = told[max(number for number, info in enumerate(told) if info.line == 1) :]
    scores = [info.score for info in last]
    assert scores == sorted(scores, reverse=True)
    assert [info.line for info in last] == list(range(1, len(last) + 1))
    assert result.move == last[0].variation[0]


@pytest.mark.parametrize(
    "limits",
    [
        Limits(depth=4, nodes=10**30),
        Limits(depth=4, move_time=1e300),
        Limits(depth=4, clock=1e300),
        Limits(depth=4, clock=1.0, increment=1e300),
        Limits(depth=4, clock=1e12, moves_left=10**300),
    ],
)
def test_a_limit_beyond_all_measure_is_none(searcher: Searcher, limits: Limits) -> None:
    assert searcher.search(Game(), limits).depth == 4


def test_more_lines_than_moves(searcher: Searcher) -> None:
    told: list[Info] = []
    searcher.search(Game(parse_fen(FORCED)), Limits(depth=3, lines=9), told.append)
    assert {info.line for info in told} == {1}


def test_the_same_limits_give_the_same_search(searcher: Searcher) -> None:
    found = []
    for _ in range(2):
        searcher.new_game()
        result = searcher.search(Game(), Limits(depth=10))
        found.append((result.move, result.score, result.nodes, result.variation))
    assert found[0] == found[1]


def test_two_threads_find_what_one_finds() -> None:
    case = CASES["ENGINE-15"]
    pair = Searcher(threads=2, tt_mb=16)
    for _ in range(5):
        pair.new_game()
        result = pair.search(Game(parse_fen(case["input"]["fen"])), Limits(move_time=10))
        assert result.move is not None
        assert result.move.short in case["expected"]["best"]
        assert result.win_in is not None


class Broken:
    """A search thread's tree that fails."""

    def set_root(self, *_: object, **__: object) -> int:
        """Accept everything."""
        return 9

    def run(self, first: int, last: int) -> int:
        """Fail."""
        raise OverflowError(f"plies {first} to {last}")


def failing(part: str, patch: pytest.MonkeyPatch) -> Searcher:
    """Return an engine of two threads of which one part fails."""
    pair = Searcher(threads=2, tt_mb=1)

    def fail(*_: object) -> None:
        raise OverflowError(part)

    match part:
        case "helper":
            pair._trees[1] = Broken()  # type: ignore[call-overload]
        case "thread":
            start = threading.Thread.start
            patch.setattr(
                threading.Thread, "start", lambda self: start(self) if self.name == "search" else fail()
            )
        case method:
            patch.setattr(Search, method, fail)
    return pair


@pytest.mark.parametrize("part", ["_infos", "_enough", "_lines", "helper", "thread"])
@pytest.mark.parametrize("ponder", [False, True])
def test_a_fault_ends_the_search_with_a_legal_move_and_is_told(
    part: str, ponder: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers: list[Result] = []
    engine = failing(part, monkeypatch)
    search = engine.start(Game(), Limits(ponder=ponder, clock=600), lambda _: None, answers.append)
    if ponder:
        with pytest.raises(TimeoutError):
            search.result(0.2)
        search.ponder_hit()
        search.stop()
    with pytest.raises(SearchFaultError, match="OverflowError"):
        search.result(10)
    (answer,) = answers
    assert answer.move in Game().legal_moves()
    assert isinstance(answer.fault, OverflowError)
    monkeypatch.undo()
    engine._trees = engine._trees[:1]
    assert engine.search(Game(), Limits(depth=3)).fault is None


def test_a_fault_reaches_who_searches_in_a_thread_of_his_own(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = failing("helper", monkeypatch)
    with pytest.raises(SearchFaultError, match=r"the search failed: OverflowError: plies \d+ to 127"):
        engine.search(Game(), Limits(move_time=60))


def test_without_a_thread_there_is_no_search(searcher: Searcher, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", fail)
        with pytest.raises(RuntimeError, match="new thread"):
            searcher.start(Game(), Limits(depth=1))
    assert searcher.search(Game(), Limits(depth=1)).depth == 1


THREADS = Path("/proc/self/task")


def slices_of(thread: Path) -> int:
    """Return the slices of a thread of ours in nanoseconds, 0 where the system does not tell."""
    try:
        lines = (thread / "sched").read_text().splitlines()
    except FileNotFoundError:
        return 0
    return next((int(line.split(":")[1]) for line in lines if line.startswith("se.slice")), 0)


def test_short_slices_are_for_the_thread_that_asks_and_not_for_searching(searcher: Searcher) -> None:
    """Where the system knows no slices, to ask changes nothing."""
    own: list[int] = []
    others: list[int] = []

    def ask_and_search() -> None:
        before = set(THREADS.iterdir())
        this = THREADS / str(threading.get_native_id())
        own.append(slices_of(this))
        ask_for_slices(SHORT)
        own.append(slices_of(this))
        searched = threading.Event()
        search = searcher.start(Game(), Limits(endless=True), lambda _: searched.set())
        searched.wait(10)
        others.extend(slices_of(thread) for thread in set(THREADS.iterdir()) - before)
        search.stop()
        search.result(10)
        ask_for_slices(DEFAULT)
        own.append(slices_of(this))

    asking = threading.Thread(target=ask_and_search)
    asking.start()
    asking.join(30)
    default, short, after = own
    assert short in (SHORT * 1e9, default)
    assert after == default
    assert others == [default]


def test_threads_and_table_have_limits() -> None:
    with pytest.raises(ValueError, match="0 search threads: 1 to 64"):
        Searcher(threads=0)
    with pytest.raises(ValueError, match="at least 1"):
        Searcher(tt_mb=0)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_engine_case_without_bitbases(searcher: Searcher, case: dict[str, Any]) -> None:
    expected = case["expected"]
    # A draw is never proven: it is judged after as many nodes as a search makes in a second or so.
    limits = Limits(nodes=3_000_000) if expected.get("value") == "draw" else Limits(move_time=10)
    if case["id"] == "ENGINE-19":
        limits = Limits(nodes=1_000_000)
    game = Game(parse_fen(case["input"]["fen"]))
    result = searcher.search(game, limits)
    assert result.move in game.legal_moves()
    if "best" in expected:
        assert result.move is not None
        assert result.move.short in expected["best"]
    if expected.get("value") == "win":
        assert result.win_in is not None
        assert result.win_in > 0
        assert result.score == pytest.approx(100 - 0.01 * result.win_in)
        assert result.win_in == expected.get("plies", result.win_in)
    if "score_abs_below" in expected:
        assert abs(result.score) < expected["score_abs_below"]
    if "max_ms" in expected:
        assert result.time < expected["max_ms"] / 1000


def test_the_engine_needs_nothing_heavy() -> None:
    heavy = {"trio", "structlog", "cyclopts", "rich", "numpy"}
    code = f"import sys, engine.searcher; print(*sorted({heavy} & set(sys.modules)))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == ""
