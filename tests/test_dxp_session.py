"""The DXP state machine in both roles, from bytes alone; the numbers are points of the interop checklist."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dxp.codec import UNNAMED, encode
from dxp.events import Disconnected, EndAcknowledged, Ending, Event, GameEnded, Ignored
from dxp.mailbox import NOISE_LIMIT
from dxp.message import (
    Acceptance,
    BackAccept,
    BackAnswer,
    BackRequest,
    Chat,
    EndReason,
    GameAccept,
    GameRequest,
    Malformed,
    Move,
)
from dxp.session import DxpSession
from dxp.state import LocalProtocolError, State

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
    return DxpSession("follower", "Bonnard", takeback=takeback)


def playing(request: GameRequest = INITIATOR_WHITE, *, takeback: bool = False) -> DxpSession:
    """Return a follower's session with a game on, the peer white and on move if nothing else is said."""
    session = follower(takeback=takeback)
    assert heard(session, encode(request)) == [request]
    session.accept_game()
    assert sent(session) == b"A" + NAME + b"0\0"
    return session


def on_move() -> DxpSession:
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
    session = on_move()
    session.end_game(EndReason.WIN)
    assert sent(session) == b"E30\0"
    return session


# A game from request to end


def test_a_follower_plays_a_game() -> None:
    session = playing()
    assert (session.state, session.our_colour, session.our_turn) == (State.PLAYING, "Z", False)
    assert session.peer_name == "Probe"
    assert heard(session, THEIR_MOVE) == [Move(31, 26)]
    assert session.our_turn
    session.send_move(OUR_MOVE)
    assert sent(session) == b"M0000172100\0"
    assert not session.our_turn
    assert heard(session, b"E10\0") == [GameEnded(EndReason.RESIGN, stop=False, in_turn=True)]
    assert sent(session) == b"E00\0"
    assert session.state is State.IDLE


def test_an_initiator_plays_a_game() -> None:
    session = DxpSession("initiator", "Bonnard")
    session.request_game(GameRequest("Bonnard", "Z", 5, 75))
    assert sent(session) == b"R01" + NAME + b"Z005075A\0"
    assert session.state is State.REQUESTED
    assert heard(session, ACCEPTED) == [GameAccept("Peer", Acceptance.ACCEPTED)]
    assert (session.our_colour, session.our_turn, session.peer_name) == ("W", True, "Peer")
    session.send_move(Move(32, 28))
    assert heard(session, b"M0000182300\0") == [Move(18, 23)]
    session.end_game(EndReason.DRAW)
    assert sent(session) == b"M0000322800\0E20\0"
    assert heard(session, b"E00\0") == [EndAcknowledged("answer")]
    session.request_game(GameRequest("Bonnard", "W", 5, 75))


@pytest.mark.parametrize(
    ("colour", "position", "ours_begins"),
    [
        ("W", None, True),
        ("Z", None, False),
        ("Z", "Z" + "e" * 24 + "zw" + "e" * 24, True),
        ("W", "Z" + "e" * 24 + "zw" + "e" * 24, False),
    ],
)
def test_the_position_says_who_begins(colour: str, position: str | None, *, ours_begins: bool) -> None:
    session = playing(GameRequest("Probe", "W" if colour == "W" else "Z", 1, None, position))
    assert session.our_turn is ours_begins


def test_1_joined_messages_wait_for_our_answer() -> None:
    session = follower()
    assert heard(session, encode(INITIATOR_WHITE) + THEIR_MOVE) == [INITIATOR_WHITE]
    session.accept_game()
    assert heard(session) == [Move(31, 26)]
    assert session.our_turn


def test_1_a_move_joined_to_a_refused_request_is_dropped() -> None:
    session = follower()
    session.receive(encode(INITIATOR_WHITE) + THEIR_MOVE)
    session.refuse_game(why="busy")
    assert sent(session) == b"A" + NAME + b"2\0Cbusy\0" + NO_GAME
    assert session.state is State.IDLE


def test_2_a_missing_acknowledgement_is_given_up() -> None:
    session = ending()
    session.expire_end()
    assert heard(session) == [EndAcknowledged("silence")]
    assert session.state is State.IDLE


def test_2_a_game_request_stands_for_the_acknowledgement() -> None:
    session = ending()
    assert heard(session, encode(INITIATOR_BLACK)) == [EndAcknowledged("request"), INITIATOR_BLACK]
    session.accept_game()
    assert session.our_turn


def test_2_a_late_acknowledgement_does_not_touch_the_next_request() -> None:
    session = DxpSession("initiator", "Bonnard")
    session.request_game(INITIATOR_WHITE)
    assert dropped(session, b"E00\0") == ["a GAMEEND without a game"]
    assert session.state is State.REQUESTED
    assert heard(session, ACCEPTED) == [GameAccept("Peer", Acceptance.ACCEPTED)]


@pytest.mark.parametrize("data", [b"E00\0", b"E10\0", b"E0\0", b"EXX\0"])
def test_3_an_end_without_a_game_is_never_answered(data: bytes) -> None:
    session = follower()
    assert dropped(session, data) == ["a GAMEEND without a game"]
    assert sent(session) == b""
    assert not session.stopped


def test_3_the_stop_code_counts_without_a_game_too() -> None:
    session = follower()
    dropped(session, b"E01\0")
    assert session.stopped
    assert sent(session) == b""


def test_3_three_ends_are_answered_once() -> None:
    session = playing()
    assert len(heard(session, b"E00\0E00\0E00\0")) == 1
    assert sent(session) == b"E00\0"


def test_4_crossing_ends_acknowledge_each_other() -> None:
    session = ending()
    assert heard(session, b"E31\0") == [EndAcknowledged("answer", stop=True)]
    assert sent(session) == b""
    assert session.stopped


def test_5_the_stop_code_of_an_end_is_answered_in_kind() -> None:
    session = playing()
    assert heard(session, b"E11\0") == [GameEnded(EndReason.RESIGN, stop=True, in_turn=True)]
    assert sent(session) == b"E01\0"
    assert session.stopped


def test_5_a_peer_that_stopped_may_ask_for_a_game_after_all() -> None:
    session = playing()
    heard(session, b"E01\0")
    assert heard(session, encode(INITIATOR_WHITE)) == [INITIATOR_WHITE]
    assert not session.stopped


def test_6_a_claim_is_passed_on_as_a_claim() -> None:
    assert heard(playing(), b"E30\0") == [GameEnded(EndReason.WIN, stop=False, in_turn=True)]


def test_7_an_end_out_of_turn_is_accepted() -> None:
    session = on_move()
    assert heard(session, b"E01\0") == [GameEnded(EndReason.UNKNOWN, stop=True, in_turn=False)]
    assert sent(session) == b"E01\0"
    with pytest.raises(LocalProtocolError):
        session.send_move(OUR_MOVE)


def test_8_a_move_that_crosses_our_end_is_swallowed() -> None:
    session = initiator(INITIATOR_BLACK)
    session.break_off(EndReason.WIN)
    assert sent(session) == b"E30\0"
    assert dropped(session, THEIR_MOVE) == ["a move that crossed our GAMEEND"]
    assert sent(session) == b""
    assert heard(session, b"E00\0") == [EndAcknowledged("answer")]


def test_8_an_answer_to_a_take_back_may_follow_a_crossing_move() -> None:
    session = initiator()
    session.send_move(Move(32, 28))
    session.request_back(1, "W")
    assert sent(session) == b"M0000322800\0B001W\0"
    assert heard(session, b"M0004221700\0K0\0") == [Move(22, 17, (), 4), BackAccept(BackAnswer.GRANTED)]
    assert session.our_turn


@pytest.mark.parametrize("code", [Acceptance.WRONG_VERSION, Acceptance.GAME_REFUSED, Acceptance.NEVER])
def test_9_a_refusal_starts_nothing(code: Acceptance) -> None:
    session = DxpSession("initiator", "Bonnard")
    session.request_game(INITIATOR_WHITE)
    assert heard(session, encode(GameAccept("Peer", code))) == [GameAccept("Peer", code)]
    assert session.state is State.IDLE
    session.request_game(INITIATOR_BLACK)


@pytest.mark.parametrize(
    ("data", "name"), [(b"A" + b"X".ljust(32) + b"7\0", "X"), (b"AX0\0", UNNAMED), (b"A\0", UNNAMED)]
)
def test_9_an_odd_answer_is_a_refusal(data: bytes, name: str) -> None:
    session = DxpSession("initiator", "Bonnard")
    session.request_game(INITIATOR_WHITE)
    assert heard(session, data) == [GameAccept(name, Acceptance.GAME_REFUSED)]
    assert session.state is State.IDLE


def test_9_a_stale_game_of_the_peer_can_be_cleared() -> None:
    session = DxpSession("initiator", "Bonnard")
    session.request_game(INITIATOR_WHITE)
    heard(session, encode(GameAccept("Moby Dam", Acceptance.GAME_REFUSED)))
    session.clear_stale_game()
    assert sent(session).endswith(b"E00\0")
    assert heard(session, b"E00\0") == [EndAcknowledged("answer")]
    session.request_game(INITIATOR_WHITE)


def test_11_two_initiators_the_peer_is_refused_and_may_still_accept() -> None:
    session = DxpSession("initiator", "Bonnard")
    session.request_game(INITIATOR_WHITE)
    sent(session)
    assert heard(session, encode(INITIATOR_WHITE)) == []
    assert sent(session) == b"A" + NAME + b"2\0"
    assert heard(session, ACCEPTED) == [GameAccept("Peer", Acceptance.ACCEPTED)]


def test_11_a_follower_without_a_request_sends_nothing() -> None:
    session = follower()
    assert dropped(session, b"\0Xhello\0" + ACCEPTED + b"K0\0")
    assert sent(session) == b""


def test_18_a_move_may_follow_the_answer_at_once() -> None:
    session = DxpSession("initiator", "Bonnard")
    session.request_game(INITIATOR_BLACK)
    events = heard(session, b"Cwelcome\0" + ACCEPTED + b"M0000342900\0")
    assert events == [Chat("welcome"), GameAccept("Peer", Acceptance.ACCEPTED), Move(34, 29)]
    assert session.our_turn


# Requests that are refused here


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"R01Short\0", b"2"),
        (b"R\0", b"1"),
        (b"R00Probe                           Z001040A\0", b"1"),
        (b"R02Probe                           Z001040A\0", b"1"),
        (b"RXXProbe                           Z001040A\0", b"1"),
        (b"R01Probe                           w001040A\0", b"2"),
        (b"R01Probe                           Znan040A\0", b"2"),
        (b"R01Probe                           Z001040C\0", b"2"),
        (b"R01Probe                           Z001040B\0", b"2"),
        (b"R01" + b"x" * 31 + b"Z001040A\0", b"2"),
    ],
)
def test_an_unreadable_request_is_refused_with_its_code_and_a_word(data: bytes, code: bytes) -> None:
    session = follower()
    assert len(dropped(session, data)) == 1
    assert session.take_output() == b"A" + NAME + code + b"\0"
    assert sent(session).startswith(b"Cgame request refused: ")
    assert heard(session, encode(INITIATOR_WHITE)) == [INITIATOR_WHITE]


@pytest.mark.parametrize("data", [encode(INITIATOR_BLACK), b"R01Short\0"])
def test_a_request_in_a_game_is_refused_and_the_game_goes_on(data: bytes) -> None:
    session = playing()
    assert heard(session, data) == []
    assert sent(session) == b"A" + NAME + b"2\0"
    assert heard(session, THEIR_MOVE) == [Move(31, 26)]


# Moves where none belongs


def test_a_move_without_a_game_is_dropped_and_told_once() -> None:
    session = follower()
    assert dropped(session, THEIR_MOVE * 3) == ["a move without a game"] * 3
    assert sent(session) == NO_GAME


def test_a_second_move_is_dropped_and_told_once() -> None:
    session = playing()
    assert heard(session, THEIR_MOVE + b"M0000322800\0M0000333000\0") == [Move(31, 26)]
    assert sent(session) == OUT_OF_TURN
    session.send_move(OUR_MOVE)
    assert heard(session, b"M0000322800\0") == [Move(32, 28)]
    assert dropped(session, b"M0000322800\0") == ["a move out of turn"]
    assert sent(session) == b"M0000172100\0" + OUT_OF_TURN


def test_an_unreadable_move_takes_the_turn_as_an_illegal_one_does() -> None:
    session = playing()
    (event,) = heard(session, b"M00003126\0")
    assert isinstance(event, Malformed)
    assert session.our_turn
    session.end_game(EndReason.WIN)
    assert sent(session) == b"E30\0"


def test_an_unreadable_move_out_of_turn_is_only_out_of_turn() -> None:
    session = on_move()
    assert dropped(session, b"M00003126\0") == ["a move out of turn"]
    assert sent(session) == OUT_OF_TURN


def test_the_peer_can_be_asked_for_another_move() -> None:
    session = on_move()
    session.ask_again("31-26 is not legal")
    assert sent(session) == b"C31-26 is not legal\0"
    assert heard(session, b"M0000322800\0") == [Move(32, 28)]


# Take-back


def test_21_a_take_back_is_refused_without_the_setting() -> None:
    session = playing()
    assert heard(session, b"B001W\0") == []
    assert sent(session) == b"K2\0"
    assert not session.our_turn


@pytest.mark.parametrize("data", [b"B001W\0", b"B999Z\0", b"B\0"])
def test_21_a_take_back_without_a_game_is_refused(data: bytes) -> None:
    session = follower(takeback=True)
    assert heard(session, data) == []
    assert sent(session) == b"K2\0"


@pytest.mark.parametrize("data", [b"B000W\0", b"BABCQ\0", b"B\0", b"B001Q\0"])
def test_21_an_unreadable_take_back_changes_nothing(data: bytes) -> None:
    session = playing(takeback=True)
    assert heard(session, data) == []
    assert sent(session) == b"K2\0"
    assert not session.our_turn


def test_21_a_granted_take_back_moves_the_turn() -> None:
    session = playing(takeback=True)
    assert heard(session, THEIR_MOVE) == [Move(31, 26)]
    assert heard(session, b"B001W\0M0000322800\0") == [BackRequest(1, "W")]
    session.grant_back()
    assert sent(session) == b"K0\0"
    assert heard(session) == [Move(32, 28)]
    assert session.our_turn


def test_21_a_take_back_to_our_turn_puts_us_on_move() -> None:
    session = playing(takeback=True)
    heard(session, THEIR_MOVE)
    session.send_move(OUR_MOVE)
    assert heard(session, b"B001Z\0") == [BackRequest(1, "Z")]
    session.grant_back()
    assert session.our_turn


def test_21_a_refused_take_back_changes_nothing() -> None:
    session = playing(takeback=True)
    heard(session, b"B001Z\0")
    session.refuse_back()
    assert sent(session) == b"K2\0"
    assert not session.our_turn


def test_an_answer_to_no_take_back_takes_nothing_back() -> None:
    session = on_move()
    assert dropped(session, b"K0\0") == ["an answer to no take-back request"]
    assert session.our_turn


def test_our_take_back_may_be_granted() -> None:
    session = initiator()
    session.send_move(Move(32, 28))
    session.request_back(1, "W")
    assert heard(session, b"K0\0") == [BackAccept(BackAnswer.GRANTED)]
    assert session.our_turn


@pytest.mark.parametrize("code", [b"1", b"2"])
def test_our_take_back_may_be_refused(code: bytes) -> None:
    session = initiator()
    session.send_move(Move(32, 28))
    session.request_back(1, "W")
    heard(session, b"K" + code + b"\0")
    assert not session.our_turn
    assert dropped(session, b"K0\0") == ["an answer to no take-back request"]


# Chat, noise, and the end of a connection


def test_19_chat_comes_at_any_time() -> None:
    for session in (follower(), playing(), on_move(), ending(), initiator()):
        state, turn = session.state, session.our_turn
        assert heard(session, b"Cconsole exit\0") == [Chat("console exit")]
        assert (session.state, session.our_turn) == (state, turn)
        assert sent(session) == b""


def test_our_chat_is_one_message() -> None:
    session = follower()
    session.send_chat("hello\n" + "x" * 200)
    assert session.take_output() == b"Chello?" + b"x" * 120 + b"\0"


def test_junk_changes_nothing() -> None:
    session = playing()
    assert len(dropped(session, b"\0X99\0\xff\xfe\0K0\0r01\0" + ACCEPTED)) == 6
    assert heard(session, THEIR_MOVE) == [Move(31, 26)]
    assert sent(session) == b""


def test_nothing_but_noise_ends_the_connection() -> None:
    session = follower()
    assert heard(session, b"X\0" * (NOISE_LIMIT - 1)) == []
    assert heard(session, b"CA\0") == [Chat("A")]
    assert heard(session, b"X\0" * (NOISE_LIMIT - 1)) == []
    assert heard(session, b"X\0" * 10) == [Disconnected(Ending.NOISE)]
    assert heard(session, encode(INITIATOR_WHITE)) == []


def test_a_message_without_end_ends_the_connection() -> None:
    session = playing()
    assert heard(session, THEIR_MOVE + b"x" * 5000) == [Move(31, 26), Disconnected(Ending.OVERLONG)]
    assert session.state is State.CLOSED


@pytest.mark.parametrize("make", [follower, playing, on_move, ending, initiator])
def test_24_a_disconnect_is_an_event_in_every_state(make: Callable[[], DxpSession]) -> None:
    session = make()
    session.disconnect(Ending.RESET)
    assert heard(session) == [Disconnected(Ending.RESET)]
    assert session.state is State.CLOSED
    assert not session.our_turn
    session.disconnect(Ending.CLOSED)
    assert heard(session, THEIR_MOVE) == []


def test_24_a_disconnect_before_our_answer() -> None:
    session = follower()
    session.receive(encode(INITIATOR_WHITE))
    session.disconnect(Ending.CLOSED)
    assert heard(session) == [INITIATOR_WHITE, Disconnected(Ending.CLOSED)]


def test_a_goodbye_without_a_game() -> None:
    session = DxpSession("initiator", "Bonnard")
    session.say_goodbye()
    assert sent(session) == b"E01\0"
    assert session.stop_sent


# Our own misuse


@pytest.mark.parametrize(
    ("make", "misuse"),
    [
        (follower, lambda session: session.request_game(INITIATOR_WHITE)),
        (follower, DxpSession.accept_game),
        (follower, DxpSession.refuse_game),
        (follower, lambda session: session.send_move(OUR_MOVE)),
        (follower, lambda session: session.end_game(EndReason.UNKNOWN)),
        (follower, lambda session: session.break_off(EndReason.UNKNOWN)),
        (follower, DxpSession.clear_stale_game),
        (follower, DxpSession.expire_end),
        (follower, lambda session: session.send_chat("")),
        (follower, DxpSession.grant_back),
        (playing, DxpSession.refuse_back),
        (playing, lambda session: session.send_move(OUR_MOVE)),
        (playing, lambda session: session.end_game(EndReason.WIN)),
        (playing, lambda session: session.ask_again("no")),
        (playing, DxpSession.say_goodbye),
        (initiator, lambda session: session.request_game(INITIATOR_WHITE)),
        (ending, lambda session: session.send_move(OUR_MOVE)),
        (ending, lambda session: session.break_off(EndReason.UNKNOWN)),
    ],
)
def test_misuse_raises_and_sends_nothing(
    make: Callable[[], DxpSession], misuse: Callable[[DxpSession], object]
) -> None:
    session = make()
    state = session.state
    with pytest.raises(LocalProtocolError):
        misuse(session)
    assert session.state is state
    assert sent(session) == b""


def test_a_move_that_cannot_be_written_changes_nothing() -> None:
    session = on_move()
    with pytest.raises(ValueError, match="square 51"):
        session.send_move(Move(17, 51))
    assert session.our_turn
    assert sent(session) == b""


# Any bytes at all

PIECES = st.one_of(
    st.sampled_from(
        [
            encode(INITIATOR_WHITE),
            encode(INITIATOR_BLACK),
            ACCEPTED,
            THEIR_MOVE,
            b"M0000\0",
            b"E00\0",
            b"E01\0",
            b"CA\0",
            b"B001W\0",
            b"K0\0",
        ]
    ),
    st.binary(max_size=60),
)


def live(session: DxpSession, pieces: list[bytes]) -> list[Event]:
    """Feed pieces, answering what wants an answer and moving when on move."""
    events = []
    for piece in pieces:
        session.receive(piece)
        while fresh := session.take_events():
            events += fresh
            for event in fresh:
                if isinstance(event, GameRequest):
                    session.accept_game()
                elif isinstance(event, BackRequest):
                    session.grant_back()
    return events


@given(st.lists(PIECES, max_size=20), st.sampled_from(["follower", "initiator"]), st.booleans())
def test_no_bytes_raise_and_any_split_gives_the_same_events(
    pieces: list[bytes],
    role: str,
    takeback: bool,
) -> None:
    outcomes = []
    stream = b"".join(pieces)
    for split in (pieces, [stream], [bytes([byte]) for byte in stream]):
        session = DxpSession("follower" if role == "follower" else "initiator", "Bonnard", takeback=takeback)
        if role == "initiator":
            session.request_game(INITIATOR_WHITE)
        outcomes.append((live(session, split), sent(session), session.state, session.our_turn))
    assert outcomes[0] == outcomes[1] == outcomes[2]
