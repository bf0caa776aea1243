"""`bonnard serve` with actors in the place of engines: the DXP cases, its settings, both roles."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import trio
from actors import Actor, first_move, scored
from dxp_peer import Peer, move_bytes, read_move, request
from house import House, open_house

from rules.colour import Colour
from rules.game import Game, Reason
from tournament.player import Fault, Played

CASES = {
    case["id"]: case
    for case in json.loads((Path(__file__).parent / "data" / "cases" / "cases.json").read_text())
    if case["kind"] == "dxp"
}
Create = Callable[[], Actor]


def filed(case: str, key: str = "bytes") -> bytes:
    """Return the bytes of a case."""
    return CASES[case]["input"][key].replace("\\0", "\0").encode("latin-1")


async def test_dxp_01_a_message_cut_in_two(tmp_path: Path) -> None:
    async with open_house(tmp_path, lambda: Actor("E", ["19-23"])) as house:
        peer = await house.peer()
        first, second = CASES["DXP-01"]["input"]["segments"]
        await peer.send(first.replace("\\0", "\0").encode())
        answer = await peer.receive()
        assert (answer[:8], answer[33]) == ("ABonnard", "0")
        await peer.send(second.replace("\\0", "\0").encode())
        assert read_move(await peer.receive()).hub == "19-23"
        await peer.send(b"E10\0")
        assert [ply.move.hub for ply in (await house.record()).plies] == ["32-28", "19-23"]


async def test_dxp_02_a_start_with_kings_and_a_round_trip(tmp_path: Path) -> None:
    async with open_house(tmp_path, lambda: Actor("E", ["38x38x18x19x32x33"])) as house:
        peer = await house.peer()
        await peer.send(filed("DXP-02"))
        assert (await peer.receive())[33] == "0"
        assert (await peer.receive())[5:] == "38380418193233"


async def test_dxp_04_an_illegal_move_is_our_win(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        peer = await house.peer()
        await peer.start_game("W")
        await peer.send(b"M0001322100\0")
        assert await peer.receive() == "E30"
        assert any("not legal" in chat for chat in peer.chats)
        await peer.send(b"E00\0")
        record = await house.record()
        assert (record.outcome.result, record.outcome.reason) == ("0-2", Reason.ILLEGAL_MOVE)
        assert "32-21" in record.detail


@pytest.mark.parametrize("move", [b"M0001322800\0", b"M00x1322800\0"])
async def test_dxp_05_junk_before_a_move(move: bytes, tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        peer = await house.peer()
        await peer.start_game("W")
        await peer.send(b"X99\0" + b"\0" + b"C" + b"a" * 300 + b"\0" + move)
        assert (await peer.receive())[0] == "M"
        await peer.send(b"E10\0")
        assert (await house.record()).plies[0].move.hub == "32-28"


async def test_dxp_06_a_peer_that_goes_away(tmp_path: Path) -> None:
    async with open_house(tmp_path, lambda: Actor("E", delay=30.0)) as house:
        peer = await house.peer()
        await peer.start_game("W")
        await peer.send(b"M0001322800\0")
        await peer.stream.aclose()
        record = await house.record()
        assert (record.outcome.result, record.outcome.reason) == ("0-2", Reason.DISCONNECT)
        with trio.fail_after(1):
            await (await house.peer()).start_game("W")


async def test_dxp_07_a_resignation_is_acknowledged(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        peer = await house.peer()
        await peer.start_game("W")
        await peer.send(b"M0001322800\0")
        assert (await peer.receive())[0] == "M"
        await peer.send(b"E10\0")
        assert await peer.receive() == "E00"
        record = await house.record()
        assert (record.outcome.result, record.outcome.reason) == ("0-2", Reason.RESIGN)


async def test_dxp_10_a_thinking_time_of_half_a_minute(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        peer = await house.peer()
        await peer.send(filed("DXP-10"))
        assert (await peer.receive())[33] == "0"
        assert (await peer.receive())[0] == "M"
        await peer.send(b"E10\0")
        record = await house.record()
        assert (record.controls[0].bank, record.controls[0].moves, record.move_limit) == (30.0, None, None)
        await peer.send(request(minutes=b"abc"))
        assert await peer.receive() == "E00"
        assert (await peer.receive())[33] == "2"


async def test_dxp_11_13_requests_that_are_refused(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        peer = await house.peer()
        await peer.send(filed("DXP-11"))
        assert (await peer.receive())[33] == "1"
        await peer.send(filed("DXP-13"))
        assert (await peer.receive())[33] == "2"
        await peer.play_whole_game()


async def test_dxp_14_the_move_limit(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        peer = await house.peer()
        game = await peer.start_game("Z", moves=2)
        for _ in range(2):
            game.push(read_move(await peer.receive()))
            game.push(game.legal_moves()[0])
            await peer.send(move_bytes(game.moves[-1]))
        assert await peer.receive() == "E00"
        await peer.send(b"E00\0")
        record = await house.record()
        # The case: "* (or our adjudication), never a win/loss taken from reason 0". Ours is a draw.
        assert (record.outcome.reason, record.outcome.result) == (Reason.MOVE_LIMIT, "1-1")
        assert len(record.plies) == 4


@pytest.mark.parametrize(("takeback", "answer"), [(False, "K2"), (True, "K0")])
async def test_dxp_17_moves_are_taken_back_only_with_the_setting(
    takeback: bool, answer: str, tmp_path: Path
) -> None:
    async with open_house(tmp_path, serve__takeback=takeback) as house:
        peer = await house.peer()
        game = await peer.start_game("W")
        game.push(game.legal_moves()[-1])
        await peer.send(move_bytes(game.moves[-1]))
        game.push(read_move(await peer.receive()))
        await peer.send(b"B001W\0")
        assert await peer.receive() == answer
        if takeback:
            game = Game()
        game.push(game.legal_moves()[0])
        await peer.send(move_bytes(game.moves[-1]))
        game.push(read_move(await peer.receive()))
        await peer.send(b"E10\0")
        record = await house.record()
        assert [ply.move for ply in record.plies] == list(game.moves)


async def test_an_illegal_move_may_be_tried_again(tmp_path: Path) -> None:
    async with open_house(tmp_path, serve__on_illegal="retry") as house:
        peer = await house.peer()
        game = await peer.start_game("W", moves=2)
        await peer.send(b"M0001322100\0")
        assert await peer.is_silent()
        assert any("32-21" in chat for chat in peer.chats)
        await peer.play_on(game, "W", 2)
        assert (await house.record()).outcome.reason is Reason.MOVE_LIMIT


async def test_a_short_request_is_played_with_the_least_time(tmp_path: Path) -> None:
    async with open_house(tmp_path, serve__min_minutes=2.0) as house:
        peer = await house.peer()
        await peer.start_game("W", minutes=b"000")
        await peer.send(b"E10\0")
        record = await house.record()
        assert [control.bank for control in record.controls] == [120.0, 120.0]


@pytest.mark.parametrize(("flag", "expected"), [(True, Reason.TIME), (False, Reason.MOVE_LIMIT)])
async def test_an_overdrawn_clock_loses_only_with_the_setting(
    flag: bool, expected: Reason, tmp_path: Path
) -> None:
    late = 31.0  # of half a minute

    def create() -> Actor:
        return Actor("E", [lambda game: Played(game.legal_moves()[0], late)])

    async with open_house(tmp_path, create, serve__flag=flag) as house:
        peer = await house.peer()
        game = await peer.start_game("Z", minutes=b"000", moves=1)
        if flag:
            assert (await peer.receive())[:2] == "E1"
            await peer.send(b"E00\0")
        else:
            await peer.play_on(game, "Z", 1)
        record = await house.record()
        assert record.outcome.reason is expected


async def test_more_games_than_allowed_are_refused_until_one_ends(tmp_path: Path) -> None:
    async with open_house(tmp_path, serve__max_games=1) as house:
        first, second = await house.peer(), await house.peer()
        await first.start_game("W")
        await second.send(request("W"))
        assert (await second.receive())[33] == "2"
        await first.send(b"E10\0")
        assert await first.receive() == "E00"
        await house.record()
        await second.play_whole_game()
        assert len(house.engines) == 1


async def test_without_an_engine_a_request_is_refused(tmp_path: Path) -> None:
    class Broken(Actor):
        async def open(self) -> Fault | None:
            return Fault("crash", "exit code 1")

    async with open_house(tmp_path, lambda: Broken("E")) as house:
        peer = await house.peer()
        await peer.send(request("W"))
        assert (await peer.receive())[33] == "2"
        assert house.records() == []


async def test_a_claimed_draw_is_agreed_when_our_score_is_level(tmp_path: Path) -> None:
    async with open_house(tmp_path, lambda: Actor("E", [first_move(0.2)])) as house:
        peer = await house.peer()
        await peer.start_game("W")
        await peer.send(b"M0001322800\0")
        await peer.receive()
        await peer.send(b"E20\0")
        assert await peer.receive() == "E00"
        assert (await house.record()).outcome.reason is Reason.AGREEMENT


async def test_our_winning_move_is_sent_and_the_peer_ends_the_game(tmp_path: Path) -> None:
    # W:W33 against a man on 29 that it takes: black has nothing left.
    start = b"BZ" + b"".join({28: b"z", 33: b"w", 39: b"w"}.get(square, b"e") for square in range(1, 51))
    async with open_house(tmp_path, lambda: Actor("E", ["33x22"])) as house:
        peer = await house.peer()
        start = start.replace(b"BZ", b"BW")
        await peer.send(request("Z", start=start))
        assert (await peer.receive())[33] == "0"
        assert (await peer.receive())[5:] == "33220128"
        await peer.send(b"E10\0")
        assert await peer.receive() == "E00"
        record = await house.record()
        assert (record.outcome.result, record.outcome.reason) == ("2-0", Reason.NO_MOVE)


async def test_a_move_after_the_end_is_not_recorded_and_is_answered_by_the_end(tmp_path: Path) -> None:
    async with open_house(tmp_path, lambda: Actor("E", ["31-26"])) as house:
        peer = await house.peer()
        game = await peer.start_game("Z", moves=1)
        game.push(read_move(await peer.receive()))
        game.push(game.legal_moves()[0])
        await peer.send(move_bytes(game.moves[-1]))
        assert await peer.receive() == "E00"
        await peer.send(b"E00\0")
        game = await peer.start_game("W", moves=1)
        game.push(game.legal_moves()[0])
        await peer.send(move_bytes(game.moves[-1]))
        game.push(
            read_move(await peer.receive())
        )  # the limit: the game is over, and white goes on all the same
        await peer.send(move_bytes(game.legal_moves()[0]))
        assert await peer.receive() == "E00"
        await peer.send(b"E00\0")
        assert len((await house.record(2)).plies) == 2


async def test_as_initiator_we_ask_for_games_with_alternating_colours(tmp_path: Path) -> None:
    flags = {"serve__role": "initiator", "serve__games": 2, "serve__moves": 2, "serve__minutes": 3.0}
    async with open_house(tmp_path, **flags) as house:
        peer = await house.peer()
        for colour in ("Z", "W"):
            wanted = await peer.receive()
            assert wanted[35:] == f"{colour}003002A"
            await peer.send(b"A" + b"Follower".ljust(32) + b"0\0")
            await play_as_follower(peer, colour)
        first, second = await house.record(1), await house.record(2)
        assert (first.white, first.black) == ("Engine", "Follower")
        assert (second.white, second.black) == ("Follower", "Engine")
        assert await peer.receive() == "E01"  # no more games
        assert await peer.receive() == ""


async def play_as_follower(peer: Peer, ours: str) -> None:
    """Play two moves each; whoever finds the limit reached ends the game."""
    game = Game()
    colour = Colour.WHITE if ours == "W" else Colour.BLACK
    while len(game) < 4:
        if game.turn is colour:
            game.push(game.legal_moves()[0])
            await peer.send(move_bytes(game.moves[-1]))
        else:
            game.push(read_move(await peer.receive()))
    if game.turn is colour:
        await peer.send(b"E00\0")
        assert (await peer.receive())[:2] == "E0"
    else:
        assert (await peer.receive())[:2] == "E0"
        await peer.send(b"E00\0")


async def test_games_at_the_same_time_do_not_mix(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house, trio.open_nursery() as nursery:
        for seed in range(8):
            nursery.start_soon(play_one, house, seed)
    # read after the house is closed: all eight are there
    assert len(house.records()) == 8
    assert {record.outcome.reason for record in house.records()} <= {Reason.MOVE_LIMIT, Reason.NO_MOVE}


async def play_one(house: House, seed: int) -> None:
    """Play a whole game over a connection of its own."""
    peer = await house.peer()
    await peer.play_whole_game("W" if seed % 2 else "Z", moves=10, seed=seed)


async def test_the_seconds_of_a_move_are_those_the_server_measured(tmp_path: Path) -> None:
    async with open_house(tmp_path, lambda: Actor("E", [scored("19-23", 0.5, 1.25)])) as house:
        peer = await house.peer()
        await peer.start_game("W")
        await peer.send(b"M9999322800\0")
        await peer.receive()
        await peer.send(b"E10\0")
        record = await house.record()
        assert record.plies[0].seconds < 10
        assert (record.plies[1].seconds, record.plies[1].score) == (1.25, 0.5)
