"""A point of a protocol that a program keeps or breaks, and what shows it."""

from collections.abc import Callable, Sequence

import attrs

LINES_SHOWN = 12


class BrokenError(Exception):
    """The program does not keep the point under test; the text says what it did instead."""


@attrs.frozen
class Point:
    """One line of the report."""

    claim: str
    """What a program should do, as a sentence without a subject: "answers ping"."""
    kept: bool | None
    """None: it could not be tried, or does not concern this program."""
    grave: bool
    """Whether a program that breaks this point loses games by it."""
    note: str
    """What was seen, in a few words."""
    exchange: tuple[str, ...] = ()
    """The lines that show it, "> " before ours and "< " before the program's."""


Tell = Callable[[Point], None]


def shortened(lines: Sequence[str]) -> tuple[str, ...]:
    """Return the first and the last lines of an exchange that is too long to be shown."""
    if len(lines) <= LINES_SHOWN:
        return tuple(lines)
    half = LINES_SHOWN // 2
    return (*lines[:half], f"  ... {len(lines) - 2 * half} more lines ...", *lines[-half:])
