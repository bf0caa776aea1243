"""The command line's name for a player: SPEC = [NAME=]builtin | hub:COMMAND | dxp:HOST:PORT | dxp-listen:[HOST:]PORT."""

import re
import shlex
from typing import Literal

import attrs

DXP_PORT = 27531
FORMS = "builtin, hub:COMMAND, dxp:HOST:PORT or dxp-listen:[HOST:]PORT, each with NAME= before it if wanted"


class SpecError(ValueError):
    """A SPEC that names no player; the message says what was wrong and what is accepted."""


@attrs.frozen
class PlayerSpec:
    """Who plays: the kind of player and how to reach it.

    `command` belongs to `hub`, `host` and `port` to the two DXP kinds (`dxp` is dialled, `dxp-listen` is waited for).
    """

    kind: Literal["builtin", "hub", "dxp", "dxp-listen"]
    name: str
    command: tuple[str, ...] = ()
    host: str = ""
    port: int = 0


def parse_spec(text: str) -> PlayerSpec:
    """Read a SPEC; SpecError names the fault. COMMAND is split as a shell would, and no shell runs."""
    raise NotImplementedError


@attrs.frozen
class PlayerOptions:
    """What may be set for one player beside its SPEC (match.toml, --option NAME.key=value, the flags of `serve`).

    `parameters` are Hub parameters sent before init. `time` "external" means that the program limits itself. `greet` are CHAT
    lines sent after connecting. `run` and `directory` are the process that the runner owns for a DXP player, or the working
    directory of a Hub engine. `nice` is added to the engine's priority.
    """

    parameters: dict[str, str] = attrs.field(factory=dict)
    threads: int | None = None
    tt_size: int | None = None
    ponder: bool = False
    time: Literal["clock", "external"] = "clock"
    greet: tuple[str, ...] = ()
    run: tuple[str, ...] = ()
    directory: str | None = None
    nice: int = 5
