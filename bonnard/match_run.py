"""A match under way: its files, the programs' guard, the signals, and the reports at the end."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

import attrs
import trio

from bonnard.endgames import referee_probe
from bonnard.interrupts import obey_signals
from hub.guard import Guard
from tournament.archive import Archive
from tournament.conduct import Conduct
from tournament.events import Ending, Observer, Told
from tournament.openings import Opening
from tournament.player import Player
from tournament.report import read_report, write_reports
from tournament.report_text import report_text
from tournament.roster import create_player
from tournament.runner import Runner
from tournament.settings import Entrant, MatchSettings, configuration, cores_wanted
from tournament.spec import PlayerSpec

#: Seconds for which a thread may keep the others waiting.
SWITCH = 0.0005


@attrs.frozen
class Run:
    """Why a run of a match ended, and the error that made it end, if one did."""

    ending: Ending
    error: str


async def play_match(
    settings: MatchSettings, openings: Sequence[Opening], directory: Path, observer: Observer
) -> Run:
    """Play what is left of a match and write its reports; StoreError when its files cannot be used."""
    # The loop that times the engines must not wait for the thread that stores a game.
    sys.setswitchinterval(SWITCH)
    conduct = Conduct(
        margin=settings.margin,
        stall=settings.stall,
        draw_rules=settings.draw_rules,
        adjudication=settings.adjudication,
        probe=referee_probe(),
        probe_decides=settings.bitbase,
    )
    with (
        Archive.open(directory, settings.name, configuration(settings, openings)) as archive,
        Guard() as guard,
    ):

        def create(nursery: trio.Nursery, entrant: Entrant, address: PlayerSpec) -> Player:
            return create_player(address, entrant.options, nursery, guard)

        runner = Runner(settings, openings, archive, create, conduct, observer)
        warn_of_cores(settings, observer)
        async with trio.open_nursery() as nursery:
            await nursery.start(obey_signals, runner.drain, runner.abort, settings.drain)
            ending = await runner.run()
            nursery.cancel_scope.cancel()
        match = next(match for match in archive.store.matches() if match.id == archive.match)
        report = read_report(archive.store, match)
        try:
            write_reports(directory, report, report_text(report))
        except OSError as error:
            return Run(
                ending, runner.error or f"no reports can be written into {directory}: {error.strerror}"
            )
    return Run(ending, runner.error)


def warn_of_cores(settings: MatchSettings, observer: Observer) -> None:
    """Warn when the engines want more cores than there are: then they lose time to each other."""
    cores = len(os.sched_getaffinity(0))
    wanted = cores_wanted(settings)
    if wanted > cores:
        clause = f"{wanted} engine threads at once on {cores} cores: engines take time from each other"
        observer(Told("warning", "", clause))
