"""tournament.options: NAME.key=value of the command line."""

import pytest
from match_games import settings_of

from rules.clock import TimeControl
from tournament.options import OptionError, set_options

PLAYERS = settings_of(["A", "B-2.0"]).players


def test_our_own_keys_and_engine_parameters() -> None:
    texts = [
        "A.threads=2",
        "A.tt-size=64",
        "A.ponder=true",
        "B-2.0.dir=/opt/programs",
        "B-2.0.nice=0",
        "B-2.0.clock=3m+2s",
        "B-2.0.book-margin=0.2=x",
        "A.nodes=500",
        "A.greet=one",
        "A.greet=two",
        'A.run=program "with blank"',
        "A.time=external",
    ]
    first, second = set_options(PLAYERS, texts)
    assert (first.options.threads, first.options.tt_size, first.options.ponder) == (2, 64, True)
    assert first.control == TimeControl(nodes=500)
    assert first.options.greet == ("one", "two")
    assert first.options.run == ("program", "with blank")
    assert first.options.time == "external"
    assert (second.options.directory, second.options.nice) == ("/opt/programs", 0)
    assert second.control == TimeControl.parse("3m+2s")
    assert second.options.parameters == {"book-margin": "0.2=x"}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("threads=2", "NAME.key=value"),
        ("C.threads=2", "there are A, B-2.0"),
        ("A.threads=two", "no whole number"),
        ("A.threads=0", "1 to 1024"),
        ("A.tt-size=0", "1 to 1048576"),
        ("B-2.0.nice=20", "0 to 19"),
        ("A.ponder=yes", "not true or false"),
        ("A.time=none", "not clock or external"),
        ("A.clock=soon", "no time control"),
        ("A.move-time=0", "above zero"),
        ('A.run="open', "quotation"),
        ("A.book=x\nquit", "one line of text"),
    ],
)
def test_faults(text: str, told: str) -> None:
    with pytest.raises(OptionError, match=told):
        set_options(PLAYERS, [text])
