"""A player that is a program at the other end of a DXP connection, in either role."""

from typing import Protocol

import trio

from dxp.connection import DxpConnection
from dxp.events import Disconnected, Event, GameEnded
from dxp.message import Acceptance, BackRequest, EndReason, GameAccept, GameRequest, Malformed
from dxp.message import Move as DxpMove
from dxp.state import State
from rules.colour import Colour
from rules.fen import format_dxp
from rules.game import Game, Outcome, Reason
from rules.move import Move
from rules.position import Position
from tournament.player import (
    Answer,
    Clocks,
    DrawClaim,
    Fault,
    Leave,
    Notice,
    Played,
    Player,
    Resign,
    Setup,
    TakeBack,
    WinClaim,
)


class Reach(Protocol):
    """How a connection comes about."""

    async def __call__(self) -> DxpConnection:
        """Return a new connection; OSError with one line says why there is none."""

    async def close(self) -> None:
        """Let go of what belongs to it."""


PATIENCE = 5.0
"""Seconds that a peer on move is given, after its game has ended, to say so itself."""

SHORT_PATIENCE = 0.7
"""The same when we are stopping: peers must not keep us from it."""

EXTERNAL_MINUTES = 60.0
"""What a program that limits itself is told: enough never to matter."""

ENDINGS: dict[EndReason, Notice] = {
    EndReason.UNKNOWN: Leave(),
    EndReason.RESIGN: Resign(),
    EndReason.DRAW: DrawClaim(),
    EndReason.WIN: WinClaim(),
}


class DxpPlayer(Player):
    """A DXP peer. `begin` asks it for a game where we are the initiator, else accepts its request."""

    remote = True

    def __init__(
        self,
        name: str | None = None,
        *,
        connection: DxpConnection | None = None,
        reach: Reach | None = None,
        greet: tuple[str, ...] = (),
        external_time: bool = False,
        patience: float = PATIENCE,
    ) -> None:
        """Make a player of a `connection` that exists, or of one that `open` will `reach`.

        Without a `name` it is called what it calls itself. `greet` are CHAT lines sent when it is reached.
        """
        self.name = name or (connection and connection.session.peer_name) or "DXP"
        self.external_time = external_time
        self._named = name is not None
        self._given = connection
        self._connection = connection
        self._reach = reach
        self._greet = greet
        self._patience = patience
        self._colour = Colour.WHITE
        self._first = Colour.WHITE
        self._sent = 0
        """The length of the game at which the peer was last told a move."""
        self._back_to = 0
        """The length of the game that the peer asked to go back to."""
        self._heard_at = 0.0
        """When the peer had made its last move, or the game began: since then the opponent thinks."""

    async def open(self) -> Fault | None:
        """Reach the peer and greet it."""
        if self._reach is None:
            return None
        await self._leave()
        try:
            self._connection = await self._reach()
        except OSError as error:
            return Fault("disconnect", str(error))
        for line in self._greet:
            await self._connection.send_chat(line)
        return None

    async def begin(self, setup: Setup) -> Fault | None:
        """Request the game, or accept the one that was requested."""
        connection = self._connection
        if connection is None:
            return Fault("disconnect", "there is no connection")
        self._colour, self._first, self._sent = setup.colour, setup.start.turn, 0
        if connection.session.role == "follower":
            if not await connection.accept_game():
                return Fault("disconnect", "the peer left before its game was accepted")
            fault = None
        else:
            fault = await self._request(connection, setup)
        self._heard_at = trio.current_time()
        if not self._named:
            self.name = connection.session.peer_name or self.name
        return fault

    async def _request(self, connection: DxpConnection, setup: Setup) -> Fault | None:
        """Ask for a game, a second time if it is refused as Moby Dam does after a broken connection."""
        standard = setup.start == Position.start()
        request = GameRequest(
            name=connection.session.name,
            follower_colour="W" if setup.colour is Colour.WHITE else "Z",
            minutes=EXTERNAL_MINUTES if setup.control.bank is None else setup.control.bank / 60,
            moves=setup.move_limit,
            position=None if standard else format_dxp(setup.start),
        )
        answer = await self._answer_to(connection, request)
        if isinstance(answer, GameAccept) and answer.code is Acceptance.GAME_REFUSED:
            connection.log.info("game refused, asking again", peer_name=answer.name)
            await connection.clear_stale_game()
            answer = await self._answer_to(connection, request)
        if isinstance(answer, Disconnected):
            return Fault("disconnect", answer.why.value)
        if answer.code is not Acceptance.ACCEPTED:
            return Fault("protocol", f"the game was refused with code {answer.code.value}")
        return None

    async def _answer_to(self, connection: DxpConnection, request: GameRequest) -> GameAccept | Disconnected:
        """Send a game request when nothing else is going on; return what became of it."""
        while connection.session.state is State.ENDING:
            event = await connection.receive()
            if isinstance(event, Disconnected):
                return event
        await connection.request_game(request)
        while True:
            event = await connection.receive()
            if isinstance(event, GameAccept | Disconnected):
                return event

    async def move(self, game: Game, clocks: Clocks) -> Answer:  # noqa: ARG002 - the peer keeps its own clock
        """Tell the opponent's move, if there is one to tell, and wait for the answer."""
        connection = self._connection
        if connection is None:
            return Fault("disconnect", "there is no connection")
        await self._tell_last_move(connection, game)
        asked = trio.current_time()
        while True:
            event = await connection.receive()
            seconds = max(0.0, connection.heard_at - asked)
            match event:
                case DxpMove():
                    self._heard_at = connection.heard_at
                    return _read_move(event, game, seconds)
                case Malformed():
                    return Played(None, seconds, event.data.decode("latin-1"))
                case _:
                    notice = self._notice(event)
                    if notice is not None:
                        return notice

    async def watch(self) -> Notice:
        """Wait for the end of the game or of the connection, or for a request to take back."""
        if self._connection is None:
            return Fault("disconnect", "there is no connection")
        while True:
            notice = self._notice(await self._connection.receive())
            if notice is not None:
                return notice

    async def answer_take_back(self, *, granted: bool) -> None:
        """Send BACKACC."""
        if self._connection is None:
            return
        if granted:
            self._sent = self._back_to
            await self._connection.grant_back()
        else:
            await self._connection.refuse_back()

    async def refuse(self, answer: Played) -> bool:
        """Ask for another move in a CHAT."""
        if self._connection is None:
            return False
        return await self._connection.ask_again(f"illegal move {answer.text}, please send another")

    async def finish(self, game: Game, outcome: Outcome, *, last: bool = False) -> Fault | None:
        """End the game as the protocol wants it: by the side on move, or by us when the peer stays silent."""
        connection = self._connection
        if connection is None:
            return Fault("disconnect", "there is no connection")
        reason = self._end_reason(outcome)
        patience = SHORT_PATIENCE if outcome.reason is Reason.ABORTED else self._patience
        session = connection.session
        if session.state is State.PLAYING:
            await self._tell_last_move(connection, game)
            if not session.our_turn:
                await self._wait_for_turn(connection, patience)
        if session.state is State.PLAYING:
            if (
                outcome.reason is Reason.ILLEGAL_MOVE
                and session.our_turn
                and outcome.winner is not self._colour
            ):
                await connection.send_chat("your move was not legal: the game is over")
            if session.our_turn:
                await connection.end_game(reason, stop=last)
            else:
                await connection.break_off(reason, stop=last)
        with trio.move_on_after(patience):
            while session.state is State.ENDING:
                await connection.receive()
        # Known programs leave when they are told that no game follows.
        if session.state in {State.CLOSED, State.ENDING} and not last:
            return Fault("disconnect", "the connection ended with the game")
        return None

    async def close(self) -> None:
        """Close a connection that `open` has reached; one that was given belongs to its giver."""
        await self._leave()
        if self._reach is not None:
            await self._reach.close()

    async def _leave(self) -> None:
        if self._connection is not None and self._connection is not self._given:
            await self._connection.leave()
            self._connection = None

    async def _tell_last_move(self, connection: DxpConnection, game: Game) -> None:
        """Send the last move of the game, if it is the opponent's and the peer does not know it."""
        if not game.moves or len(game) == self._sent or not connection.session.our_turn:
            return
        if game.turn is not self._colour:
            return
        self._sent = len(game)
        move = game.moves[-1]
        spent = round(trio.current_time() - self._heard_at)
        await connection.send_move(DxpMove(move.from_square, move.to_square, move.captured, spent))

    async def _wait_for_turn(self, connection: DxpConnection, patience: float) -> None:
        """Give the peer time to end the game itself, or to send the move that it was making."""
        with trio.move_on_after(patience):
            while connection.session.state is State.PLAYING and not connection.session.our_turn:
                await connection.receive()

    def _notice(self, event: Event) -> Notice | None:
        """Return what an event means for the game; None if it means nothing."""
        match event:
            case GameEnded():
                return ENDINGS[event.reason]
            case Disconnected():
                return Fault("disconnect", event.why.value)
            case BackRequest():
                colour = Colour.WHITE if event.colour == "W" else Colour.BLACK
                self._back_to = 2 * (event.number - 1) + (colour is not self._first)
                return TakeBack(self._back_to)
            case _:
                return None

    def _end_reason(self, outcome: Outcome) -> EndReason:
        """Return how the game ended as the opponent sees it: a GAMEEND is about its sender."""
        if outcome.reason in {Reason.ABORTED, Reason.MOVE_LIMIT}:
            return EndReason.UNKNOWN
        if outcome.winner is None:
            return EndReason.DRAW
        return EndReason.RESIGN if outcome.winner is self._colour else EndReason.WIN


def _read_move(event: DxpMove, game: Game, seconds: float) -> Played:
    """Return the legal move that a MOVE means: from, to and captured squares must all agree."""
    squares = "x".join(f"{square}" for square in (event.from_square, event.to_square, *event.captured))
    text = squares if event.captured else squares.replace("x", "-")
    move = Move(event.from_square, event.to_square, event.captured)
    return Played(move if game.position.is_legal(move) else None, seconds, text)
