"""Analysis of a position by any Hub engine, ours among them: its findings, best lines first."""

from collections.abc import Callable

import attrs

from hub.client import Answer, Engine
from hub.messages import Info, Level
from rules.game import Game
from rules.move import Move
from rules.notation import MoveTextError, parse_move
from rules.position import Position

OURS = "Bonnard"
WON = 90.0
"""Men from which a score of ours is a proven win: 100 less 0.01 a ply."""
LEAST_SHARE = 0.05
"""Seconds that a move gets at least where each is searched on its own."""


@attrs.frozen
class Effort:
    """What an analysis may spend; at most one is given, and with none it lasts until it is stopped."""

    seconds: float | None = None
    depth: int | None = None
    nodes: int | None = None

    def level(self) -> Level:
        """Return the level for the engine; the time is kept by us, since engines answer early on theirs."""
        return Level(depth=self.depth, nodes=self.nodes)

    def share(self, moves: int) -> "Effort":
        """Return the effort for the position after one of so many moves."""
        return Effort(
            None if self.seconds is None else max(LEAST_SHARE, self.seconds / moves),
            None if self.depth is None else max(1, self.depth - 1),
            None if self.nodes is None else max(1, self.nodes // moves),
        )


@attrs.frozen
class Finding:
    """One line of an analysis. None: the engine did not say."""

    depth: int | None
    score: float | None
    """Men, from the side to move's view."""
    win_in: int | None
    """Plies to a proven win, negative for a loss."""
    nodes: int | None
    time: float | None
    """Seconds."""
    variation: tuple[Move, ...]
    line: int = 1
    """1 for the best line, 2 for the second best and so on."""


Tell = Callable[[Finding], None]


async def analyse(engine: Engine, game: Game, effort: Effort, lines: int, tell: Tell) -> Move:
    """Let an engine that is ready analyse a position that has legal moves; return its move.

    An engine with a parameter `lines` was told how many are wanted when it was launched. With any other one,
    each move is searched on its own after the best one was found, and only the last findings are told. Raises
    EngineError, and ValueError for an effort that the engine cannot be told.
    """

    def note(info: Info) -> None:
        if info.pv:
            tell(finding(info, game.position, ours=engine.identity.name == OURS))

    if lines == 1 or "lines" in engine.params:
        return (await _search(engine, game, effort, note)).move
    found = [await _after(engine, game, move, effort) for move in game.legal_moves()]
    found.sort(key=lambda one: -1e3 if one.score is None else one.score, reverse=True)
    for number, one in enumerate(found[:lines], 1):
        tell(attrs.evolve(one, line=number))
    return found[0].variation[0]


async def _search(
    engine: Engine, game: Game, effort: Effort, note: Callable[[Info], None] | None = None
) -> Answer:
    return await engine.analyse(game, effort.level(), on_info=note, deadline=effort.seconds)


async def _after(engine: Engine, game: Game, move: Move, effort: Effort) -> Finding:
    """Return what the engine finds after one of the legal moves, seen from the side that makes it."""
    ahead = game.copy()
    ahead.push(move)
    if not ahead.legal_moves():
        return Finding(1, 100 - 0.01, 1, None, None, (move,))
    answer = await _search(engine, ahead, effort.share(len(game.legal_moves())))
    info = attrs.evolve(answer.info, pv=answer.info.pv or (answer.text,))
    found = finding(info, ahead.position, ours=engine.identity.name == OURS)
    return Finding(
        None if found.depth is None else found.depth + 1,
        None if found.score is None else -found.score,
        None if found.win_in is None else -found.win_in + (1 if found.win_in < 0 else -1),
        found.nodes,
        found.time,
        (move, *found.variation),
    )


def finding(info: Info, position: Position, *, ours: bool) -> Finding:
    """Return an engine's line; its variation is cut where it is not legal.

    `ours` tells what a high score means.
    """
    moves = []
    for text in info.pv:
        try:
            move = parse_move(text, position)
        except MoveTextError:
            break
        moves.append(move)
        position = position.make(move)
    win_in = None
    if ours and info.score is not None and abs(info.score) >= WON:
        plies = round((100 - abs(info.score)) * 100)
        win_in = plies if info.score > 0 else -plies
    return Finding(info.depth, info.score, win_in, info.nodes, info.time, tuple(moves), info.line or 1)
