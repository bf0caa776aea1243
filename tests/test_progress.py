"""tournament.progress and tournament.live: what is told of a match, as lines, as JSON and as a table."""

import io
import json

import trio
from match_games import game_record, settings_of
from rich.console import Console
from trio.testing import MockClock

from rules.colour import Colour
from rules.game import Game, Reason
from tournament.events import Event, GameBegan, GameEnded, MatchBegan, MatchEnded, MoveMade, SprtState, Told
from tournament.live import LiveTable, move_text
from tournament.openings import Opening
from tournament.progress import JsonLines, PlainLines, Timer
from tournament.schedule import ScheduledGame
from tournament.standings import Standings
from tournament.summary import summarise

SPRT = SprtState(1.25, (-2.944, 2.944), None)


def a_match() -> list[Event]:
    """Return the events of a game of a match of four that had begun before."""
    standings = Standings()
    record = game_record(winner=Colour.WHITE, reason=Reason.CRASH, detail="signal 9", plies=2)
    standings.add(summarise(record, number=0, pair=0, opening="o", counted=True))
    began = MatchBegan(settings_of(games=4), 4, 1, standings)
    scheduled = ScheduledGame(1, 0, 0, "B", "A")
    played = game_record("B", "A", Colour.BLACK, Reason.NO_MOVE, plies=1)
    summary = summarise(played, number=1, pair=0, opening="o", counted=True)
    game = Game()
    game.push(played.plies[0].move)
    after = Standings()
    after.add(summarise(record, number=0, pair=0, opening="o", counted=True))
    after.add(summary)
    return [
        began,
        Told("warning", "", "too few cores"),
        GameBegan(0, scheduled, Opening("o", record.start)),
        MoveMade(0, game, played.plies[0]),
        GameEnded(0, scheduled, summary, after, SPRT),
        MatchEnded("drained", after, SPRT),
    ]


async def test_lines_of_text(autojump_clock: MockClock) -> None:
    lines: list[str] = []
    observer = PlainLines(lines.append)
    for event in a_match():
        observer(event)
        await trio.sleep(30)
    assert lines == [
        "match: A, B; 4 games, 1 played before, 1 at once; openings 2ply, seed 0",
        "warning: too few cores",
        "2/4  B - A 0-2  no move, 1 plies  A +2 =0 -0  Elo +inf  LLR 1.25 (-2.94, 2.94)  4:00 left",
        "drained: 2 of 4 games",
    ]


def test_lines_of_json() -> None:
    lines: list[str] = []
    observer = JsonLines(lines.append)
    for event in a_match():
        observer(event)
    events = [json.loads(line) for line in lines]
    assert [event["event"] for event in events] == ["match", "warning", "begin", "move", "end", "finish"]
    assert events[0]["players"] == ["A", "B"]
    assert events[3]["move"] == "31-26"
    assert (events[4]["game"], events[4]["result"], events[4]["reason"]) == (1, "0-2", "no move")
    assert events[4]["sprt"] == {"llr": 1.25, "bounds": [-2.944, 2.944], "decision": None}


async def test_the_table_in_the_terminal(autojump_clock: MockClock) -> None:
    console = Console(file=io.StringIO(), force_terminal=True, width=110)
    table = LiveTable(console)
    seen = []
    for event in a_match():
        table(event)
        with console.capture() as capture:
            console.print(table.render())
        seen.append(capture.get())
        await trio.sleep(2)
    assert "warning: too few cores" in seen[1]
    assert "31-26 +0.00/5" in seen[3]
    assert "+2 =0 -0" in seen[4]
    assert "31-26" not in seen[4]
    assert "LLR 1.25" in seen[5]
    assert "2/4" in seen[5]
    assert "drained" in seen[5]
    assert ("Opening" in seen[3], "Opening" in seen[5]) == (True, False)
    assert (" left" in seen[4], " left" in seen[5]) == (True, False)


async def test_the_table_is_not_drawn_at_every_move(autojump_clock: MockClock) -> None:
    output = io.StringIO()
    table = LiveTable(Console(file=output, force_terminal=True, width=110))
    events = a_match()
    for event in events[:3]:
        table(event)
    before = len(output.getvalue())
    for _ in range(100):
        table(events[3])
    assert len(output.getvalue()) == before
    await trio.sleep(1)
    table(events[3])
    assert len(output.getvalue()) > before


async def test_time_left(autojump_clock: MockClock) -> None:
    timer = Timer(planned=10, done=2)
    assert timer.left(2) is None
    await trio.sleep(60)
    assert timer.left(5) == 100
    assert timer.left(10) == 0


def test_a_move_as_text() -> None:
    ply = game_record(plies=3).plies[2]
    assert move_text(ply).endswith("+0.20/7 0:58")
    assert move_text(None) == ""
