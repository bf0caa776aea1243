"""The values that Hub lines carry, the same for both versions of the protocol.

Times are seconds, scores are men from the side to move's view, moves are texts: what they mean is for
`rules.notation` to say.
"""

from typing import Literal

import attrs

ParamType = Literal["bool", "int", "real", "string", "enum"]
PARAM_TYPES: tuple[ParamType, ...] = ("bool", "int", "real", "string", "enum")

Mode = Literal["think", "ponder", "analyze"]
MODES: tuple[Mode, ...] = ("think", "ponder", "analyze")


@attrs.frozen
class Identity:
    """Who an engine says it is; what it does not tell is empty."""

    name: str = ""
    version: str = ""
    author: str = ""
    country: str = ""

    @property
    def title(self) -> str:
        """Name and version as one text."""
        return f"{self.name} {self.version}".strip()


@attrs.frozen
class Param:
    """A setting that an engine declares. Values are texts as on the wire; `choices` belongs to `enum`."""

    name: str
    value: str = ""
    type: ParamType = "string"
    minimum: float | None = None
    maximum: float | None = None
    choices: tuple[str, ...] = ()


@attrs.frozen
class Level:
    """What one search may spend. With nothing set the search is endless (`level infinite`)."""

    depth: int | None = None
    """Plies."""
    nodes: int | None = None
    move_time: float | None = None
    """Seconds for this move."""
    time: float | None = None
    """Seconds in the bank, without this move's increment."""
    moves: int | None = None
    """Moves to be made in `time`; None for the rest of the game."""
    increment: float = 0.0
    """Seconds added before each move."""


@attrs.frozen
class Info:
    """A search's progress. None: the engine did not say."""

    depth: int | None = None
    mean_depth: float | None = None
    score: float | None = None
    """Men, from the side to move's view; about +-100 for a proven win."""
    nodes: int | None = None
    time: float | None = None
    """Seconds."""
    nps: float | None = None
    """Nodes per second (on the wire: millions)."""
    pv: tuple[str, ...] = ()
    """Principal variation, as sent."""
    line: int | None = None
    """From 2 on for the second best variation and so on: our engine's addition, see its parameter `lines`."""

    def updated(self, later: "Info") -> "Info":
        """Return these values with those that `later` tells put over them."""
        changes = {name: value for name, value in attrs.asdict(later).items() if value not in (None, ())}
        return attrs.evolve(self, **changes)


@attrs.frozen
class Done:
    """The answer to `go`. `move` is None where the engine found no legal move (Hub 1 sends `move 0-0`)."""

    move: str | None = None
    ponder: str | None = None


@attrs.frozen
class Wait:
    """The engine has told its parameters and waits for `init`."""


@attrs.frozen
class Ready:
    """The engine is ready to search."""


@attrs.frozen
class Pong:
    """The answer to `ping`."""


@attrs.frozen
class Complaint:
    """An `error` line of an engine."""

    message: str


@attrs.frozen
class Text:
    """A line that is no message: a banner, an echo, a progress note. To be ignored."""

    text: str


Message = Identity | Param | Info | Done | Wait | Ready | Pong | Complaint | Text
