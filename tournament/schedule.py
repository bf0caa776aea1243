"""The schedule: which game has which number, opening and colours, as a pure function of the settings.

Nothing is drawn at run time: what is finished is subtracted from the schedule, so a match goes on where it
was, on any machine. The unit is the pair: one opening, played with both colours, by the player named first
as White in the first game.
"""

import hashlib
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Literal

from attrs import frozen

Format = Literal["match", "round-robin", "gauntlet"]
Order = Literal["file", "random"]

#: Players of a match, and games of an opening.
PAIR = 2


class ScheduleError(ValueError):
    """Settings that make no schedule; the message names the fault and what is accepted."""


@frozen
class ScheduledGame:
    """A game to play. `number` and `pair` count from 0 over the match, `opening` is an index."""

    number: int
    pair: int
    opening: int
    white: str
    black: str


def pairings(players: Sequence[str], form: Format) -> list[tuple[str, str]]:
    """Return who meets whom: everyone, or in a gauntlet the first player each other."""
    if len(set(players)) != len(players):
        twice = sorted({name for name in players if list(players).count(name) > 1})
        raise ScheduleError(f"two players are named {', '.join(twice)}: give each its own NAME=")
    if len(players) < PAIR:
        raise ScheduleError("a match needs at least two players")
    if form == "match" and len(players) > PAIR:
        raise ScheduleError(
            f"format match is for two players, not {len(players)}: use round-robin or gauntlet"
        )
    if form == "gauntlet":
        return [(players[0], other) for other in players[1:]]
    return list(combinations(players, 2))


def opening_order(openings: int, start: int, order: Order, seed: int) -> list[int]:
    """Return the indices of all openings in the order they are used.

    The `start`-th comes first, counted from 1 and wrapping round. A random order sorts the openings by a
    hash of seed and index: unbiased, and the same on every Python.
    """
    if openings < 1:
        raise ScheduleError("there is no opening to play")
    if start < 1:
        raise ScheduleError(f"the first opening is number 1, not {start}")
    indices = list(range(openings))
    if order == "random":
        indices.sort(key=lambda index: hashlib.sha256(f"{seed}:{index}".encode()).digest())
    first = (start - 1) % openings
    return indices[first:] + indices[:first]


def schedule(
    players: Sequence[str],
    openings: int,
    games: int,
    *,
    form: Format = "match",
    start: int = 1,
    order: Order = "file",
    seed: int = 0,
) -> Iterator[ScheduledGame]:
    """Yield the games of a match, `games` (an even number) for each pairing; ScheduleError with the fault.

    Every pairing plays the same openings, opening by opening, so that a match broken off is still balanced;
    with more pairs than openings the openings begin anew.
    """
    if games < PAIR or games % PAIR:
        raise ScheduleError(
            f"the number of games must be even and at least 2, not {games}: every opening is played twice"
        )
    met = pairings(players, form)
    indices = opening_order(openings, start, order, seed)
    return _games(met, indices, games // 2)


def _games(met: Sequence[tuple[str, str]], indices: Sequence[int], rounds: int) -> Iterator[ScheduledGame]:
    number = 0
    for turn in range(rounds):
        opening = indices[turn % len(indices)]
        for first, second in met:
            yield ScheduledGame(number, number // 2, opening, first, second)
            yield ScheduledGame(number + 1, number // 2, opening, second, first)
            number += 2
