"""The bytes of DamExchange messages, and the incremental decoder.

Layouts and codes are Mesander's (DXP layer 2, version 01). Reading is lenient where programs are known to
differ and never raises; what cannot be read becomes `Malformed`. Writing is strict and canonical.
"""

import re
from collections.abc import Callable

from dxp.message import (
    Acceptance,
    BackAccept,
    BackAnswer,
    BackRequest,
    Chat,
    Colour,
    EndReason,
    GameAccept,
    GameEnd,
    GameRequest,
    Malformed,
    Message,
    Move,
)

VERSION = "01"
"""The only version of the protocol in use."""

LONGEST_MESSAGE = 127
"""Bytes of a message without its NUL: what may be sent."""

LONGEST_TOLERATED = 4096
"""Bytes of a message without its NUL beyond which a peer is given up."""

UNNAMED = "unnamed"
"""The name of a peer that gives a blank one."""

_NAME_LENGTH = 32
_REQUEST_LENGTH = {"A": 43, "B": 94}
_ACCEPT_LENGTH = 34
_MOVE_LENGTH = 11
_BACK_REQUEST_LENGTH = 5
_BACK_ACCEPT_LENGTH = 2
_LAST_SQUARE = 50
_LONGEST_MINUTES = 999
_LONGEST_MOVES = 999
_LONGEST_SECONDS = 9999
_COLOURS: dict[str, Colour] = {"W": "W", "Z": "Z"}
_POSITION = re.compile(r"[WZ][wzWZe]{50}")
_DECIMAL = re.compile(r"[0-9]+\.?[0-9]*|\.[0-9]+")
_ZERO_FILL = re.compile(r"00+$")


def escape(data: bytes) -> str:
    """Return `data` as printable ASCII for a log: everything else as backslash x and two hex digits."""
    return "".join(chr(byte) if 32 <= byte < 127 and byte != 92 else f"\\x{byte:02x}" for byte in data)  # noqa: PLR2004


def encode(message: Message) -> bytes:
    """Return the bytes of a message, NUL included.

    Names and chat are cut to their length and cleaned, seconds are clamped to 0..9999; raises ValueError for
    any other value that has no place in the message.
    """
    match message:
        case GameRequest():
            text = _encode_request(message)
        case GameAccept():
            text = f"A{_encode_name(message.name)}{message.code.value}"
        case Move():
            text = _encode_move(message)
        case GameEnd():
            text = f"E{message.reason.value}{int(message.stop)}"
        case Chat():
            text = f"C{_clean(message.text.encode('ascii', 'replace'))}"[:LONGEST_MESSAGE]
        case BackRequest():
            text = f"B{_digits(message.number, 3, 1, 999, 'move number')}{message.colour}"
        case BackAccept():
            text = f"K{message.code.value}"
    return text.encode("ascii") + b"\0"


def decode(data: bytes) -> Message | Malformed:
    """Return the message that `data` (without its NUL) is, or Malformed; never raises.

    Line ends behind a message are dropped: some programs send them.
    """
    body = data.rstrip(b"\r\n")
    if not body:
        return Malformed("empty message", data)
    text = body.decode("latin-1")
    if text[0] == "C":
        return _read_chat(body)
    if len(body) > LONGEST_MESSAGE:
        return Malformed(f"{len(body)} bytes, longer than {LONGEST_MESSAGE}", data)
    reader = _READERS.get(text[0])
    if reader is None:
        return Malformed("unknown header", data)
    try:
        return reader(text)
    except ValueError as error:
        return Malformed(str(error), data)


class Decoder:
    """Splits a stream of bytes into messages; any split of the stream gives the same messages."""

    def __init__(self) -> None:
        """Start with an empty stream."""
        self._buffer = bytearray()
        self.overlong = False

    @property
    def unfinished(self) -> bool:
        """Whether bytes wait for the NUL of their message."""
        return bool(self._buffer)

    def feed(self, data: bytes) -> list[Message | Malformed]:
        """Return the messages that `data` completes.

        A message longer than LONGEST_TOLERATED sets `overlong`, and nothing is read any more.
        """
        found: list[Message | Malformed] = []
        if self.overlong:
            return found
        *complete, rest = (bytes(self._buffer) + data).split(b"\0")
        for body in complete:
            if len(body) > LONGEST_TOLERATED:
                self.overlong = True
                break
            found.append(decode(body))
        self.overlong = self.overlong or len(rest) > LONGEST_TOLERATED
        self._buffer = bytearray() if self.overlong else bytearray(rest)
        return found


def _encode_request(request: GameRequest) -> str:
    moves = _digits(request.moves or 0, 3, 0, _LONGEST_MOVES, "number of moves")
    start = "A"
    if request.position is not None:
        if not _POSITION.fullmatch(request.position):
            raise ValueError(f"position {request.position!r} is not W or Z and 50 letters of wzWZe")
        start = f"B{request.position}"
    fields = (VERSION, _encode_name(request.name), request.follower_colour, _minutes(request.minutes))
    return f"R{''.join(fields)}{moves}{start}"


def _encode_move(move: Move) -> str:
    squares = (move.from_square, move.to_square, *sorted(move.captured))
    first, second, *captured = (_digits(square, 2, 1, _LAST_SQUARE, "square") for square in squares)
    count = _digits(len(captured), 2, 0, 20, "number of captured squares")
    seconds = min(max(move.seconds, 0), _LONGEST_SECONDS)
    return f"M{seconds:04d}{first}{second}{count}{''.join(captured)}"


def _encode_name(name: str) -> str:
    """Return a name field: no blank in front, blanks behind, 32 characters."""
    clean = _clean(name.strip().encode("ascii", "replace")) or UNNAMED
    return clean[:_NAME_LENGTH].ljust(_NAME_LENGTH)


def _digits(value: int, width: int, lowest: int, highest: int, what: str) -> str:
    if not lowest <= value <= highest:
        raise ValueError(f"{what} {value} is not in {lowest}..{highest}")
    return f"{value:0{width}d}"


def _minutes(minutes: float) -> str:
    """Return a thinking time in the three characters it has: 005, 0.5, .05."""
    if 0 <= minutes <= _LONGEST_MINUTES:
        for text in (f"{minutes:03.0f}", f"{minutes:.1f}", f"{minutes:.2f}".lstrip("0")):
            if len(text) == 3 and float(text) == minutes:  # noqa: PLR2004 (the width of the field)
                return text
    raise ValueError(f"{minutes} minutes cannot be written in three characters from 0 to {_LONGEST_MINUTES}")


def _read_chat(body: bytes) -> Chat | Malformed:
    """Read text of any length: the longest that is allowed is kept, the rest dropped."""
    text = _clean(body[1:LONGEST_MESSAGE])
    return Chat(text) if text else Malformed("CHAT without text", body)


def _read_request(text: str) -> GameRequest:
    if text[1:3] != VERSION:
        raise ValueError(f"version {text[1:3]!r} is not {VERSION!r}")
    expected = _REQUEST_LENGTH.get(text[42:43])
    if len(text) < _REQUEST_LENGTH["A"]:
        raise ValueError(f"GAMEREQ of {len(text)} characters, 43 or 94 are right")
    if expected is None:
        raise ValueError(f"start {text[42]!r} is not A or B")
    if len(text) != expected:
        raise ValueError(f"GAMEREQ of {len(text)} characters, {expected} are right for start {text[42]}")
    position = text[43:] or None
    if position is not None and not _POSITION.fullmatch(position):
        raise ValueError("the position is not W or Z and 50 letters of wzWZe")
    moves = _number(text[39:42], "number of moves") or None
    return GameRequest(_name(text[3:35]), _colour(text[35]), _read_minutes(text[36:39]), moves, position)


def _read_minutes(field: str) -> float:
    if not _DECIMAL.fullmatch(field.strip(" ")):
        raise ValueError(f"thinking time {field!r} is no number of minutes")
    return float(field)


def _read_accept(text: str) -> GameAccept:
    if len(text) != _ACCEPT_LENGTH:
        raise ValueError(f"GAMEACC of {len(text)} characters, {_ACCEPT_LENGTH} are right")
    code = Acceptance(int(text[33])) if text[33] in "0123" else Acceptance.GAME_REFUSED
    return GameAccept(_name(text[1:33]), code)


def _read_move(text: str) -> Move:
    if len(text) < _MOVE_LENGTH:
        raise ValueError(f"MOVE of {len(text)} characters, at least {_MOVE_LENGTH} are right")
    count = _number(text[9:11], "number of captured squares")
    if len(text) != _MOVE_LENGTH + 2 * count:
        raise ValueError(f"MOVE of {len(text)} characters is no move with {count} captured squares")
    captured = sorted(_square(text[at : at + 2]) for at in range(_MOVE_LENGTH, len(text), 2))
    seconds = text[1:5].strip(" ")
    spent = int(float(seconds)) if _DECIMAL.fullmatch(seconds) else 0
    return Move(_square(text[5:7]), _square(text[7:9]), tuple(captured), spent)


def _read_end(text: str) -> GameEnd:
    reason = EndReason(int(text[1])) if text[1:2] in tuple("0123") else EndReason.UNKNOWN
    return GameEnd(reason, stop=text[2:3] == "1")


def _read_back_request(text: str) -> BackRequest:
    if len(text) != _BACK_REQUEST_LENGTH:
        raise ValueError(f"BACKREQ of {len(text)} characters, {_BACK_REQUEST_LENGTH} are right")
    number = _number(text[1:4], "move number")
    if number == 0:
        raise ValueError("move number 0: the first move is 1")
    return BackRequest(number, _colour(text[4]))


def _read_back_accept(text: str) -> BackAccept:
    if len(text) != _BACK_ACCEPT_LENGTH:
        raise ValueError(f"BACKACC of {len(text)} characters, {_BACK_ACCEPT_LENGTH} are right")
    return BackAccept(BackAnswer(int(text[1])) if text[1] in "012" else BackAnswer.REFUSED)


_READERS: dict[str, Callable[[str], Message]] = {
    "R": _read_request,
    "A": _read_accept,
    "M": _read_move,
    "E": _read_end,
    "B": _read_back_request,
    "K": _read_back_accept,
}


def _colour(letter: str) -> Colour:
    colour = _COLOURS.get(letter)
    if colour is None:
        raise ValueError(f"colour {letter!r} is not W or Z")
    return colour


def _number(field: str, what: str) -> int:
    """Read ASCII digits; int() alone would take signs, underscores and the digits of other scripts."""
    digits = field.strip(" ")
    if not (digits.isascii() and digits.isdigit()):
        raise ValueError(f"{what} {field!r} is no number")
    return int(digits)


def _square(field: str) -> int:
    square = _number(field, "square")
    if not 1 <= square <= _LAST_SQUARE:
        raise ValueError(f"square {field} is not in 1..{_LAST_SQUARE}")
    return square


def _name(field: str) -> str:
    """Read a name; one program fills the field with zeros instead of blanks."""
    return _clean(_ZERO_FILL.sub("", field).strip(" ").encode("latin-1")) or UNNAMED


def _clean(text: bytes) -> str:
    """Return printable ASCII; every other byte becomes a question mark."""
    return "".join(chr(byte) if 32 <= byte < 127 else "?" for byte in text)  # noqa: PLR2004
