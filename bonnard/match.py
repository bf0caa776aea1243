"""`bonnard match`: games between any players, with a result that can be trusted and nothing lost."""

import sys
from pathlib import Path
from typing import Annotated

import attrs
import trio
from cyclopts import Parameter

from bonnard.errors import FailedError, UsageError
from bonnard.match_run import play_match
from rules.clock import TimeControl
from tournament.events import Observer
from tournament.live import LiveTable
from tournament.match_file import read_match_file
from tournament.openings import load_openings
from tournament.options import set_options
from tournament.progress import JsonLines, PlainLines
from tournament.schedule import Format, Order
from tournament.settings import Entrant, MatchSettings, SettingsError, check
from tournament.spec import parse_spec
from tournament.sprt import Sprt
from tournament.store import ConfigurationChangedError, StoreError

#: The defaults of what has no flag or was not given.
DEFAULTS = MatchSettings(players=(), games=0)


def match(
    *players: str,
    out: Path,
    config: Path | None = None,
    games: int | None = None,
    clock: str | None = None,
    move_time: float | None = None,
    nodes: int | None = None,
    depth: int | None = None,
    margin: float | None = None,
    form: Annotated[Format | None, Parameter(name="--format")] = None,
    openings: str | None = None,
    start: int | None = None,
    order: Order | None = None,
    seed: int | None = None,
    concurrency: int | None = None,
    sprt: str | None = None,
    option: Annotated[tuple[str, ...], Parameter(negative=())] = (),
    name: str | None = None,
    json: bool = False,
) -> int:
    """Play a match; the same command with the same --out goes on with one that was broken off.

    Parameters
    ----------
    players
        Two players or more: [NAME=]builtin, [NAME=]hub:COMMAND, [NAME=]dxp:HOST:PORT,
        [NAME=]dxp-listen:[HOST:]PORT.
    out
        Directory for match.db, games.pdn and the reports.
    config
        A match file (TOML) with all settings; only --name, --concurrency and --json go with it.
    games
        Games for each pairing, an even number (default: each opening with both colours).
    clock
        Time of a player for a game: 5m/75 (minutes for 75 moves), 3m+2s, 90s.
    move_time
        Seconds for each move.
    nodes
        Nodes for each move.
    depth
        Plies of search for each move.
    margin
        Seconds forgiven on every move, never thinking time (default 0.2).
    form
        match (two players, the default), round-robin, gauntlet (the first against each other).
    openings
        2ply (79 ballots, the default), 3ply (375), start, or a file of FENs or PDN games; each is played with
        both colours.
    start
        The first opening to play, from 1 (default 1).
    order
        The openings as they are in the file (the default), or shuffled by --seed.
    seed
        Of the random order (default 0).
    concurrency
        Games at once (default 1).
    sprt
        ELO0,ELO1: stop as soon as one of these normalized Elo differences is shown (error rates 0.05).
    option
        NAME.key=value, any number of times: threads, tt-size, ponder, time, greet, run, dir, nice, clock,
        move-time, nodes, depth of a player, or any parameter of its Hub engine.
    name
        Of the match; several matches may share a directory's store.
    json
        One JSON object a line for each event, in place of the table.

    """
    try:
        if config is not None:
            flags = (games, clock, move_time, nodes, depth, margin, form, openings, start, order, seed, sprt)
            if players or option or any(flag is not None for flag in flags):
                raise UsageError("with --config only --out, --name, --concurrency and --json can be given")
            settings = read_match_file(config)
        else:
            control = _control(clock, move_time, nodes, depth)
            source = openings or DEFAULTS.openings
            settings = MatchSettings(
                players=set_options([Entrant((parse_spec(text),), control) for text in players], option),
                games=2 * len(load_openings(source)) if games is None else games,
                margin=DEFAULTS.margin if margin is None else margin,
                form=form or DEFAULTS.form,
                openings=source,
                start=DEFAULTS.start if start is None else start,
                order=order or DEFAULTS.order,
                seed=DEFAULTS.seed if seed is None else seed,
                sprt=None if sprt is None else read_sprt(sprt),
            )
        settings = attrs.evolve(
            settings,
            name=name or settings.name,
            concurrency=settings.concurrency if concurrency is None else concurrency,
        )
        faults = check(settings)
        if faults:
            raise SettingsError(faults)
        found = load_openings(settings.openings, config.parent if config else None)
    except ValueError as error:
        raise UsageError("; ".join(str(error).splitlines())) from None
    try:
        run = trio.run(play_match, settings, found, out, _observer(json=json))
    except ConfigurationChangedError as error:
        raise UsageError(str(error)) from None
    except StoreError as error:
        raise FailedError(str(error)) from None
    if run.error:
        raise FailedError(run.error)
    return 0 if run.ending in {"complete", "sprt"} else 1


def _control(clock: str | None, move_time: float | None, nodes: int | None, depth: int | None) -> TimeControl:
    """Return the one time control that is given."""
    given = [value is not None for value in (clock, move_time, nodes, depth)]
    if sum(given) != 1:
        raise UsageError("a match needs one of --clock, --move-time, --nodes and --depth")
    if clock is not None:
        return TimeControl.parse(clock)
    return TimeControl(move_time=move_time, nodes=nodes, depth=depth)


def read_sprt(text: str) -> Sprt:
    """Read ELO0,ELO1; ValueError with what is accepted."""
    elo0, comma, elo1 = text.partition(",")
    try:
        if comma:
            return Sprt(float(elo0), float(elo1))
    except ValueError:
        pass
    raise ValueError(f"{text!r} is no test: --sprt=ELO0,ELO1 is accepted, such as --sprt=0,10")


def _observer(*, json: bool) -> Observer:
    if json:
        return JsonLines()
    return LiveTable() if sys.stdout.isatty() else PlainLines()
