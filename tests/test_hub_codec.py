"""Hub 2 lines: the syntax of the protocol, and anything else without an exception."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from known import case

from hub.codec import Command, format_line, parse_line

NAMES = st.text("abcdefghijklmnopqrstuvwxyz-", min_size=1, max_size=8)
VALUES = st.text(st.characters(blacklist_characters='"', blacklist_categories=("Cs", "Cc")), max_size=20)


@pytest.mark.parametrize(
    ("line", "name", "arguments"),
    [
        ("go think", "go", {"think": None}),
        ("  info depth=3 score=0.1\r", "info", {"depth": "3", "score": "0.1"}),
        (
            'pos   pos = W   moves = "31-26   17-21"  start',
            "pos",
            {"pos": "W", "moves": "31-26   17-21", "start": None},
        ),
        ('set-param name=dir value=""', "set-param", {"name": "dir", "value": ""}),
        ("param name=a value= ", "param", {"name": "a", "value": ""}),
        ("level moves=1 moves=2", "level", {"moves": "1"}),
        ("done", "done", {}),
        ("\tping\x00\x07", "ping", {}),
    ],
)
def test_reads_what_the_protocol_allows(line: str, name: str, arguments: dict[str, str | None]) -> None:
    assert parse_line(line) == Command(name, arguments)


@pytest.mark.parametrize(
    ("line", "name", "arguments"),
    [
        ("", "", {}),
        ("=bad", "", {}),
        ("a =b c", "a", {"c": None}),
        ('"quoted" first', "", {}),
        ('pos pos="W', "pos", {"pos": "W"}),
        ('info pv="31-26 17-21', "info", {"pv": "31-26 17-21"}),
        ("a = = b=c d", "a", {"d": None}),
        ('x pos=W"abc"d=3', "x", {"pos": "W", "d": "3"}),
    ],
)
def test_guesses_what_it_does_not_allow(line: str, name: str, arguments: dict[str, str | None]) -> None:
    command = parse_line(line)
    assert command.name == name
    assert arguments.items() <= command.arguments.items()


def test_case_quoted_values() -> None:
    known = case("HUB-10")
    command = parse_line(known["input"]["line"])
    assert command.get("name") == known["expected"]["name"]
    assert command.get("value") == known["expected"]["value"]
    empty = parse_line(known["input"]["set"])
    assert empty.has("value")
    assert not empty.get("value")


def test_case_blanks_and_line_ends() -> None:
    known = case("HUB-08")
    done, info = (parse_line(line.rstrip("\n")) for line in known["input"]["lines"])
    assert done.get("move") == known["expected"]["move"]
    assert info.get("depth") == str(known["expected"]["depth"])


@given(NAMES, st.dictionaries(NAMES, st.none() | VALUES))
def test_what_is_written_is_read_again(name: str, arguments: dict[str, str | None]) -> None:
    assert parse_line(format_line(name, arguments)) == Command(name, arguments)


@given(st.text())
def test_a_value_stays_one_value_on_one_line(value: str) -> None:
    line = format_line("set-param", {"value": value, "end": None})
    assert "\n" not in line
    assert list(parse_line(line).arguments) == ["value", "end"]


@given(st.text() | st.text(' ="ab\t\x00'))
def test_no_text_raises(text: str) -> None:
    command = parse_line(text)
    assert not set(' ="') & set(command.name.join(command.arguments))


@pytest.mark.parametrize("piece", ["x", "x ", "x=", "= ", '"', " ", "b\t\t ", 'a="'])
def test_long_lines_take_no_long_time(piece: str) -> None:
    began = time.perf_counter()
    parse_line("a " + piece * (200_000 // len(piece)))
    assert time.perf_counter() - began < 1
