"""How long a thread keeps its processor, and so how soon it gets one.

Linux (from 6.12 on) lets a thread that wakes up take the processor of another one at once if it asks for
shorter slices; with equal ones it waits until the other's is over, 3 to 6 ms. How much a thread computes in
the long run does not depend on its slices.
"""

from cython.cimports.engine.slices import slices

DEFAULT = 0.0
SHORT = 0.0001
"""Seconds, the least that Linux grants: for threads that mostly sleep and must answer at once."""


def ask_for_slices(seconds: float) -> bool:
    """Ask for slices of this length for the calling thread and the threads and processes that it starts.

    `DEFAULT` takes the wish back. Return whether the system took it; older ones ignore it, without harm.
    """
    return slices(int(seconds * 1e9))
