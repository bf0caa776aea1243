"""The bytes of DXP messages: layouts, dialects, limits, and that nothing makes the reader raise.

The numbers are points of the interop checklist.
"""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dxp.codec import LONGEST_TOLERATED, UNNAMED, Decoder, decode, encode, escape
from dxp.message import (
    Acceptance,
    BackAccept,
    BackAnswer,
    BackRequest,
    Chat,
    EndReason,
    GameAccept,
    GameEnd,
    GameRequest,
    Malformed,
    Message,
    Move,
)

PROBE = b"R01" + b"Probe".ljust(32)
STANDARD = "W" + "z" * 20 + "e" * 10 + "w" * 20

# Bytes from the DamExchange pages and from recorded sessions, and what they say.
RECORDED = [
    (b"R01Scan 2.0                        Z001040A", GameRequest("Scan 2.0", "Z", 1, 40)),
    (
        b"R01Probe                           Z001100BWeezeeeezzeeezzeeezzeeeeeeewweeewweeewweeeeeeeeewee",
        GameRequest("Probe", "Z", 1, 100, "Weezeeeezzeeezzeeezzeeeeeeewweeewweeewweeeeeeeeewee"),
    ),
    (b"AScan 2.0                        0", GameAccept("Scan 2.0", Acceptance.ACCEPTED)),
    (b"AMoby Dam (Nov 29 2026)          2", GameAccept("Moby Dam (Nov 29 2026)", Acceptance.GAME_REFUSED)),
    (b"M0012061100", Move(6, 11, (), 12)),
    (b"M0000094003142434", Move(9, 40, (14, 24, 34))),
    (b"M00001333021929", Move(13, 33, (19, 29))),
    (b"M000038380418193233", Move(38, 38, (18, 19, 32, 33))),
    (b"E11", GameEnd(EndReason.RESIGN, stop=True)),
    (b"E00", GameEnd(EndReason.UNKNOWN)),
    (b"CHello, what do you think about this?", Chat("Hello, what do you think about this?")),
    (b"B002W", BackRequest(2, "W")),
    (b"K0", BackAccept(BackAnswer.GRANTED)),
]


@pytest.mark.parametrize(("data", "message"), RECORDED)
def test_recorded_bytes_are_read_and_written(data: bytes, message: Message) -> None:
    assert decode(data) == message
    assert encode(message) == data + b"\0"


def test_captured_squares_come_in_any_order_and_go_out_ascending() -> None:
    assert decode(b"M001205250422122320") == Move(5, 25, (12, 20, 22, 23), 12)
    assert encode(Move(46, 10, (23, 14))) == b"M00004610021423\0"


@pytest.mark.parametrize("data", [b"M0000461003231414", b"M0000461002" + b"14" * 2])
def test_a_captured_square_named_twice_stays_twice(data: bytes) -> None:
    move = decode(data)
    assert isinstance(move, Move)
    assert move.captured.count(14) == 2


@pytest.mark.parametrize(
    ("time", "seconds"),
    [(b"0012", 12), (b"12.3", 12), (b"  5 ", 5), (b"-001", 0), (b"    ", 0), (b"00x1", 0), (b"1e99", 0)],
)
def test_14_the_time_of_a_move_is_never_a_reason(time: bytes, seconds: int) -> None:
    assert decode(b"M" + time + b"322800") == Move(32, 28, (), seconds)


@pytest.mark.parametrize(
    ("field", "minutes"),
    [
        (b"005", 5),
        (b"000", 0),
        (b"0.5", 0.5),
        (b".05", 0.05),
        (b"1.5", 1.5),
        (b"  5", 5),
        (b"5  ", 5),
        (b"12.", 12),
    ],
)
def test_15_minutes_with_decimals(field: bytes, minutes: float) -> None:
    assert decode(PROBE + b"W" + field + b"000A") == GameRequest("Probe", "W", minutes, None)


def test_16_no_limit_of_moves() -> None:
    assert decode(PROBE + b"Z005000A") == GameRequest("Probe", "Z", 5, None)
    assert encode(GameRequest("Probe", "Z", 5, None))[39:42] == b"000"


@pytest.mark.parametrize(
    ("minutes", "field"),
    [(5, b"005"), (0, b"000"), (999, b"999"), (0.5, b"0.5"), (0.05, b".05"), (1.5, b"1.5")],
)
def test_minutes_are_written_in_three_characters(minutes: float, field: bytes) -> None:
    assert encode(GameRequest("Probe", "W", minutes, None))[36:39] == field


@pytest.mark.parametrize(
    "message",
    [
        GameRequest("Probe", "W", 12.5, 75),
        GameRequest("Probe", "W", 1000, 75),
        GameRequest("Probe", "W", float("nan"), 75),
        GameRequest("Probe", "W", 5, 1000),
        GameRequest("Probe", "W", 5, 75, "W" + "x" * 50),
        Move(0, 28),
        Move(32, 51),
        Move(32, 28, tuple(range(1, 22))),
        BackRequest(0, "W"),
    ],
)
def test_what_has_no_place_in_a_message_is_refused(message: Message) -> None:
    with pytest.raises(ValueError, match=r"cannot be written|is not"):
        encode(message)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "empty"),
        (b"\r\n", "empty"),
        (b"Xhello", "header"),
        (b"r01Probe", "header"),
        (b"\xff", "header"),
        (b"R", "version"),
        (b"R02Probe                           W001040A", "version '02'"),
        (b"R01Short", "8 characters"),
        (PROBE + b"w001040A", "colour 'w'"),
        (PROBE + b"B001040A", "colour 'B'"),
        (PROBE + b"Z-01040A", "time '-01'"),
        (PROBE + b"Z1e2040A", "time '1e2'"),
        (PROBE + b"Znan040A", "time 'nan'"),
        (PROBE + b"Zinf040A", "time 'inf'"),
        (PROBE + b"Z1_0040A", "time '1_0'"),
        (PROBE + b"Z\xb2\xb3\xb9040A", "time"),
        (PROBE + b"Z0010x0A", "moves '0x0'"),
        (PROBE + b"Z001040C", "start 'C'"),
        (PROBE + b"Z001040B", "94 are right"),
        (PROBE + b"Z001040BB" + STANDARD[1:].encode(), "position"),
        (PROBE + b"Z001040BW" + b"x" * 50, "position"),
        (PROBE + b"Z001040B" + STANDARD[:-1].encode(), "93 characters"),
        (b"R01" + b"x" * 31 + b"Z001040A", "42 characters"),
        (b"R01" + b"x" * 33 + b"Z001040A", "start '0'"),
        (b"AX0", "3 characters"),
        (b"M0000312", "8 characters"),
        (b"M000031260", "10 characters"),
        (b"M0000312601", "1 captured"),
        (b"M00003126012", "1 captured"),
        (b"M0000312600EXTRA", "0 captured"),
        (b"M0000312699" + b"01" * 99, "longer than 127"),
        (b"M12345312600", "60 captured"),
        (b"M0000310000", "square 00"),
        (b"M0000992600", "square 99"),
        (b"M0000461002140" + b"0", "square 00"),
        (b"M0000\xb2\xb32600", "no number"),
        (b"M0000+12600" + b"", "no number"),
        (b"C", "without text"),
        (b"B", "1 characters"),
        (b"B000W", "move number 0"),
        (b"BABCQ", "no number"),
        (b"B001Q", "colour"),
        (b"K", "1 characters"),
    ],
)
def test_what_is_no_message_says_why(data: bytes, why: str) -> None:
    malformed = decode(data)
    assert isinstance(malformed, Malformed)
    assert why in malformed.why
    assert malformed.data == data


@pytest.mark.parametrize("data", [b"E", b"EXX", b"E95", b"E000", b"E0"])
def test_a_broken_end_of_a_game_still_ends_it(data: bytes) -> None:
    assert decode(data) == GameEnd(EndReason.UNKNOWN)


def test_the_reason_of_a_short_end_is_read() -> None:
    assert decode(b"E3") == GameEnd(EndReason.WIN)


@pytest.mark.parametrize("code", [b"7", b"4", b"x"])
def test_an_unknown_acceptance_code_is_a_refusal(code: bytes) -> None:
    assert decode(b"A" + b"X".ljust(32) + code) == GameAccept("X", Acceptance.GAME_REFUSED)


def test_an_unknown_answer_to_a_take_back_is_a_refusal() -> None:
    assert decode(b"K9") == BackAccept(BackAnswer.REFUSED)


@pytest.mark.parametrize(
    ("field", "name"),
    [
        (b"Scan 2.0".ljust(32), "Scan 2.0"),
        (b"nuggets".ljust(32, b"0"), "nuggets"),
        (b" leading".ljust(32), "leading"),
        (b" " * 32, UNNAMED),
        (b"0" * 32, UNNAMED),
        (b"Caf\xe9\x1b[2J".ljust(32), "Caf??[2J"),
        (b"GWD 8.100 a name that is cut at 3", "GWD 8.100 a name that is cut at"),
    ],
)
def test_12_names(field: bytes, name: str) -> None:
    assert decode(b"R01" + field[:32] + b"Z001040A") == GameRequest(name, "Z", 1, 40)


def test_a_name_is_cut_cleaned_and_padded() -> None:
    assert encode(GameAccept(" x\0\n\u00e9" + "y" * 40, Acceptance.ACCEPTED)) == b"Ax???" + b"y" * 28 + b"0\0"
    assert encode(GameAccept("", Acceptance.NEVER)) == b"Aunnamed" + b" " * 25 + b"3\0"


def test_line_ends_behind_a_message_are_dropped() -> None:
    assert decode(PROBE + b"Z001040A\r\n") == GameRequest("Probe", "Z", 1, 40)
    assert decode(b"M0000312600\n") == Move(31, 26)


def test_chat_is_cleaned_and_cut() -> None:
    assert decode(b"C\x1b[2J\r\nfake log line") == Chat("?[2J??fake log line")
    assert decode(b"C" + bytes(range(128, 160))) == Chat("?" * 32)
    assert decode(b"C" + b"x" * 300) == Chat("x" * 126)
    assert encode(Chat("a\0b" + "x" * 200)) == b"Ca?b" + b"x" * 123 + b"\0"


def test_17_the_position_decides_who_begins() -> None:
    assert GameRequest("Probe", "W", 5, 75).turn == "W"
    assert GameRequest("Probe", "W", 5, 75, STANDARD).turn == "W"
    assert GameRequest("Probe", "W", 5, 75, "Z" + STANDARD[1:]).turn == "Z"


def test_escaped_bytes_are_printable() -> None:
    assert escape(b"a\\b\x1b\xff\0 ~") == "a\\x5cb\\x1b\\xff\\x00 ~"


COLOURS = st.sampled_from(["W", "Z"])
SQUARES = st.integers(1, 50)
NAMES = st.from_regex(r"[!-~]([ -~]{0,29}[!-/1-~])?", fullmatch=True).filter(
    lambda name: not name.endswith("0")
)
MESSAGES = st.one_of(
    st.builds(
        GameRequest,
        name=NAMES,
        follower_colour=COLOURS,
        minutes=st.integers(0, 999).map(float) | st.sampled_from([0.5, 0.05, 1.5, 9.9]),
        moves=st.none() | st.integers(1, 999),
        position=st.none() | st.from_regex(r"[WZ][wzWZe]{50}", fullmatch=True),
    ),
    st.builds(GameAccept, name=NAMES, code=st.sampled_from(Acceptance)),
    st.builds(
        Move,
        from_square=SQUARES,
        to_square=SQUARES,
        captured=st.lists(SQUARES, max_size=20).map(lambda squares: tuple(sorted(squares))),
        seconds=st.integers(0, 9999),
    ),
    st.builds(GameEnd, reason=st.sampled_from(EndReason), stop=st.booleans()),
    st.builds(Chat, text=st.from_regex(r"[ -~]{1,126}", fullmatch=True)),
    st.builds(BackRequest, number=st.integers(1, 999), colour=COLOURS),
    st.builds(BackAccept, code=st.sampled_from(BackAnswer)),
)


@given(MESSAGES)
def test_what_is_written_is_read_back(message: Message) -> None:
    data = encode(message)
    assert 2 <= len(data) <= 128
    assert all(1 <= byte <= 127 for byte in data[:-1])
    assert data[-1] == 0
    assert decode(data[:-1]) == message


@given(st.binary(max_size=200))
def test_no_bytes_raise(data: bytes) -> None:
    decode(data)


@given(st.sampled_from("RAMECBK"), st.text("0123456789 WZwzeAB.-\xb2", max_size=100))
def test_no_bytes_behind_a_known_header_raise(header: str, text: str) -> None:
    decode((header + text).encode("latin-1"))


def test_a_stream_may_be_split_and_joined_anywhere() -> None:
    stream = b"\0\0" + b"\0".join(data for data, _ in RECORDED) + b"\0"
    expected = [Malformed("empty message", b"")] * 2 + [message for _, message in RECORDED]
    assert Decoder().feed(stream) == expected
    decoder = Decoder()
    assert [message for byte in stream for message in decoder.feed(bytes([byte]))] == expected
    assert not decoder.unfinished


@given(st.lists(st.binary(max_size=40)), st.lists(st.integers(0, 400)))
def test_any_split_gives_the_same_messages(pieces: list[bytes], cuts: list[int]) -> None:
    stream = b"\0".join(pieces)
    whole = Decoder()
    expected = whole.feed(stream)
    split = Decoder()
    places = sorted({min(cut, len(stream)) for cut in cuts} | {0, len(stream)})
    parts = [stream[start:end] for start, end in itertools.pairwise(places)]
    found = [message for part in parts for message in split.feed(part)]
    assert found == expected
    assert split.unfinished == whole.unfinished


@pytest.mark.parametrize("size", [1, 100, 5000, 1 << 20])
def test_a_message_without_end_is_given_up(size: int) -> None:
    decoder = Decoder()
    stream = b"C" + b"x" * LONGEST_TOLERATED
    for start in range(0, len(stream), size):
        assert decoder.feed(stream[start : start + size]) == []
    assert decoder.overlong
    assert decoder.feed(b"\0E00\0") == []


def test_the_longest_tolerated_message_is_still_read() -> None:
    decoder = Decoder()
    assert decoder.feed(b"C" + b"x" * (LONGEST_TOLERATED - 1) + b"\0E00\0") == [
        Chat("x" * 126),
        decode(b"E00"),
    ]
    assert not decoder.overlong
