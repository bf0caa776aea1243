"""One DXP connection as a state machine, for both roles: bytes in, events and bytes out.

It knows whose turn it is and nothing of boards, clocks or sockets. It never raises on what a peer sends; it
raises `LocalProtocolError` on what its owner may not do. The specification trusts the peer, this does not.
"""

from dxp.codec import UNNAMED, VERSION
from dxp.events import Disconnected, EndAcknowledged, Ending, Event, GameEnded
from dxp.mailbox import Incoming, Mailbox
from dxp.message import (
    Acceptance,
    BackAccept,
    BackAnswer,
    BackRequest,
    Chat,
    Colour,
    EndReason,
    GameAccept,
    GameEnd,
    GameRequest,
    Malformed,
    Message,
    Move,
    other,
)
from dxp.state import GameState, LocalProtocolError, Role, State


class DxpSession:
    """The state machine of one connection; `name` is what the peer learns of us."""

    def __init__(self, role: Role, name: str, *, takeback: bool = False) -> None:
        """Start without a game; with `takeback`, BACKREQ becomes an event, else it is refused here."""
        self.role = role
        self.name = name
        self.takeback = takeback
        self.peer_name: str | None = None
        self.stopped = False
        """Whether the peer said with its last GAMEEND that it plays no more games."""
        self.stop_sent = False
        """Whether we said so with ours."""
        self._state = State.IDLE
        self._game: GameState | None = None
        self._request: GameRequest | None = None
        self._mail = Mailbox()
        self._told = False

    @property
    def state(self) -> State:
        """Where the session is."""
        return self._state

    @property
    def our_colour(self) -> Colour | None:
        """Our colour in the game that is on."""
        return self._game.ours if self._game else None

    @property
    def our_turn(self) -> bool:
        """Whether a game is on and we are on move."""
        return self._game is not None and self._game.turn == self._game.ours

    @property
    def unfinished(self) -> bool:
        """Whether the peer has begun a message and not ended it."""
        return self._mail.unfinished

    @property
    def backlog(self) -> int:
        """Messages that wait to be sent."""
        return self._mail.backlog

    # What comes in, what goes out

    def receive(self, data: bytes) -> int:
        """Take bytes from the peer; return how many messages they completed."""
        count = self._mail.put(data)
        self._proceed()
        return count

    def disconnect(self, why: Ending) -> None:
        """Take note that the connection is over."""
        self._proceed()
        if self._state is not State.CLOSED:
            self._close(Disconnected(why))

    def take_events(self) -> list[Event]:
        """Return what happened since the last call."""
        return self._mail.take_events()

    def take_output(self) -> bytes | None:
        """Return the next message to send, one at a time, or None."""
        return self._mail.take_outgoing()

    # What we may do

    def request_game(self, request: GameRequest) -> None:
        """Propose a game (initiator, no game on); the answer is a GameAccept."""
        self._require(self.role == "initiator", "only the initiator requests games")
        self._require_state(State.IDLE)
        self._send(request)
        self._request = request
        self._state = State.REQUESTED

    def accept_game(self) -> None:
        """Accept the game that was requested: it is on at once."""
        self._require_state(State.OFFERED)
        if self._request is None:
            raise LocalProtocolError("no game request to accept")
        self._send(GameAccept(self.name, Acceptance.ACCEPTED))
        self._begin(self._request.follower_colour, self._request.turn)
        self._proceed()

    def refuse_game(self, code: Acceptance = Acceptance.GAME_REFUSED, why: str = "") -> None:
        """Refuse the game that was requested, and say why in a CHAT if there is something to say."""
        self._require_state(State.OFFERED)
        self._require(code is not Acceptance.ACCEPTED, "a refusal needs another code than 0")
        self._refuse(code, why)
        self._state = State.IDLE
        self._proceed()

    def send_move(self, move: Move) -> None:
        """Send our move at our turn."""
        game = self._require_turn()
        self._send(move)
        game.turn = other(game.ours)

    def ask_again(self, why: str) -> None:
        """Give the turn back to the peer instead of moving: its move was not legal, says one CHAT."""
        game = self._require_turn()
        self._send(Chat(why))
        game.turn = other(game.ours)

    def end_game(self, reason: EndReason, *, stop: bool = False) -> None:
        """End the game instead of moving; EndAcknowledged follows."""
        self._require_turn()
        self._end(GameEnd(reason, stop))

    def break_off(self, reason: EndReason, *, stop: bool = False) -> None:
        """End the game although the peer may be on move, which the protocol does not know.

        For a peer whose time is over, or that is silent after the move that ended the game. A move of its own
        that comes before its answer is dropped.
        """
        self._require_state(State.PLAYING)
        self._end(GameEnd(reason, stop))

    def say_goodbye(self) -> None:
        """Tell the peer, while no game is on, that there will be none: known programs then leave."""
        self._require_state(State.IDLE)
        self._send(GameEnd(EndReason.UNKNOWN, stop=True))
        self.stop_sent = True

    def clear_stale_game(self) -> None:
        """End a game that the peer alone believes in (initiator), as Moby Dam does after a disconnect."""
        self._require(self.role == "initiator", "only the initiator clears a stale game")
        self._require_state(State.IDLE)
        self._end(GameEnd(EndReason.UNKNOWN))

    def expire_end(self) -> None:
        """Stop waiting for the acknowledgement of our GAMEEND: some programs never send one."""
        self._require_state(State.ENDING)
        self._finish(EndAcknowledged("silence"))

    def send_chat(self, text: str) -> None:
        """Send text, cut to 126 characters.

        Moby Dam executes what starts with "console ": never relay anyone's text as it is.
        """
        self._require(self._state is not State.CLOSED, "the connection is over")
        self._require(bool(text), "a CHAT needs text")
        self._send(Chat(text))

    def request_back(self, number: int, colour: Colour) -> None:
        """Ask for the position with `colour` to move in move `number`; the answer is a BackAccept."""
        game = self._require_game()
        self._require(game.asked_back is None, "a take-back is already asked for")
        request = BackRequest(number, colour)
        self._send(request)
        game.asked_back = request

    def grant_back(self) -> None:
        """Grant the take-back that was asked for: the colour asked for is on move."""
        game = self._require_back_request()
        self._send(BackAccept(BackAnswer.GRANTED))
        if game.offered_back is not None:
            game.turn = game.offered_back.colour
        game.offered_back = None
        self._proceed()

    def refuse_back(self) -> None:
        """Refuse the take-back that was asked for: the game goes on as if nothing was said."""
        self._require_back_request().offered_back = None
        self._send(BackAccept(BackAnswer.REFUSED))
        self._proceed()

    # The peer's messages

    def _proceed(self) -> None:
        """Handle what waits, as far as no answer of ours is needed first."""
        while self._state is not State.CLOSED and not self._answer_is_due:
            message = self._mail.next_incoming()
            if message is None:
                break
            self._handle(message)
            if self._mail.noisy:
                self._close(Disconnected(Ending.NOISE))

    @property
    def _answer_is_due(self) -> bool:
        return self._state is State.OFFERED or bool(self._game and self._game.offered_back)

    def _handle(self, message: Incoming) -> None:
        match message:
            case Disconnected():
                self._close(message)
            case GameRequest():
                self._on_request(message)
            case GameAccept():
                self._on_accept(message)
            case Move():
                self._on_move(message)
            case GameEnd():
                self._on_end(message)
            case Chat():
                self._mail.tell(message)
            case BackRequest():
                self._on_back_request(message)
            case BackAccept():
                self._on_back_accept(message)
            case Malformed():
                self._on_malformed(message)

    def _on_request(self, request: GameRequest) -> None:
        if self._state is State.PLAYING or self.role == "initiator":
            self._ignore(request, "a game request while a game is on, or by a follower")
            self._refuse(Acceptance.GAME_REFUSED)
            return
        if self._state is State.ENDING:
            self._finish(EndAcknowledged("request"))
        self.stopped = False
        self.peer_name = request.name
        self._request = request
        self._state = State.OFFERED
        self._mail.tell(request)

    def _on_accept(self, answer: GameAccept) -> None:
        if self._state is not State.REQUESTED or self._request is None:
            self._ignore(answer, "an answer to no game request")
            return
        self.peer_name = answer.name
        self.stopped = False
        if answer.code is Acceptance.ACCEPTED:
            self._begin(other(self._request.follower_colour), self._request.turn)
        else:
            self._state = State.IDLE
        self._mail.tell(answer)

    def _on_move(self, move: Move | Malformed) -> None:
        if self._state is State.ENDING:
            self._ignore(move, "a move that crossed our GAMEEND")
        elif self._game is None:
            self._ignore(move, "a move without a game", tell="move ignored: no game is on")
        elif self.our_turn:
            self._ignore(move, "a move out of turn", tell="move ignored: it is not your turn")
        else:
            self._game.turn = self._game.ours
            self._told = False
            self._mail.tell(move)

    def _on_end(self, end: GameEnd) -> None:
        self.stopped = self.stopped or end.stop
        if self._state is State.PLAYING:
            in_turn = not self.our_turn
            self._send(GameEnd(EndReason.UNKNOWN, end.stop))
            self.stop_sent = end.stop
            self._finish(GameEnded(end.reason, end.stop, in_turn))
        elif self._state is State.ENDING:
            self._finish(EndAcknowledged("answer", end.stop))
        else:
            self._ignore(end, "a GAMEEND without a game")

    def _on_back_request(self, request: BackRequest | Malformed) -> None:
        if self._state is State.PLAYING and self._game and self.takeback and isinstance(request, BackRequest):
            self._game.offered_back = request
            self._mail.tell(request)
        else:
            self._ignore(request, "a take-back that cannot be granted")
            self._send(BackAccept(BackAnswer.REFUSED))

    def _on_back_accept(self, answer: BackAccept) -> None:
        if self._game is None or self._game.asked_back is None:
            self._ignore(answer, "an answer to no take-back request")
            return
        if answer.code is BackAnswer.GRANTED:
            self._game.turn = self._game.asked_back.colour
        self._game.asked_back = None
        self._mail.tell(answer)

    def _on_malformed(self, message: Malformed) -> None:
        match message.header:
            case "R":
                self._on_malformed_request(message)
            case "A" if self._state is State.REQUESTED:
                self._state = State.IDLE
                self._ignore(message, "an unreadable answer to our game request, taken as a refusal")
                self._mail.tell(GameAccept(self.peer_name or UNNAMED, Acceptance.GAME_REFUSED))
            case "M":
                self._on_move(message)
            case "B":
                self._on_back_request(message)
            case _:
                self._ignore(message, message.why)

    def _on_malformed_request(self, message: Malformed) -> None:
        self._ignore(message, message.why)
        wrong_version = message.data[1:3] != VERSION.encode()
        self._refuse(
            Acceptance.WRONG_VERSION if wrong_version else Acceptance.GAME_REFUSED,
            f"game request refused: {message.why}" if self._state is State.IDLE else "",
        )

    # Steps

    def _begin(self, ours: Colour, turn: Colour) -> None:
        self._game = GameState(ours, turn)
        self._state = State.PLAYING
        self._told = False

    def _end(self, end: GameEnd) -> None:
        self._send(end)
        self.stop_sent = end.stop
        self._game = None
        self._state = State.ENDING

    def _finish(self, event: GameEnded | EndAcknowledged) -> None:
        self._game = None
        self._state = State.IDLE
        self._told = False
        self._mail.tell(event)

    def _close(self, event: Disconnected) -> None:
        self._game = None
        self._state = State.CLOSED
        self._mail.tell(event)

    def _refuse(self, code: Acceptance, why: str = "") -> None:
        self._send(GameAccept(self.name, code))
        if why:
            self._send(Chat(why))

    def _ignore(self, message: Message | Malformed, why: str, tell: str = "") -> None:
        """Drop a message; tell the peer, but once only until a game message is right again."""
        self._mail.drop(message, why)
        if tell and not self._told:
            self._told = True
            self._send(Chat(tell))

    def _send(self, message: Message) -> None:
        self._mail.send(message)

    # Misuse

    def _require(self, allowed: bool, why: str) -> None:  # noqa: FBT001 (an assertion reads best this way)
        if not allowed:
            raise LocalProtocolError(why)

    def _require_state(self, state: State) -> None:
        self._require(self._state is state, f"needs the state {state.value!r}, but {self._state.value}")

    def _require_game(self) -> GameState:
        if self._game is None:
            raise LocalProtocolError(f"needs a game, but {self._state.value}")
        return self._game

    def _require_turn(self) -> GameState:
        game = self._require_game()
        self._require(game.turn == game.ours, "the peer is on move")
        return game

    def _require_back_request(self) -> GameState:
        game = self._require_game()
        self._require(game.offered_back is not None, "no take-back is asked for")
        return game
