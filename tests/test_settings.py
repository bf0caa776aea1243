"""tournament.settings: what identifies a match, what does not go together, how many games at once."""

import json
import math

import attrs
import pytest
from match_games import MINUTE, settings_of

from rules.clock import TimeControl
from rules.game import Reason
from tournament.openings import Opening, ballots
from tournament.settings import (
    FAULT_KINDS,
    Entrant,
    FaultPolicies,
    MatchSettings,
    check,
    configuration,
    cores_wanted,
    free_slots,
)
from tournament.spec import PlayerOptions, parse_spec
from tournament.sprt import Sprt
from tournament.store import differences

OPENINGS = ballots(2)


def dxp(name: str, control: TimeControl, *ports: int, external: bool = False) -> Entrant:
    addresses = tuple(attrs.evolve(parse_spec(f"dxp:127.0.0.1:{port}"), name=name) for port in ports)
    return Entrant(addresses, control, PlayerOptions(time="external" if external else "clock"))


def test_a_configuration_is_json_and_stays_the_same() -> None:
    settings = settings_of(games=4, order="random", seed=5)
    values = configuration(settings, OPENINGS)
    assert json.loads(json.dumps(values)) == json.loads(json.dumps(configuration(settings, OPENINGS)))
    assert list(values["players"]) == ["A", "B"]  # type: ignore[call-overload]  # JSON


@pytest.mark.parametrize(
    "change",
    [
        {"games": 6},
        {"seed": 1},
        {"margin": 0.5},
        {"form": "gauntlet"},
        {"move_limit": 80},
        {"faults": FaultPolicies(crash="replay")},
        {"players": settings_of(["A", "C"]).players},
        {
            "players": (
                settings_of().players[0],
                attrs.evolve(settings_of().players[1], control=TimeControl(depth=3)),
            )
        },
    ],
)
def test_what_is_played_identifies_a_match(change: dict[str, object]) -> None:
    settings = settings_of()
    changed = attrs.evolve(settings, **change)  # type: ignore[arg-type]  # one field each
    assert differences(configuration(settings, OPENINGS), configuration(changed, OPENINGS))


def test_other_openings_under_the_same_name_are_another_match() -> None:
    settings = settings_of()
    fewer: list[Opening] = list(OPENINGS)[:-1]
    assert differences(configuration(settings, OPENINGS), configuration(settings, fewer))


def test_how_fast_it_is_played_does_not_identify_a_match() -> None:
    faster = settings_of(concurrency=2, drain=1.0, restart=1.0, name="x")
    assert configuration(faster, OPENINGS) == configuration(settings_of(), OPENINGS)


def test_every_fault_has_a_policy() -> None:
    policies = FaultPolicies("replay", "stop", "replay", "stop", "replay", "stop")
    assert [policies.of(reason) for reason in FAULT_KINDS] == ["replay", "stop"] * 3
    assert policies.of(Reason.REPETITION) is None
    assert policies.of(Reason.RESIGN) is None


def test_a_sound_match_has_no_faults() -> None:
    assert check(settings_of()) == []
    players = (*settings_of().players, dxp("C", TimeControl.parse("5m/75"), 1))
    assert check(MatchSettings(players, 2, form="round-robin")) == []


@pytest.mark.parametrize(
    "control", [TimeControl.parse("1m+1s"), TimeControl(move_time=1), TimeControl(nodes=9)]
)
def test_dxp_carries_minutes_and_moves(control: TimeControl) -> None:
    one = settings_of().players[0]
    assert "DXP carries" in check(MatchSettings((one, dxp("D", control, 1)), 2))[0]
    assert check(MatchSettings((one, dxp("D", control, 1, external=True)), 2)) == []


def test_options_must_suit_the_player() -> None:
    hub = Entrant((parse_spec("A=builtin"),), MINUTE, PlayerOptions(greet=("hello",)))
    faults = check(MatchSettings((hub, settings_of().players[1]), 2))
    assert faults == ["A: greet cannot be set for a Hub engine"]


def test_all_that_is_wrong_is_told() -> None:
    faults = check(attrs.evolve(settings_of(["A", "A"], games=3), concurrency=0))
    assert len(faults) == 2


@pytest.mark.parametrize("elos", [(5, 5), (5, 0), (math.nan, 5), (0, math.inf), (-math.inf, 0), (0, 20_000)])
def test_hypotheses_must_differ_and_be_finite(elos: tuple[float, float]) -> None:
    (fault,) = check(settings_of(sprt=Sprt(*elos)))
    assert "ELO0 below ELO1" in fault


def test_slots_are_capped_to_addresses() -> None:
    one = settings_of().players[0]
    two = dxp("D", TimeControl.parse("5m"), 1, 2)
    assert free_slots(MatchSettings((one, two), 2, concurrency=2)) == (2, "")
    slots, reason = free_slots(MatchSettings((one, two), 2, concurrency=5))
    assert (slots, "D" in reason) == (2, True)


def test_cores_wanted() -> None:
    def entrant(name: str, threads: int, *, ponder: bool = False) -> Entrant:
        return Entrant(
            (parse_spec(f"{name}=builtin"),), MINUTE, PlayerOptions(threads=threads, ponder=ponder)
        )

    assert cores_wanted(MatchSettings((entrant("A", 1), entrant("B", 2)), 2, concurrency=2)) == 4
    assert cores_wanted(MatchSettings((entrant("A", 1, ponder=True), entrant("B", 2)), 2)) == 3
    told = Entrant((parse_spec("C=hub:x"),), MINUTE, PlayerOptions(parameters={"threads": "3"}))
    assert cores_wanted(MatchSettings((entrant("A", 1), told), 2)) == 3


def test_cores_are_wanted_for_the_games_that_can_be_played_at_once() -> None:
    settings = settings_of(concurrency=3)
    remote = dxp("B", TimeControl.parse("1m/75"), 5001, 5002)
    assert cores_wanted(attrs.evolve(settings, players=(settings.players[0], remote))) == 2
