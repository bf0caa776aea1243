"""tournament.pdn_file and pdn_text: games.pdn is what the store says, whatever happened to it."""

from pathlib import Path

import attrs
import pytest
from match_games import game_record

from rules.clock import TimeControl
from rules.colour import Colour
from rules.fen import parse_fen
from rules.game import Reason
from rules.pdn import parse_pdn
from tournament.pdn_file import PdnFile
from tournament.pdn_text import pdn_text
from tournament.store import Store


def test_a_game_has_its_moves_reason_scores_and_times() -> None:
    record = game_record(winner=Colour.BLACK, reason=Reason.CRASH, detail="signal 9", plies=3)
    (game,) = parse_pdn(pdn_text(record, "cup", 41))
    assert (game.error, game.warnings) == (None, [])
    assert game.moves == [ply.move for ply in record.plies]
    assert game.tags["Event"] == "cup"
    assert (game.tags["White"], game.tags["Black"], game.tags["Round"]) == ("A", "B", "42")
    assert (game.result, game.tags["Termination"]) == ("0-2", "crash: signal 9")
    assert (game.tags["TimeControl"], game.tags["PlyCount"]) == ("1m", "3")
    # Scores are 0.0, 0.1, 0.2 in the mover's view; comments have White's.
    assert game.line.annotations[2].comments == ["[%eval -0.10] [%depth 6] [%emt 0.500] [%clk 0:00:59]"]


def test_black_to_move_first_and_different_times() -> None:
    record = attrs.evolve(
        game_record(plies=2, start=parse_fen("B:W31,32:B19,20")),
        controls=(TimeControl(move_time=1), TimeControl(depth=3)),
    )
    text = pdn_text(record, "cup", None)
    (game,) = parse_pdn(text)
    assert game.start == record.start
    assert game.line.annotations[1].comments[0].startswith("[%eval +0.00]")
    assert (game.tags["WhiteTimeControl"], game.tags["BlackTimeControl"]) == ("move-time=1", "depth=3")


@pytest.mark.parametrize("damage", ["nothing", "missing", "torn", "doubled", "other"])
def test_the_file_is_mended(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "games.pdn"
    with Store.open(tmp_path / "match.db") as store:
        match = store.begin_match("m", "match", {})
        pdn = PdnFile(path, {match: "m"})
        for number in range(3):
            store.record_game(match, game_record(), number=number, pair=number // 2)
            pdn.append(match, game_record(), number)
        store.record_game(match, game_record(), number=3, pair=1, counted=False)
        whole = path.read_bytes()
        if damage == "missing":
            path.unlink()
        elif damage == "torn":
            path.write_bytes(whole[:-20])
        elif damage == "doubled":
            path.write_bytes(whole + whole)
        elif damage == "other":
            path.write_bytes(whole.replace(b"repetition", b"repetitiox"))
        assert pdn.restore(store.games()) is (damage != "nothing")
    assert path.read_bytes() == whole
    assert len(parse_pdn(whole.decode())) == 3
    assert not list(tmp_path.glob("*.new"))
