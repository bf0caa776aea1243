"""Writing PDN 3.0 (rules.md 5): what is written is read back to the same game by any reader.

The result stands in the Result tag and the moves end with *. Moves are short, and full paths exactly where
the short form would be ambiguous. FEN and SetUp are written for any start but the usual one.
"""

from collections.abc import Iterator

from rules.colour import Colour
from rules.fen import format_fen
from rules.game import START
from rules.notation import format_move
from rules.pdn_game import Annotation, Line, PdnGame
from rules.pdn_tokens import escape

WIDTH = 79
"""Characters of a line of moves; a comment is never broken."""
SEVEN_TAGS = ("Event", "Site", "Date", "Round", "White", "Black", "Result")
_BRACES = str.maketrans("{}", "()")


def format_pdn(game: PdnGame) -> str:
    """Write a game: its tags, the seven usual ones first, an empty line, its moves, an empty line.

    Braces inside a comment, which PDN cannot hold, become round brackets.
    """
    tags = dict(game.tags)
    tags.setdefault("Result", game.result)
    if game.start != START:
        tags["SetUp"] = "1"
        tags["FEN"] = format_fen(game.start)
    names = [name for name in SEVEN_TAGS if name in tags] + [name for name in tags if name not in SEVEN_TAGS]
    header = "".join(f'[{name} "{escape(tags[name])}"]\n' for name in names)
    end = game.end if game.end is not None and game.end != tags["Result"] else "*"
    return f"{header}\n{_wrapped([*_words(game.line, 0), end])}\n\n"


def _wrapped(words: list[str]) -> str:
    """Put words into lines of at most `WIDTH` characters."""
    lines: list[str] = []
    line = ""
    for word in words:
        if line and len(line) + 1 + len(word) > WIDTH:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    return "\n".join([*lines, line])


def _words(line: Line, played: int) -> Iterator[str]:
    """Yield the words of a line that begins after `played` plies of the game."""
    position = line.start
    number = played // 2 + 1
    before = line.annotations.get(0)
    if before is not None:
        yield from _comments(before)
    numbered = False
    for ply, move in enumerate(line.moves, 1):
        white = position.turn is Colour.WHITE
        if white:
            yield f"{number}."
        elif not numbered:
            yield f"{number}..."
        numbered = white
        yield format_move(move, position) + _marks(line.annotations.get(ply))
        following = line.annotations.get(ply)
        if following is not None:
            yield from _comments(following)
            for variation in following.variations:
                yield from _variation(variation, 2 * number - 2 + (not white))
            # Not after a comment: pydraughts reads a number that comes twice as another one.
            numbered = numbered and not following.variations
        position = position.make(move)
        number += not white


def _variation(line: Line, played: int) -> Iterator[str]:
    words = list(_words(line, played))
    if words:
        words[0] = "(" + words[0]
        words[-1] += ")"
    yield from words


def _marks(annotation: Annotation | None) -> str:
    """Return what is glued to a move: its marks, then glyphs after a blank."""
    if annotation is None:
        return ""
    marks = "".join(mark for mark in annotation.marks if not mark.startswith("$"))
    return marks + "".join(f" {mark}" for mark in annotation.marks if mark.startswith("$"))


def _comments(annotation: Annotation) -> Iterator[str]:
    for comment in annotation.comments:
        yield f"{{{comment.translate(_BRACES)}}}"
