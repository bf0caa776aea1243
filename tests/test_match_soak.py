"""Ten thousand games: nothing lost, and no more memory at the end than at the start (make soak)."""

import json
from pathlib import Path

import pytest
from matches import endgames, mover, report, start

GAMES = 10_000
#: By then everything is loaded, both engines and all openings were met, and the store is some megabytes long.
SETTLED = 3_000
#: Pages of SQLite's caches and of the allocator: 5 to 7 MB came over 7,000 games, in steps of 2 MB, while
#: Python's own memory (tracemalloc) fell with the schedule. A game has a hundred objects: a leak of them
#: would be ten times as much.
ALLOWED_KIB = 8 * 1024


def resident_kib(process_id: int) -> int:
    """Return the memory of a process that is in RAM, in KiB."""
    lines = Path(f"/proc/{process_id}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:"))


@pytest.mark.soak
def test_ten_thousand_games_in_flat_memory(tmp_path: Path) -> None:
    out = tmp_path / "out"
    command = [
        "match", mover("A", 1), mover("B", 2), "--games", str(GAMES), "--move-time", "1", "--out", str(out),
        "--openings", endgames(tmp_path), "--concurrency", "2", "--json",
    ]  # fmt: skip
    memory = {}
    with start(*command) as process:
        assert process.stdout is not None
        for line in process.stdout:
            event = json.loads(line)
            if event["event"] == "end" and event["played"] in {SETTLED, GAMES}:
                memory[event["played"]] = resident_kib(process.pid)
    assert process.returncode == 0
    assert memory[GAMES] - memory[SETTLED] < ALLOWED_KIB, memory
    values = report(out)
    assert (values["games"], values["complete"]) == (GAMES, True)
    assert sum(values["players"][0]["pairs"]) == GAMES // 2
