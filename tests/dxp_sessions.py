"""DXP sessions in every state, and what they say."""

from dxp.codec import encode
from dxp.events import Event, Ignored
from dxp.message import (
    Acceptance,
    EndReason,
    GameAccept,
    GameRequest,
    Move,
)
from dxp.session import DxpSession

NAME = b"Bonnard".ljust(32)
INITIATOR_WHITE = GameRequest("Probe", "Z", 1, 40)
INITIATOR_BLACK = GameRequest("Probe", "W", 1, 40)
ACCEPTED = b"A" + b"Peer".ljust(32) + b"0\0"
OUT_OF_TURN = b"Cmove ignored: it is not your turn\0"
NO_GAME = b"Cmove ignored: no game is on\0"
THEIR_MOVE = b"M0000312600\0"
OUR_MOVE = Move(17, 21)


def heard(session: DxpSession, data: bytes = b"") -> list[Event]:
    """Feed bytes and return the events that mean something."""
    session.receive(data)
    return [event for event in session.take_events() if not isinstance(event, Ignored)]


def dropped(session: DxpSession, data: bytes) -> list[str]:
    """Feed bytes and return why messages were dropped, when nothing else happens."""
    session.receive(data)
    events = session.take_events()
    assert all(isinstance(event, Ignored) for event in events)
    return [event.why for event in events if isinstance(event, Ignored)]


def sent(session: DxpSession) -> bytes:
    """Return everything that waits to be sent."""
    return b"".join(iter(lambda: session.take_output() or b"", b""))


def follower(*, takeback: bool = False) -> DxpSession:
    """Return a follower's session without a game."""
    return DxpSession("follower", "Bonnard", takeback=takeback)


def playing(request: GameRequest = INITIATOR_WHITE, *, takeback: bool = False) -> DxpSession:
    """Return a follower's session with a game on, the peer white and on move if nothing else is said."""
    session = follower(takeback=takeback)
    assert heard(session, encode(request)) == [request]
    session.accept_game()
    assert sent(session) == b"A" + NAME + b"0\0"
    return session


def on_move() -> DxpSession:
    """Return a follower's session in which we are on move."""
    session = playing()
    assert heard(session, THEIR_MOVE) == [Move(31, 26)]
    return session


def initiator(request: GameRequest = INITIATOR_WHITE) -> DxpSession:
    """Return an initiator's session with a game on, ours white and on move if nothing else is said."""
    session = DxpSession("initiator", "Bonnard")
    session.request_game(request)
    assert heard(session, ACCEPTED) == [GameAccept("Peer", Acceptance.ACCEPTED)]
    sent(session)
    return session


def ending() -> DxpSession:
    """Return a follower's session that has sent GAMEEND."""
    session = on_move()
    session.end_game(EndReason.WIN)
    assert sent(session) == b"E30\0"
    return session
