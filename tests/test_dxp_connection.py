"""A DXP connection on memory streams and a mock clock: pacing, times, peers that go away."""

import pytest
import trio
import trio.testing
from dxp_wire import ACCEPT, MOVE, OUR_MOVE, REQUEST, Wire
from trio.testing import MockClock

from dxp.codec import encode
from dxp.connection import DxpConnection
from dxp.events import Disconnected, EndAcknowledged, Ending, GameEnded
from dxp.message import Chat, EndReason, Move
from dxp.session import DxpSession
from dxp.state import LocalProtocolError, State

# Pacing


async def test_two_messages_in_a_row_have_a_gap(clock: MockClock, wire: Wire) -> None:
    await wire.begin()
    await wire.send(MOVE)
    await wire.connection.receive()
    started = trio.current_time()
    await wire.connection.send_move(OUR_MOVE)
    assert await wire.read(b"M0000172100\0") == started
    await wire.connection.send_chat("well played")
    assert await wire.read(b"Cwell played\0") == pytest.approx(started + 0.1)


async def test_no_gap_when_the_peer_said_something_or_the_last_message_is_old(
    clock: MockClock, wire: Wire
) -> None:
    await wire.begin()
    started = trio.current_time()
    for _ in range(5):
        await wire.send(MOVE)
        await wire.connection.receive()
        await wire.connection.send_move(OUR_MOVE)
        assert await wire.read(b"M0000172100\0") == started
    await trio.sleep(0.1)
    await wire.connection.send_chat("still there?")
    assert await wire.read(b"Cstill there?\0") == pytest.approx(started + 0.1)


async def test_a_gap_ends_as_soon_as_the_peer_says_something(clock: MockClock, wire: Wire) -> None:
    await wire.connection.send_chat("one")
    started = trio.current_time()
    wire.nursery.start_soon(wire.connection.send_chat, "two")
    await trio.sleep(0.03)
    await wire.send(b"Cyes?\0")
    await wire.read(b"Cone\0")
    assert await wire.read(b"Ctwo\0") == pytest.approx(started + 0.03)


async def test_a_move_that_comes_in_a_gap_is_stamped_when_it_came(clock: MockClock, wire: Wire) -> None:
    await wire.send(b"B001W\0")
    await wire.read(b"K2\0")
    await wire.send(encode(REQUEST))
    await wire.connection.receive()
    await wire.connection.accept_game()
    wire.nursery.start_soon(wire.connection.send_chat, "hello")
    await trio.sleep(0.02)
    sent_at = trio.current_time()
    await wire.send(MOVE)
    assert await wire.connection.receive() == Move(31, 26)
    assert wire.connection.heard_at == sent_at


# Times


async def test_a_peer_that_never_acknowledges_is_not_waited_for(clock: MockClock, wire: Wire) -> None:
    await wire.begin(MOVE)
    await wire.connection.receive()
    started = trio.current_time()
    await wire.connection.end_game(EndReason.WIN)
    await trio.sleep(4)
    await wire.send(b"Chm\0")
    assert await wire.connection.receive() == Chat("hm")
    assert await wire.connection.receive() == EndAcknowledged("silence")
    assert trio.current_time() == pytest.approx(started + 5)
    await wire.send(b"E00\0")
    await wire.send(encode(REQUEST))
    assert await wire.connection.receive() == REQUEST


async def test_10_a_request_without_an_answer_ends_the_connection(clock: MockClock, asking: Wire) -> None:
    started = trio.current_time()
    await asking.send(b"Cplease wait\0")
    assert await asking.connection.receive() == Chat("please wait")
    assert await asking.connection.receive() == Disconnected(Ending.NO_ANSWER)
    assert trio.current_time() == pytest.approx(started + 30)


async def test_silence_without_a_game_ends_the_connection(clock: MockClock, wire: Wire) -> None:
    started = trio.current_time()
    await trio.sleep(200)
    await wire.send(b"Cstill here\0")
    await wire.connection.receive()
    assert await wire.connection.receive() == Disconnected(Ending.IDLE)
    assert trio.current_time() == pytest.approx(started + 500)
    assert await wire.connection.receive() == Disconnected(Ending.IDLE)
    assert not await wire.connection.send_chat("hello")
    assert await wire.peer.receive_some() == b""


async def test_silence_in_a_game_is_left_to_the_clocks(clock: MockClock, wire: Wire) -> None:
    await wire.begin()
    with trio.move_on_after(100_000) as patience:
        await wire.connection.receive()
    assert patience.cancelled_caught


async def test_the_time_of_idleness_begins_with_the_end_of_the_game(clock: MockClock, wire: Wire) -> None:
    await wire.begin()
    await trio.sleep(1000)
    await wire.send(b"E00\0")
    assert await wire.connection.receive() == GameEnded(EndReason.UNKNOWN, stop=False, in_turn=True)
    started = trio.current_time()
    assert await wire.connection.receive() == Disconnected(Ending.IDLE)
    assert trio.current_time() == pytest.approx(started + 300)


@pytest.mark.parametrize("data", [encode(REQUEST)[:-1], b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"])
async def test_a_message_without_end_is_not_waited_for(clock: MockClock, wire: Wire, data: bytes) -> None:
    started = trio.current_time()
    await wire.send(data)
    assert await wire.connection.receive() == Disconnected(Ending.IDLE)
    assert trio.current_time() == pytest.approx(started + 30)
    assert await wire.peer.receive_some() == b""


async def test_bytes_may_come_slowly_but_not_too_slowly(clock: MockClock, wire: Wire) -> None:
    for byte in encode(REQUEST):
        await trio.sleep(0.01)
        await wire.send(bytes([byte]))
    assert await wire.connection.receive() == REQUEST
    await wire.connection.refuse_game()
    started = trio.current_time()
    for byte in encode(REQUEST)[:2]:
        await wire.send(bytes([byte]))
        await trio.sleep(20)
    assert await wire.connection.receive() == Disconnected(Ending.IDLE)
    assert trio.current_time() == pytest.approx(started + 40)


async def test_a_peer_that_plays_no_more_has_a_moment_to_leave(clock: MockClock, wire: Wire) -> None:
    await wire.begin()
    await wire.send(b"E01\0")
    await wire.connection.receive()
    started = await wire.read(b"E01\0")
    assert await wire.connection.receive() == Disconnected(Ending.GOODBYE)
    assert trio.current_time() == pytest.approx(started + 2)


async def test_a_goodbye_without_a_game_is_honoured_and_not_answered(clock: MockClock, wire: Wire) -> None:
    await wire.send(b"E01\0")
    assert await wire.connection.receive() == Disconnected(Ending.GOODBYE)
    assert await wire.peer.receive_some() == b""


async def test_a_peer_that_always_says_stop_may_play_on(clock: MockClock, wire: Wire) -> None:
    await wire.begin()
    await wire.send(b"E01\0")
    await wire.connection.receive()
    await trio.sleep(1)
    await wire.send(encode(REQUEST))
    assert await wire.connection.receive() == REQUEST
    await wire.connection.accept_game()
    await wire.read(b"E01\0" + ACCEPT)
    await trio.sleep(10)
    assert wire.connection.session.state is State.PLAYING


# A peer that goes away or stops reading


async def test_24_a_peer_that_closes_after_its_move(clock: MockClock, wire: Wire) -> None:
    await wire.begin()
    await wire.send(MOVE)
    await wire.peer.send_stream.aclose()
    assert await wire.connection.receive() == Move(31, 26)
    assert await wire.connection.receive() == Disconnected(Ending.CLOSED)
    assert not await wire.connection.send_move(OUR_MOVE)


async def test_22_an_end_and_a_half_close_in_one_breath(clock: MockClock, wire: Wire) -> None:
    await wire.begin(MOVE)
    await wire.send(b"E01\0")
    await wire.peer.send_stream.aclose()
    await wire.connection.receive()
    assert await wire.connection.receive() == GameEnded(EndReason.UNKNOWN, stop=True, in_turn=False)
    assert await wire.connection.receive() == Disconnected(Ending.CLOSED)
    await wire.read(b"E01\0")


async def test_22_an_acknowledgement_that_finds_nobody_is_no_error(clock: MockClock, wire: Wire) -> None:
    await wire.begin()
    await wire.peer.receive_stream.aclose()
    await wire.send(b"E01\0")
    assert await wire.connection.receive() == GameEnded(EndReason.UNKNOWN, stop=True, in_turn=True)
    await wire.peer.send_stream.aclose()
    assert await wire.connection.receive() == Disconnected(Ending.CLOSED)


async def test_a_peer_that_never_reads_is_given_up(clock: MockClock, nursery: trio.Nursery) -> None:
    ours, _peer = trio.testing.lockstep_stream_pair()
    connection = DxpConnection(ours, DxpSession("follower", "Bonnard"))
    nursery.start_soon(connection.run)
    started = trio.current_time()
    assert not await connection.send_chat("anyone?")
    assert await connection.receive() == Disconnected(Ending.NOT_READING)
    assert trio.current_time() == pytest.approx(started + 5)
    await connection.leave()


async def test_a_move_too_late_is_no_error(clock: MockClock, wire: Wire) -> None:
    await wire.begin(MOVE)
    assert await wire.connection.receive() == Move(31, 26)
    await wire.send(b"E00\0")
    await wire.read(b"E00\0")
    assert not await wire.connection.send_move(OUR_MOVE)
    assert not await wire.connection.end_game(EndReason.WIN)
    assert await wire.connection.receive() == GameEnded(EndReason.UNKNOWN, stop=False, in_turn=False)


async def test_a_move_out_of_turn_is_our_fault(clock: MockClock, wire: Wire) -> None:
    await wire.begin()
    with pytest.raises(LocalProtocolError, match="the peer is on move"):
        await wire.connection.send_move(OUR_MOVE)
