"""What came of a match, read from the store alone: any process can tell, at any time."""

import json
from collections import deque
from collections.abc import Mapping, Sequence
from pathlib import Path

from attrs import frozen

from rules.colour import Colour
from tournament.events import SprtState
from tournament.plot import Curve, draw
from tournament.progress import finite, sprt_values
from tournament.schedule import PAIR, pairings
from tournament.sprt import Sprt
from tournament.standings import Standings
from tournament.statistics import (
    Estimate,
    Tally,
    best_evidence,
    elo_estimate,
    normalized_elo,
    superiority,
)
from tournament.store import Store, StoredMatch
from tournament.summary import GameSummary, TimeUse

JSON_FILE = "report.json"
TEXT_FILE = "report.md"
PLOT_FILE = "report.svg"
LISTED = 1000
"""Games of `serve` and `play` that a report lists, the last ones."""


@frozen
class Report:
    """A match as the store tells it. `planned` is None for `serve` and `play`, which have no schedule."""

    match: StoredMatch
    players: Sequence[str]
    planned: int | None
    standings: Standings
    sprt: SprtState | None
    curves: Sequence[Curve]
    latest: Sequence[tuple[int, GameSummary]] = ()
    """The last games of `serve` and `play`, each with its number; a match has games.pdn for that."""


def read_report(store: Store, match: StoredMatch) -> Report:
    """Return the report of a match, from the games stored by now."""
    standings = Standings()
    test = read_sprt(match.configuration)
    state = None
    names = configured_players(match.configuration)
    points: dict[str, list[float]] = {}
    planned = planned_games(match.configuration)
    latest: deque[tuple[int, GameSummary]] = deque(maxlen=LISTED)
    for number, game in enumerate(store.summaries(match.id), 1):
        standings.add(game)
        if planned is None:
            latest.append((number, game))
        if game.counted:
            for name, colour in ((game.white, Colour.WHITE), (game.black, Colour.BLACK)):
                points.setdefault(name, []).append(game.points(colour))
        if test is not None and (state is None or state.decision is None):
            state = judge(test, standings, names)
    names = names or sorted(points)
    shown = names[:1] if len(names) == PAIR else names
    return Report(
        match,
        names,
        planned,
        standings,
        state,
        [Curve(name, points.get(name, [])) for name in shown],
        latest,
    )


def judge(sprt: Sprt, standings: Standings, players: Sequence[str]) -> SprtState:
    """Return a sequential test of the first player against the second, as it stands."""
    first, second = players
    ratio = sprt.ratio(standings.pair_counts(first, second), standings.tally(first, second))
    return SprtState(ratio, sprt.bounds, sprt.decision(ratio))


def configured_players(configuration: Mapping[str, object]) -> list[str]:
    """Return the players' names in the order they were given."""
    players = configuration.get("players")
    return list(players) if isinstance(players, dict) else []


def planned_games(configuration: Mapping[str, object]) -> int | None:
    """Return the number of games of the whole schedule."""
    games, form = configuration.get("games"), configuration.get("form")
    if not isinstance(games, int):
        return None
    for known in ("match", "round-robin", "gauntlet"):
        if form == known:
            return games * len(pairings(configured_players(configuration), known))
    return None


def read_sprt(configuration: Mapping[str, object]) -> Sprt | None:
    """Return the sequential test that a match was set up with."""
    values = configuration.get("sprt")
    return Sprt(**values) if isinstance(values, dict) else None


def report_values(report: Report) -> dict[str, object]:
    """Return the report as JSON values; a number that does not exist (the Elo of a whitewash) is null."""
    standings = report.standings
    white = standings.white()
    players = report.players
    return {
        "match": report.match.name,
        "kind": report.match.kind,
        "configuration": dict(report.match.configuration),
        "games": standings.games,
        "planned": report.planned,
        "complete": report.planned is not None and standings.games == report.planned,
        "uncounted": standings.uncounted,
        "plies": standings.plies,
        "seconds": round(standings.seconds, 3),
        "draw_rate": finite(white.draw_rate),
        "white": tally_values(white),
        "reasons": {str(reason): count for reason, count in standings.reasons.most_common()},
        "players": [player_values(standings, name) for name in players],
        "pairings": [
            {"first": first, "second": second, **result_values(standings, first, second)}
            for index, first in enumerate(players)
            for second in players[index + 1 :]
            if standings.tally(first, second).games
        ],
        "sprt": sprt_values(report.sprt),
        "latest": [game_values(number, game) for number, game in report.latest],
        "openings": {name: tally_values(tally) for name, tally in sorted(standings.openings.items())},
    }


def game_values(number: int, game: GameSummary) -> dict[str, object]:
    """Return a game without its moves."""
    return {
        "game": number,
        "white": game.white,
        "black": game.black,
        "result": game.result,
        "reason": str(game.reason),
        "detail": game.detail,
        "plies": game.plies,
        "white_time": time_values(game.times[Colour.WHITE]),
        "black_time": time_values(game.times[Colour.BLACK]),
    }


def player_values(standings: Standings, name: str) -> dict[str, object]:
    """Return a player's totals."""
    return {
        "name": name,
        **result_values(standings, name, None),
        "as_white": tally_values(standings.by_colour.get((name, Colour.WHITE), Tally())),
        "as_black": tally_values(standings.by_colour.get((name, Colour.BLACK), Tally())),
        "time": time_values(standings.times.get(name, TimeUse())),
        "faults": {str(reason): count for reason, count in standings.faults.get(name, {}).items()},
    }


def result_values(standings: Standings, name: str, other: str | None) -> dict[str, object]:
    """Return a player's games, pairs and what they say about its strength, against one other or all."""
    tally, pairs = standings.tally(name, other), standings.pair_counts(name, other)
    best = best_evidence(tally, pairs)
    elo, normalized = elo_estimate(best), normalized_elo(best)
    return {
        **tally_values(tally),
        "pairs": list(pairs.counts),
        "pair_ratio": finite(pairs.ratio),
        "elo": finite(elo.value),
        "elo_error": finite(elo.error),
        "normalized_elo": finite(normalized.value),
        "normalized_elo_error": finite(normalized.error),
        "superiority": finite(superiority(best)),
    }


def tally_values(tally: Tally) -> dict[str, object]:
    """Return games by result and their score."""
    return {
        "games": tally.games,
        "wins": tally.wins,
        "draws": tally.draws,
        "losses": tally.losses,
        "score": finite(tally.score),
    }


def time_values(use: TimeUse) -> dict[str, object]:
    """Return moves and seconds."""
    return {
        "moves": use.moves,
        "seconds": round(use.seconds, 3),
        "mean": round(use.seconds / use.moves, 6) if use.moves else None,
        "longest": round(use.longest, 6),
    }


def estimate_of(standings: Standings, name: str, other: str | None = None) -> Estimate:
    """Return a player's Elo against another or all."""
    return elo_estimate(best_evidence(standings.tally(name, other), standings.pair_counts(name, other)))


def write_reports(directory: Path, report: Report, text: str) -> None:
    """Write report.json, report.md (`text`) and report.svg into a directory, each complete or not at all."""
    files = {
        JSON_FILE: json.dumps(report_values(report), indent=1) + "\n",
        TEXT_FILE: text,
        PLOT_FILE: draw(report.curves, report.match.name),
    }
    for name, content in files.items():
        temporary = directory / (name + ".new")
        try:
            temporary.write_text(content, encoding="utf-8")
            temporary.replace(directory / name)
        finally:
            if temporary.is_file():
                temporary.unlink()
