"""A small process that ends the engines of a runner which was killed.

It holds the reading end of a pipe. When the pipe closes, however the runner ended, it kills the process groups that are still
registered. (PR_SET_PDEATHSIG would not do: it fires when the thread that started the child ends, and Trio's threads do.)
"""

from typing import Self


class Guard:
    """The guard of this process. Use it as a context manager; one is enough for any number of engines."""

    def __enter__(self) -> Self:
        """Start the guard process."""
        raise NotImplementedError

    def __exit__(self, *_: object) -> None:
        """End the guard process, which first kills what is still registered."""
        raise NotImplementedError

    def add(self, group: int) -> None:
        """Register a process group: it does not outlive this process by more than a moment."""
        raise NotImplementedError

    def drop(self, group: int) -> None:
        """Forget a process group that has ended."""
        raise NotImplementedError
