"""The game clock: pure arithmetic on seconds. It has no time source: who measures tells it what was spent."""

import math
import re
from typing import Self

import attrs

_UNITS = {"h": 3600.0, "m": 60.0, "s": 1.0}
_DURATION = r"(\d+(?:\.\d+)?)([hms])"
_CLOCK = re.compile(rf"{_DURATION}(?:/(\d+))?(?:\+(\d+(?:\.\d+)?)s?)?")
_LIMIT = re.compile(r"(move-time|depth|nodes)=(\d+(?:\.\d+)?)s?")
_ACCEPTED = "5m/75 (minutes for 75 moves), 3m+2s, 90s, move-time=0.5, depth=9 or nodes=100000"


class ClockTextError(ValueError):
    """A text that names no time control; the message quotes it and lists what is accepted."""


def _number(value: float) -> str:
    """Write a number without an idle fraction: 5, 2.5."""
    return f"{value:.6f}".rstrip("0").rstrip(".")


@attrs.frozen(kw_only=True)
class TimeControl:
    """What one player may use. Exactly one of `bank`, `move_time`, `depth` and `nodes` is given.

    Raises ValueError for a control that allows no thinking at all or mixes two forms.
    """

    bank: float | None = None
    """Seconds for the whole game, or for each period of `moves` moves."""
    moves: int | None = None
    """Moves of a period; when they are made, `bank` is added again. None: one period, the game."""
    increment: float = 0.0
    """Seconds added before each move."""
    move_time: float | None = None
    """Seconds for each move; what is left over is lost."""
    depth: int | None = None
    """Search depth in plies; no time limit."""
    nodes: int | None = None
    """Search nodes; no time limit."""

    def __attrs_post_init__(self) -> None:
        """Refuse a control without a meaning."""
        limits = (self.bank, self.move_time, self.depth, self.nodes)
        if sum(limit is not None for limit in limits) != 1:
            raise ValueError("a time control is one of: a clock, a time a move, a depth, a number of nodes")
        if not all(math.isfinite(limit) for limit in (*limits, self.increment) if limit is not None):
            raise ValueError(f"a time control is made of finite numbers: {self}")
        if self.bank is None and (self.moves is not None or self.increment):
            raise ValueError("only a clock has a number of moves or an increment")
        if self.bank is not None:
            no_time = self.bank < 0 or self.increment < 0 or self.bank + self.increment <= 0
            if no_time or (self.moves is not None and self.moves < 1):
                raise ValueError(f"a clock needs some time and at least one move: {self}")
        elif any(limit is not None and limit <= 0 for limit in limits):
            raise ValueError(f"the limit must be above zero: {self}")

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a CLOCK text: 5m/75, 3m+2s, 90s, move-time=0.5, depth=9, nodes=100000 (ClockTextError)."""
        stripped = text.strip()
        try:
            if match := _CLOCK.fullmatch(stripped):
                amount, unit, moves, increment = match.groups()
                return cls(
                    bank=float(amount) * _UNITS[unit],
                    moves=int(moves) if moves else None,
                    increment=float(increment or 0),
                )
            if match := _LIMIT.fullmatch(stripped):
                name, value = match.groups()
                if name == "move-time":
                    return cls(move_time=float(value))
                return cls(depth=int(value)) if name == "depth" else cls(nodes=int(value))
        except ValueError as error:
            raise ClockTextError(f"{text!r}: {error}; accepted: {_ACCEPTED}") from None
        raise ClockTextError(f"{text!r} is no time control; accepted: {_ACCEPTED}")

    def __str__(self) -> str:
        """Return the shortest text that `parse` reads as this control."""
        if self.bank is None:
            if self.move_time is not None:
                return f"move-time={_number(self.move_time)}"
            return f"depth={self.depth}" if self.depth is not None else f"nodes={self.nodes}"
        minutes = self.bank >= _UNITS["m"] and self.bank % _UNITS["m"] == 0
        text = f"{_number(self.bank / _UNITS['m'])}m" if minutes else f"{_number(self.bank)}s"
        if self.moves is not None:
            text += f"/{self.moves}"
        return text + (f"+{_number(self.increment)}s" if self.increment else "")

    @property
    def timed(self) -> bool:
        """Whether time limits this control (a depth or a number of nodes does not)."""
        return self.bank is not None or self.move_time is not None


@attrs.define
class Clock:
    """One player's clock.

    `bank` never holds the increment of the coming move: it is the value sent after `time=` in Hub, and
    the player may use `bank + increment`. The margin pardons transport: the flag falls only beyond it, but
    no player is told of it and an overdrawn bank stands at zero, so it never becomes thinking time.
    """

    control: TimeControl
    margin: float = 0.0
    """Seconds a move may overdraw before the flag falls."""
    bank: float | None = None
    """Seconds left, without the coming increment; None when the control is no bank."""
    moves_left: int | None = None
    """Moves to make in this period, the coming one included; None without periods."""

    @classmethod
    def start(cls, control: TimeControl, margin: float = 0.0) -> Self:
        """Return the clock at the beginning of a game."""
        return cls(control, margin, control.bank, control.moves)

    @property
    def allowance(self) -> float | None:
        """Seconds the player may think about the coming move; None when time does not limit it."""
        if self.bank is not None:
            return self.bank + self.control.increment
        return self.control.move_time

    @property
    def limit(self) -> float | None:
        """Seconds after which the flag falls: the allowance and the margin; None when it never falls."""
        allowance = self.allowance
        return None if allowance is None else allowance + self.margin

    def spend(self, seconds: float) -> bool:
        """Account for a move that took `seconds`; return whether the flag fell.

        A new period's time is added after the flag is looked at, so it cannot save an overdrawn clock.
        """
        limit = self.limit
        flag = limit is not None and seconds > limit
        if self.bank is not None:
            # Rounded to nanoseconds: ten moves of 0.1 s take one second, not a float's worth more.
            self.bank = max(0.0, round(self.bank + self.control.increment - seconds, 9))
        if self.moves_left is not None:
            self.moves_left -= 1
            if self.moves_left == 0:
                self.moves_left = self.control.moves
                self.bank = (self.bank or 0.0) + (self.control.bank or 0.0)
        return flag
