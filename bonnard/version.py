"""The version of the program, for its reports."""

from bonnard import __version__


def version() -> str:
    """Return the version; pyproject.toml takes it from the same place."""
    return __version__
