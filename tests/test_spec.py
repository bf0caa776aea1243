"""SPEC texts: who is meant, and what is said about those that mean nobody."""

import pytest

from tournament.roster import check_options
from tournament.spec import PlayerOptions, PlayerSpec, SpecError, parse_spec


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("builtin", PlayerSpec("builtin", "Bonnard")),
        ("A=builtin", PlayerSpec("builtin", "A")),
        ("hub:scan hub", PlayerSpec("hub", "scan", ("scan", "hub"))),
        ("S-2.0=hub:./scan hub", PlayerSpec("hub", "S-2.0", ("./scan", "hub"))),
        (
            "hub:/opt/my\\ engine/run 'a b' \"c\"",
            PlayerSpec("hub", "run", ("/opt/my engine/run", "a b", "c")),
        ),
        ("hub:env X=1 scan", PlayerSpec("hub", "env", ("env", "X=1", "scan"))),
        ("dxp:127.0.0.1:27531", PlayerSpec("dxp", "dxp-27531", host="127.0.0.1", port=27531)),
        ("Moby=dxp:host.example:1", PlayerSpec("dxp", "Moby", host="host.example", port=1)),
        ("dxp:[::1]:27531", PlayerSpec("dxp", "dxp-27531", host="::1", port=27531)),
        ("dxp-listen:27532", PlayerSpec("dxp-listen", "dxp-listen-27532", host="127.0.0.1", port=27532)),
        ("M_1=dxp-listen:[::]:0", PlayerSpec("dxp-listen", "M_1", host="::", port=0)),
    ],
)
def test_a_spec_names_a_player(text: str, expected: PlayerSpec) -> None:
    assert parse_spec(text) == expected
    assert parse_spec(f"{expected.name}={expected}") == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "scan",
        "builtin2",
        "hub:",
        "hub: ",
        'hub:"unclosed',
        "dxp:27531",
        "dxp:host:",
        "dxp:host:65536",
        "dxp:host:0",
        "dxp:::1:27531",
        "dxp-listen:",
        "dxp-listen:x",
        "a b=builtin",
        "=builtin",
    ],
)
def test_what_names_no_player_is_quoted(text: str) -> None:
    with pytest.raises(SpecError) as caught:
        parse_spec(text)
    assert f'"{text}"' in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("spec", "options", "named"),
    [
        ("builtin", PlayerOptions(greet=("hello",)), "greet"),
        ("hub:scan", PlayerOptions(time="external"), "time"),
        ("dxp:host:1", PlayerOptions(threads=2, ponder=True), "threads, ponder"),
        ("dxp-listen:1", PlayerOptions(parameters={"book": "false"}), "parameters"),
    ],
)
def test_options_have_their_kind_of_player(spec: str, options: PlayerOptions, named: str) -> None:
    with pytest.raises(SpecError, match=named):
        check_options(parse_spec(spec), options)
