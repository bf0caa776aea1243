"""From a SPEC to a player."""

import trio

from dxp.limits import ConnectionLimits
from hub.guard import Guard
from tournament.dxp_player import DxpPlayer
from tournament.hub_player import HubPlayer, check_ours
from tournament.player import Player
from tournament.reach import DxpReach
from tournament.spec import PlayerOptions, PlayerSpec, SpecError


def create_player(
    spec: PlayerSpec,
    options: PlayerOptions,
    nursery: trio.Nursery,
    guard: Guard | None = None,
    limits: ConnectionLimits | None = None,
) -> Player:
    """Return an unopened player; its processes and connections live in `nursery` until `close`.

    Raises SpecError when the options do not suit the kind of player.
    """
    check_options(spec, options)
    if spec.kind in {"builtin", "hub"}:
        return HubPlayer(spec, options, nursery, guard)
    return DxpPlayer(
        spec.name,
        reach=DxpReach(spec, options, nursery, guard, limits),
        greet=options.greet,
        external_time=options.time == "external",
    )


def check_options(spec: PlayerSpec, options: PlayerOptions) -> None:
    """Raise SpecError when an option is set that the kind of player has no use for, or our engine refuses."""
    if spec.kind in {"builtin", "hub"}:
        unfit = {"greet": bool(options.greet), "run": bool(options.run), "time": options.time == "external"}
        kind = "a Hub engine"
    else:
        unfit = {
            "parameters": bool(options.parameters),
            "threads": options.threads is not None,
            "tt-size": options.tt_size is not None,
            "ponder": options.ponder,
        }
        kind = "a DXP program"
    names = [name for name, is_set in unfit.items() if is_set]
    if names:
        raise SpecError(f"{spec.name}: {', '.join(names)} cannot be set for {kind}")
    if spec.kind == "builtin":
        try:
            check_ours(options)
        except ValueError as error:
            raise SpecError(f"{spec.name}: {error}") from None
