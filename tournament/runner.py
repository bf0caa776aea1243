"""Runs a match: games of the schedule to slots, each result stored before the slot's next game.

Nothing but the store is remembered between runs. What is stored and counted is subtracted from the
schedule, so after a crash, a kill or a drain the same settings go on with the right game.
"""

import sqlite3
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial

import attrs
import trio
from attrs import define, field

from rules.colour import Colour
from rules.game import Reason
from tournament.archive import Archive
from tournament.conduct import Conduct, Terms
from tournament.events import (
    Ending,
    GameBegan,
    GameEnded,
    MatchBegan,
    MatchEnded,
    MoveMade,
    Observer,
    SprtState,
    Told,
)
from tournament.openings import Opening
from tournament.player import Player
from tournament.pool import PlayerUnavailableError, Pool, Seat
from tournament.record import GameRecord
from tournament.referee import play_game
from tournament.report import judge
from tournament.schedule import ScheduledGame, schedule
from tournament.settings import Entrant, MatchSettings, Policy, free_slots
from tournament.spec import PlayerSpec
from tournament.standings import Standings
from tournament.store import StoreError
from tournament.summary import summarise

#: Seconds that players have to leave their games after an abort, before their programs are killed.
LEAVE = 10.0


@define
class Runner:
    """One run of a match: `run` plays until all is done or something ends it. Not to be used twice.

    `conduct` is the referee's; the runner sees to the faults. `archive` is open for writing.
    """

    settings: MatchSettings
    openings: Sequence[Opening]
    archive: Archive
    create: Callable[[trio.Nursery, Entrant, PlayerSpec], Player]
    conduct: Conduct
    observer: Observer
    standings: Standings = field(factory=Standings)
    ending: Ending = "complete"
    """Why the run ended, once it has."""
    error: str = ""
    """What made it end, when it "failed" or was "stopped"."""
    _pending: list[ScheduledGame] = field(factory=list)
    _replays: Counter[int] = field(factory=Counter)
    _busy: Counter[str] = field(factory=Counter)
    _changed: trio.Event = field(factory=trio.Event)
    _stop: trio.Event = field(factory=trio.Event)
    _draining: bool = False
    _sprt: SprtState | None = None

    async def run(self) -> Ending:
        """Play what is not played yet; return why the run ended."""
        settings = self.settings
        self._look_back()
        slots, fewer = free_slots(settings)
        planned = len(self._pending) + self.standings.games
        self.observer(MatchBegan(settings, planned, slots, self.standings))
        if fewer:
            self.observer(Told("warning", "", f"{slots} games at once, not {settings.concurrency}: {fewer}"))
        self._decide()
        async with trio.open_nursery() as programs:
            pool = Pool(partial(self.create, programs), 2 * slots, settings.restart, self.observer)
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._limit_leaving, programs.cancel_scope)
                async with trio.open_nursery() as games:
                    for slot in range(slots):
                        games.start_soon(self._work, slot, pool)
                nursery.cancel_scope.cancel()
            await pool.close()
            programs.cancel_scope.cancel()
        self.observer(MatchEnded(self.ending, self.standings, self._sprt))
        return self.ending

    def drain(self, ending: Ending = "drained") -> None:
        """Begin no more games; those in progress are played to their end."""
        if not self._draining:
            self._draining = True
            self.ending = ending
            self.observer(Told("draining", "", ending))
        self._wake()

    def abort(self) -> None:
        """End the games in progress at once; they will be played anew by the next run."""
        self.drain()
        self.ending = "aborted"
        self.observer(Told("aborting", "", ""))
        self._stop.set()

    @property
    def draining(self) -> bool:
        """Whether no more games begin."""
        return self._draining

    def _look_back(self) -> None:
        """Read what is stored, in the order it was played, and keep of the schedule what is still open."""
        settings = self.settings
        for game in self.archive.store.summaries(self.archive.match):
            self.standings.add(game)
            if not game.counted and game.number is not None and game.reason is not Reason.ABORTED:
                self._replays[game.number] += 1
            self._judge()
        finished = self.archive.store.finished(self.archive.match)
        planned = schedule(
            [player.name for player in settings.players],
            len(self.openings),
            settings.games,
            form=settings.form,
            start=settings.start,
            order=settings.order,
            seed=settings.seed,
        )
        self._pending = [game for game in planned if game.number not in finished]

    async def _work(self, slot: int, pool: Pool) -> None:
        """Play games in one slot until there are none left for it."""
        while (game := await self._next()) is not None:
            try:
                await self._play(slot, game, pool)
            except (PlayerUnavailableError, StoreError, OSError, sqlite3.Error) as error:
                self._fail("failed", str(error))
            finally:
                for name in (game.white, game.black):
                    self._busy[name] -= 1
                self._wake()

    async def _next(self) -> ScheduledGame | None:
        """Return the first open game whose players are free, taking it; None when no more games begin."""
        while not self._draining and self._pending:
            for index, game in enumerate(self._pending):
                if self._is_free(game.white) and self._is_free(game.black):
                    self._busy.update((game.white, game.black))
                    return self._pending.pop(index)
            await self._changed.wait()
        return None

    def _is_free(self, name: str) -> bool:
        slots = self.settings.entrant(name).slots
        return slots is None or self._busy[name] < slots

    def _is_last(self, game: ScheduledGame) -> bool:
        """Whether neither player has another game, not even this one again."""
        again = "replay" in attrs.astuple(self.settings.faults)
        names = {game.white, game.black}
        return not again and all(names.isdisjoint((other.white, other.black)) for other in self._pending)

    def _wake(self) -> None:
        """Let waiting slots look again."""
        self._changed.set()
        self._changed = trio.Event()

    async def _play(self, slot: int, game: ScheduledGame, pool: Pool) -> None:
        """Play a game with programs of the pool; when it fails they are ended with it."""
        seats: list[Seat] = []
        try:
            for name in (game.white, game.black):
                seats.append(await pool.take(self.settings.entrant(name)))  # noqa: PERF401 - those taken so far
            record = await self._play_with(seats, slot, game)
        except BaseException:
            for seat in seats:
                await pool.let_go(seat)
            raise
        for seat, colour in zip(seats, Colour, strict=True):
            await pool.give_back(seat, usable=colour not in record.broken)

    async def _play_with(self, seats: Sequence[Seat], slot: int, game: ScheduledGame) -> GameRecord:
        """Play a game and store it."""
        white, black = seats
        opening = self.openings[game.opening]
        terms = Terms(
            opening.position,
            (white.entrant.control, black.entrant.control),
            self.settings.move_limit,
            last=self._is_last(game),
        )
        self.observer(GameBegan(slot, game, opening))
        record = await play_game(
            white.player,
            black.player,
            terms,
            self.conduct,
            stop=self._stop,
            on_ply=lambda position, ply: self.observer(MoveMade(slot, position, ply)),
        )
        record = attrs.evolve(record, white=game.white, black=game.black)
        await self._store(slot, game, opening, record)
        return record

    async def _store(self, slot: int, game: ScheduledGame, opening: Opening, record: GameRecord) -> None:
        """Store a game and act on it: replay, stop, or go on, and see whether the test has ended."""
        policy = self._policy(game, record)
        counted = policy is None or policy == "forfeit"
        await self.archive.write(game, opening.name, record, counted=counted)
        summary = summarise(record, number=game.number, pair=game.pair, opening=opening.name, counted=counted)
        self.standings.add(summary)
        self._judge()
        self.observer(GameEnded(slot, game, summary, self.standings, self._sprt))
        if policy == "replay":
            self._replays[game.number] += 1
            self._pending.insert(0, game)
        elif policy == "stop":
            self._fail("stopped", f"game {game.number}, {game.white} - {game.black}: {told(record)}")
        self._decide()

    def _policy(self, game: ScheduledGame, record: GameRecord) -> Policy | None:
        """Return what becomes of a game that did not end by the rules; None for one that did."""
        reason = record.outcome.reason
        if reason is Reason.ABORTED:
            if self._stop.is_set() or self._replays[game.number] >= self.settings.faults.replays:
                return "stop"
            return "replay"
        policy = self.settings.faults.of(reason)
        if policy == "replay" and self._replays[game.number] >= self.settings.faults.replays:
            return "forfeit"
        return policy

    def _fail(self, ending: Ending, error: str) -> None:
        """End the run for a reason that somebody must look at."""
        if not self._stop.is_set() and not self.error:
            self.error = error
            self._draining = False
            self.observer(Told("error", "", error))
            self.drain(ending)

    def _judge(self) -> None:
        """Bring the test up to date; what it decided first stands."""
        sprt = self.settings.sprt
        if sprt is None or (self._sprt is not None and self._sprt.decision is not None):
            return
        self._sprt = judge(sprt, self.standings, [player.name for player in self.settings.players])

    def _decide(self) -> None:
        """Begin no more games once the test has decided."""
        if self._sprt is not None and self._sprt.decision is not None:
            self.drain("sprt")

    async def _limit_leaving(self, programs: trio.CancelScope) -> None:
        """After an abort, kill the programs of players that do not leave their games."""
        await self._stop.wait()
        await trio.sleep(LEAVE)
        programs.cancel()


def told(record: GameRecord) -> str:
    """Return how a game ended in one clause: "crash, signal 9"."""
    return ", ".join(filter(None, (record.outcome.reason.value, record.detail)))
