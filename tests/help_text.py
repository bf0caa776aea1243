"""Prints the help of every command, for data/help.txt: python tests/help_text.py > tests/data/help.txt."""

import io
import sys

from rich.console import Console

from bonnard.cli import COMMANDS, build_app

WIDTH = 110


def help_text() -> str:
    """Return the help of the program and of all its commands, as a terminal of fixed width shows it."""
    out = io.StringIO()
    console = Console(file=out, width=WIDTH, color_system=None, legacy_windows=False)
    for tokens in ([], *([name] for name, _ in COMMANDS)):
        out.write(f"$ bonnard {' '.join([*tokens, '--help'])}\n")
        build_app(listing=not tokens)([*tokens, "--help"], console=console)
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines()) + "\n"


if __name__ == "__main__":
    sys.stdout.write(help_text())
