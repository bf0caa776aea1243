"""`bonnard report`: what came of a match, finished or running, or of the games of `serve` and `play`."""

import json as json_text
import sys
from pathlib import Path

from bonnard.errors import FailedError, UsageError
from tournament.report import PLOT_FILE, Report, read_report, report_values
from tournament.report_text import report_text
from tournament.store import DAMAGE, MATCH_FILE, Store, StoreError


def report(directory: Path, /, *, name: str | None = None, json: bool = False) -> None:
    """Show the cross table, Elo with error bars, pair statistics, draws, reasons and time use of a match.

    Parameters
    ----------
    directory
        The --out of `match`, or the data directory of `serve` and `play`.
    name
        Only the match of this name.
    json
        One JSON object a match, one a line.

    """
    if not directory.is_dir():
        raise UsageError(
            f"{directory} is no directory; accepted is the --out of match or the data directory of serve"
        )
    path = find_store(directory)
    try:
        with Store.open(path, read_only=True) as store:
            matches = [match for match in store.matches() if name in {None, match.name}]
            if not matches:
                raise FailedError(f"no match {name!r} in {directory}" if name else f"no match in {directory}")
            for match in matches:
                show(read_report(store, match), json=json, plot=(directory / PLOT_FILE).exists())
    except StoreError as error:
        raise FailedError(str(error)) from None
    except DAMAGE as error:
        raise FailedError(f"{path} is damaged: {error}") from None


def show(found: Report, *, json: bool, plot: bool) -> None:
    """Print one report; `plot` tells whether that of the match has been drawn yet."""
    text = json_text.dumps(report_values(found)) if json else report_text(found, plot=plot)
    sys.stdout.write(text + "\n")


def find_store(directory: Path) -> Path:
    """Return the path of the store in a directory."""
    stores = sorted(directory.glob("*.db"))
    return stores[0] if stores else directory / MATCH_FILE
