"""The command line's name for a player.

SPEC = [NAME=]builtin | [NAME=]hub:COMMAND | [NAME=]dxp:HOST:PORT | [NAME=]dxp-listen:[HOST:]PORT
"""

import re
import shlex
from collections.abc import Callable
from typing import Any, Literal

import attrs

DEFAULT_HOST = "127.0.0.1"
FORMS = "[NAME=]builtin, [NAME=]hub:COMMAND, [NAME=]dxp:HOST:PORT or [NAME=]dxp-listen:[HOST:]PORT"
HIGHEST_PORT = 65535

_NAMED = re.compile(
    r"(?:(?P<name>[A-Za-z0-9_.-]+)=)?(?P<kind>builtin|hub:|dxp:|dxp-listen:)(?P<rest>.*)", re.DOTALL
)
_ADDRESS = re.compile(r"(?:(?:\[(?P<bracketed>[^\]]+)\]|(?P<host>[^:\[\]]+)):)?(?P<port>\d{1,5})")


class SpecError(ValueError):
    """A SPEC that names no player; the message says what was wrong and what is accepted."""


@attrs.frozen
class PlayerSpec:
    """Who plays: the kind of player and how to reach it.

    `command` belongs to `hub`, `host` and `port` to the two DXP kinds (`dxp` is dialled, `dxp-listen` waited
    for).
    """

    kind: Literal["builtin", "hub", "dxp", "dxp-listen"]
    name: str
    command: tuple[str, ...] = ()
    host: str = ""
    port: int = 0

    @property
    def address(self) -> str:
        """Host and port as they are written in a SPEC."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    def __str__(self) -> str:
        """Return the SPEC without a NAME."""
        if self.kind == "builtin":
            return "builtin"
        return f"hub:{shlex.join(self.command)}" if self.kind == "hub" else f"{self.kind}:{self.address}"


def _between(low: int, high: int) -> Callable[[object, "attrs.Attribute[Any]", int | None], None]:
    """Accept numbers from `low` to `high`, both included, and None."""

    def check(_instance: object, attribute: "attrs.Attribute[Any]", value: int | None) -> None:
        if value is not None and not low <= value <= high:
            name = attribute.name.replace("_", "-")
            raise ValueError(f"{name} is a number from {low} to {high}, not {value}")

    return check


@attrs.frozen
class PlayerOptions:
    """What may be set for one player beside its SPEC: in match.toml, by --option, by the flags of `serve`."""

    parameters: dict[str, str] = attrs.field(factory=dict)
    """Hub parameters, sent before init."""
    threads: int | None = attrs.field(default=None, validator=_between(1, 1024))
    tt_size: int | None = attrs.field(default=None, validator=_between(1, 1 << 20))
    """MB of transposition table; a Hub engine is told the power of two of 16-byte entries that fits."""
    ponder: bool = False
    time: Literal["clock", "external"] = "clock"
    """ "external": the program limits itself, and DXP's minutes mean nothing."""
    greet: tuple[str, ...] = ()
    """CHAT lines sent after connecting."""
    run: tuple[str, ...] = ()
    """The process that the runner starts, owns and restarts for a DXP player."""
    directory: str | None = None
    """Working directory of the program."""
    nice: int = attrs.field(default=5, validator=_between(0, 19))
    """Added to the engine's priority number."""


def parse_spec(text: str) -> PlayerSpec:
    """Read a SPEC; SpecError names the fault. COMMAND is split as a shell would, and no shell runs."""
    match = _NAMED.fullmatch(text.strip())
    if match is None:
        raise SpecError(
            f'"{text}" names no player; accepted: {FORMS}; NAME is letters, digits, "_", "." and "-"'
        )
    kind, rest = match["kind"], match["rest"]
    if kind == "builtin":
        if rest:
            raise SpecError(f'"{text}": nothing may follow builtin')
        return PlayerSpec("builtin", match["name"] or "Bonnard")
    if kind == "hub:":
        return _hub_spec(text, match["name"], rest)
    return _dxp_spec(text, match["name"], "dxp" if kind == "dxp:" else "dxp-listen", rest)


def _hub_spec(text: str, name: str | None, rest: str) -> PlayerSpec:
    try:
        command = tuple(shlex.split(rest))
    except ValueError as error:
        raise SpecError(f'"{text}": the command cannot be split: {error}') from None
    if not command:
        raise SpecError(f'"{text}": hub: needs a command, such as hub:"scan hub"')
    return PlayerSpec("hub", name or _name_of(command), command)


def _dxp_spec(text: str, name: str | None, kind: Literal["dxp", "dxp-listen"], rest: str) -> PlayerSpec:
    address = _ADDRESS.fullmatch(rest)
    host = address and (address["bracketed"] or address["host"])
    if address is None or (host is None and kind == "dxp"):
        form = "dxp:HOST:PORT" if kind == "dxp" else "dxp-listen:[HOST:]PORT"
        raise SpecError(f'"{text}": accepted is {form}, an IPv6 address in brackets')
    port = int(address["port"])
    if port > HIGHEST_PORT or (port == 0 and kind == "dxp"):
        raise SpecError(
            f'"{text}": port {port} is not between {0 if kind == "dxp-listen" else 1} and {HIGHEST_PORT}'
        )
    return PlayerSpec(kind, name or f"{kind}-{port}", host=host or DEFAULT_HOST, port=port)


def _name_of(command: tuple[str, ...]) -> str:
    """Return the program's file name as a NAME."""
    return re.sub(r"[^A-Za-z0-9_.-]", "_", command[0].rsplit("/", 1)[-1]) or "engine"
