"""From a SPEC to a player."""

import trio

from tournament.player import Player
from tournament.spec import PlayerOptions, PlayerSpec


def create_player(spec: PlayerSpec, options: PlayerOptions, nursery: trio.Nursery) -> Player:
    """Return an unopened player; its processes and connections live in `nursery` until `close`.

    Raises SpecError when the options do not suit the kind of player.
    """
    raise NotImplementedError
