"""A DXP connection on memory streams and a mock clock: floods, leaving, slots."""

import pytest
import trio
import trio.testing
from dxp_wire import ACCEPTED, MOVE, REQUEST, Wire, wired
from structlog.testing import capture_logs
from trio.testing import MockClock

from dxp.address import Address
from dxp.codec import encode
from dxp.events import Disconnected, Ending
from dxp.limits import ConnectionLimits, Slots
from dxp.message import Acceptance, Chat, EndReason, GameAccept, Malformed

# Floods


async def test_a_flood_is_slowed_down(clock: MockClock, wire: Wire) -> None:
    started = trio.current_time()
    with capture_logs() as logs:
        wire.nursery.start_soon(wire.send, b"CA\0" * 10_000 + encode(REQUEST))
        while await wire.connection.receive() == Chat("A"):
            pass
    assert len([line for line in logs if line["event"].startswith("flood")]) == 1
    assert len(logs) < 1_000
    assert trio.current_time() - started == pytest.approx((10_001 - 300) / 100, abs=4)


async def test_chat_that_nobody_takes_is_not_kept(clock: MockClock, wire: Wire) -> None:
    await wire.send(b"CA\0" * 1000 + encode(REQUEST))
    await trio.sleep(100)
    chats = 0
    while await wire.connection.receive() == Chat("A"):
        chats += 1
    assert chats == 100


async def test_answers_that_pile_up_stop_the_reading(clock: MockClock, wire: Wire) -> None:
    await wire.send((b"B001W\0" + b"CA\0") * 200 + encode(REQUEST))
    started = trio.current_time()
    while await wire.connection.receive() == Chat("A"):
        pass
    assert trio.current_time() - started > 3
    await wire.read(b"K2\0" * 200)


async def test_noise_ends_the_connection(clock: MockClock, wire: Wire) -> None:
    await wire.send(b"\0" * 1_000)
    assert await wire.connection.receive() == Disconnected(Ending.NOISE)


async def test_what_noise_was_answered_with_does_not_delay_the_end(clock: MockClock, wire: Wire) -> None:
    await wire.send(b"R01\0" * 1_000)
    started = trio.current_time()
    while await wire.peer.receive_some():
        pass
    assert trio.current_time() <= started + 1


async def test_a_message_without_end_ends_the_connection_at_the_cap(clock: MockClock, wire: Wire) -> None:
    await wire.send(b"x" * (1 << 20))
    assert await wire.connection.receive() == Disconnected(Ending.OVERLONG)


# Leaving


async def test_leaving_at_our_turn_ends_the_game(clock: MockClock, wire: Wire) -> None:
    await wire.begin(MOVE)
    started = trio.current_time()
    wire.nursery.start_soon(wire.connection.leave)
    assert await wire.read(b"E01\0") <= started + 0.1
    await wire.send(b"E01\0")
    assert await wire.peer.receive_some() == b""
    assert trio.current_time() <= started + 0.1


async def test_leaving_waits_for_an_answer_but_not_long(clock: MockClock, wire: Wire) -> None:
    await wire.begin(MOVE)
    started = trio.current_time()
    await wire.connection.leave()
    assert trio.current_time() == pytest.approx(started + 2)


async def test_leaving_at_the_peers_turn_says_nothing(clock: MockClock, wire: Wire) -> None:
    await wire.begin()
    await wire.connection.leave()
    assert await wire.peer.receive_some() == b""
    assert await wire.connection.receive() == Disconnected(Ending.LEFT)


async def test_leaving_before_an_answer_refuses(clock: MockClock, wire: Wire) -> None:
    await wire.send(encode(REQUEST))
    await wire.connection.receive()
    await wire.connection.leave()
    await wire.read(b"A" + b"Bonnard".ljust(32) + b"3\0")
    assert await wire.peer.receive_some() == b""


async def test_an_initiator_leaves_with_a_goodbye(clock: MockClock, asking: Wire) -> None:
    await asking.send(ACCEPTED + b"E00\0")
    assert await asking.connection.receive() == GameAccept("Peer", Acceptance.ACCEPTED)
    await asking.connection.receive()
    await asking.read(b"E00\0")
    await asking.connection.leave()
    await asking.read(b"E01\0")
    assert await asking.peer.receive_some() == b""


async def test_an_initiator_says_goodbye_once(clock: MockClock, asking: Wire) -> None:
    await asking.send(ACCEPTED + b"E11\0")
    assert await asking.connection.receive() == GameAccept("Peer", Acceptance.ACCEPTED)
    await asking.connection.receive()
    await asking.read(b"E01\0")
    await asking.connection.leave()
    assert await asking.peer.receive_some() == b""


async def test_a_cancelled_owner_still_leaves_well(clock: MockClock, wire: Wire) -> None:
    await wire.begin(MOVE)
    with trio.CancelScope() as scope:
        scope.cancel()
        await wire.connection.leave()
    await wire.read(b"E01\0")


async def test_an_unreadable_move_can_be_answered_with_an_end(clock: MockClock, wire: Wire) -> None:
    await wire.begin(b"M00003126\0")
    assert isinstance(await wire.connection.receive(), Malformed)
    assert await wire.connection.end_game(EndReason.WIN)
    await wire.read(b"E30\0")


# Slots


async def test_a_game_beyond_the_slots_is_refused(clock: MockClock, nursery: trio.Nursery) -> None:
    slots = Slots(total=3, per_address=2)
    wires = [wired(nursery, slots=slots, address=Address("10.0.0.1", port)) for port in range(3)]
    await wires[0].begin()
    await wires[1].begin()
    await wires[2].send(encode(REQUEST))
    await wires[2].read(b"A" + b"Bonnard".ljust(32) + b"2\0")
    assert await wires[2].read(b"Ctoo many games are on here, please ask again later\0")
    elsewhere = wired(nursery, slots=slots, address=Address("10.0.0.2", 1))
    await elsewhere.begin()
    await wires[1].send(b"E00\0")
    await wires[1].connection.receive()
    await wires[2].begin()
    for wire in (*wires, elsewhere):
        await wire.connection.leave()
    assert slots.take("10.0.0.1")


async def test_a_slot_is_free_again_after_a_refusal_and_a_disconnect(clock: MockClock, wire: Wire) -> None:
    slots = Slots(total=1, per_address=1)
    wire = wired(wire.nursery, slots=slots)
    await wire.send(encode(REQUEST))
    await wire.connection.receive()
    assert not slots.take("elsewhere")
    await wire.connection.refuse_game()
    assert slots.take("elsewhere")
    slots.free("elsewhere")
    await wire.read(b"A" + b"Bonnard".ljust(32) + b"2\0")
    await wire.begin()
    await wire.peer.aclose()
    assert await wire.connection.receive() == Disconnected(Ending.CLOSED)
    assert slots.take("elsewhere")


async def test_an_initiator_waits_for_a_slot(clock: MockClock, wire: Wire) -> None:
    slots = Slots(total=1, per_address=1)
    wires = [wired(wire.nursery, "initiator", slots=slots) for _ in range(2)]
    await wires[0].connection.request_game(REQUEST)
    wire.nursery.start_soon(wires[1].connection.request_game, REQUEST)
    await wires[1].quiet(20)
    await wires[0].send(b"A" + b"Peer".ljust(32) + b"2\0")
    await wires[0].connection.receive()
    await wires[1].read(encode(REQUEST))
    for each in wires:
        await each.connection.leave()


async def test_limits_are_settings(clock: MockClock, nursery: trio.Nursery) -> None:
    wire = wired(nursery, limits=ConnectionLimits(idle_timeout=7))
    started = trio.current_time()
    assert await wire.connection.receive() == Disconnected(Ending.IDLE)
    assert trio.current_time() == pytest.approx(started + 7)


async def test_two_may_leave_at_once(clock: MockClock, wire: Wire) -> None:
    await wire.begin(MOVE)
    await wire.connection.receive()
    async with trio.open_nursery() as nursery:
        for _ in range(2):
            nursery.start_soon(wire.connection.leave)
        await wire.read(b"E01\0")
        await wire.send(b"E01\0")
    assert await wire.peer.receive_some() == b""


async def test_a_fault_while_leaving_still_closes_the_stream(
    clock: MockClock, wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    await wire.begin()

    def fail() -> None:
        raise OverflowError

    with monkeypatch.context() as patch:
        patch.setattr(wire.connection, "_add_farewell", fail)
        with pytest.raises(OverflowError):
            await wire.connection.leave()
    assert await wire.peer.receive_some() == b""
