"""Reading PDN 3.0: games one after the other from a file of any size, each with its errors and warnings.

The reader takes what real files hold (rules.md 5) as long as it has one meaning: what is unusual becomes a
warning, what has none or two meanings an error with its place. An error ends its game; reading goes on with
the next one. Only International draughts is read: another GameType is an error of its game.
"""

import io
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from rules.pdn_builder import Builder
from rules.pdn_game import PdnGame
from rules.pdn_text import LONGEST_TOKEN, PdnText
from rules.pdn_tokens import TAG_LINE, TOKEN


def read_pdn(source: Path | BinaryIO) -> Iterator[PdnGame]:
    """Yield the games of a file or a binary stream as they are read, in constant memory (OSError).

    A faulty game is yielded with its `error`; nothing in the text raises.
    """
    if isinstance(source, Path):
        with source.open("rb") as stream:
            yield from _games(PdnText(stream))
    else:
        yield from _games(PdnText(source))


def parse_pdn(text: str) -> list[PdnGame]:
    """Return the games of a text; see `read_pdn`."""
    return list(read_pdn(io.BytesIO(text.encode(errors="replace"))))


def _games(text: PdnText) -> Iterator[PdnGame]:
    """Yield the games: walk over the tokens, and move the window on when its last whole token is read."""
    builder = Builder(text)
    handlers = builder.handlers()
    text.advance(0)
    start = 0
    while True:
        keep = text.cut
        restart: int | None = None
        for match in TOKEN.finditer(text.text, start, text.cut):
            kind = match.lastgroup or "junk"
            if kind == "unfinished" and not _ends_here(text, match.start()):
                keep = match.start()
                break
            if kind in {"comment", "unfinished"}:
                restart = _runaway(text.text, match.start(), match.end(), closed=kind == "comment")
                if restart is not None:
                    builder.fail("unterminated comment", match.start())
                    break
            finished = handlers[kind](match)
            if finished is not None:
                yield finished
        if restart is not None:
            start = restart
        elif text.ended and keep == text.cut:
            break
        else:
            text.advance(keep)
            start = 0
            builder.check_length()
    last = builder.finish(None, text.cut)
    if last is not None:
        yield last


def _ends_here(text: PdnText, start: int) -> bool:
    """Tell whether an unfinished token must be taken as it is: nothing follows, or it is endless."""
    return text.ended or len(text.text) - start > LONGEST_TOKEN


def _runaway(text: str, start: int, end: int, *, closed: bool) -> int | None:
    """Return where to read on after a comment that was never closed, or None for a sound comment.

    A tag line inside shows it: after an empty line; or if no brace closes the comment, or one that belongs to
    another comment, opened after the tag line.
    """
    tag = TAG_LINE.search(text, start, end)
    if tag and (not closed or tag["gap"] is not None or text.find("{", tag.end(), end) >= 0):
        return tag.start()
    return None
