"""The referee: whose word counts, what ends a game, whose clock runs.

The right answers are those of DESIGN 5 and of the match and DXP cases.
"""

import itertools

import attrs
import pytest
import trio
from actors import Actor, first_move, scored

from rules.clock import TimeControl
from rules.colour import Colour
from rules.fen import parse_fen
from rules.game import Game, Outcome, Reason
from rules.move import Move
from rules.position import Position
from tournament.conduct import Adjudication, Conduct, Terms, Verdict
from tournament.player import DrawClaim, Fault, Leave, Notice, Played, Resign, TakeBack, WinClaim
from tournament.record import GameRecord
from tournament.referee import MOST_REMARKS, play_game

MATCH = Conduct()
SERVE = Conduct(flag="remarked", unproven="aborted", agreeing="opponent")
FIVE_MINUTES = TimeControl.parse("5m")


async def played(
    white: Actor,
    black: Actor,
    conduct: Conduct = MATCH,
    *,
    fen: str = "",
    control: TimeControl = FIVE_MINUTES,
    move_limit: int | None = 60,
    stop: trio.Event | None = None,
) -> GameRecord:
    """Play a game, by default of 60 moves a side at most."""
    start = parse_fen(fen) if fen else Position.start()
    return await play_game(white, black, Terms(start, (control, control), move_limit), conduct, stop=stop)


def ending(record: GameRecord) -> tuple[str, str]:
    """Return result and reason."""
    return record.outcome.result, record.outcome.reason.value


async def test_a_game_is_recorded_as_it_was_played(autojump_clock: trio.testing.MockClock) -> None:
    white = Actor("A", [scored("32-28", 0.1), "28x19", Resign()], delay=2.0)
    black = Actor("B", ["19-23", "14x23"], delay=3.0)
    record = await played(white, black, move_limit=None)
    assert (record.white, record.black) == ("A", "B")
    assert [ply.move.hub for ply in record.plies][:2] == ["32-28", "19-23"]
    assert record.plies[0].score == 0.1
    assert record.plies[0].depth == 9
    assert [ply.seconds for ply in record.plies][1:3] == [3.0, 2.0]
    assert record.start == Position.start()
    assert ("begin", "WHITE") in white.heard
    assert ("begin", "BLACK") in black.heard


@pytest.mark.parametrize(
    ("answer", "conduct", "expected"),
    [
        (Resign(), MATCH, ("0-2", "resign")),
        (Resign(), SERVE, ("0-2", "resign")),
        (Leave(), MATCH, ("0-2", "protocol fault")),
        (Leave(), SERVE, ("*", "aborted")),
        (WinClaim(), MATCH, ("0-2", "protocol fault")),
        (WinClaim(), SERVE, ("*", "aborted")),
        (DrawClaim(), MATCH, ("0-2", "protocol fault")),
        (DrawClaim(), SERVE, ("*", "aborted")),
        (Fault("crash", "signal 9"), MATCH, ("0-2", "crash")),
        (Fault("disconnect", "closed"), MATCH, ("0-2", "disconnect")),
        (Fault("stall", "silent"), MATCH, ("0-2", "stall")),
        (Fault("protocol", "nonsense"), MATCH, ("0-2", "protocol fault")),
    ],
)
async def test_what_white_says_instead_of_a_move(
    answer: object, conduct: Conduct, expected: tuple[str, str]
) -> None:
    record = await played(Actor("A", ["32-28", answer]), Actor("B", ["19-23"]), conduct)
    assert ending(record) == expected
    assert len(record.plies) == 2


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (Resign(), ("2-0", "resign")),
        (Leave(), ("2-0", "protocol fault")),
        (Fault("disconnect", "closed"), ("2-0", "disconnect")),
        (Fault("crash", "signal 11"), ("2-0", "crash")),
    ],
)
async def test_the_side_not_on_move_is_acted_on_at_once(
    answer: object, expected: tuple[str, str], autojump_clock: trio.testing.MockClock
) -> None:
    white = Actor("A", delay=100.0)
    black = Actor("B", notices=[(5.0, answer)])
    record = await played(white, black)
    assert ending(record) == expected
    assert trio.current_time() == pytest.approx(5.0)
    assert record.plies == ()


@pytest.mark.parametrize(
    ("white_score", "black_score", "conduct", "expected"),
    [
        (0.3, -0.3, MATCH, "agreement"),
        (0.31, 0.0, MATCH, "protocol fault"),
        (0.0, 0.4, MATCH, "protocol fault"),
        (2.0, 0.2, SERVE, "agreement"),  # only ours, black's, counts in serve
        (0.0, -0.5, SERVE, "aborted"),
    ],
)
async def test_a_claimed_draw_needs_level_scores(
    white_score: float, black_score: float, conduct: Conduct, expected: str
) -> None:
    white = Actor("A", [first_move(white_score), DrawClaim()])
    black = Actor("B", [first_move(black_score)])
    record = await played(white, black, conduct)
    assert record.outcome.reason.value == expected


async def test_a_claimed_draw_without_any_score_is_not_agreed() -> None:
    record = await played(Actor("A", ["32-28", DrawClaim()]), Actor("B", ["19-23"]), SERVE)
    assert ending(record) == ("*", "aborted")
    assert "nothing bears out" in record.detail


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (Leave(), "black ended the game without saying how it stands (GAMEEND 0)"),
        (DrawClaim(), "black claimed a draw (GAMEEND 2), which nothing bears out"),
        (WinClaim(), "black claimed a win (GAMEEND 3), which nothing bears out"),
    ],
)
async def test_an_ending_without_grounds_is_told_as_it_was_received(said: Notice, told: str) -> None:
    record = await played(Actor("A", ["32-28"]), Actor("B", [said]), SERVE)
    assert (ending(record), record.detail) == (("*", "aborted"), told)
    record = await played(Actor("A", ["32-28"]), Actor("B", [said]))
    assert (ending(record), record.detail) == (("2-0", "protocol fault"), told)


async def test_the_record_of_a_game_that_is_cancelled_is_handed_over(
    autojump_clock: trio.testing.MockClock,
) -> None:
    kept: list[GameRecord] = []

    async def keep(record: GameRecord) -> None:
        await trio.sleep(1)  # is not cancelled
        kept.append(record)

    terms = Terms(Position.start(), (TimeControl.parse("5m"),) * 2)
    with trio.move_on_after(25):
        await play_game(Actor("A", delay=10), Actor("B", delay=10), terms, MATCH, on_cut_off=keep)
    (record,) = kept
    assert (ending(record), len(record.plies)) == (("*", "aborted"), 2)
    assert record.detail == "the game was cut off"


async def test_a_game_cancelled_in_its_farewell_keeps_its_result(
    autojump_clock: trio.testing.MockClock,
) -> None:
    class Slow(Actor):
        async def finish(self, game: Game, outcome: Outcome, *, last: bool = False) -> Fault | None:
            await trio.sleep_forever()

    kept: list[GameRecord] = []

    async def keep(record: GameRecord) -> None:
        kept.append(record)

    terms = Terms(Position.start(), (TimeControl.parse("5m"),) * 2)
    with trio.move_on_after(5):
        await play_game(Slow("A", [Resign()]), Actor("B"), terms, MATCH, on_cut_off=keep)
    assert [ending(record) for record in kept] == [("0-2", "resign")]


def knows(value: str, plies: int | None = None) -> Conduct:
    """Return a conduct whose bitbase always says the same."""
    return attrs.evolve(MATCH, probe=lambda _position: Verdict(value, plies))


@pytest.mark.parametrize(
    ("claim", "conduct", "expected"),
    [
        (DrawClaim(), knows("draw"), ("1-1", "adjudication bitbase")),
        (DrawClaim(), knows("win", 5), ("0-2", "protocol fault")),
        (WinClaim(), knows("win", 5), ("2-0", "adjudication bitbase")),
        (WinClaim(), knows("win", 10), ("2-0", "adjudication bitbase")),
        (
            WinClaim(),
            knows("win", 11),
            ("0-2", "protocol fault"),
        ),  # the 5-move rule draws first: 10 plies are left
        (WinClaim(), knows("win"), ("0-2", "protocol fault")),  # a win of unknown length proves nothing
        (WinClaim(), knows("loss", 4), ("0-2", "protocol fault")),
    ],
)
async def test_claims_are_checked_by_the_bitbases(
    claim: object, conduct: Conduct, expected: tuple[str, str]
) -> None:
    record = await played(Actor("A", [claim]), Actor("B"), conduct, fen="W:WK1,K7:BK50")
    assert ending(record) == expected


async def test_the_bitbases_end_a_game_only_where_they_are_told_to() -> None:
    decides = attrs.evolve(knows("draw"), probe_decides=True)
    fen = "W:WK1,K2:BK50,K49"
    record = await played(Actor("A"), Actor("B"), decides, fen=fen)
    assert (ending(record), len(record.plies)) == (("1-1", "adjudication bitbase"), 0)
    record = await played(Actor("A", ["1-6"]), Actor("B", [Resign()]), knows("draw"), fen=fen)
    assert ending(record) == ("2-0", "resign")


async def test_an_illegal_move_loses() -> None:
    record = await played(Actor("A", [Played(Move(32, 21), 0.0, "32-21")]), Actor("B"), SERVE)
    assert ending(record) == ("0-2", "illegal move")
    assert "32-21" in record.detail


async def test_an_unreadable_move_loses() -> None:
    record = await played(Actor("A"), Actor("B", [Played(None, 0.0, "M00x")]), MATCH)
    assert ending(record) == ("2-0", "illegal move")
    assert "M00x" in record.detail


async def test_an_illegal_move_may_be_asked_for_again() -> None:
    retry = attrs.evolve(SERVE, on_illegal="retry")
    white = Actor("A", [Played(Move(32, 21), 1.5, "32-21"), "32-28", Resign()], accepts_refusal=True)
    record = await played(white, Actor("B"), retry)
    assert ("refused", "32-21") in white.heard
    assert ending(record) == ("0-2", "resign")
    assert record.plies[0].seconds == 1.5
    assert any("32-21" in remark for remark in record.remarks)


async def test_an_engine_that_cannot_be_asked_again_loses() -> None:
    retry = attrs.evolve(SERVE, on_illegal="retry")
    record = await played(Actor("A", [Played(None, 0.0, "0-0")]), Actor("B"), retry)
    assert ending(record) == ("0-2", "illegal move")


async def test_no_move_is_a_loss_and_nobody_is_asked() -> None:
    white = Actor("A")
    record = await played(white, Actor("B"), fen="B:W50:B")
    assert ending(record) == ("2-0", "no move")
    assert white.heard == []


async def test_repetition_ends_a_game() -> None:
    # MATCH-11: both sides shuffle; the start position stands for the third time after ply 8.
    white = Actor("A", ["50-45", "45-50"] * 4)
    black = Actor("B", ["1-6", "6-1"] * 4)
    record = await played(white, black, fen="W:WK50,31:BK1,20")
    assert (ending(record), len(record.plies)) == (("1-1", "repetition"), 8)


async def test_the_move_limit_is_moves_of_a_player() -> None:
    # DXP-14
    record = await played(Actor("A"), Actor("B"), move_limit=2)
    assert (record.outcome.reason, len(record.plies)) == (Reason.MOVE_LIMIT, 4)
    assert record.outcome.winner is None


async def test_the_bitbases_decide_at_the_move_limit() -> None:
    record = await played(
        Actor("A", ["1-6"]), Actor("B", ["50-45"]), knows("win", 3), fen="W:WK1,K7:BK50", move_limit=1
    )
    assert ending(record) == ("2-0", "adjudication bitbase")


async def test_time_runs_out(autojump_clock: trio.testing.MockClock) -> None:
    control = TimeControl.parse("10s")
    record = await played(Actor("A", delay=4.0), Actor("B", delay=3.0), control=control)
    # 4 + 4 of 10 s; the third 4 s overdraw them by more than the margin
    assert ending(record) == ("0-2", "time")
    assert len(record.plies) == 4
    assert [ply.clock for ply in record.plies] == [6.0, 7.0, 2.0, 4.0]


async def test_the_margin_forgives_and_an_overdrawn_clock_stands_at_zero() -> None:
    # MATCH-07: 10 s and 0.1 s a move, margin 0.2 s, 10.15 s used: no flag, and the bank sent is 0.
    control = TimeControl.parse("10s+0.1s")

    def late(game: object) -> Played:
        return Played(game.legal_moves()[0], 10.15)

    white = Actor("A", [late, Resign()])
    record = await played(white, Actor("B"), control=control)
    assert ending(record) == ("0-2", "resign")
    assert white.clocks[1].own.bank == 0
    assert white.clocks[1].own.allowance == pytest.approx(0.1)


async def test_serve_remarks_an_overdrawn_clock_and_plays_on() -> None:
    white = Actor("A", [lambda game: Played(game.legal_moves()[0], 11.0), Resign()])
    record = await played(white, Actor("B"), SERVE, control=TimeControl.parse("10s"))
    assert ending(record) == ("0-2", "resign")
    assert any("11.00 s of 10.20 s" in remark for remark in record.remarks)


async def test_a_silent_player_stalls(autojump_clock: trio.testing.MockClock) -> None:
    record = await played(Actor("A", delay=1000.0), Actor("B"), control=TimeControl.parse("10s"))
    assert ending(record) == ("0-2", "stall")
    assert trio.current_time() == pytest.approx(10 + MATCH.margin + MATCH.stall)


async def test_a_player_without_a_clock_stalls_too(autojump_clock: trio.testing.MockClock) -> None:
    record = await played(Actor("A", delay=10_000.0), Actor("B"), control=TimeControl(depth=3))
    assert ending(record) == ("0-2", "stall")
    assert trio.current_time() == pytest.approx(MATCH.untimed)


@pytest.mark.parametrize(("seconds", "expected"), [(3.1, "resign"), (3.3, "time")])
async def test_external_time_forfeits_at_three_times(seconds: float, expected: str) -> None:
    white = Actor("A", [lambda game: Played(game.legal_moves()[0], seconds), Resign()], external_time=True)
    record = await played(white, Actor("B"), control=TimeControl(move_time=1.0))
    assert record.outcome.reason.value == expected


async def test_scores_that_agree_end_a_game_after_the_last_such_move() -> None:
    # MATCH-23: three moves of both sides at 3.0 men or more; it ends after black's third.
    conduct = attrs.evolve(MATCH, adjudication=Adjudication(resign_score=3.0, resign_moves=3))
    white = Actor("A", [first_move(0.0), *map(first_move, (3.1, 3.2, 3.3))])
    black = Actor("B", [first_move(-1.0), *map(first_move, (-3.0, -3.5, -3.9))])
    record = await played(white, black, conduct)
    assert ending(record) == ("2-0", "adjudication score")
    assert len(record.plies) == 8


async def test_level_scores_end_a_game_from_a_move_on() -> None:
    conduct = attrs.evolve(MATCH, adjudication=Adjudication(draw_score=0.1, draw_moves=2, draw_from=5))
    level = itertools.repeat(first_move(0.05))
    record = await played(Actor("A", level), Actor("B", level), conduct)
    assert (ending(record), len(record.plies)) == (("1-1", "adjudication score"), 10)


async def test_scores_that_disagree_end_nothing() -> None:
    conduct = attrs.evolve(MATCH, adjudication=Adjudication(resign_score=3.0, resign_moves=1))
    record = await played(Actor("A", [first_move(5.0), Resign()]), Actor("B", [first_move(0.0)]), conduct)
    assert ending(record) == ("0-2", "resign")


async def test_a_crashed_engine_is_started_again_on_its_own_clock(
    autojump_clock: trio.testing.MockClock,
) -> None:
    conduct = attrs.evolve(SERVE, restarts=1)
    white = Actor("A", [Fault("crash", "signal 9"), "32-28", Resign()], delay=4.0, restartable=True)
    record = await played(white, Actor("B"), conduct, control=TimeControl.parse("60s"))
    assert white.heard.count("open") == 1
    assert record.plies[0].seconds == pytest.approx(8.0)
    assert record.plies[0].clock == pytest.approx(52.0)
    assert any("signal 9" in remark for remark in record.remarks)
    assert ending(record) == ("0-2", "resign")


async def test_an_engine_that_crashes_too_often_loses() -> None:
    conduct = attrs.evolve(SERVE, restarts=2)
    white = Actor("A", itertools.repeat(Fault("crash", "exit code 3")), restartable=True)
    record = await played(white, Actor("B"), conduct)
    assert (ending(record), white.heard.count("open")) == (("0-2", "crash"), 2)


async def test_an_engine_that_crashes_without_time_left_loses(autojump_clock: trio.testing.MockClock) -> None:
    conduct = attrs.evolve(SERVE, restarts=5)
    white = Actor("A", itertools.repeat(Fault("crash", "exit code 3")), delay=4.0, restartable=True)
    record = await played(white, Actor("B"), conduct, control=TimeControl.parse("10s"))
    assert (ending(record), white.heard.count("open")) == (("0-2", "crash"), 3)


async def test_an_engine_that_crashes_in_the_peers_time_is_started_again_meanwhile(
    autojump_clock: trio.testing.MockClock,
) -> None:
    conduct = attrs.evolve(SERVE, restarts=1)
    white = Actor("A", ["32-28", Resign()], delay=10.0)
    black = Actor("B", notices=[(1.0, Fault("crash", "signal 9"))], restartable=True)
    record = await played(white, black, conduct)
    assert black.heard.count("open") == 1
    assert record.plies[0].seconds == 10.0
    assert ending(record) == ("0-2", "resign")


class SlowStarter(Actor):
    """An actor that needs five seconds to be started."""

    async def open(self) -> Fault | None:
        """Note it, and take that long."""
        await super().open()
        await trio.sleep(5.0)
        return None


async def test_a_start_that_the_opponents_move_cuts_short_does_not_count(
    autojump_clock: trio.testing.MockClock,
) -> None:
    conduct = attrs.evolve(SERVE, restarts=1)
    white = Actor("A", ["32-28", Resign()], delay=10.0)
    steps = [Fault("crash", "the engine is not running"), "19-23"]
    black = SlowStarter("B", steps, notices=[(8.0, Fault("crash", "signal 9"))], restartable=True)
    record = await played(white, black, conduct)
    assert black.heard.count("open") == 2
    assert [ply.move.short for ply in record.plies] == ["32-28", "19-23"]
    assert record.plies[1].seconds == pytest.approx(5.0)
    assert ending(record) == ("0-2", "resign")


async def test_a_peer_cannot_fill_the_record_with_remarks() -> None:
    conduct = attrs.evolve(SERVE, on_illegal="retry")
    steps = [*itertools.repeat(Played(None, 0.0, "99-99"), 10 * MOST_REMARKS), Resign()]
    record = await played(Actor("A", steps, accepts_refusal=True), Actor("B"), conduct)
    assert len(record.remarks) == MOST_REMARKS
    assert ending(record) == ("0-2", "resign")


async def test_stopping_records_an_aborted_game(autojump_clock: trio.testing.MockClock) -> None:
    stop = trio.Event()
    white, black = Actor("A", delay=10.0), Actor("B", delay=1.0)
    records = []

    async def play() -> None:
        records.append(await played(white, black, stop=stop))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(play)
        await trio.sleep(15.0)
        stop.set()
    assert ending(records[0]) == ("*", "aborted")
    assert len(records[0].plies) == 2
    assert ("finish", 2, "aborted", True) in white.heard
    assert ("finish", 2, "aborted", True) in black.heard


@pytest.mark.parametrize("granted", [True, False])
async def test_moves_are_taken_back_only_where_that_is_allowed(
    granted: bool,
    autojump_clock: trio.testing.MockClock,
) -> None:
    conduct = attrs.evolve(SERVE, take_back=granted)
    white = Actor("A", ["32-28", TakeBack(0), first_move(0.0), Resign()], delay=2.0)
    record = await played(white, Actor("B", ["20-25"], delay=1.0), conduct)
    assert ("take back", granted) in white.heard
    moves = [ply.move.hub for ply in record.plies]
    assert moves[0] == ("31-26" if granted else "32-28")
    assert any("took back" in remark for remark in record.remarks) is granted


@pytest.mark.parametrize("plies", [-1, 3, 1998])
async def test_a_position_that_never_was_is_not_gone_back_to(plies: int) -> None:
    conduct = attrs.evolve(SERVE, take_back=True)
    white = Actor("A", ["32-28", TakeBack(plies), Resign()])
    record = await played(white, Actor("B", ["19-23"]), conduct)
    assert ("take back", False) in white.heard
    assert len(record.plies) == 2


async def test_a_refused_take_back_out_of_turn_does_not_disturb_the_other(
    autojump_clock: trio.testing.MockClock,
) -> None:
    white = Actor("A", ["32-28", Resign()], delay=10.0)
    black = Actor("B", ["19-23"], notices=[(3.0, TakeBack(0))])
    record = await played(white, black, SERVE)
    assert ("take back", False) in black.heard
    assert len(white.clocks) == 2
    assert record.plies[0].seconds == 10.0


async def test_our_engine_is_ready_before_a_peer_is_told_that_the_game_is_on() -> None:
    order: list[str] = []

    @attrs.define(eq=False)
    class Noting(Actor):
        async def begin(self, setup: object) -> Fault | None:
            order.append(self.name)
            return self.begin_fault

    peer, engine = Noting("peer", [Resign()], remote=True), Noting("engine")
    await played(peer, engine)
    assert order == ["engine", "peer"]
    refusing = Noting("peer", remote=True, begin_fault=Fault("protocol", "the game was refused with code 2"))
    record = await played(refusing, engine)
    assert ending(record) == ("*", "aborted")
    assert "code 2" in record.detail
    assert ("finish", 0, "aborted", False) in engine.heard


async def test_an_engine_that_dies_before_the_game_loses_it() -> None:
    record = await played(Actor("A"), Actor("B", begin_fault=Fault("crash", "exit code 1")))
    assert ending(record) == ("2-0", "crash")


async def test_black_moves_first_where_the_position_says_so() -> None:
    white, black = Actor("A", [Resign()]), Actor("B", ["18-23"])
    record = await played(white, black, fen="B:W31-50:B1-20")
    assert record.plies[0].move.hub == "18-23"
    assert ending(record) == ("0-2", "resign")
    assert record.outcome.winner is Colour.BLACK
