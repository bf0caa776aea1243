"""Shipped files: packed and unpacked without loss, checked, made again when damaged, whole or not there."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine import assets, evaluate
from engine.assets import (
    AssetError,
    Packed,
    cache_directory,
    load_weights,
    mapped,
    pack_weights,
    unpack_weights,
)
from engine.weights import PARTS_SIZE, untaught
from rules.position import Position


@pytest.fixture
def packed(tmp_path: Path) -> Path:
    """Return a file of packed weights."""
    path = tmp_path / "weights.bin"
    pack_weights(untaught(), {"generation": 0}, path)
    return path


def test_packing_loses_nothing(packed: Path) -> None:
    assert unpack_weights(packed) == untaught()


def test_loading_leaves_one_checked_file_in_the_cache(packed: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    assert load_weights(packed, cache) == {"generation": 0}
    (file,) = cache.iterdir()
    assert file.read_bytes() == assets.folded(untaught())
    assert evaluate.score(Position.start()) == 0
    before = file.stat().st_mtime_ns
    load_weights(packed, cache)
    assert file.stat().st_mtime_ns == before


@pytest.mark.parametrize("damage", ["shorter", "empty", "other", "text"])
def test_a_damaged_file_in_the_cache_is_made_again(packed: Path, tmp_path: Path, damage: str) -> None:
    load_weights(packed, tmp_path / "cache")
    (file,) = (tmp_path / "cache").iterdir()
    good = file.read_bytes()
    bad = {"shorter": good[:-2], "empty": b"", "other": good[:-1] + b"\x55", "text": b"hello"}[damage]
    file.write_bytes(bad)
    load_weights(packed, tmp_path / "cache")
    assert file.read_bytes() == good
    assert list((tmp_path / "cache").iterdir()) == [file]


def test_a_checked_file_is_not_hashed_again(
    packed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor is one of an older version, once it was checked; but one that was written to is."""
    cache = tmp_path / "cache"
    load_weights(packed, cache)
    (file,) = cache.iterdir()
    hashed = []
    real = assets._hash
    monkeypatch.setattr(assets, "_hash", lambda data: hashed.append(len(data)) or real(data))
    load_weights(packed, cache)
    assert hashed == []
    file.touch()
    load_weights(packed, cache)
    load_weights(packed, cache)
    assert hashed == [2 * evaluate.TABLE_SIZE]


def test_where_nothing_can_be_written_the_data_stays_in_memory(packed: Path, tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a directory")
    evaluate.use_weights(bytes(2 * evaluate.TABLE_SIZE))
    load_weights(packed, blocked / "cache")
    assert evaluate.score(Position.of([32, 33], (), [5], ())) > 50


def test_a_damaged_shipped_file_is_told(packed: Path, tmp_path: Path) -> None:
    data = packed.read_bytes()
    for bad in (b"", b"junk", data[: len(data) // 2], data[:-20] + bytes(20)):
        packed.write_bytes(bad)
        with pytest.raises(AssetError):
            load_weights(packed, tmp_path / "cache")


def test_damaged_weights_to_go_on_from_are_named(packed: Path) -> None:
    packed.write_bytes(packed.read_bytes()[:-100])
    with pytest.raises(AssetError, match=f"{packed.name}: is damaged"):
        unpack_weights(packed)


def test_data_that_unpacks_to_something_else_is_refused(packed: Path, tmp_path: Path) -> None:
    with pytest.raises(AssetError, match="another hash"):
        mapped(Packed.read(packed), "weights", lambda data: data[:100], tmp_path)


def test_the_cache_is_where_the_specification_says(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_directory() == tmp_path / "bonnard"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache_directory() == tmp_path / ".cache" / "bonnard"


def test_the_shipped_weights_are_sound_and_small(tmp_path: Path) -> None:
    provenance = load_weights(directory=tmp_path)
    assert {"generation", "command", "commit", "positions", "recipe"} <= provenance.keys()
    assert assets.WEIGHTS.stat().st_size < 5_000_000
    assert len(unpack_weights(assets.WEIGHTS)) == 2 * PARTS_SIZE
    start = Position.start()
    ahead = Position.of(start.white_men, (), start.black_men[1:], ())
    assert 60 < evaluate.score(ahead) < 200


def test_many_processes_may_unpack_at_once(tmp_path: Path) -> None:
    code = "from engine.assets import load_weights; load_weights()"
    processes = [
        subprocess.Popen([sys.executable, "-c", code], env={**os.environ, "XDG_CACHE_HOME": str(tmp_path)})
        for _ in range(3)
    ]
    assert [process.wait(60) for process in processes] == [0, 0, 0]
    assert len(list((tmp_path / "bonnard").iterdir())) == 1
