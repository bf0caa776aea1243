"""What a match is set up with, as one value: players, their time, schedule, referee's terms."""

import hashlib
import re
from collections.abc import Mapping, Sequence
from typing import Literal

import attrs
from attrs import field, frozen

from rules.clock import TimeControl
from rules.fen import format_fen
from rules.game import Reason
from tournament.conduct import Adjudication
from tournament.openings import Opening
from tournament.roster import check_options
from tournament.schedule import Format, Order, ScheduleError, schedule
from tournament.spec import PlayerOptions, PlayerSpec, SpecError
from tournament.sprt import Sprt

#: The ways in which a program can fail a game, as the match file calls them.
FaultKind = Literal["crash", "hang", "disconnect", "protocol", "illegal", "time"]
#: What then becomes of the game: it is lost, played again, or the match stops.
Policy = Literal["forfeit", "replay", "stop"]

FAULT_KINDS: Mapping[Reason, FaultKind] = {
    Reason.CRASH: "crash",
    Reason.STALL: "hang",
    Reason.DISCONNECT: "disconnect",
    Reason.PROTOCOL_FAULT: "protocol",
    Reason.ILLEGAL_MOVE: "illegal",
    Reason.TIME: "time",
}

#: Of the hypotheses of a sequential test; beyond it there is nothing to tell apart.
HIGHEST_ELO = 10_000

#: Of the time forgiven on a move (s).
LONGEST_MARGIN = 60

#: Of a pairing, and at once.
MOST_GAMES = 1_000_000
MOST_AT_ONCE = 1000

PLAYER_NAME = re.compile(r"[A-Za-z0-9_.-]+")


class SettingsError(ValueError):
    """A match that cannot be played as it is set up; `faults` are all that is wrong, one line each."""

    def __init__(self, faults: Sequence[str]) -> None:
        """Keep the faults; the message is their lines."""
        super().__init__("\n".join(faults))
        self.faults = tuple(faults)


@frozen
class Entrant:
    """A player of a match.

    A DXP player plays one game at a time at each of `addresses`; others have one, and any number of games.
    """

    addresses: tuple[PlayerSpec, ...]
    control: TimeControl
    options: PlayerOptions = field(factory=PlayerOptions)

    @property
    def name(self) -> str:
        """The name in tables, tags and statistics."""
        return self.addresses[0].name

    @property
    def is_dxp(self) -> bool:
        """Whether it is met over the network."""
        return self.addresses[0].kind in {"dxp", "dxp-listen"}

    @property
    def slots(self) -> int | None:
        """How many games it can play at once; None for any number."""
        return len(self.addresses) if self.is_dxp else None

    @property
    def threads(self) -> int:
        """Threads that one game of it uses, as far as its settings tell."""
        stated = self.options.threads or self.options.parameters.get("threads", "1")
        return int(stated) if str(stated).isdigit() else 1


@frozen
class FaultPolicies:
    """What becomes of a game that a fault ended; after `replays` of one game it is a forfeit after all."""

    crash: Policy = "forfeit"
    hang: Policy = "forfeit"
    disconnect: Policy = "forfeit"
    protocol: Policy = "forfeit"
    illegal: Policy = "forfeit"
    time: Policy = "forfeit"
    replays: int = 3

    def of(self, reason: Reason) -> Policy | None:
        """Return the policy for a game that ended for this reason; None when the reason is no fault."""
        kind = FAULT_KINDS.get(reason)
        policy: Policy | None = None if kind is None else getattr(self, kind)
        return policy


@frozen
class MatchSettings:
    """A match. `games` is for each pairing; times are in seconds.

    `margin` forgives transport on every move, `stall` is how long beyond its flag a silent player is waited
    for, `restart` how long a program may take to be there (again). `drain` is how long SIGTERM waits for
    the games in progress.
    """

    players: tuple[Entrant, ...]
    games: int
    name: str = "match"
    form: Format = "match"
    openings: str = "2ply"
    start: int = 1
    order: Order = "file"
    seed: int = 0
    concurrency: int = 1
    margin: float = 0.2
    stall: float = 10.0
    restart: float = 30.0
    drain: float = 60.0
    move_limit: int | None = None
    draw_rules: Literal["fmjd", "long-diagonal"] = "fmjd"
    bitbase: bool = False
    adjudication: Adjudication = field(factory=Adjudication)
    faults: FaultPolicies = field(factory=FaultPolicies)
    sprt: Sprt | None = None

    def entrant(self, name: str) -> Entrant:
        """Return the player of this name."""
        return next(player for player in self.players if player.name == name)


#: May differ when a match is resumed: they change how fast it is played, not what is played.
FREE = frozenset({"name", "concurrency", "restart", "drain"})


def configuration(settings: MatchSettings, openings: Sequence[Opening]) -> dict[str, object]:
    """Return what identifies a match, as JSON values: only with the same a stored match goes on."""

    def plain(_instance: type, _attribute: "attrs.Attribute[object] | None", value: object) -> object:
        if isinstance(value, TimeControl):
            return str(value)
        return (
            [str(item) if isinstance(item, PlayerSpec) else item for item in value]
            if isinstance(value, tuple)
            else value
        )

    tree = attrs.asdict(
        settings, filter=lambda attribute, _: attribute.name not in FREE, value_serializer=plain
    )
    text = "\n".join(format_fen(opening.position) for opening in openings)
    tree["openings"] = (
        f"{settings.openings} ({len(openings)}, {hashlib.sha256(text.encode()).hexdigest()[:12]})"
    )
    tree["players"] = {
        player.name: values for player, values in zip(settings.players, tree["players"], strict=True)
    }
    return tree


def check(settings: MatchSettings) -> Sequence[str]:
    """Return all that is wrong with settings whose parts are each well-formed, one line each."""
    faults = []
    try:
        schedule(
            [player.name for player in settings.players],
            1,
            settings.games,
            form=settings.form,
            start=settings.start,
        )
    except ScheduleError as error:
        faults.append(str(error))
    for player in settings.players:
        if not PLAYER_NAME.fullmatch(player.name):
            faults.append(f"{player.name!r} is no player's name: letters, digits, _ . and - are accepted")
        try:
            check_options(player.addresses[0], player.options)
        except SpecError as error:
            faults.append(str(error))
        if player.is_dxp and player.options.time != "external" and not dxp_can_carry(player.control):
            faults.append(
                f"{player.name}: DXP carries minutes and moves (CLOCK such as 5m/75), not {player.control};"
                ' if the program limits itself set time = "external"'
            )
    if settings.sprt is not None and settings.form != "match":
        faults.append("sprt compares two players: it needs format match")
    if (
        settings.sprt is not None
        and not -HIGHEST_ELO <= settings.sprt.elo0 < settings.sprt.elo1 <= HIGHEST_ELO
    ):
        faults.append(
            f"sprt needs ELO0 below ELO1, both from -{HIGHEST_ELO} to {HIGHEST_ELO},"
            f" not {settings.sprt.elo0:g},{settings.sprt.elo1:g}"
        )
    return faults + _beyond(settings)


def _beyond(settings: MatchSettings) -> list[str]:
    """Return the numbers that are out of their bounds, one line each."""
    faults = []
    if not 0 <= settings.margin <= LONGEST_MARGIN:
        faults.append(f"margin is a number of seconds from 0 to {LONGEST_MARGIN}, not {settings.margin:g}")
    if settings.games > MOST_GAMES:
        faults.append(f"games is a number of games from 2 to {MOST_GAMES}, not {settings.games}")
    if not 1 <= settings.concurrency <= MOST_AT_ONCE:
        faults.append(
            f"concurrency is a number of games at once from 1 to {MOST_AT_ONCE}, not {settings.concurrency}"
        )
    return faults


def dxp_can_carry(control: TimeControl) -> bool:
    """Whether a GAMEREQ can say this time control: minutes for some moves or for the game."""
    return control.bank is not None and not control.increment


def free_slots(settings: MatchSettings) -> tuple[int, str]:
    """Return how many games can be played at once, and why it is fewer than wanted ("" if it is not)."""
    slots, reason = settings.concurrency, ""
    if settings.form == "match":
        for player in settings.players:
            if player.slots is not None and player.slots < slots:
                slots = player.slots
                reason = f"addresses of {player.name}, which play one game at a time: {slots}"
    return slots, reason


def cores_wanted(settings: MatchSettings) -> int:
    """Return how many threads of engines may be at work at once.

    In a game with pondering those of two players, else of the one that has more.
    """
    threads = sorted(player.threads for player in settings.players)[-2:]
    ponders = any(player.options.ponder for player in settings.players)
    slots, _ = free_slots(settings)
    return slots * (sum(threads) if ponders else max(threads))


def summary(settings: MatchSettings, openings: int) -> Mapping[str, object]:
    """Return the headline of what will be played."""
    return {
        "players": [player.name for player in settings.players],
        "format": settings.form,
        "games": settings.games,
        "time": sorted({str(player.control) for player in settings.players}),
        "openings": f"{settings.openings} ({openings})",
        "order": settings.order,
        "seed": settings.seed,
    }
