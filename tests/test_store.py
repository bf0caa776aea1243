"""tournament.store: what goes in comes out, nothing counts twice, a kill tears nothing."""

import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from match_games import game_record

from rules.colour import Colour
from rules.fen import parse_fen
from rules.game import Reason
from tournament.schema import VERSION
from tournament.store import ConfigurationChangedError, Store, StoreError, differences
from tournament.summary import summarise


def test_a_game_comes_back_as_it_was(tmp_path: Path) -> None:
    record = game_record(winner=Colour.BLACK, reason=Reason.CRASH, detail="signal 9", plies=20)
    with Store.open(tmp_path / "a" / "match.db") as store:
        match = store.begin_match("m", "match", {"games": 2})
        store.record_game(match, record, number=0, pair=0, opening="32-28")
    with Store.open(tmp_path / "a" / "match.db", read_only=True) as store:
        (game,) = store.games(match)
    assert game.record == record
    assert (game.number, game.pair, game.counted, game.opening) == (0, 0, True, "32-28")


@pytest.mark.parametrize("fen", ["W:W31,32:B19,20", "B:W31,32:B19,20"])
def test_a_summary_is_that_of_the_whole_game(tmp_path: Path, fen: str) -> None:
    record = game_record(winner=Colour.WHITE, reason=Reason.NO_MOVE, plies=5, start=parse_fen(fen))
    with Store.open(tmp_path / "match.db") as store:
        match = store.begin_match("m", "match", {})
        store.record_game(match, record, number=3, pair=1, opening="x")
        store.record_game(match, game_record(plies=0), number=4, pair=2)
        assert list(store.summaries(match)) == [
            summarise(record, number=3, pair=1, opening="x", counted=True),
            summarise(game_record(plies=0), number=4, pair=2, opening="", counted=True),
        ]


def test_no_game_counts_twice(tmp_path: Path) -> None:
    with Store.open(tmp_path / "match.db") as store:
        match = store.begin_match("m", "match", {})
        store.record_game(match, game_record(), number=0, pair=0, counted=False)
        store.record_game(match, game_record(), number=0, pair=0)
        with pytest.raises(StoreError, match="game 0"):
            store.record_game(match, game_record(), number=0, pair=0)
        assert store.finished(match) == {0}
        assert len(list(store.games(match))) == 2


def test_games_without_a_schedule(tmp_path: Path) -> None:
    with Store.open(tmp_path / "games.db") as store:
        served = store.begin_match("serve", "serve", {})
        played = store.begin_match("play", "play", {})
        for match in (served, served, played):
            store.record_game(match, game_record())
        assert len(list(store.games(served))) == 2
        assert len(list(store.games())) == 3
        assert store.finished(served) == set()


def test_more_games_than_are_read_at_once(tmp_path: Path) -> None:
    with Store.open(tmp_path / "match.db") as store:
        match = store.begin_match("m", "match", {})
        for number in range(205):
            store.record_game(match, game_record(plies=2), number=number, pair=number // 2)
        assert [game.number for game in store.games(match)] == list(range(205))
        assert [game.number for game in store.summaries(match)] == list(range(205))


def test_a_changed_configuration_is_refused_with_the_difference(tmp_path: Path) -> None:
    before = {"games": 40, "players": {"A": {"control": "1m"}, "B": {"control": "1m"}}}
    after = {"games": 40, "players": {"A": {"control": "2m"}, "B": {"control": "1m"}}}
    with Store.open(tmp_path / "match.db") as store:
        match = store.begin_match("m", "match", before)
        assert store.begin_match("m", "match", before) == match
        with pytest.raises(ConfigurationChangedError, match=r'players\.A\.control was "1m", is "2m"'):
            store.begin_match("m", "match", after)
        assert store.begin_match("other", "match", after) != match


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ({"a": 1}, {"a": 1}, []),
        ({"a": 1}, {}, ["a was 1, is null"]),
        ({}, {"a": [1]}, ["a was null, is [1]"]),
        ({"a": [1, 2]}, {"a": [1, 3]}, ["a[1] was 2, is 3"]),
        ({"a": [1, 2]}, {"a": [1]}, ["a was [1, 2], is [1]"]),
        (
            {"a": {"b": True}, "c": 1},
            {"a": {"b": False}, "c": 2},
            ["a.b was true, is false", "c was 1, is 2"],
        ),
    ],
)
def test_differences(before: object, after: object, told: list[str]) -> None:
    assert differences(before, after) == told


# Without null: a key that is missing means the same.
json_values = st.recursive(
    st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=10,
)


@given(json_values, json_values)
def test_unequal_values_and_no_others_have_a_difference(one: object, other: object) -> None:
    assert differences(one, one) == []
    assert bool(differences([one], [other])) == (one != other)


def test_one_writer_and_any_number_of_readers(tmp_path: Path) -> None:
    path = tmp_path / "match.db"
    with Store.open(path) as writer:
        match = writer.begin_match("m", "match", {})
        with pytest.raises(StoreError, match="another process"):
            Store.open(path)
        with Store.open(path, read_only=True) as reader:
            writer.record_game(match, game_record(), number=0, pair=0)
            assert reader.finished(match) == {0}
    Store.open(path).close()


def test_what_is_no_store_is_refused(tmp_path: Path) -> None:
    (tmp_path / "text.db").write_text("no database at all, but long enough to look at" * 30)
    with pytest.raises(StoreError, match="not a database"):
        Store.open(tmp_path / "text.db")
    foreign = sqlite3.connect(tmp_path / "foreign.db")
    foreign.execute("CREATE TABLE other (x)")
    foreign.close()
    with pytest.raises(StoreError, match="no game store"):
        Store.open(tmp_path / "foreign.db")
    with pytest.raises(StoreError, match="there is no game store"):
        Store.open(tmp_path / "missing.db", read_only=True)


def test_a_store_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    Store.open(tmp_path / "match.db").close()
    connection = sqlite3.connect(tmp_path / "match.db")
    connection.execute(f"PRAGMA user_version = {VERSION + 1}")
    connection.close()
    with pytest.raises(StoreError, match="newer version"):
        Store.open(tmp_path / "match.db")


KILLED = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from match_games import game_record
from tournament.store import Store
store = Store.open(Path(sys.argv[2]))
match = store.begin_match("m", "match", {})
number = len(store.finished(match))
while True:
    store.record_game(match, game_record(plies=30), number=number, pair=number // 2)
    print(number, flush=True)
    number += 1
"""


def test_a_killed_writer_leaves_whole_games_and_no_lock(tmp_path: Path) -> None:
    path = tmp_path / "match.db"
    command = [sys.executable, "-c", KILLED, str(Path(__file__).parent), str(path)]
    for _ in range(2):
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            told = [int(process.stdout.readline()) for _ in range(5)]
            os.kill(process.pid, signal.SIGKILL)
            told += [int(line) for line in process.stdout]
        with Store.open(path) as store:
            games = list(store.games())
            # What was told to be stored is there; at most one more was on disk before it could be told.
            assert told[-1] + 1 <= len(games) <= told[-1] + 2
            assert [game.number for game in games] == list(range(len(games)))
            assert all(len(game.record.plies) == 30 for game in games)
