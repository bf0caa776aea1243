"""The match file: a TOML file that holds all settings of a match. Reference: docs/match-file.md."""

import shlex
import tomllib
from pathlib import Path
from typing import get_args

import attrs

from rules.clock import TimeControl
from tournament.conduct import Adjudication
from tournament.schedule import Format, Order
from tournament.settings import Entrant, FaultPolicies, MatchSettings, Policy, SettingsError, check
from tournament.spec import PlayerOptions, PlayerSpec, parse_spec
from tournament.sprt import Sprt
from tournament.toml_table import Table

LIMITS = ("clock", "move_time", "nodes", "depth")


def read_match_file(path: Path) -> MatchSettings:
    """Return the settings of a file; SettingsError with every fault, each by its path in the file."""
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingsError([f"{path}: {error.strerror}"]) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError([f"{path} is no TOML: {error}"]) from None
    faults: list[str] = []
    settings = _match(Table(values, "", faults), path.stem)
    if settings is not None:
        faults += check(settings)
    if settings is None or faults:
        raise SettingsError(faults)
    return settings


def _match(table: Table, name: str) -> MatchSettings | None:
    common = read_control(table)
    openings = table.table("openings")
    players = [_player(player, common) for player in table.tables("players")]
    defaults = MatchSettings(players=(), games=158)
    if not table.has("players"):
        table.fault("players", "is missing; at least two [[players]] are expected")
    settings = MatchSettings(
        players=tuple(player for player in players if player is not None),
        games=table.integer("games", defaults.games, 2),
        name=table.text("name", name),
        form=table.choice("format", defaults.form, get_args(Format)),
        openings=openings.text("source", defaults.openings),
        start=openings.integer("start", 1, 1),
        order=openings.choice("order", defaults.order, get_args(Order)),
        seed=openings.integer("seed", 0, 0),
        concurrency=table.integer("concurrency", 1, 1, 1000),
        margin=table.number("margin", defaults.margin, 0, 60),
        stall=table.number("stall", defaults.stall, 0.1, 3600),
        restart=table.number("restart", defaults.restart, 0, 3600),
        drain=table.number("drain", defaults.drain, 0, 86400),
        move_limit=table.integer("move_limit", 1, 1, 10_000) if table.has("move_limit") else None,
        draw_rules=table.choice("draw_rules", "fmjd", ("fmjd", "long-diagonal")),
        adjudication=_adjudication(adjudication := table.table("adjudication")),
        bitbase=adjudication.flag("bitbase", default=False),
        faults=_faults(table.table("faults")),
        sprt=_sprt(table.table("sprt")) if table.has("sprt") else None,
    )
    openings.close()
    adjudication.close()
    table.close()
    return settings if all(player is not None for player in players) else None


def read_control(table: Table) -> TimeControl | None:
    """Return the time control that a table gives, if it gives one."""
    given = [key for key in LIMITS if table.has(key)]
    controls = {
        "clock": table.parsed("clock", TimeControl.parse),
        "move_time": TimeControl(move_time=table.number("move_time", 1, 0.001, 86400)),
        "nodes": TimeControl(nodes=table.integer("nodes", 1, 1, 1 << 62)),
        "depth": TimeControl(depth=table.integer("depth", 1, 1, 1000)),
    }
    if len(given) > 1:
        table.fault(given[1], f"{given[0]} is given already; one of {', '.join(LIMITS)} is expected")
    return controls[given[0]] if given else None


def _player(table: Table, common: TimeControl | None) -> Entrant | None:
    name = table.text("name")
    spec = table.parsed("engine", parse_spec)
    if not table.has("engine"):
        table.text("engine", required=True)
    more = [_address(table, text) for text in table.texts("addresses")]
    control = read_control(table) or common
    if control is None:
        table.fault(
            "clock",
            f"no time control, neither here nor for the match: one of {', '.join(LIMITS)} is expected",
        )
    options = PlayerOptions(
        parameters=table.scalars("options"),
        threads=table.integer("threads", 1, 1, 1024) if table.has("threads") else None,
        tt_size=table.integer("tt_size", 1, 1, 1 << 20) if table.has("tt_size") else None,
        ponder=table.flag("ponder", default=False),
        time=table.choice("time", "clock", ("clock", "external")),
        greet=table.texts("greet"),
        run=table.parsed("run", split_command) or (),
        directory=table.text("dir") or None,
        nice=table.integer("nice", 5, 0, 19),
    )
    table.close()
    if spec is None or control is None or None in more:
        return None
    addresses = [
        attrs.evolve(address, name=name or spec.name) for address in (spec, *more) if address is not None
    ]
    return Entrant(tuple(addresses), control, options)


def _address(table: Table, text: str) -> PlayerSpec | None:
    try:
        return parse_spec(text)
    except ValueError as error:
        table.fault("addresses", str(error))
        return None


def split_command(text: str) -> tuple[str, ...]:
    """Split a command as a shell would; no shell runs. ValueError for an open quotation."""
    return tuple(shlex.split(text))


def _adjudication(table: Table) -> Adjudication:
    default = Adjudication()
    return Adjudication(
        resign_score=table.number("resign_score", default.resign_score, 0),
        resign_moves=table.integer("resign_moves", default.resign_moves, 0),
        draw_score=table.number("draw_score", default.draw_score, 0),
        draw_moves=table.integer("draw_moves", default.draw_moves, 0),
        draw_from=table.integer("draw_from", default.draw_from, 1),
    )


def _faults(table: Table) -> FaultPolicies:
    policies: tuple[Policy, ...] = get_args(Policy)
    result = FaultPolicies(
        crash=table.choice("crash", "forfeit", policies),
        hang=table.choice("hang", "forfeit", policies),
        disconnect=table.choice("disconnect", "forfeit", policies),
        protocol=table.choice("protocol", "forfeit", policies),
        illegal=table.choice("illegal", "forfeit", policies),
        time=table.choice("time", "forfeit", policies),
        replays=table.integer("replays", 3, 0, 1000),
    )
    table.close()
    return result


def _sprt(table: Table) -> Sprt:
    sprt = Sprt(
        elo0=table.number("elo0", 0, -10_000),
        elo1=table.number("elo1", 5, -10_000),
        alpha=table.number("alpha", 0.05, 1e-6, 0.5),
        beta=table.number("beta", 0.05, 1e-6, 0.5),
        model=table.choice("model", "normalized", ("normalized", "bayes")),
    )
    table.close()
    return sprt
