"""`bonnard hub`, for the help text; `bonnard.__main__` runs the engine without loading the command line."""

from bonnard import __version__
from hub import serve


def hub() -> int:
    """Be a Hub 2 engine on stdin and stdout, for any program that drives Hub engines."""
    return serve.main([], __version__)
