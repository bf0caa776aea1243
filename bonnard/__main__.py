"""The entry point of `bonnard` and of `python -m bonnard`.

`bonnard hub` takes a short way that imports no Trio, structlog, cyclopts or rich: a tournament manager starts
an engine for every game and waits for it.
"""

import sys

from bonnard import __version__
from bonnard.guard import foreign_packages


def main() -> int:
    """Run the command line of the process and return the exit code."""
    complaints = foreign_packages()
    if complaints:
        sys.stderr.write(f"bonnard: not installed in an environment of its own: {'; '.join(complaints)}\n")
        return 2
    arguments = sys.argv[1:]
    if arguments[:1] == ["hub"] and not {"--help", "-h"} & set(arguments):
        from hub import serve  # noqa: PLC0415 - the short way

        return serve.main(arguments[1:], __version__)
    from bonnard import cli  # noqa: PLC0415 - everything that the short way must not load

    return cli.run(arguments)


if __name__ == "__main__":
    sys.exit(main())
