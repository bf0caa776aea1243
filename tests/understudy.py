"""A DXP follower without sockets: our session and a board."""

from collections import deque
from collections.abc import Iterable

from dxp.codec import decode
from dxp.events import Event
from dxp.message import BackRequest, Colour, EndReason, GameRequest, Malformed, Message, Move
from dxp.session import DxpSession
from dxp.state import State
from rules.fen import FenError, parse_dxp
from rules.move import Move as BoardMove
from rules.position import Position


def board_move(move: Move) -> BoardMove:
    """Return a MOVE as the rules have it."""
    return BoardMove(move.from_square, move.to_square, move.captured)


def start_of(request: GameRequest) -> Position:
    """Return the position that a GAMEREQ asks for."""
    return parse_dxp(request.position) if request.position else Position.start()


def side(position: Position) -> Colour:
    """Return the side to move as DXP has it."""
    return "W" if position.turn.letter == "W" else "Z"


class Understudy:
    """A follower that plays given moves, and the first legal one where the next of them is not legal."""

    def __init__(self, moves: Iterable[Move] = (), *, takeback: bool = True) -> None:
        """Play `moves`; `thinking` keeps it from moving."""
        self.session = DxpSession("follower", "Bonnard", takeback=takeback)
        self.answers: list[Message] = []
        self.illegal = 0
        self.thinking = False
        self._script = deque(moves)
        self._line: list[Position] = []

    def hear(self, data: bytes) -> None:
        """Take what the initiator sent, and answer."""
        self.session.receive(data)
        while events := self.session.take_events():
            for event in events:
                self._act(event)
        if self.session.state is State.PLAYING:
            on_move = side(self._line[-1]) == self.session.our_colour
            assert self.session.our_turn is on_move, "session and board disagree"
            if self.session.our_turn and not self.thinking:
                self._move()
        while (output := self.session.take_output()) is not None:
            answer = decode(output[:-1])
            assert not isinstance(answer, Malformed)
            self.answers.append(answer)

    def _act(self, event: Event) -> None:
        match event:
            case GameRequest():
                self._begin(event)
            case Move() if self._line[-1].is_legal(board_move(event)):
                self._line.append(self._line[-1].make(board_move(event)))
            case Move() | Malformed():
                self.illegal += 1
                self.session.end_game(EndReason.WIN)
            case BackRequest():
                plies = 2 * (event.number - 1) + (event.colour != side(self._line[0]))
                if plies < len(self._line):
                    del self._line[plies + 1 :]
                    self.session.grant_back()
                else:
                    self.session.refuse_back()

    def _begin(self, request: GameRequest) -> None:
        try:
            self._line = [start_of(request)]
        except FenError:
            self._line = []
        if self._line and self._line[0].legal_moves():
            self.session.accept_game()
        else:
            self.session.refuse_game()

    def _move(self) -> None:
        position = self._line[-1]
        legal = position.legal_moves()
        if not legal:
            self.session.end_game(EndReason.RESIGN)
            return
        recorded = self._script.popleft() if self._script else None
        if recorded is None or board_move(recorded) not in legal:
            recorded = Move(legal[0].from_square, legal[0].to_square, legal[0].captured)
        self._line.append(position.make(board_move(recorded)))
        self.session.send_move(recorded)
