"""The settings of the program: names, types and limits. The defaults are in default.toml, nowhere else."""

import ipaddress
from typing import Any, Literal

import attrs


def _between(low: float, high: float) -> Any:  # noqa: ANN401 - attrs' own type for field()
    """Accept numbers from `low` to `high`, both included."""

    def check(_instance: object, _attribute: object, value: float) -> None:
        if not low <= value <= high:
            raise ValueError(f"{value} is not between {low} and {high}")

    return attrs.field(validator=check)


def _networks(_instance: object, _attribute: object, value: tuple[str, ...]) -> None:
    for text in value:
        try:
            ipaddress.ip_network(text, strict=False)
        except ValueError:
            raise ValueError(
                f'"{text}" is no network; accepted is an address or a network such as 192.0.2.0/24'
            ) from None


def _dxp_name(_instance: object, _attribute: object, value: str) -> None:
    if not 1 <= len(value) <= 32 or not value.isascii() or not value.isprintable() or value.startswith(" "):  # noqa: PLR2004
        raise ValueError(
            f'"{value}" is no DXP name; accepted are 1 to 32 printable ASCII characters, no blank in front'
        )


@attrs.frozen(kw_only=True)
class Serve:
    """`bonnard serve`: whom it listens to and the terms it plays on."""

    host: str
    port: int = _between(0, 65535)
    max_games: int = _between(1, 1000)
    per_address: int = _between(1, 1000)
    allow: tuple[str, ...] = attrs.field(validator=_networks)
    min_minutes: float = _between(0.01, 999)
    on_illegal: Literal["win", "retry"]
    takeback: bool
    flag: bool
    role: Literal["follower", "initiator"]
    minutes: float = _between(0.05, 999)
    moves: int = _between(0, 999)
    games: int = _between(1, 100_000)
    fen: str


@attrs.frozen(kw_only=True)
class Play:
    """`bonnard play`: the games that we ask a server for."""

    games: int = _between(1, 100_000)
    minutes: float = _between(0.05, 999)
    moves: int = _between(0, 999)
    colour: Literal["white", "black", "alternate"]
    fen: str


@attrs.frozen(kw_only=True)
class Engine:
    """The engine that plays our side, and what one game of it may use: `tt_size` MB, `move_time` seconds."""

    player: str
    threads: int = _between(1, 1024)
    tt_size: int = _between(1, 1 << 20)
    move_time: float = _between(0, 86400)
    ponder: bool
    nice: int = _between(0, 19)
    restarts: int = _between(0, 100)


@attrs.frozen(kw_only=True)
class Dxp:
    """Our name on the network, and how long we wait for peers, in seconds."""

    name: str = attrs.field(validator=_dxp_name)
    idle: float = _between(1, 86400)
    write: float = _between(0.1, 3600)
    acknowledgement: float = _between(0, 600)
    request: float = _between(0.1, 3600)
    stall: float = _between(1, 86400)
    margin: float = _between(0, 60)


@attrs.frozen(kw_only=True)
class Data:
    """Where games are stored."""

    directory: str


@attrs.frozen(kw_only=True)
class Log:
    """What is logged and how."""

    level: Literal["debug", "info", "warning", "error"]
    format: Literal["auto", "console", "json"]


@attrs.frozen(kw_only=True)
class Settings:
    """All settings, a section for each concern."""

    serve: Serve
    play: Play
    engine: Engine
    dxp: Dxp
    data: Data
    log: Log


SECTIONS = (Serve, Play, Engine, Dxp, Data, Log)
