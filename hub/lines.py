"""Bytes of a pipe into lines, without trust in the sender."""

LONGEST_LINE = 1 << 18
"""Bytes kept of one line; what follows up to its end is dropped."""


class LineSplitter:
    """Cuts a stream at line ends; holds at most `LONGEST_LINE` bytes of an unfinished line."""

    def __init__(self, longest: int = LONGEST_LINE) -> None:
        """Start with an empty stream."""
        self._longest = longest
        self._pieces: list[bytes] = []
        self._held = 0

    def feed(self, data: bytes) -> list[bytes]:
        """Take the next bytes and return the lines that they complete, without their ends."""
        *ends, rest = data.split(b"\n")
        lines = []
        for end in ends:
            self._hold(end)
            lines.append(b"".join(self._pieces))
            self._pieces, self._held = [], 0
        self._hold(rest)
        return lines

    def finish(self) -> list[bytes]:
        """Return the last line when the stream has ended in the middle of it."""
        lines = [b"".join(self._pieces)] if self._held else []
        self._pieces, self._held = [], 0
        return lines

    def _hold(self, piece: bytes) -> None:
        piece = piece[: self._longest - self._held]
        if piece:
            self._pieces.append(piece)
            self._held += len(piece)
