"""`bonnard bitbase`: make the endgame tables, check them, and tell what there is."""

import json as json_text
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Literal

import attrs
import cyclopts
import rich.console
import rich.progress

from bonnard.errors import FailedError, UsageError
from bonnard.version import version
from engine import bitbase_file
from engine.assets import AssetError
from engine.bitbase_file import SHIPPED_PIECES, BitbaseError, Table, built_directory, class_name
from training import bitbase, bitbase_verify
from training.bitbase import Progress

app = cyclopts.App(name="bitbase", help="Endgame tables: build, verify, info.")

COLUMNS = "{:9} {:>11} {:>11} {:>11} {:>11} {:>8} {:>10}"
HEADINGS = ("class", "positions", "won", "drawn", "lost", "longest", "bytes")

Positive = Annotated[int, cyclopts.Parameter(validator=cyclopts.validators.Number(gte=1))]


@app.command
def build(
    *,
    pieces: Literal[2, 3, 4, 5] = 4,
    directory: Path | None = None,
    jobs: Positive = 1,
    memory: Positive = 1024,
    pack: Path | None = None,
    json: bool = False,
) -> None:
    """Make the tables of 2 to 4 pieces from nothing (seconds), or those of 5 with the shipped ones (minutes).

    A table whose file is there is not made again, so a build that was ended goes on where it was.

    Parameters
    ----------
    pieces
        Most pieces on the board.
    directory
        Where the tables are written: some 45 MB for 4 pieces, 450 MB for 5 (~/.local/share/bonnard/bitbases).
    jobs
        Threads.
    memory
        MB that the tables in work may take together; 5 pieces need 600.
    pack
        Also write the tables of 2 to 4 pieces into this file, packed as they are shipped.
    json
        One JSON object a table.

    """
    if pack is not None and pieces != SHIPPED_PIECES:
        raise UsageError(f"--pack is for --pieces {SHIPPED_PIECES}: that is what is shipped")
    place = directory or built_directory()
    with _failures(), _progress() as report:
        tables = bitbase.build(pieces, place, jobs=jobs, megabytes=memory, report=report)
    _print(tables, json=json)
    if pack is not None:
        made = {"command": "bonnard bitbase build --pack FILE", "version": version()}
        with _failures():
            size = bitbase.pack(place, pack, made)
        sys.stderr.write(f"{pack}: {size} bytes\n")


@app.command
def verify(
    *, directory: Path | None = None, sample: int = 100, seed: int = 1, full: bool = False, json: bool = False
) -> int:
    """Check the shipped tables, and those in the directory; exit code 1 if any is wrong.

    The positions of every table are counted, and a sample is played out over two plies by the rules.

    Parameters
    ----------
    directory
        Where further tables are (~/.local/share/bonnard/bitbases).
    sample
        Positions of each class that are played out.
    seed
        Which ones.
    full
        Also compare every position with those after its moves (2 to 4 pieces: a minute): a proof where there
        are distances.
    json
        One JSON object a table.

    """
    wrong = 0
    with _failures():
        for found in bitbase_verify.verify(_load(directory), sample=sample, seed=seed, full=full):
            wrong += bool(found.faults)
            name = class_name(found.table.counts)
            if json:
                line = {"class": name, "sampled": found.sampled, "full": full, "faults": found.faults}
                sys.stdout.write(json_text.dumps(line) + "\n")
            else:
                sys.stdout.write(f"{name:9} {'; '.join(found.faults) or 'right'}\n")
            sys.stdout.flush()
    return 1 if wrong else 0


@app.command
def info(*, directory: Path | None = None, json: bool = False) -> None:
    """Tell what is in each table: positions the side to move wins, draws, loses; plies of the longest win.

    Parameters
    ----------
    directory
        Where further tables are (~/.local/share/bonnard/bitbases).
    json
        One JSON object a table.

    """
    with _failures():
        tables = _load(directory)
    _print(tables, json=json)


def _load(directory: Path | None) -> list[Table]:
    """Load the shipped tables and those in a directory, which must exist if it was named."""
    if directory is not None and not directory.is_dir():
        raise UsageError(f"{directory} is no directory; accepted is one that `bonnard bitbase build` filled")
    return bitbase_file.load(directory or built_directory())


def _print(tables: list[Table], *, json: bool) -> None:
    if json:
        for table in tables:
            line = {"class": class_name(table.counts), **attrs.asdict(table), "size": table.size}
            del line["offset"]
            sys.stdout.write(json_text.dumps(line) + "\n")
        return
    sys.stdout.write(COLUMNS.format(*HEADINGS) + "\n")
    for table in tables:
        sys.stdout.write(_row(class_name(table.counts), table.longest, [table]) + "\n")
    sys.stdout.write(_row("all", max((table.longest for table in tables), default=0), tables) + "\n")


def _row(name: str, longest: int, tables: list[Table]) -> str:
    numbers = [(table.positions, table.won, table.drawn, table.lost, table.size) for table in tables]
    positions, won, drawn, lost, size = (sum(column) for column in zip(*numbers, strict=True))
    return COLUMNS.format(name, positions, won, drawn, lost, longest, size)


@contextmanager
def _failures() -> Iterator[None]:
    """Turn what can go wrong with files and memory into one line."""
    try:
        yield
    except (AssetError, BitbaseError, MemoryError, OSError) as error:
        raise FailedError(str(error) or "out of memory") from None


@contextmanager
def _progress() -> Iterator[Callable[[Progress], None]]:
    """Show a bar on stderr, on a terminal only."""
    console = rich.console.Console(stderr=True)
    columns = (
        rich.progress.BarColumn(),
        rich.progress.TaskProgressColumn(),
        rich.progress.TimeRemainingColumn(),
        rich.progress.TextColumn("{task.description}"),
    )
    with rich.progress.Progress(*columns, console=console, disable=not console.is_terminal) as bar:
        task = bar.add_task("")

        def report(progress: Progress) -> None:
            names = " ".join(progress.running)
            bar.update(task, completed=progress.done, total=progress.total, description=names)

        yield report
