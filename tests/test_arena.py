"""Games without objects: played by the rules, recorded as they were, the same for the same seed."""

import struct
from collections.abc import Iterator

import attrs
import pytest

from engine import bitbase_file
from engine.assets import folded
from engine.weights import untaught
from rules.bitboard import square_of
from rules.colour import Colour
from rules.position import Position
from training.arena import RECORD_SIZE, Arena

RECORD = struct.Struct("<QQQhbBI")
GAMES = 12
STRAY = -1
"""The result of a position off the game."""


@attrs.frozen
class Noted:
    """A recorded position."""

    position: Position
    score: int
    result: int
    game: int


def squares(bits: int) -> tuple[int, ...]:
    """Return the squares of a bitboard; no ghost square may be set."""
    found = tuple(square_of(bit) for bit in range(64) if bits >> bit & 1)
    assert 0 not in found
    return found


def noted(buffer: bytes) -> Iterator[Noted]:
    """Yield the positions in a buffer."""
    for white, black, kings, score, result, turn, game in RECORD.iter_unpack(buffer):
        position = Position.of(
            squares(white & ~kings),
            squares(white & kings),
            squares(black & ~kings),
            squares(black & kings),
            Colour(turn),
        )
        yield Noted(position, score, result, game)


@pytest.fixture(scope="module")
def table() -> bytes:
    """Return the table of an engine that knows little."""
    return folded(untaught())


@pytest.fixture(scope="module")
def games(table: bytes) -> list[Noted]:
    """Play a few games."""
    buffer = bytearray(3000 * RECORD_SIZE)
    count, size = Arena(table, table, 200).play(5, 0, GAMES, buffer)
    assert count == GAMES
    return list(noted(bytes(buffer[:size])))


def test_a_record_has_the_size_that_is_read() -> None:
    assert RECORD.size == RECORD_SIZE


def test_only_quiet_positions_are_noted(games: list[Noted]) -> None:
    assert len(games) > 10 * GAMES
    for note in games:
        assert not note.position.must_capture


def test_a_stray_position_comes_with_nearly_every_one_of_the_game(games: list[Noted]) -> None:
    strays = [note for note in games if note.result == STRAY]
    assert len(games) / 3 < len(strays) < 2 * len(games) / 3
    # Random moves lose men: what a game never shows, and the search looks at all the time.
    behind = sum(abs(note.score) > 150 for note in strays) / len(strays)
    assert behind > 2 * sum(abs(note.score) > 150 for note in games if note.result != STRAY) / len(games)


def test_a_game_has_one_result_and_positions_in_order(games: list[Noted]) -> None:
    results: dict[int, int] = {}
    for note in games:
        assert note.result in (STRAY, 0, 1, 2)
        if note.result != STRAY:
            assert results.setdefault(note.game, note.result) == note.result
    assert [note.game for note in games] == sorted(note.game for note in games)
    assert len(set(results.values())) > 1


def test_results_agree_with_scores_at_the_end_of_won_games(games: list[Noted]) -> None:
    last = {note.game: note for note in games if note.result != STRAY}
    for note in last.values():
        if note.result == 2:
            assert note.score > -100
        if note.result == 0:
            assert note.score < 100


def test_the_same_seed_plays_the_same_games_in_any_portions(table: bytes, games: list[Noted]) -> None:
    again: list[Noted] = []
    arena = Arena(table, table, 200)
    for first, number in ((0, 5), (5, 7)):
        buffer = bytearray(3000 * RECORD_SIZE)
        count, size = arena.play(5, first, number, buffer)
        assert count == number
        again += noted(bytes(buffer[:size]))
    assert again == games
    buffer = bytearray(3000 * RECORD_SIZE)
    _, size = arena.play(6, 0, GAMES, buffer)
    assert list(noted(bytes(buffer[:size]))) != games


def test_a_full_buffer_ends_the_portion_with_a_whole_game(table: bytes) -> None:
    buffer = bytearray(900 * RECORD_SIZE)
    count, size = Arena(table, table, 50).play(5, 0, 1000, buffer)
    assert 1 <= count < 1000
    assert {note.game for note in noted(bytes(buffer[:size]))} <= set(range(count))


def test_players_of_equal_weights_share_every_pair(table: bytes) -> None:
    # Two players with tables of their own but the same numbers: what one wins with white, the other does.
    results = Arena(table, bytearray(table), 100).duel(3, 0, 8)
    assert results == [2] * 8


def test_who_knows_something_beats_who_knows_nothing(table: bytes) -> None:
    results = Arena(table, bytes(len(table)), 200).duel(3, 0, 6)
    assert sum(results) > 18
    assert sum(Arena(bytes(len(table)), table, 200).duel(3, 0, 6)) < 6


def test_bitbases_end_a_game_with_its_result(table: bytes) -> None:
    bitbase_file.load()
    try:
        buffer = bytearray(4000 * RECORD_SIZE)
        _, size = Arena(table, table, 200).play(5, 0, GAMES, buffer)
        for note in noted(bytes(buffer[:size])):
            position = note.position
            pieces = (position.white_men, position.white_kings, position.black_men, position.black_kings)
            assert sum(map(len, pieces)) > 4
    finally:
        bitbase_file.unload()


def test_a_table_of_the_wrong_size_is_refused(table: bytes) -> None:
    with pytest.raises(ValueError, match="a table of weights has"):
        Arena(table, table[2:], 100)
