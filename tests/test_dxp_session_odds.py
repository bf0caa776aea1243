"""The DXP state machine beside the game: take-back, chat, noise, disconnects, misuse, any bytes at all.

The numbers are points of the interop checklist.
"""

from collections.abc import Callable

import pytest
from dxp_sessions import (
    ACCEPTED,
    INITIATOR_BLACK,
    INITIATOR_WHITE,
    OUR_MOVE,
    THEIR_MOVE,
    dropped,
    ending,
    follower,
    heard,
    initiator,
    on_move,
    playing,
    sent,
)
from hypothesis import given
from hypothesis import strategies as st

from dxp.codec import encode
from dxp.events import Disconnected, Ending, Event
from dxp.mailbox import NOISE_LIMIT
from dxp.message import (
    BackAccept,
    BackAnswer,
    BackRequest,
    Chat,
    EndReason,
    GameRequest,
    Move,
)
from dxp.session import DxpSession
from dxp.state import LocalProtocolError, State

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
