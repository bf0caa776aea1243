"""Building the bitbases: what a build leaves, how it goes on, what it refuses; packing; verification."""

import random
from collections.abc import Iterator
from pathlib import Path

import attrs
import pytest

from engine import bitbase, bitbase_file
from engine.assets import Packed
from engine.bitbase_file import BitbaseError, Counts
from training import bitbase as building
from training import bitbase_verify
from training.bitbase import Pair, Progress, build, pack, schedule
from training.bitbase_verify import follows, random_position, verify


@pytest.fixture(autouse=True)
def _empty() -> Iterator[None]:
    bitbase_file.unload()
    yield
    bitbase_file.unload()


def test_the_schedule_has_every_class_after_those_that_it_needs() -> None:
    seen = set[Counts]()
    for number in (2, 3, 4, 5):
        for stage in schedule(number):
            for pair in stage:
                men, kings, their_men, their_kings = pair.counts
                if men:
                    assert number == 2 or (men - 1, kings + 1, their_men, their_kings) in seen
                if their_men:
                    assert (men, kings, their_men - 1, their_kings + 1) in seen
            for pair in stage:
                assert not seen & set(pair.classes)
                seen |= set(pair.classes)
        assert {counts for counts in seen if sum(counts) == number} == set(bitbase.classes(number))


def test_three_pieces_are_built_and_are_those_that_are_shipped(tmp_path: Path) -> None:
    steps = list[Progress]()
    tables = build(3, tmp_path, jobs=2, report=steps.append)
    assert bitbase.pieces() == 3
    assert [step.done for step in steps] == sorted(step.done for step in steps)
    assert steps[-1].done == steps[-1].total == sum(bitbase.slot_count(table.counts) for table in tables)
    assert [found.faults for found in verify(tables, sample=5, full=True)] == [()] * 16
    shipped = {table.counts: table for table in bitbase_file.load(cache=tmp_path / "cache")}
    for table in tables:
        assert attrs.evolve(shipped[table.counts], offset=0) == attrs.evolve(table, offset=0)


def test_a_build_goes_on_where_it_was(tmp_path: Path) -> None:
    build(3, tmp_path)
    files = sorted(tmp_path.iterdir())
    lost = tmp_path / "KM-K.bitbase"
    right = lost.read_bytes()
    times = {file: file.stat().st_mtime_ns for file in files if file != lost}
    lost.unlink()
    (tmp_path / "KM-K.bitbase.part").write_bytes(right[:100])  # left by a kill
    build(3, tmp_path)
    assert lost.read_bytes() == right
    assert times == {file: file.stat().st_mtime_ns for file in times}
    assert sorted(tmp_path.iterdir()) == files


def test_an_interrupted_build_stops_and_leaves_whole_files(tmp_path: Path) -> None:
    def interrupt(progress: Progress) -> None:
        if progress.done > progress.total // 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build(3, tmp_path, report=interrupt)
    files = list(tmp_path.iterdir())
    assert 0 < len(files) < 9
    assert all(bitbase_file.attach_file(file) for file in files)
    assert len(build(3, tmp_path)) == 16


def test_two_builds_do_not_meet(tmp_path: Path) -> None:
    def again(_: Progress) -> None:
        build(2, tmp_path)

    with pytest.raises(BitbaseError, match="another build is at work there"):
        build(2, tmp_path, report=again)


def test_the_memory_bound_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    together = list[int]()
    need = max(pair.megabytes for stage in schedule(3) for pair in stage)
    build(3, tmp_path, jobs=4, megabytes=need, report=lambda step: together.append(len(step.running)))
    assert max(together) <= 1
    with pytest.raises(MemoryError, match="KKM-KM needs"):
        build(5, tmp_path / "five", megabytes=100)
    assert max(pair.megabytes for stage in schedule(5) for pair in stage) < 1024


def test_packed_tables_are_those_that_were_built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(building, "SHIPPED_PIECES", 3)
    tables = build(3, tmp_path)
    size = pack(tmp_path, tmp_path / "packed.bin", {"command": "test"})
    assert size == (tmp_path / "packed.bin").stat().st_size < 60_000
    monkeypatch.setattr(bitbase_file, "SHIPPED", tmp_path / "packed.bin")
    bitbase_file.unload()
    loaded = bitbase_file.load(cache=tmp_path / "cache")
    assert {table.counts: table.positions for table in loaded} == {
        table.counts: table.positions for table in tables
    }
    assert [found.faults for found in verify(loaded, sample=2, full=True)] == [()] * 16


def test_packing_names_what_is_missing(tmp_path: Path) -> None:
    with pytest.raises(BitbaseError, match=r"K-K\.bitbase is missing"):
        pack(tmp_path, tmp_path / "packed.bin", {})


def test_the_shipped_file_is_small_and_says_where_it_comes_from() -> None:
    assert bitbase_file.SHIPPED.stat().st_size < 3_000_000
    assert "command" in Packed.read(bitbase_file.SHIPPED).header["provenance"]


def test_the_shipped_tables_of_four_pieces_follow_from_each_other(tmp_path: Path) -> None:
    source = random.Random(4)
    bitbase_file.load(cache=tmp_path)
    for counts in bitbase.classes(4):
        for _ in range(20):
            position = random_position(counts, source)
            assert follows(position, exact=True), position


def test_a_wrong_byte_is_found(tmp_path: Path) -> None:
    build(2, tmp_path)
    path = Pair((1, 0, 1, 0)).path(tmp_path)
    (table,) = bitbase_file.attach_file(path)
    data = bytearray(path.read_bytes())
    won = next(at for at in range(table.offset, table.offset + table.size) if data[at] == 4)
    data[won] = 0
    path.write_bytes(data)
    bitbase_file.attach_file(path)
    (found,) = verify([table], full=True)
    assert any("counts are" in fault for fault in found.faults)
    assert any("do not follow from their successors" in fault for fault in found.faults)


def test_wrong_counts_are_found(tmp_path: Path) -> None:
    tables = {table.counts: table for table in build(2, tmp_path)}
    lying = attrs.evolve(tables[1, 0, 1, 0], longest=15, won=735)
    (found,) = verify([lying])
    assert len(found.faults) == 2


def test_the_sample_finds_a_table_of_draws(tmp_path: Path) -> None:
    build(2, tmp_path)
    bitbase.attach((0, 1, 1, 0), bytes(2250), 8)
    source = random.Random(1)
    assert not all(
        follows(random_position((0, 1, 1, 0), source), exact=True)
        for _ in range(bitbase_verify.FAULTS_TOLD * 10)
    )


@pytest.mark.parametrize("counts", [(1, 1, 1, 1), (3, 0, 0, 1), (0, 2, 2, 0)])
def test_a_random_position_is_of_its_class(counts: Counts) -> None:
    source = random.Random(7)
    turns = set()
    for _ in range(50):
        position = random_position(counts, source)
        turns.add(position.turn)
        seen = position if position.turn == 0 else position.rotated()
        groups = (seen.white_men, seen.white_kings, seen.black_men, seen.black_kings)
        assert tuple(len(group) for group in groups) == counts
    assert len(turns) == 2
