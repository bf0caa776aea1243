"""Hub version 2 as the driver of an engine uses it: `name=value` arguments, seconds."""

from collections.abc import Sequence
from typing import Literal

from hub.codec import Command, format_line, parse_line
from hub.dialect import format_real, read_real, read_whole
from hub.messages import (
    PARAM_TYPES,
    Complaint,
    Done,
    Identity,
    Info,
    Level,
    Message,
    Mode,
    Param,
    ParamType,
    Pong,
    Ready,
    Text,
    Wait,
)
from rules.fen import format_hub
from rules.move import Move
from rules.position import Position

NO_MOVE = ("", "0-0")
"""Moves that mean "none": some engines send them where the protocol wants a bare `done`."""


_MOST = 10**9
"""More than any level needs, in seconds or moves, and far from what arithmetic cannot hold."""
_MOST_NODES = 10**18


def read_param(command: Command) -> Param:
    """Read the arguments of `param`; a type that does not exist is taken as `string`."""
    kinds: list[ParamType] = [kind for kind in PARAM_TYPES if kind == command.get("type")]
    return Param(
        name=command.get("name"),
        value=command.get("value"),
        type=kinds[0] if kinds else "string",
        minimum=read_real(command.get("min")),
        maximum=read_real(command.get("max")),
        choices=tuple(command.get("values").split()),
    )


def read_info(command: Command) -> Info:
    """Read the arguments of `info`; what cannot be read counts as not told."""
    speed = read_real(command.get("nps"))
    return Info(
        depth=read_whole(command.get("depth")),
        mean_depth=read_real(command.get("mean-depth")),
        score=read_real(command.get("score")),
        nodes=read_whole(command.get("nodes")),
        time=read_real(command.get("time")),
        nps=None if speed is None else speed * 1e6,
        pv=tuple(command.get("pv").split()),
        line=read_whole(command.get("line")),
    )


def read_level(command: Command) -> Level:
    """Read the arguments of `level`.

    What cannot be read counts as not told, negative numbers as 0, and those beyond all measure as the most
    that means anything.
    """

    def real(name: str) -> float | None:
        number = read_real(command.get(name))
        return None if number is None else min(max(0.0, number), float(_MOST))

    def whole(name: str, most: int = _MOST) -> int | None:
        number = read_whole(command.get(name))
        return None if number is None else min(max(0, number), most)

    return Level(
        depth=whole("depth"),
        nodes=whole("nodes", _MOST_NODES),
        move_time=real("move-time"),
        time=real("time"),
        moves=whole("moves") or None,
        increment=real("inc") or 0.0,
    )


class Hub2:
    """The second version: Scan 3, GWD, Kingsrow, ours."""

    version: Literal[1, 2] = 2

    def read(self, line: str) -> Message:  # noqa: PLR0911 - one return for each message
        """Read a line of an engine."""
        command = parse_line(line)
        match command.name:
            case "id":
                return Identity(*(command.get(name) for name in ("name", "version", "author", "country")))
            case "param" if command.get("name"):
                return read_param(command)
            case "wait":
                return Wait()
            case "ready":
                return Ready()
            case "pong":
                return Pong()
            case "info":
                return read_info(command)
            case "done":
                move, ponder = command.get("move"), command.get("ponder")
                return Done(None if move in NO_MOVE else move, None if ponder in NO_MOVE else ponder)
            case "error":
                return Complaint(command.get("message") or line.strip())
        return Text(line)

    def set_param(self, name: str, value: str) -> str:
        """Return a `set-param` line; GWD wants name and value in this order."""
        return format_line("set-param", {"name": name, "value": value})

    def new_game(self) -> str:
        """Return `new-game`."""
        return "new-game"

    def position(self, start: Position, moves: Sequence[Move]) -> list[str]:
        """Return one `pos` line; every captured square is listed."""
        arguments = {"pos": format_hub(start)}
        if moves:
            arguments["moves"] = " ".join(move.hub for move in moves)
        return [format_line("pos", arguments)]

    def level(self, level: Level) -> list[str]:
        """Return `level` lines, one for each kind of limit; `level infinite` when there is none."""
        lines = []
        if level.time is not None:
            clock = {} if level.moves is None else {"moves": str(level.moves)}
            clock["time"] = format_real(level.time)
            if level.increment:
                clock["inc"] = format_real(level.increment)
            lines.append(format_line("level", clock))
        if level.move_time is not None:
            lines.append(format_line("level", {"move-time": format_real(level.move_time)}))
        if level.depth is not None:
            lines.append(format_line("level", {"depth": str(level.depth)}))
        if level.nodes is not None:
            lines.append(format_line("level", {"nodes": str(level.nodes)}))
        return lines or ["level infinite"]

    def go(self, mode: Mode) -> str:
        """Return `go think`, `go ponder` or `go analyze`."""
        return f"go {mode}"
