"""How numbers of a match are written for people: in the terminal, in lines and in reports."""

import math

from tournament.events import SprtState
from tournament.statistics import Estimate, Tally


def elo_text(estimate: Estimate) -> str:
    """Return "+12.3 ± 40.1", "+inf" when all points went to one side, "-" without games."""
    if estimate.value is None:
        return "-"
    if math.isinf(estimate.value):
        return "+inf" if estimate.value > 0 else "-inf"
    return f"{estimate.value:+.1f}" + ("" if estimate.error is None else f" ± {estimate.error:.1f}")


def tally_text(tally: Tally) -> str:
    """Return "+3 =8 -1"."""
    return f"+{tally.wins} ={tally.draws} -{tally.losses}"


def percent(share: float | None) -> str:
    """Return "52.3 %", or "-" for None."""
    return "-" if share is None else f"{100 * share:.1f} %"


def sprt_text(state: SprtState) -> str:
    """Return "LLR 1.20 (-2.94, 2.94)" and the decision, once there is one."""
    lower, upper = state.bounds
    decision = f" {state.decision}" if state.decision else ""
    return f"LLR {state.ratio:.2f} ({lower:.2f}, {upper:.2f}){decision}"


def duration(seconds: float) -> str:
    """Return "1:02:03", or "2:03" below an hour."""
    hours, rest = divmod(round(seconds), 3600)
    minutes, left = divmod(rest, 60)
    return f"{hours}:{minutes:02}:{left:02}" if hours else f"{minutes}:{left:02}"
