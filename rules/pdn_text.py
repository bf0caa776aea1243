"""A PDN file as text: read piece by piece in constant memory, with the line and column of every character."""

from typing import BinaryIO

CHUNK = 1 << 16
"""Bytes read at once."""
LONGEST_TOKEN = 1 << 20
"""Characters that a comment or a tag may have; an opening brace without an end must not fill the memory."""
_BOM = b"\xef\xbb\xbf"
_SEPARATORS = "-xX:."
_LOOK_BACK = 256


def decode(data: bytes) -> str:
    """Read bytes as UTF-8, and each line that is none as Latin-1; all line ends become newlines."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        text = "".join(_decode_line(line) for line in data.splitlines(keepends=True))
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.replace("\ufeff", " ")


def _decode_line(line: bytes) -> str:
    try:
        return line.decode()
    except UnicodeDecodeError:
        return line.decode("latin-1")


class PdnText:
    """A window on the text of a stream that moves forward only."""

    def __init__(self, stream: BinaryIO) -> None:
        """Take a binary stream; it is read when `advance` asks for it, and not closed."""
        self._stream = stream
        self._first = True
        self._pending = b""
        self.text = ""
        """The window."""
        self.cut = 0
        """Up to here every token is whole, except one that is opened and not closed."""
        self.ended = False
        """Whether nothing comes after the window."""
        self.passed = 0
        """Characters before the window."""
        self._line = 1
        self._column = 1
        self._known = (0, 0)  # an offset and the line ends before it: places are asked for in order

    def advance(self, keep: int) -> None:
        """Drop what stands before the offset `keep` and read on; `ended` tells when nothing was left."""
        self._line, self._column = self.place(keep)
        self._known = (0, 0)
        self.passed += keep
        data = self._read()
        self.text = self.text[keep:] + decode(data)
        self.cut = len(self.text) if self.ended else self._safe_cut()

    def place(self, offset: int) -> tuple[int, int]:
        """Return the line and column, from 1, of an offset in the window."""
        known, lines = self._known
        if offset < known:
            known, lines = 0, 0
        lines += self.text.count("\n", known, offset)
        self._known = (offset, lines)
        if not lines:
            return self._line, self._column + offset
        return self._line + lines, offset - self.text.rfind("\n", 0, offset)

    def _read(self) -> bytes:
        """Read a chunk that ends with a line, or in a very long line with a blank."""
        data = self._pending
        self._pending = b""
        while not data.endswith(b"\n"):
            more = self._stream.read(CHUNK)
            more += self._stream.readline(CHUNK) if not more.endswith(b"\n") else b""
            if self._first:
                self._first = False
                more = more.removeprefix(_BOM)
            data += more
            if not more:
                self.ended = True
                break
            blank = max(data.rfind(blank) for blank in (b" ", b"\n", b"\t")) + 1
            if blank or len(data) > LONGEST_TOKEN:
                return self._split(data, blank or len(data))
        return data

    def _split(self, data: bytes, at: int) -> bytes:
        """Keep what stands behind a blank for the next time: a word or a letter may be cut in two there."""
        self._pending = data[at:]
        return data[:at]

    def _safe_cut(self) -> int:
        """Return the last offset after a blank between two words; a move may have blanks inside it."""
        text = self.text
        end = len(text)
        for offset in range(end - 1, max(0, end - _LOOK_BACK), -1):
            if not text[offset].isspace():
                continue
            before = text[max(0, offset - _LOOK_BACK) : offset].rstrip()[-1:]
            after = text[offset : offset + _LOOK_BACK].lstrip()[:1]
            if before and after and before not in _SEPARATORS[:-1] and after not in _SEPARATORS:
                return offset + 1
        return 0 if end < LONGEST_TOKEN else end
