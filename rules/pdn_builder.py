"""What each token of a PDN text does to the game that is read."""

import re
from collections.abc import Callable

from rules.colour import Colour
from rules.move import Move
from rules.notation import AmbiguousMoveError, MoveTextError, read_move
from rules.pdn_game import PdnGame
from rules.pdn_state import Place, State
from rules.pdn_tokens import SQUARES, unescape

Match = re.Match[str]
Handler = Callable[[Match], PdnGame | None]
DEEPEST = 64
"""Variations inside variations."""
MOST_TAGS = 1000
"""Tags of a game: more is an error, so that no header fills the memory."""
_SHOWN = 40


class Builder(State):
    """Takes matches of `TOKEN`, and returns each game when its end is met."""

    def handlers(self) -> dict[str, Handler]:
        """Return what handles each kind of token."""
        return {
            "move": self._move,
            "text": self._written_move,
            "comment": self._comment,
            "line": self._remark,
            "mark": self._mark,
            "glyph": self._mark,
            "number": self._number,
            "dots": self._dots,
            "count": self._idle,
            "dash": self._idle,
            "tag": self._tag,
            "loose": self._tag,
            "bad": self._bad_tag,
            "open": self._open,
            "close": self._close,
            "result": self._result,
            "end": self._result,
            "setup": self._setup,
            "skip": self._skip,
            "unfinished": self._unfinished,
            "stray": self._stray,
            "junk": self._junk,
        }

    # The header

    def _tag(self, match: Match) -> PdnGame | None:
        name, value = match["name"], match["value"]
        if name is None:
            name, value = match["loose_name"], match["loose_value"]
        game = self._game
        again = game is not None and bool(game.tags) and name == next(iter(game.tags))
        place = self._text.place(match.start())
        if game is not None and game.error is not None:
            again |= place[0] > self._tag_line + 1  # a faulty header, an empty line, a header
        finished = self.finish(None, match.start()) if self._begun or again else None
        self._tag_line = place[0]
        tags = self._opened(match.start()).tags
        if match["name"] is None:
            self._warn(f"a quote inside the value of tag {name} is not escaped", match.start())
        if name in tags:
            self._warn(f"tag {name} is given twice: the first one counts", match.start())
        elif len(tags) == MOST_TAGS:
            self.fail(f"a game has {MOST_TAGS} tags at most", match.start())
        else:
            tags[name] = unescape(value)
            self._tag_places[name] = place
        return finished

    def _bad_tag(self, match: Match) -> PdnGame | None:
        finished = self.finish(None, match.start()) if self._begun else None
        text = match.group()
        message = "unterminated tag string" if text.count('"') % 2 else 'a tag is [Name "value"]'
        self.fail(f"{message}: {text[:_SHOWN]}", match.start())
        self._tag_line = self._text.place(match.start())[0]
        return finished

    # Moves

    def _move(self, match: Match) -> None:
        here = self._here
        if not (here.live or self._begin(match.start())):
            return
        text = match["move"]
        squares = SQUARES.get(text)
        if squares is not None:
            start, end, capture = squares
            found = here.position.moves_between(start, end)
            if len(found) == 1 and found[0].is_capture is capture:
                self._play(found[0])
                return
        self._read(text, match.start("move"))

    def _written_move(self, match: Match) -> None:
        if self._here.live or self._begin(match.start()):
            self._read(match.group(), match.start())

    def _read(self, text: str, offset: int) -> None:
        """Play a move in whatever form it is written."""
        here = self._here
        ply = f"ply {len(here.line.moves) + 1}" + (" of a variation" if self._stack else "")
        try:
            reading = read_move(text, here.position)
        except AmbiguousMoveError as error:
            self.fail(f"at {ply}, {error}", offset)
        except MoveTextError as error:
            self.fail(f"illegal move at {ply}: {error}", offset)
        else:
            if reading.note:
                self._warn(reading.note, offset)
            elif re.search(r"\s", text):
                self._warn(f"blanks inside a move, {reading.move.short}", offset)
            self._play(reading.move)

    def _play(self, move: Move) -> None:
        here = self._here
        here.line.moves.append(move)
        here.before = here.position
        here.position = here.before.make(move)

    def _number(self, match: Match) -> None:
        if (self._here.live or self._begin(match.start())) and match.group().endswith(".."):
            self._black_announced(match.start())

    def _dots(self, match: Match) -> None:
        if (self._here.live or self._begin(match.start())) and len(match.group()) > 1:
            self._black_announced(match.start())

    def _black_announced(self, offset: int) -> None:
        """Check "1..." and "1. ...": black's move follows, so white's must be known."""
        if self._here.position.turn is Colour.BLACK:
            return
        if self._here.line.moves:
            self._warn("dots announce a black move, but white is to move", offset)
        else:
            self.fail("white's move is missing before black's", offset)

    def _idle(self, match: Match) -> None:
        """Pass over a number without a dot and the dashes that stand for a move not played."""
        if self._here.live or self._begin(match.start()):
            self._warn(f"{match.group()} is passed over", match.start())

    # What is said about moves

    def _comment(self, match: Match) -> None:
        self._say(match.group()[1:-1], match.start())

    def _remark(self, match: Match) -> None:
        self._say(match["remark"].strip(), match.start())
        self._warn("a comment that begins with ; (of chess files)", match.start())

    def _say(self, text: str, offset: int) -> None:
        self._opened(offset)
        line = self._here.line
        line.annotation(len(line.moves)).comments.append(text)

    def _mark(self, match: Match) -> None:
        if self._here.live:
            line = self._here.line
            line.annotation(len(line.moves)).marks.append(match.group().strip("()"))

    def _open(self, match: Match) -> None:
        here = self._here
        live = here.live or self._begin(match.start())
        if live and not here.line.moves:
            self.fail("a variation before the first move", match.start())
        if len(self._stack) >= DEEPEST:
            self.fail(f"variations more than {DEEPEST} deep", match.start())
            self._main.live = False
            return
        self._stack.append(here)
        self._here = Place.at(here.before, live=here.live)
        if here.live:
            here.line.annotation(len(here.line.moves)).variations.append(self._here.line)

    def _close(self, match: Match) -> None:
        if self._stack:
            self._here = self._stack.pop()
        else:
            self._begin(match.start())
            self.fail("stray )", match.start())

    def _setup(self, match: Match) -> None:
        if not (self._here.live or self._begin(match.start())):
            return
        if self._here.line.moves or self._stack:
            self.fail("a SETUP command after the first move is not supported", match.start())
        else:
            self._set_start(match["fen"], match.start("fen"))

    # What is no word of a game

    def _skip(self, match: Match) -> None:
        """Pass over a line that begins with %."""

    def _unfinished(self, match: Match) -> None:
        """Take what the end of the text cut off."""
        text = match.group()
        if text[0] == "{":
            self._begin(match.start())
            self.fail("unterminated comment", match.start())
        elif text[0] == "[":
            self.fail(f"unterminated tag string: {text[:_SHOWN]}", match.start())
        elif text[0] == ";":
            self._say(text[1:].strip(), match.start())
        elif text[0] == "/":
            self._junk(match)

    def _stray(self, match: Match) -> None:
        self._begin(match.start())
        self.fail(f"stray }} after ply {len(self._main.line.moves)}", match.start())

    def _junk(self, match: Match) -> None:
        if self._begin(match.start()):
            self.fail(f"{match.group()[:_SHOWN]!r} is no word of a game", match.start())

    def _result(self, match: Match) -> PdnGame | None:
        end = match.group().replace(" ", "").replace("½", "1/2")
        if self._game is None and end == "*" and self._count:
            return None  # "2-0 *": the star only separates the games
        self._opened(match.start())
        return self.finish(end, match.start())
