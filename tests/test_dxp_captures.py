"""Recorded sessions of real programs: read by the codec, and replayed against our session.

`a`: Scan 2.0 as initiator against Moby Dam. `b`, `c`, `e`: a script as initiator against Scan 2.0, Moby Dam
and Scan 3.1. `f`: pydraughts as initiator against Moby Dam. `g`: a relay as initiator of both.
"""

import json
from pathlib import Path

import attrs
import pytest
from understudy import Understudy, board_move, start_of

from dxp.codec import Decoder, decode, encode
from dxp.events import Ignored
from dxp.message import (
    Acceptance,
    BackAccept,
    Chat,
    GameAccept,
    GameEnd,
    GameRequest,
    Malformed,
    Message,
    Move,
)
from dxp.session import DxpSession
from dxp.state import State
from rules.position import Position

CAPTURES = Path(__file__).parent / "data" / "captures"
FILES = sorted(CAPTURES.glob("[abcefg]_*.jsonl"))
REPLAYED = ("normal", "split", "startB", "moves_", "time_", "backreq_", "black_first_backreq")
AS_FOLLOWER = [
    path for path in FILES if path.name[0] in "bc" and path.stem.split("_", 4)[-1].startswith(REPLAYED)
]


@attrs.frozen
class Line:
    """What one side sent at once."""

    sender: str
    receiver: str
    data: bytes


def lines(path: Path) -> list[Line]:
    """Return what was sent in a recorded session, in order."""
    rows = [json.loads(row) for row in path.read_text().splitlines()]
    sides = [(*row["dir"].partition(">"), row["data"].encode("latin-1")) for row in rows if row["data"]]
    return [Line(sender, receiver, data) for sender, _, receiver, data in sides]


def read(path: Path, sender: str, receiver: str) -> list[Message | Malformed]:
    """Return all messages from one side to the other."""
    decoder = Decoder()
    found = [
        message
        for line in lines(path)
        if (line.sender, line.receiver) == (sender, receiver)
        for message in decoder.feed(line.data)
    ]
    assert not decoder.unfinished
    return found


def test_there_are_recorded_sessions() -> None:
    assert len(FILES) > 70
    assert len(AS_FOLLOWER) == 24


ECHO = b"E05"
"""Scan's answer to E95: it repeats whatever stop code it gets."""


def test_every_message_of_a_real_program_is_read_and_would_be_written_the_same() -> None:
    count = 0
    for path in FILES:
        for line in lines(path):
            if line.sender in {"script", "again", "second"}:
                continue
            for body in line.data.split(b"\0")[:-1]:
                message = decode(body)
                assert not isinstance(message, Malformed), path.name
                assert body == ECHO or encode(message) == body + b"\0", path.name
                count += 1
    assert count > 500


def record_of(path: Path, ours: str, theirs: str) -> list[tuple[bool, Message]]:
    """Return a session as (it is ours, message), in order."""
    found: list[tuple[bool, Message]] = []
    decoders = {ours: Decoder(), theirs: Decoder()}
    for line in lines(path):
        if {line.sender, line.receiver} != {ours, theirs}:
            continue
        for message in decoders[line.sender].feed(line.data):
            assert not isinstance(message, Malformed)
            found.append((line.sender == ours, message))
    return found


def say(session: DxpSession, message: Message) -> None:
    """Do what our side of the record did."""
    match message:
        case GameRequest():
            session.request_game(message)
        case GameAccept():
            session.accept_game()
        case Move():
            session.send_move(message)
        case GameEnd() if session.state is State.PLAYING:
            session.end_game(message.reason, stop=message.stop)
        case GameEnd(stop=True):
            session.say_goodbye()
        case Chat():
            session.send_chat(message.text)
        case _:
            raise AssertionError(f"unexpected {message}")


@pytest.mark.parametrize(
    ("name", "ours", "theirs"),
    [
        ("a_scan2_initiator_vs_mobydam_follower", "scan2", "mobydam"),
        ("a_scan2_initiator_vs_mobydam_follower", "mobydam", "scan2"),
        ("g_relay_server_initiator_scan2_and_mobydam_clients", "server(scan2)", "engine"),
        ("g_relay_server_initiator_scan2_and_mobydam_clients", "server(mobydam)", "engine"),
        ("g_relay_server_initiator_scan2_and_mobydam_clients", "engine", "server(scan2)"),
        ("g_relay_server_initiator_scan2_and_mobydam_clients", "engine", "server(mobydam)"),
        ("f_pydraughts_initiator_vs_mobydam_quit", "mobydam", "pydraughts"),
    ],
)
def test_our_session_in_the_place_of_either_side_sends_the_same_bytes(
    name: str, ours: str, theirs: str
) -> None:
    record = record_of(CAPTURES / f"{name}.jsonl", ours, theirs)
    begins = next(mine for mine, message in record if isinstance(message, GameRequest))
    own_name = next(m.name for mine, m in record if mine and isinstance(m, GameRequest | GameAccept))
    session = DxpSession("initiator" if begins else "follower", own_name)
    position = Position.start()
    games = moves = 0
    for mine, message in record:
        if isinstance(message, GameRequest):
            position, games = start_of(message), games + 1
        if mine:
            output = session.take_output()
            if output is None:
                say(session, message)
                output = session.take_output()
            assert output == encode(message)
        else:
            session.receive(encode(message))
            events = session.take_events()
            late_goodbye = isinstance(message, GameEnd) and message.stop and session.stopped
            assert late_goodbye or not any(isinstance(event, Ignored) for event in events)
        if isinstance(message, Move):
            assert position.is_legal(board_move(message))
            position, moves = position.make(board_move(message)), moves + 1
            assert session.our_turn is not mine
    assert session.take_output() is None
    assert games
    assert moves >= 10


def understudied(path: Path) -> Understudy:
    """Play a whole file in the place of its follower."""
    recorded = [message for message in read(path, "engine", "script") if isinstance(message, Move)]
    understudy = Understudy(recorded)
    for line in lines(path):
        if line.sender == "script":
            understudy.hear(line.data)
    return understudy


@pytest.mark.parametrize("path", AS_FOLLOWER, ids=lambda path: path.stem)
def test_our_session_in_the_place_of_a_recorded_follower(path: Path) -> None:
    initiator = read(path, "script", "engine")
    understudy = understudied(path)
    answers = understudy.answers
    assert understudy.illegal == 0
    accepted = [answer.code for answer in answers if isinstance(answer, GameAccept)]
    assert accepted == [Acceptance.ACCEPTED] * sum(isinstance(message, GameRequest) for message in initiator)
    ends = [message for message in initiator if isinstance(message, GameEnd)]
    assert [end.stop for end in answers if isinstance(end, GameEnd)] == [end.stop for end in ends]
    case = path.stem.partition("_")[2].split("_", 3)[-1]
    take_backs = [answer.code.value for answer in answers if isinstance(answer, BackAccept)]
    assert take_backs == TAKE_BACKS.get(case, [])
    assert not any(isinstance(answer, Chat) for answer in answers)


TAKE_BACKS = {
    "normal": [0, 0],
    "backreq_engine_turn": [0, 0],
    "backreq_future": [2],
    "backreq_nogame": [2],
    "black_first_backreq": [0, 2],
}
"""Codes of the answers: what was never reached, and what is not there, cannot be taken back."""


@pytest.mark.parametrize(
    "path", [path for path in FILES if path.name[0] in "bce"], ids=lambda path: path.stem
)
def test_every_recorded_script_is_survived(path: Path) -> None:
    understudy = understudied(path)
    assert understudy.session.state is not State.CLOSED or "nonul" in path.stem or "hugechat" in path.stem
