"""tournament.runner: nothing lost, nothing doubled, whatever players do (cases MATCH-03 and 04)."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Literal

import attrs
import pytest
import trio
from known import case
from match_games import Mover, settings_of
from trio.testing import MockClock

from rules.game import Game, Reason
from tournament.archive import Archive
from tournament.conduct import Conduct
from tournament.events import (
    Event,
    GameBegan,
    GameEnded,
    MatchBegan,
    MatchEnded,
    MoveMade,
    Observer,
    Told,
)
from tournament.openings import Opening, load_openings, read_fens
from tournament.player import Answer, Fault, Player
from tournament.runner import Runner
from tournament.schedule import schedule
from tournament.settings import Entrant, FaultPolicies, MatchSettings, configuration
from tournament.spec import PlayerSpec, parse_spec
from tournament.sprt import Sprt
from tournament.statistics import Pairs

#: Games of some plies: kings that meet, with White or Black to move.
SHORT = read_fens("W:WK50,31:BK1,20\nB:WK45,32:BK6,19\nW:W28:B17,22,33")
CRASH = Fault("crash", "signal 9")


class Table:
    """A match in this process: its players, what it told, and the archive of each run."""

    def __init__(
        self,
        directory: Path,
        settings: MatchSettings,
        answers: Mapping[str, Callable[[Game], Answer | None]] | None = None,
        *,
        openings: Sequence[Opening] = SHORT,
        seconds: float = 0.0,
        make: Callable[[str], Mover | None] = lambda _: None,
    ) -> None:
        """Prepare a match; `make` gives the players that are no ordinary ones, by name."""
        self.directory = directory
        self.settings = settings
        self.openings = openings
        self.make = make
        self.answers = answers or {}
        self.seconds = seconds
        self.players: list[Mover] = []
        self.events: list[Event] = []
        self.conduct = Conduct(margin=settings.margin, stall=settings.stall)

    def create(self, _nursery: trio.Nursery, entrant: Entrant, _address: PlayerSpec) -> Player:
        """Return a player as the runner asks for it, and keep it to be looked at."""
        player = self.make(entrant.name)
        if player is None:
            player = Mover(entrant.name, self.seconds, self.answers.get(entrant.name))
        self.players.append(player)
        return player

    async def run(self, listen: Callable[[Runner, Event], None] | None = None) -> Runner:
        """Play one run; `listen` is called with each event and may steer the runner."""
        with Archive.open(
            self.directory, self.settings.name, configuration(self.settings, self.openings)
        ) as archive:
            runner: Runner

            def observe(event: Event) -> None:
                self.events.append(event)
                if listen is not None:
                    listen(runner, event)

            observer: Observer = observe
            runner = Runner(self.settings, self.openings, archive, self.create, self.conduct, observer)
            await runner.run()
            self.stored = list(archive.store.games(archive.match))
        return runner

    @property
    def counted(self) -> list[int | None]:
        """The numbers of the counted games, as they were stored."""
        return [game.number for game in self.stored if game.counted]


async def test_a_match_is_the_schedule(tmp_path: Path) -> None:
    table = Table(tmp_path, settings_of(games=6))
    runner = await table.run()
    assert runner.ending == "complete"
    assert table.counted == [0, 1, 2, 3, 4, 5]
    for game, planned in zip(table.stored, schedule(["A", "B"], 3, 6), strict=True):
        assert (game.record.white, game.record.black) == (planned.white, planned.black)
        assert game.record.start == table.openings[planned.opening].position
        assert game.opening == table.openings[planned.opening].name
    assert [type(event) for event in (table.events[0], table.events[-1])] == [MatchBegan, MatchEnded]
    moves = [event for event in table.events if isinstance(event, MoveMade)]
    assert len(moves) == sum(len(game.record.plies) for game in table.stored)


async def test_programs_are_kept_for_the_next_game_and_closed_at_the_end(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    table = Table(tmp_path, settings_of(games=20, concurrency=2), seconds=1.0)
    await table.run()
    assert len(table.players) == 4
    assert all(player.closed >= player.opened for player in table.players)


async def test_a_result_is_stored_before_the_slot_goes_on(tmp_path: Path, autojump_clock: MockClock) -> None:
    table = Table(tmp_path, settings_of(games=10, concurrency=2), seconds=1.0)
    last: dict[int, int] = {}

    def listen(runner: Runner, event: Event) -> None:
        if isinstance(event, GameBegan):
            if event.slot in last:
                assert last[event.slot] in runner.archive.store.finished(runner.archive.match)
            last[event.slot] = event.game.number

    await table.run(listen)
    assert sorted(number or 0 for number in table.counted) == list(range(10))


async def test_case_match_04_the_second_half_of_a_pair_comes_next(tmp_path: Path) -> None:
    row = case("MATCH-04")
    done = row["input"]["games_done"]
    table = Table(tmp_path, settings_of(games=row["input"]["games"]))

    def drain(runner: Runner, event: Event) -> None:
        if isinstance(event, GameEnded) and event.standings.games == done:
            runner.drain()

    runner = await table.run(drain)
    assert runner.ending == "drained"
    assert runner.standings.games == done
    assert 2 * runner.standings.pair_counts("A").number == row["expected"]["counted_before"]
    table.events.clear()
    runner = await table.run()
    began = [event.game.number for event in table.events if isinstance(event, GameBegan)]
    assert began[0] == int(row["expected"]["next_game"].split()[0])
    assert table.counted == list(range(row["expected"]["total_after"]))
    text = (tmp_path / "games.pdn").read_text()
    assert text.count("[Event ") == row["expected"]["pgn_games"]
    assert 2 * runner.standings.pair_counts("A").number == row["input"]["games"]


async def test_a_finished_match_has_nothing_left_to_play(tmp_path: Path) -> None:
    table = Table(tmp_path, settings_of(games=4))
    await table.run()
    table.players.clear()
    runner = await table.run()
    assert (runner.ending, table.players) == ("complete", [])
    assert runner.standings.games == 4


def crash_in(numbers: set[int]) -> Callable[[Game], Answer | None]:
    """Return answers that crash in the games of these numbers, counted over all games of the player."""
    game = -1

    def answer(position: Game) -> Answer | None:
        nonlocal game
        game += len(position.moves) < 2
        return CRASH if game in numbers else None

    return answer


async def test_case_match_03_more_crashes_than_slots(tmp_path: Path) -> None:
    row = case("MATCH-03")
    settings = settings_of(games=row["input"]["games"], concurrency=row["input"]["concurrency"])
    left = row["input"]["crashes"]

    def crash(game: Game) -> Answer | None:
        nonlocal left
        left -= len(game.moves) > 1
        return CRASH if left >= 0 and len(game.moves) > 1 else None

    table = Table(tmp_path, settings, {"B": crash})
    runner = await table.run()
    assert len(table.counted) == row["expected"]["games_finished"]
    assert runner.standings.faults == {"B": {Reason.CRASH: row["input"]["crashes"]}}
    running = [player for player in table.players if not player.closed]
    assert len(running) == row["expected"]["children_left"]
    assert len([event for event in table.events if isinstance(event, Told)]) == row["input"]["crashes"]


async def test_replay_plays_the_same_game_again(tmp_path: Path) -> None:
    table = Table(
        tmp_path, settings_of(games=4, faults=FaultPolicies(crash="replay")), {"B": crash_in({1, 2})}
    )
    runner = await table.run()
    assert [(game.number, game.counted) for game in table.stored] == [
        (0, True),
        (1, False),
        (1, False),
        (1, True),
        (2, True),
        (3, True),
    ]
    assert runner.standings.games == 4
    assert runner.standings.faults == {"B": {Reason.CRASH: 2}}
    assert (tmp_path / "games.pdn").read_text().count("[Event ") == 4


async def test_a_game_is_not_replayed_for_ever(tmp_path: Path) -> None:
    faults = FaultPolicies(crash="replay", replays=2)
    table = Table(tmp_path, settings_of(games=2, faults=faults), {"B": lambda _: CRASH})
    runner = await table.run()
    assert runner.ending == "complete"
    assert [(game.number, game.counted) for game in table.stored] == [
        (0, False),
        (0, False),
        (0, True),
        (1, False),
        (1, False),
        (1, True),
    ]


async def test_replays_are_counted_over_all_runs(tmp_path: Path) -> None:
    faults = FaultPolicies(crash="replay", replays=2)
    table = Table(tmp_path, settings_of(games=2, faults=faults), {"B": lambda _: CRASH})

    def drain(runner: Runner, event: Event) -> None:
        if isinstance(event, GameEnded):
            runner.drain()

    for _ in range(3):
        await table.run(drain)
    assert [(game.number, game.counted) for game in table.stored] == [(0, False), (0, False), (0, True)]


async def test_stop_ends_the_match_and_loses_nothing(tmp_path: Path) -> None:
    crashes = {1}
    table = Table(
        tmp_path, settings_of(games=4, faults=FaultPolicies(crash="stop")), {"B": crash_in(crashes)}
    )
    runner = await table.run()
    assert runner.ending == "stopped"
    assert runner.error == "game 1, B - A: crash, signal 9"
    crashes.clear()
    runner = await table.run()
    assert runner.ending == "complete"
    assert table.counted == [0, 1, 2, 3]


async def test_each_fault_has_its_policy(tmp_path: Path) -> None:
    faults = FaultPolicies(crash="stop", disconnect="forfeit")
    table = Table(tmp_path, settings_of(games=2, faults=faults), {"B": lambda _: Fault("disconnect", "EOF")})
    runner = await table.run()
    assert runner.ending == "complete"
    assert runner.standings.reasons == {Reason.DISCONNECT: 2}


async def test_a_program_that_does_not_start_ends_the_match(tmp_path: Path) -> None:
    class Broken(Mover):
        async def open(self) -> Fault | None:
            return Fault("crash", "no such file")

    table = Table(tmp_path, settings_of(games=4), make=lambda name: Broken(name) if name == "B" else None)
    runner = await table.run()
    assert (runner.ending, runner.error) == ("failed", "B does not start: no such file")
    assert table.counted == []
    assert all(player.closed for player in table.players)


async def test_a_program_that_must_be_restarted_is_waited_for(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    class Slow(Mover):
        """Crashes in its second game; its port is free again after a while."""

        attempts = 0

        async def open(self) -> Fault | None:
            Slow.attempts += 1
            return Fault("disconnect", "connection refused") if 1 < Slow.attempts < 8 else None

    crash = crash_in({1})
    table = Table(
        tmp_path, settings_of(games=4), make=lambda name: Slow(name, 0, crash) if name == "B" else None
    )
    runner = await table.run()
    assert runner.ending == "complete"
    assert table.counted == [0, 1, 2, 3]
    told = [event.kind for event in table.events if isinstance(event, Told)]
    assert told == ["restart", *["waiting"] * 6]


async def test_waiting_for_a_program_has_an_end(tmp_path: Path, autojump_clock: MockClock) -> None:
    class Gone(Mover):
        async def open(self) -> Fault | None:
            return Fault("disconnect", "connection refused")

    table = Table(tmp_path, settings_of(games=2, restart=5.0), make=Gone)
    began = trio.current_time()
    runner = await table.run()
    assert (runner.ending, runner.error) == ("failed", "A does not start: connection refused")
    assert 5 <= trio.current_time() - began < 7


async def test_a_drain_finishes_the_games_in_progress(tmp_path: Path, autojump_clock: MockClock) -> None:
    table = Table(tmp_path, settings_of(games=20, concurrency=3), seconds=1.0)

    def drain(runner: Runner, event: Event) -> None:
        if isinstance(event, MoveMade):
            runner.drain()

    runner = await table.run(drain)
    assert runner.ending == "drained"
    assert sorted(number or 0 for number in table.counted) == [0, 1, 2]


async def test_an_abort_ends_the_games_and_they_are_played_again(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    table = Table(tmp_path, settings_of(games=6, concurrency=2), seconds=1.0)

    def abort(runner: Runner, event: Event) -> None:
        if isinstance(event, MoveMade) and len(event.game.moves) == 3:
            runner.abort()

    runner = await table.run(abort)
    assert runner.ending == "aborted"
    assert table.counted == []
    assert {game.record.outcome.reason for game in table.stored} <= {Reason.ABORTED}
    runner = await table.run()
    assert runner.ending == "complete"
    assert sorted(number or 0 for number in table.counted) == [0, 1, 2, 3, 4, 5]
    assert runner.standings.faults == {}


async def test_an_abort_does_not_wait_for_players_that_do_not_leave(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    class Deaf(Mover):
        async def finish(self, *_args: object, **_more: object) -> Fault | None:
            await trio.sleep_forever()

    table = Table(tmp_path, settings_of(games=2), make=lambda name: Deaf(name, 1.0))
    began = trio.current_time()

    def abort(runner: Runner, event: Event) -> None:
        if isinstance(event, MoveMade) and not runner.draining:
            runner.abort()

    runner = await table.run(abort)
    assert runner.ending == "aborted"
    assert trio.current_time() - began < 30


async def test_a_decided_test_ends_the_match_and_stays_decided(tmp_path: Path) -> None:
    resign = {"B": lambda game: Fault("crash", "x") if len(game.moves) > 1 else None}
    settings = settings_of(games=200, sprt=Sprt(0, 200))
    table = Table(tmp_path, settings, resign)
    runner = await table.run()
    assert runner.ending == "sprt"
    ended = [event for event in table.events if isinstance(event, GameEnded)]
    assert ended[-1].sprt is not None
    assert ended[-1].sprt.decision == "H1 accepted"
    assert ended[-2].sprt is not None
    assert ended[-2].sprt.decision is None
    played = runner.standings.games
    assert played < 200
    assert runner.standings.pair_counts("A", "B") == Pairs((0, 0, 0, 0, played // 2))
    runner = await table.run()
    assert (runner.ending, runner.standings.games) == ("sprt", played)


async def test_a_dxp_player_plays_one_game_at_a_time_at_each_address(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    busy: dict[int, int] = {}
    most = 0
    settings = settings_of(["A", "B", "C", "D"], games=2, form="round-robin", concurrency=6)
    addresses = tuple(attrs.evolve(parse_spec(f"dxp:127.0.0.1:{port}"), name="A") for port in (1, 2))
    entrant = attrs.evolve(settings.players[0], addresses=addresses)
    table = Table(tmp_path, attrs.evolve(settings, players=(entrant, *settings.players[1:])), seconds=1.0)

    def count(_runner: Runner, event: Event) -> None:
        nonlocal most
        if isinstance(event, GameBegan):
            busy[event.slot] = "A" in {event.game.white, event.game.black}
        elif isinstance(event, GameEnded):
            busy[event.slot] = False
        most = max(most, sum(busy.values()))

    await table.run(count)
    assert len(table.counted) == 12
    assert most == 2


async def test_a_changed_match_is_refused(tmp_path: Path) -> None:
    table = Table(tmp_path, settings_of(games=2))
    await table.run()
    table.settings = attrs.evolve(table.settings, margin=1.0)
    with pytest.raises(Exception, match=r"margin was 0\.2, is 1\.0"):
        await table.run()
    table.settings = attrs.evolve(table.settings, margin=0.2, concurrency=3)
    await table.run()


async def test_a_match_can_be_extended_and_not_shortened(tmp_path: Path) -> None:
    """The schedule of more games begins with that of fewer: nothing is played again."""
    settings = settings_of(["A", "B", "C"], games=2, form="round-robin")
    table = Table(tmp_path, settings)
    await table.run()
    assert table.counted == list(range(6))
    table.settings = attrs.evolve(settings, games=4)
    await table.run()
    assert table.counted == list(range(12))
    long = schedule(["A", "B", "C"], len(SHORT), 4, form="round-robin")
    assert [(game.number, game.record.white) for game in table.stored] == [
        (game.number, game.white) for game in long
    ]
    table.settings = settings
    with pytest.raises(Exception, match="games was 4, is 2"):
        await table.run()


@pytest.mark.parametrize(
    ("crash", "told"), [("forfeit", [False, False, False, True]), ("replay", [False] * 4)]
)
async def test_players_are_told_when_no_game_follows(
    tmp_path: Path, crash: Literal["forfeit", "replay"], told: list[bool]
) -> None:
    """DXP's GAMEEND says whether another game follows; a game that may be replayed is not the last."""
    settings = settings_of(games=4, faults=FaultPolicies(crash=crash))
    table = Table(tmp_path, settings)
    await table.run()
    assert [player.lasts for player in table.players] == [told, told]


async def test_a_round_robin_from_the_usual_openings(tmp_path: Path) -> None:
    openings = load_openings("2ply")[:2]
    settings = settings_of(["A", "B", "C"], games=2, form="round-robin", concurrency=2)
    table = Table(tmp_path, settings, openings=openings)
    runner = await table.run()
    assert len(table.counted) == 6
    assert runner.standings.tally("A").games == 4
    assert runner.standings.half_pairs == 0


async def test_programs_of_a_game_that_cannot_be_stored_are_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object, **__: object) -> None:
        await trio.lowlevel.checkpoint()
        raise OSError("no space left")

    monkeypatch.setattr(Archive, "write", fail)
    table = Table(tmp_path, settings_of(games=4))
    runner = await table.run()
    assert (runner.ending, runner.error) == ("failed", "no space left")
    assert [player.closed for player in table.players] == [1, 1]


async def test_a_program_is_ended_when_its_opponent_does_not_start(tmp_path: Path) -> None:
    class Absent(Mover):
        async def open(self) -> Fault | None:
            return CRASH

    table = Table(tmp_path, settings_of(games=2), make=lambda name: Absent(name) if name == "B" else None)
    runner = await table.run()
    assert runner.ending == "failed"
    assert {player.name: player.closed for player in table.players} == {"A": 1, "B": 1}
