"""Hostile and odd input, and the cases of other programs' users, against a session and a board alone.

The same input meets the whole server in test_hostile_dxp.py.
"""

import json
import runpy
from pathlib import Path

import pytest
from understudy import Understudy

from dxp.codec import encode
from dxp.message import GameAccept, GameRequest, Message
from dxp.session import DxpSession
from dxp.state import State

DATA = Path(__file__).parent / "data" / "cases"
CASES = runpy.run_path(str(DATA / "hostile_dxp.py"))["CASES"]
FILED = {case["id"]: case for case in json.loads((DATA / "cases.json").read_text())}
PIECES = {46: "W", 50: "w", 1: "z", 5: "z", 14: "z", 23: "z"}
KCAP = "BW" + "".join(PIECES.get(square, "e") for square in range(1, 51))

ANSWERS = {
    "ignore": "",
    "ignore, count": "",
    "ok": "",
    "escaped in logs": "",
    "never relayed raw (Moby Dam executes it)": "",
    "ignored, NOT answered": "",
    "ignore, nothing taken back": "",
    "nothing until NUL; idle time-out": "",
    "close on time-out/cap, nothing sent": "",
    "truncate or close": "closed",
    "close at the cap": "closed",
    "rate limit, other sessions unaffected": "",
    "GAMEACC 2": "A2",
    "GAMEACC 1": "A1",
    "GAMEACC 1 or 2": "A1",
    "GAMEACC 2 (fields shifted)": "A2",
    "GAMEACC 0": "A0",
    "GAMEACC 0 or 2": "A0",
    "GAMEACC 0, 30 s": "A0",
    "GAMEACC 0, unlimited": "A0",
    "GAMEACC 0, placeholder name": "A0",
    "GAMEACC 0, then the move is handled": "A0 M",
    "GAMEACC 2; game goes on": "A2",
    "reject by policy, never silently queue": "",
    "first played, second out of turn": "M",
    "illegal": "E30",
    "malformed": "E30",
    "malformed/illegal": "E30",
    "illegal: the game ends as our win": "E30",
    "accepted": "M",
    "accepted, time ignored": "M",
    "exactly one E answer": "E00",
    "end unknown, E00": "E00",
    "end, E00": "E00",
    "E00, result adjudicated by server": "E00",
    "move, then end; one E answer": "E00",
    "K2 or K1": "K2",
    "K1 (or K2)": "K2",
    "K1/K2, no change": "K2",
    "K1/K2 or ignore": "K2",
}
"""What the session sends, chat left out, where each reaction is expected."""


def request(ours: str = "W", start: str = "A") -> bytes:
    """Return the GAMEREQ of a peer that wants the colour `ours`."""
    return f"R01{'Probe':32}{'Z' if ours == 'W' else 'W'}001040{start}\0".encode()


def short(message: Message) -> str:
    """Return enough of a message to know it by."""
    data = encode(message)[:-1].decode()
    return {"A": "A" + data[-1], "M": "M", "E": data, "K": data}.get(data[0], "")


def heard(understudy: Understudy, data: bytes) -> str:
    """Return what the follower answers, chat left out."""
    before = len(understudy.answers)
    understudy.hear(data)
    if understudy.session.state is State.CLOSED:
        return "closed"
    return " ".join(filter(None, map(short, understudy.answers[before:])))


@pytest.mark.parametrize(
    ("state", "data", "reaction"),
    [
        pytest.param(where, *case[2:], id=f"{case[0]}-{where}")
        for case in CASES
        if "initiator" not in case[1]
        for where in (["idle", "playing"] if case[1] == "any" else [case[1]])
    ],
)
def test_a_session_reacts_as_it_should(state: str, data: bytes, reaction: str) -> None:
    understudy = Understudy(takeback=False)
    if state != "idle":
        assert heard(understudy, request(start=KCAP if "KCAP" in state else "A")) == "A0"
    if "server on move" in state:
        understudy.thinking = True
        assert heard(understudy, b"M0000312600\0") == ""
    understudy.thinking = understudy.thinking or "end;" in reaction
    assert heard(understudy, data) == ANSWERS[reaction]
    if understudy.session.state is State.IDLE and not understudy.session.unfinished:
        understudy.thinking = False
        assert heard(understudy, request("Z")) == "A0 M"


def test_every_expected_reaction_is_asserted() -> None:
    assert {reaction for _, state, _, reaction in CASES if "initiator" not in state} == set(ANSWERS)


def test_an_unknown_code_refuses_the_game_that_we_asked_for() -> None:
    (data,) = [data for _, state, data, _ in CASES if "initiator" in state]
    session = DxpSession("initiator", "Bonnard")
    session.request_game(GameRequest("Bonnard", "W", 5, 75))
    session.receive(data)
    (answer,) = session.take_events()
    assert isinstance(answer, GameAccept)
    assert answer.code == 2
    assert session.state is State.IDLE


def filed(name: str, key: str) -> list[bytes]:
    """Return the bytes of a filed case, which writes NUL as a backslash and a zero."""
    value = FILED[name]["input"][key]
    texts = [value] if isinstance(value, str) else value
    return [text.replace("\\0", "\0").encode("latin-1") for text in texts]


def test_dxp_01_a_message_cut_in_two_and_two_in_one_segment() -> None:
    understudy = Understudy()
    first, second = filed("DXP-01", "segments")
    assert heard(understudy, first) == "A0"
    assert heard(understudy, second) == "M"


def test_dxp_02_a_start_position_with_a_round_trip_capture() -> None:
    (data,) = filed("DXP-02", "bytes")
    assert len(data.rstrip(b"\0")) == FILED["DXP-02"]["input"]["length"]
    understudy = Understudy()
    assert heard(understudy, data) == "A0 M"
    assert encode(understudy.answers[-1])[5:] == b"38380418193233\0"


@pytest.mark.parametrize("last", [b"M0001322800\0", b"M00x1322800\0"])
def test_dxp_05_junk_before_a_move(last: bytes) -> None:
    *junk, _ = filed("DXP-05", "messages")
    understudy = Understudy()
    heard(understudy, request())
    assert heard(understudy, b"".join(junk)) == ""
    assert heard(understudy, last) == "M"


def test_dxp_07_an_end_is_always_acknowledged() -> None:
    understudy = Understudy()
    assert heard(understudy, request() + b"M0001322800\0") == "A0 M"
    assert heard(understudy, b"E10\0") == "E00"


@pytest.mark.parametrize(("name", "answer"), [("DXP-10", "A0 M"), ("DXP-11", "A1"), ("DXP-13", "A2")])
def test_dxp_10_11_13_requests(name: str, answer: str) -> None:
    (data,) = filed(name, "bytes")
    assert heard(Understudy(), data) == answer


def test_dxp_10_minutes_that_are_no_number() -> None:
    (data,) = filed("DXP-10", "bytes")
    assert heard(Understudy(), data.replace(b"0.5", b"abc")) == "A2"


def test_dxp_17_a_take_back_in_a_match() -> None:
    understudy = Understudy(takeback=False)
    heard(understudy, request() + b"M0001322800\0")
    (data,) = filed("DXP-17", "incoming")
    assert heard(understudy, data) == "K2"
    assert heard(understudy, b"M0001332900\0") == "M"
