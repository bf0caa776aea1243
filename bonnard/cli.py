"""The command line: which commands there are, and what becomes of wrong use and failure.

A command is a function in a module of its own, imported when it is called or listed by --help. It takes its
flags as keyword arguments, prints results on stdout and returns its exit code (None for 0). It raises
UsageError for wrong use that the parser cannot see and FailedError when it cannot do its work; nobody gets to
see a traceback.
"""

import difflib
import os
import sys
import traceback
from collections.abc import Sequence
from importlib import import_module
from typing import get_args

import cyclopts
import structlog

from bonnard.errors import FailedError, UsageError
from bonnard.log import set_up_logging
from bonnard.version import version
from config.loader import SettingsError

#: Names on the command line and the functions behind them. `hub` is here for its help: __main__ runs it.
COMMANDS = (
    ("serve", "bonnard.serve:serve"),
    ("play", "bonnard.play:play"),
    ("hub", "bonnard.hub:hub"),
    ("health", "bonnard.health:health"),
    ("moves", "bonnard.moves:moves"),
    ("perft", "bonnard.perft:perft"),
    ("analyse", "bonnard.analyse:analyse"),
    ("pdn", "bonnard.pdn:app"),
    ("match", "bonnard.match:match"),
    ("report", "bonnard.report:report"),
    ("check", "bonnard.check:check"),
    ("bench", "bonnard.bench:bench"),
    ("train", "bonnard.train:app"),
    ("bitbase", "bonnard.bitbase:app"),
)

DESCRIPTION = (
    "A tournament engine server for International draughts: any program plays any other under a referee."
)
EPILOGUE = (
    "Settings: defaults, then --config FILE, then BONNARD_SECTION_NAME in the environment, then flags. "
    "Exit codes: 0 done, 1 failed, 2 wrong use."
)

HOW_TO_SEE = "BONNARD_LOG_LEVEL=debug shows all of it"

FAILED = 1
WRONG_USE = 2
INTERRUPTED = 130


def build_app(*, listing: bool = False) -> cyclopts.App:
    """Return the command line; a `listing` imports all commands, to tell what they do."""
    app = cyclopts.App(
        name="bonnard",
        help=DESCRIPTION,
        help_epilogue=EPILOGUE,
        help_format="plaintext",
        version=version,
        result_action="return_value",
        default_parameter=cyclopts.Parameter(converter=_convert),
        suppress_keyboard_interrupt=False,
    )
    for name, function in COMMANDS:
        module, _, attribute = function.partition(":")
        app.command(getattr(import_module(module), attribute) if listing else function, name=name)
    return app


def _convert(kind: type, tokens: Sequence[cyclopts.Token]) -> object:
    """Convert values as the parser does, but never round 1.5 where a whole number is wanted (ValueError)."""
    if kind is int or int in get_args(kind):
        for token in tokens:
            if "." in token.value:
                raise ValueError(f'"{token.value}" is not a whole number')
    return cyclopts.convert(kind, tokens)


def run(arguments: Sequence[str]) -> int:
    """Run one command line and return the exit code; one line on stderr says what was wrong."""
    set_up_logging()
    try:
        tokens = _settings_file_last(arguments)
        _check_command(tokens)
        listing = not tokens or tokens[0] in {"--help", "-h"}
        result = build_app(listing=listing)(
            tokens, exit_on_error=False, print_error=False, help_on_error=False
        )
        sys.stdout.flush()
    except (Exception, KeyboardInterrupt, BaseExceptionGroup) as error:  # noqa: BLE001 - a defect is one line for the user, too
        return _tell(error)
    return result if isinstance(result, int) else 0


def _tell(error: BaseException) -> int:
    """Say in one line why a command ended, and return the exit code."""
    cause = _cause(error)
    match cause:
        case cyclopts.CycloptsError() | UsageError() | SettingsError():
            return _complain(cause, WRONG_USE)
        case FailedError():
            return _complain(cause, FAILED)
        case KeyboardInterrupt():
            return INTERRUPTED
        case BrokenPipeError():
            # The reader of our output (`| head`) went away; the interpreter shall not complain when it
            # flushes.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return FAILED
        case _:
            structlog.get_logger().debug("defect", trace="".join(traceback.format_exception(error)))
            return _complain(f"internal error: {type(cause).__name__}: {cause} ({HOW_TO_SEE})", FAILED)


def _cause(error: BaseException) -> BaseException:
    """Return the error that matters of a group, as nurseries raise them: one for the user, if any is."""
    if not isinstance(error, BaseExceptionGroup):
        return error
    leaves = [_cause(part) for part in error.exceptions]
    meant = [leaf for leaf in leaves if isinstance(leaf, UsageError | SettingsError | FailedError)]
    return (meant or leaves)[0]


def _check_command(tokens: Sequence[str]) -> None:
    """Refuse an unknown command; the parser would import every command to make its suggestion."""
    names = [name for name, _ in COMMANDS]
    if tokens and not tokens[0].startswith("-") and tokens[0] not in names:
        near = difflib.get_close_matches(tokens[0], names, n=1)
        hint = f"did you mean {near[0]}? " if near else ""
        raise UsageError(f'unknown command "{tokens[0]}"; {hint}There are {", ".join(names)}.')


def _settings_file_last(arguments: Sequence[str]) -> list[str]:
    """Move a `--config FILE` from before the command to behind it: it means the same in both places."""
    tokens = list(arguments)
    if tokens[:1] == ["--config"] and len(tokens) > 2:  # noqa: PLR2004 - the flag, its value, a command
        return [tokens[2], *tokens[:2], *tokens[3:]]
    if tokens and tokens[0].startswith("--config=") and len(tokens) > 1:
        return [tokens[1], tokens[0], *tokens[2:]]
    return tokens


def _complain(error: object, code: int) -> int:
    """Print the one line that tells what was wrong, and return the exit code."""
    sys.stderr.write("bonnard: " + " ".join(str(error).split()) + "\n")
    return code
