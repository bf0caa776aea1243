"""Input that no peer should send: the server reacts as expected, and plays a whole game with the next one.

The cases and their expected reactions are those of data/cases/hostile_dxp.py; the words of each reaction have
a function here.
"""

import runpy
from collections.abc import Awaitable, Callable
from pathlib import Path

import attrs
import pytest
import trio
from actors import Actor
from dxp_peer import Peer, request
from house import House, open_house

from rules.game import Game, Reason

CASES = runpy.run_path(str(Path(__file__).parent / "data" / "cases" / "hostile_dxp.py"))["CASES"]

PIECES = {46: b"W", 50: b"w", 1: b"z", 5: b"z", 14: b"z", 23: b"z"}
KCAP = b"BW" + b"".join(PIECES.get(square, b"e") for square in range(1, 51))


@attrs.define
class Scene:
    """A case under test: the server, the probing peer, and the game that is on, if one is."""

    house: House
    peer: Peer
    state: str
    data: bytes
    game: Game | None

    async def end_well(self) -> None:
        """Show that the server is where it was: the game goes on, or a new one can be played."""
        if self.game is None:
            await self.peer.play_whole_game()
        else:
            await self.peer.play_on(self.game, "W", 2)

    async def answer(self) -> str:
        """Return what the peer hears after sending its bytes."""
        await self.peer.send(self.data)
        return await self.peer.receive()


async def is_ignored(scene: Scene) -> None:
    await scene.peer.send(scene.data)
    assert await scene.peer.is_silent()
    await scene.end_well()


async def is_borne_or_closed(scene: Scene) -> None:
    await scene.peer.send(scene.data)
    try:
        assert await scene.peer.receive(0.5) == ""
    except trio.TooSlowError:
        await scene.end_well()


def refuses(*codes: str) -> Callable[[Scene], Awaitable[None]]:
    async def react(scene: Scene) -> None:
        answer = await scene.answer()
        assert answer[0] == "A"
        assert answer[33] in codes
        await scene.end_well()

    return react


async def accepts(scene: Scene) -> None:
    answer = await scene.answer()
    assert (answer[0], answer[33]) == ("A", "0")
    await scene.peer.send(b"E10\0")
    assert await scene.peer.receive() == "E00"


async def accepts_half_a_minute(scene: Scene) -> None:
    await accepts(scene)
    record = await scene.house.record()
    assert [control.bank for control in record.controls] == [30.0, 30.0]


async def accepts_without_a_limit(scene: Scene) -> None:
    await accepts(scene)
    record = await scene.house.record()
    assert record.move_limit is None
    assert record.controls[0].moves is None


async def accepts_an_unnamed_peer(scene: Scene) -> None:
    await accepts(scene)
    record = await scene.house.record()
    assert record.white.strip()
    assert record.white != record.black


async def accepts_and_plays(scene: Scene) -> None:
    answer = await scene.answer()
    assert (answer[0], answer[33]) == ("A", "0")
    assert (await scene.peer.receive())[0] == "M"


async def refuses_and_plays_on(scene: Scene) -> None:
    answer = await scene.answer()
    assert (answer[0], answer[33]) == ("A", "2")
    await scene.end_well()


async def closes(scene: Scene) -> None:
    with trio.move_on_after(5):
        try:
            await scene.peer.send(scene.data)
        except trio.BrokenResourceError:
            return
        assert await scene.peer.receive() == ""
        return
    pytest.fail("the connection stays open")


async def closes_after_a_while(scene: Scene) -> None:
    await scene.peer.send(scene.data)
    assert await scene.peer.is_silent()
    assert await scene.peer.receive() == ""


async def bears_a_flood(scene: Scene) -> None:
    async with trio.open_nursery() as nursery:

        async def flood() -> None:
            with trio.move_on_after(30):
                await scene.peer.send(scene.data)

        nursery.start_soon(flood)
        began = trio.current_time()
        await (await scene.house.peer()).play_whole_game()
        assert trio.current_time() - began < 5
        nursery.cancel_scope.cancel()


async def wins_by_the_illegal_move(scene: Scene) -> None:
    assert (await scene.answer())[:2] == "E3"
    await scene.peer.send(b"E00\0")
    record = await scene.house.record()
    assert record.outcome.reason is Reason.ILLEGAL_MOVE
    assert record.outcome.result == "0-2"
    assert record.plies == ()
    await scene.peer.play_whole_game()


async def takes_the_move(scene: Scene) -> None:
    answer = await scene.answer()
    # KCAP is over for black in one more move or goes on; from the standard position it always does
    assert answer[0] == "M"


async def plays_the_first_only(scene: Scene) -> None:
    """Of two moves the second one came out of turn: it is not played now and not kept for later."""
    await scene.peer.send(scene.data)
    assert (await scene.peer.receive())[0] == "M"
    assert await scene.peer.is_silent()
    assert any("not your turn" in chat for chat in scene.peer.chats)
    await scene.peer.send(b"E10\0")
    record = await scene.house.record()
    assert record.plies[0].move.hub == "31-26"
    assert len(record.plies) == 2


async def ends_without_a_result(scene: Scene) -> None:
    assert await scene.answer() == "E00"
    assert await scene.peer.is_silent()
    record = await scene.house.record()
    assert (record.outcome.result, record.outcome.reason) == ("*", Reason.ABORTED)
    await scene.peer.play_whole_game()


async def plays_then_ends(scene: Scene) -> None:
    assert await scene.answer() == "E00"
    assert await scene.peer.is_silent()
    record = await scene.house.record()
    assert len(record.plies) == 1
    assert record.outcome.winner is None
    await scene.peer.play_whole_game()


async def is_refused_as_initiator(scene: Scene) -> None:
    assert await scene.peer.receive() == "E00"  # a second attempt, after the first refusal
    await scene.peer.send(b"E00\0")
    assert (await scene.peer.receive())[0] == "R"
    await scene.peer.send(scene.data)
    record = await scene.house.record()
    assert (record.outcome.reason, record.plies) == (Reason.ABORTED, ())


def takes_nothing_back(*, may_be_silent: bool = False) -> Callable[[Scene], Awaitable[None]]:
    async def react(scene: Scene) -> None:
        await scene.peer.send(scene.data)
        try:
            assert await scene.peer.receive(1.0) in {"K1", "K2"}
        except trio.TooSlowError:
            assert may_be_silent
        await scene.end_well()

    return react


REACTIONS: dict[str, Callable[[Scene], Awaitable[None]]] = {
    "ignore": is_ignored,
    "ignore, count": is_ignored,
    "ok": is_ignored,
    "escaped in logs": is_ignored,
    "never relayed raw (Moby Dam executes it)": is_ignored,
    "ignored, NOT answered": is_ignored,
    "ignore, nothing taken back": is_ignored,
    "truncate or close": is_borne_or_closed,
    "GAMEACC 2": refuses("2"),
    "GAMEACC 1": refuses("1"),
    "GAMEACC 1 or 2": refuses("1", "2"),
    "GAMEACC 2 (fields shifted)": refuses("2"),
    "GAMEACC 0": accepts,
    "GAMEACC 0 or 2": accepts,
    "GAMEACC 0, 30 s": accepts_half_a_minute,
    "GAMEACC 0, unlimited": accepts_without_a_limit,
    "GAMEACC 0, placeholder name": accepts_an_unnamed_peer,
    "GAMEACC 0, then the move is handled": accepts_and_plays,
    "GAMEACC 2; game goes on": refuses_and_plays_on,
    "nothing until NUL; idle time-out": closes_after_a_while,
    "close at the cap": closes,
    "close on time-out/cap, nothing sent": closes_after_a_while,
    "rate limit, other sessions unaffected": bears_a_flood,
    "reject by policy, never silently queue": plays_the_first_only,
    "first played, second out of turn": plays_the_first_only,
    "illegal": wins_by_the_illegal_move,
    "malformed": wins_by_the_illegal_move,
    "malformed/illegal": wins_by_the_illegal_move,
    "illegal: the game ends as our win": wins_by_the_illegal_move,
    "accepted": takes_the_move,
    "accepted, time ignored": takes_the_move,
    "exactly one E answer": ends_without_a_result,
    "end unknown, E00": ends_without_a_result,
    "end, E00": ends_without_a_result,
    "E00, result adjudicated by server": ends_without_a_result,
    "move, then end; one E answer": plays_then_ends,
    "refused": is_refused_as_initiator,
    "K2 or K1": takes_nothing_back(),
    "K1 (or K2)": takes_nothing_back(),
    "K1/K2, no change": takes_nothing_back(),
    "K1/K2 or ignore": takes_nothing_back(may_be_silent=True),
}


def scenes() -> list[object]:
    """Return the cases as parameters; what may come in any state comes without a game and in one."""
    return [
        pytest.param(where, data, reaction, id=f"{name}-{where}" if state == "any" else name)
        for name, state, data, reaction in CASES
        for where in (("idle", "playing") if state == "any" and "time-out" not in reaction else (state,))
    ]


@pytest.mark.parametrize(("state", "data", "reaction"), scenes())
async def test_the_server_reacts_and_lives(state: str, data: bytes, reaction: str, tmp_path: Path) -> None:
    role = "initiator" if "initiator" in state else "follower"
    slow = 0.3 if state == "playing, server on move" or "end;" in reaction or "second" in reaction else 0.0
    async with open_house(
        tmp_path, lambda: Actor("Engine", delay=slow), serve__role=role, **flags()
    ) as house:
        peer = await house.peer()
        game = None
        if state.startswith("playing KCAP"):
            game = await peer.start_game("W", start=KCAP)
        elif state.startswith("playing"):
            game = await peer.start_game("W", moves=2)
        elif role == "initiator":
            assert (await peer.receive())[0] == "R"
            await peer.send(data)
        if state == "playing, server on move":
            data = b"M0000312600\0" + data
        await REACTIONS[reaction](Scene(house, peer, state, data, game))
        await show_it_lives(house, role)


def flags() -> dict[str, object]:
    """Return the settings: times that a test can wait for."""
    return {"dxp__idle": 1.0}


async def show_it_lives(house: House, role: str) -> None:
    """Play a whole game on a new connection."""
    peer = await house.peer()
    if role == "follower":
        await peer.play_whole_game(ours="Z")
    else:
        assert (await peer.receive()).startswith("R01Bonnard ")


async def test_every_reaction_is_asserted() -> None:
    assert {reaction for _, _, _, reaction in CASES} == set(REACTIONS)
    assert request() == b"R01Probe                           Z001040A\0"
