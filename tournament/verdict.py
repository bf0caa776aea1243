"""How the referee judges: claims, bitbases, scores. Pure functions of a game and what the players said."""

from collections.abc import Sequence

from rules.colour import Colour
from rules.game import Game, Outcome, Reason
from tournament.conduct import Adjudication, Conduct
from tournament.player import DrawClaim, Fault, Leave, Resign, WinClaim
from tournament.record import Ply

Ending = Resign | DrawClaim | WinClaim | Leave

FAULT_REASONS = {
    "crash": Reason.CRASH,
    "disconnect": Reason.DISCONNECT,
    "stall": Reason.STALL,
    "protocol": Reason.PROTOCOL_FAULT,
}


def judge_fault(fault: Fault, culprit: Colour) -> Outcome:
    """Judge a player that cannot go on: it has lost."""
    return Outcome(culprit.other, FAULT_REASONS[fault.kind])


def judge_ending(
    ending: Ending, sender: Colour, game: Game, plies: Sequence[Ply], conduct: Conduct
) -> tuple[Outcome, str]:
    """Judge what a player says about the end of the game; return the outcome and how it was reached.

    A resignation stands. A claimed draw stands when the bitbases bear it out or the scores are level, a
    claimed win when the bitbases prove it. Anything else has nothing behind it, and `conduct.unproven`
    decides.
    """
    if isinstance(ending, Resign):
        return Outcome(sender.other, Reason.RESIGN), ""
    proven = judge_by_bitbase(game, conduct)
    if isinstance(ending, DrawClaim):
        if proven is not None and proven.winner is None:
            return proven, "a claimed draw"
        if _level(plies, game.start.turn, sender, conduct):
            return Outcome(None, Reason.AGREEMENT), ""
        said = "claimed a draw (GAMEEND 2), which nothing bears out"
    elif isinstance(ending, WinClaim):
        if proven is not None and proven.winner is sender:
            return proven, "a claimed win"
        said = "claimed a win (GAMEEND 3), which nothing bears out"
    else:
        said = "ended the game without saying how it stands (GAMEEND 0)"
    detail = f"{sender.name.lower()} {said}"
    if conduct.unproven == "aborted":
        return Outcome(None, Reason.ABORTED), detail
    return Outcome(sender.other, Reason.PROTOCOL_FAULT), detail


def judge_by_bitbase(game: Game, conduct: Conduct) -> Outcome | None:
    """Ask the bitbases; None where they know nothing, or a draw clock may run out before the win."""
    verdict = conduct.probe(game.position) if conduct.probe is not None else None
    if verdict is None:
        return None
    if verdict.value == "draw":
        return Outcome(None, Reason.ADJUDICATION_BITBASE)
    # Without a length the win may be longer than a clock: it is left to be played.
    if verdict.plies is None or verdict.plies > min(game.draw_clocks().values(), default=verdict.plies):
        return None
    winner = game.turn if verdict.value == "win" else game.turn.other
    return Outcome(winner, Reason.ADJUDICATION_BITBASE)


def judge_by_score(plies: Sequence[Ply], first: Colour, rule: Adjudication) -> Outcome | None:
    """Look at the scores that both players told; `first` moved first."""
    looked_at = 2 * max(rule.resign_moves, rule.draw_moves)
    if not looked_at:
        return None
    views = _white_views(plies[-looked_at:], first, len(plies))
    if rule.resign_moves and len(views) >= 2 * rule.resign_moves:
        recent = views[-2 * rule.resign_moves :]
        for winner, sign in ((Colour.WHITE, 1), (Colour.BLACK, -1)):
            if all(view is not None and sign * view >= rule.resign_score for view in recent):
                return Outcome(winner, Reason.ADJUDICATION_SCORE)
    if rule.draw_moves and len(views) >= 2 * rule.draw_moves and len(plies) >= 2 * rule.draw_from:
        recent = views[-2 * rule.draw_moves :]
        if all(view is not None and abs(view) <= rule.draw_score for view in recent):
            return Outcome(None, Reason.ADJUDICATION_SCORE)
    return None


def mover(index: int, first: Colour) -> Colour:
    """Return who made the ply number `index`, from 0."""
    return first if index % 2 == 0 else first.other


def _white_views(recent: Sequence[Ply], first: Colour, total: int) -> list[float | None]:
    """Return the scores of the last plies from white's point of view."""
    offset = total - len(recent)
    return [
        None if ply.score is None else ply.score * (1 if mover(offset + index, first) is Colour.WHITE else -1)
        for index, ply in enumerate(recent)
    ]


def _level(plies: Sequence[Ply], first: Colour, claimant: Colour, conduct: Conduct) -> bool:
    """Whether the last scores of those who must agree to a draw are level."""
    agreeing = (claimant, claimant.other) if conduct.agreeing == "both" else (claimant.other,)
    for colour in agreeing:
        scores = [ply.score for index, ply in enumerate(plies) if mover(index, first) is colour]
        if not scores or scores[-1] is None or abs(scores[-1]) > conduct.agreement:
            return False
    return True
