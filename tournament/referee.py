"""The referee: one game from the first request for a move to its result and reason.

Only the referee owns a Game and the clocks. It asks the side on move and watches the other one all the time:
what either says, or that it is gone, is acted on at once. Who judges is `tournament.verdict`; this module
asks, times and records.
"""

import datetime as dt
from collections.abc import Awaitable, Callable

import attrs
import structlog
import trio

from rules.clock import Clock
from rules.colour import Colour
from rules.game import Game, Outcome, Reason
from tournament.conduct import Conduct, Terms
from tournament.player import Answer, Clocks, Fault, Played, Player, Setup, TakeBack
from tournament.record import GameRecord, Ply
from tournament.verdict import judge_by_bitbase, judge_by_score, judge_ending, judge_fault

MOST_REMARKS = 100
"""Remarks kept of a game: a peer may send illegal moves, or take moves back, all day."""

EXTERNAL_TIMES = 3
"""A player that limits itself forfeits at this many times its move time."""

TELL_AFTER = 0.001
"""Seconds after which a move is told to those who listen: by then the next request is on its way."""

log = structlog.get_logger()


@attrs.frozen
class _Said:
    """What a player said, and which."""

    colour: Colour
    answer: Answer


@attrs.frozen
class _End:
    """The end of the game; `detail` tells of the reason what the enumeration cannot."""

    outcome: Outcome
    detail: str = ""


_CUT_OFF = _End(Outcome(None, Reason.ABORTED), "the game was cut off")


async def play_game(
    white: Player,
    black: Player,
    terms: Terms,
    conduct: Conduct,
    *,
    stop: trio.Event | None = None,
    on_ply: Callable[[Game, Ply], None] | None = None,
    on_cut_off: Callable[[GameRecord], Awaitable[None]] | None = None,
) -> GameRecord:
    """Play one game between two open players, `begin` and `finish` included, and return its record.

    Never raises on account of a player. When `stop` is set the game ends at once as aborted, the players are
    told as far as their protocol allows, and the record is returned like any other. A game that is cancelled
    returns nothing: its record goes to `on_cut_off`, which is not cancelled, and must not take long.
    """
    stop = trio.Event() if stop is None else stop
    referee = _Referee((white, black), terms, conduct, stop, on_ply=on_ply, on_cut_off=on_cut_off)
    return await referee.run()


class _Referee:
    """One game under way."""

    def __init__(
        self,
        players: tuple[Player, Player],
        terms: Terms,
        conduct: Conduct,
        stop: trio.Event,
        *,
        on_ply: Callable[[Game, Ply], None] | None,
        on_cut_off: Callable[[GameRecord], Awaitable[None]] | None,
    ) -> None:
        self.players = players
        self.terms = terms
        self.conduct = conduct
        self.stop = stop
        self.on_ply = on_ply
        self.on_cut_off = on_cut_off
        self.started = dt.datetime.now(dt.UTC)
        self.game = Game(terms.start, conduct.draw_rules)
        self.clocks = [Clock.start(control, conduct.margin) for control in terms.controls]
        self.earlier_clocks: list[tuple[Clock, Clock]] = []
        self.plies: list[Ply] = []
        self.remarks: list[str] = []
        self.broken: set[Colour] = set()
        self.restarts = [0, 0]
        self.untold: Ply | None = None
        """The move that listeners have yet to hear of."""
        self.ended: _End | None = None
        """How the game ended, once it has."""
        self.spent = 0.0
        """Seconds that the move being made has cost so far in answers that did not count."""

    async def run(self) -> GameRecord:
        """Play the game."""
        complete = False
        try:
            await self._play()
            complete = True
        finally:
            if not complete and self.on_cut_off is not None:
                with trio.CancelScope(shield=True):
                    await self.on_cut_off(self._record())
        return self._record()

    async def _play(self) -> None:
        """Play the game, from the agreement of both players to their farewell."""
        self.ended = self._over() or await self._begin()
        if self.ended is None:
            while self.ended is None:
                self.ended = await self._ply()
            await self._finish(self.ended.outcome)

    def _record(self) -> GameRecord:
        """Return the record as it stands: of a game that has not ended, of one cut off."""
        end = self.ended or _CUT_OFF
        white, black = self.players
        return GameRecord(
            white=white.name,
            black=black.name,
            start=self.terms.start,
            plies=tuple(self.plies),
            outcome=end.outcome,
            detail=end.detail,
            controls=self.terms.controls,
            move_limit=self.terms.move_limit,
            started=self.started,
            finished=dt.datetime.now(dt.UTC),
            draw_rules=self.conduct.draw_rules,
            remarks=tuple(self.remarks),
            broken=frozenset(self.broken),
        )

    async def _begin(self) -> _End | None:
        """Agree with both players; those that may refuse or would start to think come last."""
        first = self.game.turn
        order = sorted(Colour, key=lambda colour: (self.players[colour].remote, colour is first))
        ready: list[Colour] = []
        for colour in order:
            fault = await self._begin_one(colour)
            if fault is not None:
                self.broken.add(colour)
                if fault.kind in {"crash", "stall"}:
                    end = _End(judge_fault(fault, colour), fault.detail)
                else:
                    end = _End(Outcome(None, Reason.ABORTED), fault.detail)
                for other in ready:
                    await self.players[other].finish(self.game, end.outcome, last=self.terms.last)
                return end
            ready.append(colour)
        return None

    async def _begin_one(self, colour: Colour) -> Fault | None:
        setup = Setup(
            start=self.terms.start,
            colour=colour,
            control=self.terms.controls[colour],
            opponent=self.players[colour.other].name,
            move_limit=self.terms.move_limit,
        )
        return await self.players[colour].begin(setup)

    async def _finish(self, outcome: Outcome) -> None:
        """End the game at both players at once; what goes wrong there changes nothing any more."""
        last = self.terms.last or self.stop.is_set()
        async with trio.open_nursery() as nursery:
            for colour in Colour:
                nursery.start_soon(self._finish_one, colour, outcome, last)

    async def _finish_one(self, colour: Colour, outcome: Outcome, last: bool) -> None:  # noqa: FBT001
        if colour in self.broken and not self.players[colour].remote:
            return  # it will be ended: waiting for its answer to `stop` would only cost time
        fault = await self.players[colour].finish(self.game, outcome, last=last)
        if fault is not None:
            self.broken.add(colour)
            self.remarks.append(f"{colour.name.lower()} after the game: {fault.kind}, {fault.detail}")

    async def _ply(self) -> _End | None:
        """Wait for the next thing that happens and act on it."""
        said = await self._listen()
        if isinstance(said, _End):
            return said
        match said.answer:
            case Played():
                return await self._played(said.colour, said.answer)
            case TakeBack():
                await self._take_back(said.colour, said.answer)
                return None
            case Fault():
                return await self._fault(said.colour, said.answer)
            case ending:
                return _End(*judge_ending(ending, said.colour, self.game, self.plies, self.conduct))

    async def _listen(self) -> _Said | _End:
        """Ask the side on move and watch the other; return what is to be acted on and cancel the rest."""
        turn = self.game.turn
        heard: dict[str, _Said | _End] = {}
        async with trio.open_nursery() as nursery:

            async def wait_stopped() -> None:
                await self.stop.wait()
                heard["stop"] = _End(Outcome(None, Reason.ABORTED), "the game was stopped")
                nursery.cancel_scope.cancel()

            async def watch() -> None:
                heard["other"] = await self._watch(turn.other)
                nursery.cancel_scope.cancel()

            async def ask() -> None:
                heard["turn"] = _Said(turn, await self._ask(turn))
                nursery.cancel_scope.cancel()

            async def tell() -> None:
                # A table to be drawn must not come between a move and the request to the other side.
                try:
                    await trio.sleep(TELL_AFTER)
                finally:
                    self._tell()

            nursery.start_soon(wait_stopped)
            nursery.start_soon(watch)
            nursery.start_soon(ask)
            if self.untold is not None:
                nursery.start_soon(tell)
        # When they coincide: what ends the game elsewhere was there before the move was.
        return heard.get("stop") or heard.get("other") or heard["turn"]

    async def _watch(self, colour: Colour) -> _Said | _End:
        """Watch the side that is not on move; what does not concern the other's thinking is settled here."""
        player = self.players[colour]
        while True:
            notice = await player.watch()
            if isinstance(notice, Fault):
                end = await self._fault(colour, notice)
                if end is not None:
                    return end
            elif isinstance(notice, TakeBack) and not self._grants(notice):
                await player.answer_take_back(granted=False)
            else:
                return _Said(colour, notice)

    async def _ask(self, colour: Colour) -> Answer:
        """Ask for a move, and give the player up when it has been silent for too long."""
        player = self.players[colour]
        asked = trio.current_time()
        own = attrs.evolve(self.clocks[colour])
        if own.bank is not None:
            own.bank = max(0.0, own.bank - self.spent)
        limit = self._limit(colour)
        patience = (
            self.conduct.untimed if limit is None else max(0.0, limit - self.spent) + self.conduct.stall
        )
        with trio.move_on_after(patience) as waiting:
            answer = await player.move(self.game, Clocks(own, self.clocks[colour.other]))
        if waiting.cancelled_caught:
            return Fault("stall", f"no move within {patience:.1f} s")
        if not isinstance(answer, Played):
            self.spent += trio.current_time() - asked
        return answer

    def _limit(self, colour: Colour) -> float | None:
        """Seconds after which the flag of the coming move falls; None if it never does."""
        control = self.terms.controls[colour]
        if self.players[colour].external_time and control.move_time is not None:
            return EXTERNAL_TIMES * control.move_time + self.conduct.margin
        return self.clocks[colour].limit

    async def _played(self, colour: Colour, answer: Played) -> _End | None:
        """Check a move, its time and what it ends."""
        if answer.move is None or not self.game.position.is_legal(answer.move):
            return await self._illegal(colour, answer)
        seconds = answer.seconds + self.spent
        limit = self._limit(colour)
        before = (attrs.evolve(self.clocks[0]), attrs.evolve(self.clocks[1]))
        self.clocks[colour].spend(seconds)
        if limit is not None and seconds > limit:
            number = len(self.plies) // 2 + 1
            late = f"{colour.name.lower()} used {seconds:.2f} s of {limit:.2f} s on move {number}"
            if self.conduct.flag == "loses" or self.players[colour].external_time:
                return _End(Outcome(colour.other, Reason.TIME), late)
            self._remark(late)
        self.spent = 0.0
        self.earlier_clocks.append(before)
        self.game.push(answer.move)
        ply = Ply(answer.move, seconds, answer.score, answer.depth, answer.nodes, self.clocks[colour].bank)
        self.plies.append(ply)
        self.untold = ply
        end = self._over()
        if end is None:
            await self.players[colour].ponder(self.game, self._clocks_of(colour), answer.ponder)
        else:
            self._tell()
        return end

    def _tell(self) -> None:
        """Let listeners know of the last move, if they do not yet."""
        ply, self.untold = self.untold, None
        if ply is not None and self.on_ply is not None:
            self.on_ply(self.game, ply)

    def _over(self) -> _End | None:
        """Whether the rules, the bitbases, the scores or the move limit end the game here."""
        outcome = self.game.outcome()
        if outcome is not None:
            return _End(outcome)
        proven = judge_by_bitbase(self.game, self.conduct)
        if proven is not None and self.conduct.probe_decides:
            return _End(proven)
        outcome = judge_by_score(self.plies, self.terms.start.turn, self.conduct.adjudication)
        if outcome is not None:
            return _End(outcome)
        if self.terms.move_limit is not None and len(self.plies) >= 2 * self.terms.move_limit:
            return _End(proven, "at the move limit") if proven else _End(Outcome(None, Reason.MOVE_LIMIT))
        return None

    async def _illegal(self, colour: Colour, answer: Played) -> _End | None:
        """Count an illegal move as lost, unless the player may be asked again."""
        text = answer.text or (answer.move.hub if answer.move else "")
        detail = f"{colour.name.lower()} {f'sent {text!r}' if text else 'named no move'}"
        if self.conduct.on_illegal == "retry" and await self.players[colour].refuse(answer):
            self._remark(f"illegal move: {detail}")
            self.spent += answer.seconds
            return None
        return _End(Outcome(colour.other, Reason.ILLEGAL_MOVE), detail)

    async def _fault(self, colour: Colour, fault: Fault) -> _End | None:
        """Start a player again that cannot go on, where that is allowed; otherwise it has lost."""
        player = self.players[colour]
        failed: Fault | None = fault
        while failed is not None:
            if not player.restartable or self.restarts[colour] >= self.conduct.restarts:
                self.broken.add(colour)
                return _End(judge_fault(failed, colour), failed.detail)
            self._remark(f"{colour.name.lower()} started again: {failed.kind}, {failed.detail}")
            log.warning("engine started again", player=player.name, kind=failed.kind, detail=failed.detail)
            began = trio.current_time()
            failed = await player.open() or await self._begin_one(colour)
            # Not counted before: the opponent's move cuts a start short, and it is begun anew at our turn.
            self.restarts[colour] += 1
            if colour is self.game.turn:
                self.spent += trio.current_time() - began
        limit = self._limit(colour)
        if limit is not None and colour is self.game.turn and self.spent > limit:
            return _End(judge_fault(fault, colour), f"{fault.detail}, and no time left to go on")
        return None

    def _remark(self, text: str) -> None:
        if len(self.remarks) < MOST_REMARKS:
            self.remarks.append(text)

    def _grants(self, request: TakeBack) -> bool:
        return self.conduct.take_back and 0 <= request.plies <= len(self.plies)

    async def _take_back(self, colour: Colour, request: TakeBack) -> None:
        """Go back to an earlier position with its clocks, if that is allowed and there is one."""
        granted = self._grants(request)
        if granted:
            self._remark(f"{colour.name.lower()} took back from ply {len(self.plies)} to {request.plies}")
            while len(self.plies) > request.plies:
                self.game.pop()
                self.plies.pop()
                self.clocks = list(self.earlier_clocks.pop())
            self.spent = 0.0
        await self.players[colour].answer_take_back(granted=granted)

    def _clocks_of(self, colour: Colour) -> Clocks:
        return Clocks(self.clocks[colour], self.clocks[colour.other])
