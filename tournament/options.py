"""Settings of one player as texts, as the command line gives them: NAME.key=value."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Literal

import attrs

from rules.clock import TimeControl
from tournament.match_file import split_command
from tournament.settings import Entrant
from tournament.spec import PlayerOptions

_OPTION = re.compile(r"(?P<name>[A-Za-z0-9_.-]+)\.(?P<key>[A-Za-z0-9_-]+)=(?P<value>.*)", re.DOTALL)


class OptionError(ValueError):
    """An option that cannot be set; the message says what was wrong and what is accepted."""


def set_options(players: Sequence[Entrant], texts: Sequence[str]) -> tuple[Entrant, ...]:
    """Return the players with their options set; OptionError with the first fault."""
    players = list(players)
    names = [player.name for player in players]
    for text in texts:
        match = _OPTION.fullmatch(text)
        if match is None:
            raise OptionError(f"{text!r} is no option: NAME.key=value is accepted, such as A.threads=2")
        if match["name"] not in names:
            raise OptionError(f"{text!r}: no player is named {match['name']}; there are {', '.join(names)}")
        index = names.index(match["name"])
        try:
            players[index] = set_option(players[index], match["key"], match["value"])
        except ValueError as error:
            raise OptionError(f"{text!r}: {error}") from None
    return tuple(players)


def set_option(player: Entrant, key: str, value: str) -> Entrant:
    """Return the player with one option set: one of OURS, or else a parameter of its Hub engine."""
    if key in CONTROLS:
        return attrs.evolve(player, control=CONTROLS[key](value))
    if key in OURS:
        return attrs.evolve(player, options=OURS[key](player.options, value))
    if not value.isprintable():
        raise ValueError(f"{value!r} is no value of a Hub parameter: it must be one line of text")
    parameters = {**player.options.parameters, key: value}
    return attrs.evolve(player, options=attrs.evolve(player.options, parameters=parameters))


def _whole(text: str) -> int:
    if not text.isdigit():
        raise ValueError(f"{text!r} is no whole number")
    return int(text)


def _flag(text: str) -> bool:
    if text not in {"true", "false"}:
        raise ValueError(f"{text!r} is not true or false")
    return text == "true"


def _time(text: str) -> Literal["clock", "external"]:
    if text == "clock":
        return "clock"
    if text == "external":
        return "external"
    raise ValueError(f"{text!r} is not clock or external")


CONTROLS: Mapping[str, Callable[[str], TimeControl]] = {
    "clock": TimeControl.parse,
    "move-time": lambda text: TimeControl.parse(f"move-time={text}"),
    "nodes": lambda text: TimeControl.parse(f"nodes={text}"),
    "depth": lambda text: TimeControl.parse(f"depth={text}"),
}
#: Our own keys and what each sets.
OURS: Mapping[str, Callable[[PlayerOptions, str], PlayerOptions]] = {
    "threads": lambda options, text: attrs.evolve(options, threads=_whole(text)),
    "tt-size": lambda options, text: attrs.evolve(options, tt_size=_whole(text)),
    "ponder": lambda options, text: attrs.evolve(options, ponder=_flag(text)),
    "time": lambda options, text: attrs.evolve(options, time=_time(text)),
    "greet": lambda options, text: attrs.evolve(options, greet=(*options.greet, text)),
    "run": lambda options, text: attrs.evolve(options, run=split_command(text)),
    "dir": lambda options, text: attrs.evolve(options, directory=text),
    "nice": lambda options, text: attrs.evolve(options, nice=_whole(text)),
}
