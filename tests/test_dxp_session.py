"""The DXP state machine in both roles: games, requests, moves.

The numbers are points of the interop checklist.
"""

import pytest
from dxp_sessions import (
    ACCEPTED,
    INITIATOR_BLACK,
    INITIATOR_WHITE,
    NAME,
    NO_GAME,
    OUR_MOVE,
    OUT_OF_TURN,
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

from dxp.codec import UNNAMED, encode
from dxp.events import EndAcknowledged, GameEnded
from dxp.message import (
    Acceptance,
    BackAccept,
    BackAnswer,
    Chat,
    EndReason,
    GameAccept,
    GameRequest,
    Malformed,
    Move,
)
from dxp.session import DxpSession
from dxp.state import LocalProtocolError, State

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
