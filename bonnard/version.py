"""The version of the installed program."""

from importlib import metadata


def version() -> str:
    """Return the version of the installed distribution, or "unknown" when run from an uninstalled tree."""
    try:
        return metadata.version("bonnard")
    except metadata.PackageNotFoundError:
        return "unknown"
