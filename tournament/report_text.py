"""The report as Markdown that also reads well in a terminal: cross table, pairs, reasons, time, faults."""

from collections.abc import Sequence

from rules.colour import Colour
from tournament.report import PLOT_FILE, Report, estimate_of
from tournament.statistics import Tally, best_evidence, normalized_elo, superiority
from tournament.summary import TimeUse
from tournament.wording import duration, elo_text, percent, sprt_text, tally_text


def report_text(report: Report, *, plot: bool = True) -> str:
    """Return the whole report; of a match with the `plot`, if there is one beside it."""
    standings = report.standings
    of_planned = f" of {report.planned}" if report.planned is not None else ""
    white = standings.white()
    played = f"{duration(standings.seconds)} of play"
    lines = [
        f"# {report.match.name}",
        "",
        f"{standings.games}{of_planned} games, {standings.plies} plies, {played}.",
        f"White {tally_text(white)} ({percent(white.score)}), draws {percent(white.draw_rate)}.",
    ]
    if report.sprt is not None:
        lines += ["", f"Sequential test: {sprt_text(report.sprt)}"]
    if standings.uncounted:
        lines += ["", f"{standings.uncounted} games were broken off or played again and are not counted."]
    lines += ["", *cross_table(report), "", *pair_table(report)]
    lines += ["", *reasons_table(report), "", *time_table(report)]
    faults = fault_table(report)
    if faults:
        lines += ["", *faults]
    if report.planned is None:
        lines += ["", *games_table(report)] if report.latest else []
        return "\n".join([*lines, ""])
    if any(report.standings.openings):
        lines += ["", *opening_table(report)]
    if plot:
        lines += ["", f"![Score by game]({PLOT_FILE})"]
    return "\n".join([*lines, ""])


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Return a Markdown table with aligned columns, the first to the left and the others to the right."""
    widths = [max(len(row[column]) for row in (header, *rows)) for column in range(len(header))]

    def line(cells: Sequence[str]) -> str:
        first, *others = zip(cells, widths, strict=True)
        texts = [first[0].ljust(first[1]), *(cell.rjust(width) for cell, width in others)]
        return f"| {' | '.join(texts)} |"

    rule = [":" + "-" * (widths[0] - 1), *("-" * (width - 1) + ":" for width in widths[1:])]
    return [line(header), line(rule), *(line(row) for row in rows)]


def cross_table(report: Report) -> list[str]:
    """Return the players by score: points, Elo, and the result against each other."""
    standings = report.standings
    ranking = sorted(report.players, key=lambda name: -(standings.tally(name).score or 0))
    rows = []
    for name in ranking:
        tally = standings.tally(name)
        against = ["" if name == other else _cell(standings.tally(name, other)) for other in ranking]
        points = f"{tally.wins + tally.draws / 2:g}"
        rows.append(
            [
                name,
                str(tally.games),
                points,
                percent(tally.score),
                elo_text(estimate_of(standings, name)),
                *against,
            ]
        )
    return table(["Player", "Games", "Points", "Score", "Elo", *ranking], rows)


def _cell(tally: Tally) -> str:
    return tally_text(tally) if tally.games else ""


def pair_table(report: Report) -> list[str]:
    """Return for each pairing the pairs by points and what they say."""
    standings = report.standings
    rows = []
    for index, first in enumerate(report.players):
        for second in report.players[index + 1 :]:
            tally, pairs = standings.tally(first, second), standings.pair_counts(first, second)
            if not tally.games:
                continue
            evidence = best_evidence(tally, pairs)
            ratio = "-" if pairs.ratio is None else f"{pairs.ratio:.2f}"
            rows.append(
                [
                    f"{first} - {second}",
                    " ".join(map(str, pairs.counts)),
                    ratio,
                    elo_text(estimate_of(standings, first, second)),
                    elo_text(normalized_elo(evidence)),
                    percent(superiority(evidence)),
                ]
            )
    return table(["Pairing", "Pairs 0 ½ 1 1½ 2", "Ratio", "Elo", "Normalized Elo", "Superiority"], rows)


def reasons_table(report: Report) -> list[str]:
    """Return how the games ended."""
    rows = [[str(reason), str(count)] for reason, count in report.standings.reasons.most_common()]
    return table(["Ended by", "Games"], rows)


def games_table(report: Report) -> list[str]:
    """Return the last games of `serve` or `play`, one a line."""
    rows = [
        [
            str(number),
            game.white,
            game.black,
            game.result,
            str(game.reason),
            str(game.plies),
            *(f"{use.seconds / use.moves:.3f} s" if use.moves else "-" for use in game.times),
        ]
        for number, game in report.latest
    ]
    header = ["Game", "White", "Black", "Result", "Reason", "Plies", "White, a move", "Black, a move"]
    return table(header, rows)


def time_table(report: Report) -> list[str]:
    """Return the results by colour and the time used."""
    rows = []
    for name in report.players:
        use = report.standings.times.get(name, TimeUse())
        mean = f"{use.seconds / use.moves:.3f} s" if use.moves else "-"
        colours = [report.standings.by_colour.get((name, colour), Tally()) for colour in Colour]
        rows.append(
            [
                name,
                *map(tally_text, colours),
                str(use.moves),
                duration(use.seconds),
                mean,
                f"{use.longest:.3f} s",
            ]
        )
    return table(["Player", "White", "Black", "Moves", "Time", "A move", "Longest"], rows)


def opening_table(report: Report) -> list[str]:
    """Return the results of each opening from White's view, in the order they were played."""
    rows = [
        [name or "-", tally_text(tally), percent(tally.score), percent(tally.draw_rate)]
        for name, tally in report.standings.openings.items()
    ]
    return table(["Opening", "White", "Score", "Draws"], rows)


def fault_table(report: Report) -> list[str]:
    """Return the faults of each player, of games played again too; nothing if there were none."""
    rows = [
        [name, str(reason), str(count)]
        for name, counts in report.standings.faults.items()
        for reason, count in counts.most_common()
    ]
    return table(["Player", "Fault", "Times"], rows) if rows else []
