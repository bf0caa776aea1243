"""`bonnard check`: what a Hub or DXP engine does right and wrong."""

import json as json_text
import sys

import attrs
import trio

from bonnard.check_dxp import check_dxp
from bonnard.check_hub import check_hub
from bonnard.check_point import Point
from bonnard.errors import UsageError
from tournament.hub_player import launch_of
from tournament.spec import PlayerOptions, SpecError, parse_spec

_WORDS = {True: "keeps", False: "BREAKS", None: "-"}


def check(spec: str, /, *, verbose: bool = False, json: bool = False) -> int:
    """Try each point of the protocol with an engine and tell which ones it keeps and which it breaks.

    For every point that is broken the exchange that shows it is printed. The exit code is 1 if the engine
    breaks a point that loses games.

    Parameters
    ----------
    spec
        The engine: builtin, hub:COMMAND, dxp:HOST:PORT or dxp-listen:[HOST:]PORT.
    verbose
        Print the exchange for every point.
    json
        Print one JSON object a point, with its exchange.

    """
    try:
        player = parse_spec(spec)
    except SpecError as error:
        raise UsageError(str(error)) from None
    points: list[Point] = []

    def tell(point: Point) -> None:
        points.append(point)
        text = json_text.dumps(attrs.asdict(point)) + "\n" if json else _text(point, verbose=verbose)
        sys.stdout.write(text)
        sys.stdout.flush()

    if player.kind in ("builtin", "hub"):
        trio.run(check_hub, launch_of(player, PlayerOptions()), tell)
    else:
        trio.run(check_dxp, player, tell)
    lost = sum(point.kept is False and point.grave for point in points)
    broken = sum(point.kept is False for point in points)
    if not json:
        sys.stdout.write(f"{len(points)} points, {broken} broken, {lost} of them lose games\n")
    return 1 if lost else 0


def _text(point: Point, *, verbose: bool) -> str:
    grave = "  (loses games)" if point.kept is False and point.grave else ""
    lines = [f"{_WORDS[point.kept]:6}  {point.claim}: {point.note}{grave}"]
    if verbose or point.kept is False:
        lines += [f"            {line}" for line in point.exchange]
    return "".join(f"{line}\n" for line in lines)
