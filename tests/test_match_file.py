"""tournament.match_file: a whole file is read as it says, and all faults of a bad one are told at once."""

from pathlib import Path

import pytest

from rules.clock import TimeControl
from tournament.conduct import Adjudication
from tournament.match_file import read_match_file
from tournament.settings import FaultPolicies, SettingsError
from tournament.sprt import Sprt

ROOT = Path(__file__).parent.parent

WHOLE = """
name = "scan against moby"
games = 316
format = "match"
concurrency = 2
clock = "1m+0.5s"
margin = 0.1
stall = 5
restart = 20
drain = 90
move_limit = 150
draw_rules = "long-diagonal"
[openings]
source = "3ply"
order = "random"
seed = 9
start = 3
[adjudication]
resign_score = 4.0
resign_moves = 5
draw_score = 0.05
draw_moves = 10
draw_from = 60
bitbase = true
[faults]
crash = "replay"
time = "stop"
replays = 1
[sprt]
elo0 = -2.5
elo1 = 2.5
alpha = 0.1
beta = 0.2
model = "bayes"
[[players]]
name = "Scan"
engine = 'hub:./scan "hub"'
dir = "programs"
threads = 2
ponder = true
nice = 0
options = { book = false, bb-size = 5 }
[[players]]
engine = "Moby=dxp:127.0.0.1:27531"
addresses = ["dxp:127.0.0.1:27532"]
move_time = 0.1
time = "external"
greet = ["console time 100"]
run = "./mobydam -p 27531"
"""


def write(directory: Path, text: str) -> Path:
    path = directory / "match.toml"
    path.write_text(text)
    return path


def test_a_whole_file(tmp_path: Path) -> None:
    settings = read_match_file(write(tmp_path, WHOLE))
    assert (settings.name, settings.games, settings.form, settings.concurrency) == (
        "scan against moby",
        316,
        "match",
        2,
    )
    assert (settings.margin, settings.stall, settings.restart, settings.drain) == (0.1, 5, 20, 90)
    assert (settings.move_limit, settings.draw_rules, settings.bitbase) == (150, "long-diagonal", True)
    assert (settings.openings, settings.order, settings.seed, settings.start) == ("3ply", "random", 9, 3)
    assert settings.adjudication == Adjudication(4.0, 5, 0.05, 10, 60)
    assert settings.faults == FaultPolicies(crash="replay", time="stop", replays=1)
    assert settings.sprt == Sprt(-2.5, 2.5, 0.1, 0.2, "bayes")
    scan, moby = settings.players
    assert scan.addresses[0].command == ("./scan", "hub")
    assert (scan.name, scan.options.directory, scan.threads, scan.options.ponder) == (
        "Scan",
        "programs",
        2,
        True,
    )
    assert scan.options.parameters == {"book": "false", "bb-size": "5"}
    assert scan.control == TimeControl.parse("1m+0.5s")
    assert (moby.name, moby.slots, moby.options.time) == ("Moby", 2, "external")
    assert [address.port for address in moby.addresses] == [27531, 27532]
    assert {address.name for address in moby.addresses} == {"Moby"}
    assert moby.control == TimeControl(move_time=0.1)
    assert moby.options.greet == ("console time 100",)
    assert moby.options.run == ("./mobydam", "-p", "27531")


def test_a_short_file_has_the_defaults(tmp_path: Path) -> None:
    text = 'nodes = 1000\n[[players]]\nengine = "a=builtin"\n[[players]]\nengine = "b=builtin"\ndepth = 3\n'
    settings = read_match_file(write(tmp_path, text))
    assert (settings.name, settings.games, settings.openings, settings.sprt) == ("match", 158, "2ply", None)
    assert [player.control for player in settings.players] == [TimeControl(nodes=1000), TimeControl(depth=3)]


FAULTY = """
games = 3
clock = "1x"
concurrancy = 2
[openings]
order = "best"
[faults]
crash = "ignore"
[[players]]
engine = "hub:"
ponder = "yes"
[[players]]
nodes = 5
depth = 3
"""


def test_all_faults_are_told_by_their_paths(tmp_path: Path) -> None:
    with pytest.raises(SettingsError) as raised:
        read_match_file(write(tmp_path, FAULTY))
    paths = {fault.partition(":")[0] for fault in raised.value.faults}
    assert paths == {
        "clock",
        "concurrancy",
        "openings.order",
        "faults.crash",
        "players[0].engine",
        "players[0].ponder",
        "players[0].clock",
        "players[1].engine",
        "players[1].depth",
    }


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (("games = 316", "games = 315"), "even"),
        (('time = "external"', ""), "DXP carries minutes and moves"),
        (('name = "Scan"', 'name = "Moby"'), "two players are named Moby"),
        (('name = "Scan"', 'name = "a b"'), "no player's name"),
        (("elo0 = -2.5", "elo0 = 5"), "ELO0 below ELO1"),
        (('format = "match"', 'format = "gauntlet"'), "format match"),
    ],
)
def test_what_does_not_go_together_is_told(tmp_path: Path, change: tuple[str, str], told: str) -> None:
    assert change[0] in WHOLE
    with pytest.raises(SettingsError, match=told):
        read_match_file(write(tmp_path, WHOLE.replace(*change)))


@pytest.mark.parametrize(("text", "told"), [("games =", "no TOML"), ("", "at least two")])
def test_no_match_at_all(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(SettingsError, match=told):
        read_match_file(write(tmp_path, text))


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="No such file"):
        read_match_file(tmp_path / "nowhere.toml")


def test_the_reference_is_a_match_file(tmp_path: Path) -> None:
    """The example of docs/match-file.md can be used as it stands."""
    text = (ROOT / "docs" / "match-file.md").read_text().split("```toml\n")[1].split("```")[0]
    settings = read_match_file(write(tmp_path, text))
    assert len(settings.players) == 2
