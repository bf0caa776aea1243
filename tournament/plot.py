"""The plot of a match: each player's score as it settled game by game, as SVG without any library."""

from collections.abc import Sequence
from html import escape

from attrs import frozen

WIDTH, HEIGHT = 720, 320
LEFT, RIGHT, TOP, BOTTOM = 48, 140, 32, 36
COLOURS = ("#1b6ca8", "#c0392b", "#2e8b57", "#8e44ad", "#d68910", "#5d6d7e")
LINE_HEIGHT = 12
FONT = 'font-family="sans-serif" font-size="11"'
#: Horizontal lines at these shares of the points, the even score drawn through.
LINES = {share / 4: "" if share == 2 else 'stroke-dasharray="2 4"' for share in range(5)}  # noqa: PLR2004 - the middle
#: Points on a line; a longer match is thinned out to this many.
POINTS = 400


@frozen
class Curve:
    """A player's points (0, 0.5 or 1), game by game."""

    name: str
    points: Sequence[float]


def draw(curves: Sequence[Curve], title: str) -> str:
    """Return the SVG: games to the right, the mean score so far upwards, from 0 to 100 %."""
    games = max((len(curve.points) for curve in curves), default=0)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" {FONT}>',
        f"<title>{escape(title)}</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        f'<text x="{LEFT}" y="18" font-size="13">{escape(title)}: score so far</text>',
    ]
    for share, dash in LINES.items():
        y = _y(share)
        parts.append(
            f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="#999" {dash}/>'
        )
        parts.append(f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{share:.0%}</text>')
    parts.append(f'<text x="{WIDTH - RIGHT}" y="{HEIGHT - 12}" text-anchor="end">{games} games</text>')
    labels: list[float] = []
    for index, curve in enumerate(curves):
        if curve.points:
            parts += _line(curve, games, COLOURS[index % len(COLOURS)], labels)
    return "\n".join([*parts, "</svg>", ""])


def _line(curve: Curve, games: int, colour: str, labels: list[float]) -> list[str]:
    """Return a curve and its label at the end, moved away from the labels that are there already."""
    step = max(1, len(curve.points) // POINTS)
    total, coordinates, share = 0.0, [], 0.5
    for number, points in enumerate(curve.points, 1):
        total += points
        share = total / number
        if number % step == 0 or number == len(curve.points):
            x = LEFT + (WIDTH - LEFT - RIGHT) * number / games
            coordinates.append(f"{x:.1f},{_y(share):.1f}")
    label = _y(share) + 4
    while any(abs(label - other) < LINE_HEIGHT for other in labels):
        label += LINE_HEIGHT
    labels.append(label)
    label_text = f"{escape(curve.name)} {share:.1%}"
    return [
        f'<polyline points="{" ".join(coordinates)}" fill="none" stroke="{colour}" stroke-width="1.6"/>',
        f'<text x="{WIDTH - RIGHT + 6}" y="{label:.0f}" fill="{colour}">{label_text}</text>',
    ]


def _y(share: float) -> float:
    return TOP + (HEIGHT - TOP - BOTTOM) * (1 - share)
