"""Bitbase files: nothing lost, damage named, loaded once."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import bitbase, bitbase_file
from engine.bitbase_file import ALIGNMENT, MAGIC, BitbaseError, Table, decode, encode, write

KINGS = Table((0, 1, 0, 1), 8, 424, 2024, 2, 3)
MEN = Table((1, 0, 1, 0), 2, 736, 799, 450, 17)


@pytest.fixture(autouse=True)
def _empty() -> Iterator[None]:
    bitbase_file.unload()
    yield
    bitbase_file.unload()


def contents(kings: bytes, men: bytes) -> bytes:
    """Return a file of two tables."""
    return b"".join(encode([(MEN, men), (KINGS, kings)]))


def test_tables_come_back_aligned() -> None:
    kings, men = bytes(range(250)) * 10, b"\xe4" * 507
    data = contents(kings, men)
    tables = decode(data, "test")
    assert [table.counts for table in tables] == [KINGS.counts, MEN.counts]
    for table, expected in zip(tables, (kings, men), strict=True):
        assert table.offset % ALIGNMENT == 0
        assert data[table.offset : table.offset + table.size] == expected
    assert [(table.positions, table.longest) for table in tables] == [(2450, 3), (1985, 17)]


@given(st.binary(max_size=200))
def test_other_files_are_named(data: bytes) -> None:
    with pytest.raises(BitbaseError, match=r"some\.bitbase: not a bitbase file"):
        decode(data, "some.bitbase")


@given(
    st.none() | st.integers() | st.text() | st.lists(st.none()) | st.dictionaries(st.text(), st.integers())
)
def test_a_strange_header_is_named(header: object) -> None:
    text = json.dumps({"tables": [header]}).encode()
    with pytest.raises(BitbaseError, match="not a bitbase file"):
        decode(MAGIC + len(text).to_bytes(8, "little") + text, "x")


@pytest.mark.parametrize(
    "wrong",
    [{"bits": 4}, {"counts": [1, 0, 1]}, {"counts": [0, 6, 0, 1]}, {"offset": -64}, {"won": "many"}],
    ids=str,
)
def test_a_wrong_entry_is_named(wrong: dict[str, object]) -> None:
    entry = {"counts": [0, 1, 0, 1], "bits": 8, "won": 0, "drawn": 0, "lost": 0, "longest": 0, "offset": 64}
    text = json.dumps({"tables": [entry | wrong]}).encode()
    with pytest.raises(BitbaseError, match="not a bitbase file"):
        decode(MAGIC + len(text).to_bytes(8, "little") + text + bytes(4096), "x")


def test_a_file_that_is_cut_short_is_named(tmp_path: Path) -> None:
    data = contents(bytes(2500), bytes(507))
    path = tmp_path / "short.bitbase"
    path.write_bytes(data[:-64])
    with pytest.raises(BitbaseError, match=r"short\.bitbase: .*cut short"):
        bitbase_file.attach_file(path)
    path.write_bytes(b"")
    with pytest.raises(BitbaseError, match="empty"):
        bitbase_file.attach_file(path)


def test_a_failed_write_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: Path, target: Path) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(OSError, match="No space"):
        write(tmp_path / "K-K.bitbase", [(KINGS, bytes(2500))])
    assert list(tmp_path.iterdir()) == []


def test_a_directory_adds_to_the_shipped_tables(tmp_path: Path) -> None:
    five = Table((0, 1, 4, 0), 2, 0, 0, 0, 0)
    write(tmp_path / "K-MMMM.bitbase", [(five, bytes(five.size))])
    loaded = bitbase_file.load(tmp_path, tmp_path / "cache")
    assert len(loaded) == 42
    assert loaded[-1].counts == five.counts
    assert bitbase.pieces() == 4  # one class of five pieces is not all
    assert bitbase_file.load(tmp_path, tmp_path / "cache") == loaded


@pytest.mark.parametrize(
    ("base", "expected"),
    [("/some/where", "/some/where/bonnard/bitbases"), ("relative", "/home/me/.local/share/bonnard/bitbases")],
)
def test_built_tables_have_their_place(monkeypatch: pytest.MonkeyPatch, base: str, expected: str) -> None:
    monkeypatch.setenv("HOME", "/home/me")
    monkeypatch.setenv("XDG_DATA_HOME", base)
    assert bitbase_file.built_directory() == Path(expected)


def test_a_damaged_file_in_the_directory_is_named(tmp_path: Path) -> None:
    (tmp_path / "K-K.bitbase").write_text("hello")
    with pytest.raises(BitbaseError, match=r"K-K\.bitbase"):
        bitbase_file.load(tmp_path, tmp_path / "cache")
