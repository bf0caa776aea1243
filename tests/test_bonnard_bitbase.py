"""The command line of the bitbases."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from bonnard.cli import run
from engine import bitbase_file
from training import bitbase as building


@pytest.fixture(autouse=True)
def _away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Keep out of the user's directories, and leave no table behind."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    bitbase_file.unload()
    yield
    bitbase_file.unload()


@pytest.fixture
def _small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ship two pieces only: this is about the commands."""
    with monkeypatch.context() as patch:
        patch.setattr(building, "SHIPPED_PIECES", 2)
        building.build(2, tmp_path / "shipped")
        building.pack(tmp_path / "shipped", tmp_path / "shipped.bin", {})
    bitbase_file.unload()
    monkeypatch.setattr(bitbase_file, "SHIPPED", tmp_path / "shipped.bin")


def test_info_tells_what_is_shipped(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["bitbase", "info"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 43
    assert lines[1].split() == ["K-K", "2450", "424", "2024", "2", "3", "2500"]
    assert lines[-1].split()[:2] == ["all", "42786345"]


@pytest.mark.usefixtures("_small")
def test_build_then_verify(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    directory = str(tmp_path / "tables")
    assert run(["bitbase", "build", "--pieces", "2", "--directory", directory, "--json"]) == 0
    built = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(row["class"], row["longest"]) for row in built] == [
        ("K-K", 3),
        ("K-M", 7),
        ("M-K", 3),
        ("M-M", 17),
    ]
    assert run(["bitbase", "verify", "--directory", directory, "--sample", "2", "--json"]) == 0
    checked = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["class"] for row in checked] == ["K-K", "K-M", "M-K", "M-M"]
    assert not any(row["faults"] for row in checked)


@pytest.mark.usefixtures("_small")
def test_a_wrong_table_fails(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    run(["bitbase", "build", "--pieces", "2", "--directory", str(tmp_path)])
    path = tmp_path / "M-M.bitbase"
    path.write_bytes(path.read_bytes()[:-2000] + bytes(2000))
    capsys.readouterr()
    assert run(["bitbase", "verify", "--directory", str(tmp_path), "--sample", "0"]) == 1
    wrong = [line for line in capsys.readouterr().out.splitlines() if not line.endswith("right")]
    assert [line.split()[0] for line in wrong] == ["M-M"]


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["build", "--pieces", "6"], 2, "pieces"),
        (["build", "--pieces", "3", "--pack", "x"], 2, "--pack is for --pieces 4"),
        (["info", "--directory", "/no/such/place"], 2, "/no/such/place is no directory"),
        (["build", "--pieces", "5", "--memory", "100"], 1, "KKM-KM needs"),
    ],
)
def test_wrong_use_is_one_line(
    capsys: pytest.CaptureFixture[str], arguments: list[str], code: int, words: str
) -> None:
    assert run(["bitbase", *arguments]) == code
    told = capsys.readouterr()
    assert not told.out
    assert words in told.err
    assert len(told.err.splitlines()) == 1


@pytest.mark.usefixtures("_small")
def test_a_damaged_file_is_named(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "K-K.bitbase").write_text("hello")
    assert run(["bitbase", "info", "--directory", str(tmp_path)]) == 1
    assert "K-K.bitbase: not a bitbase file" in capsys.readouterr().err
