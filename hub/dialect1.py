"""Hub version 1 as the driver of an engine uses it.

Words by their place, milliseconds, hundredths of a man.
"""

from collections.abc import Sequence
from typing import Literal

from hub.dialect import read_real, read_whole
from hub.messages import Complaint, Done, Identity, Info, Level, Message, Mode, Pong, Ready, Text, Wait
from rules.fen import format_hub
from rules.move import Move
from rules.position import Position

_NO_MOVE = "0-0"
_VARIATION = 6
"""Words of `info` before the variation.

Depth, mean depth, score, nodes, seconds, millions of nodes a second.
"""
_COMMANDS: dict[Mode, str] = {"think": "go", "ponder": "ponder", "analyze": "analyse"}


def _milliseconds(seconds: float) -> str:
    return str(max(0, int(seconds * 1000 + 1e-6)))


class Hub1:
    """The first version: Scan 2.0 and the first Hub."""

    version: Literal[1, 2] = 1

    def read(self, line: str) -> Message:  # noqa: PLR0911 - one return for each message
        """Read a line of an engine.

        Name, author and country come on lines of their own, each as an `Identity`.
        """
        name, *words = line.split() or [""]
        match name:
            case "name":
                return Identity(name=" ".join(words))
            case "author":
                return Identity(author=" ".join(words))
            case "country":
                return Identity(country=" ".join(words))
            case "wait":
                return Wait()
            case "ready":
                return Ready()
            case "pong":
                return Pong()
            case "info":
                return _read_info(words)
            case "move":
                move, ponder = [*words, _NO_MOVE, _NO_MOVE][:2]
                return Done(None if move == _NO_MOVE else move, None if ponder == _NO_MOVE else ponder)
            case "error":
                return Complaint(" ".join(words))
        return Text(line)

    def set_param(self, name: str, value: str) -> str:
        """Return a `set` line."""
        return f"set {name} {value}"

    def new_game(self) -> str:
        """Return `new`."""
        return "new"

    def position(self, start: Position, moves: Sequence[Move]) -> list[str]:
        """Return a `pos` line with the side to move in lower case, and one `move` line for each move."""
        text = format_hub(start)
        return [f"pos {text[0].lower()}{text[1:]}", *(f"move {move.hub}" for move in moves)]

    def level(self, level: Level) -> list[str]:
        """Return the lines of a level. `pos` has reset it, so that an endless search needs none."""
        if level.nodes is not None:
            raise ValueError("a Hub 1 engine cannot be limited by nodes: use a move time, a clock or a depth")
        lines = []
        if level.time is not None:
            words = (str(level.moves or 0), _milliseconds(level.time), _milliseconds(level.increment))
            lines.append(f"level {' '.join(words)}")
        if level.move_time is not None:
            lines.append(f"time {_milliseconds(level.move_time)}")
        if level.depth is not None:
            lines.append(f"depth {level.depth}")
        return lines

    def go(self, mode: Mode) -> str:
        """Return `go`, `ponder` or `analyse`."""
        return _COMMANDS[mode]


def _read_info(words: list[str]) -> Info:
    told = words[:_VARIATION] + [""] * (_VARIATION - len(words))
    score, speed = read_real(told[2]), read_real(told[5])
    return Info(
        depth=read_whole(told[0]),
        mean_depth=read_real(told[1]),
        score=None if score is None else score / 100,
        nodes=read_whole(told[3]),
        time=read_real(told[4]),
        nps=None if speed is None else speed * 1e6,
        pv=tuple(words[_VARIATION:]),
    )
