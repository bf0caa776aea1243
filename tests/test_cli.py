"""The command line: help, version, exit codes, and one line for whatever goes wrong."""

import importlib
import subprocess
from pathlib import Path

import pytest
from help_text import help_text
from processes import PROGRAM

from bonnard import cli
from bonnard.errors import FailedError, UsageError

HELP = Path(__file__).parent / "data" / "help.txt"


def run(*arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
    """Run the program."""
    return subprocess.run(
        [*PROGRAM, *arguments], capture_output=True, text=True, check=False, timeout=60, **options
    )


def test_the_help_is_what_it_was() -> None:
    """Run help_text.py again when a change is meant, and read what it changed."""
    assert help_text() == HELP.read_text()


@pytest.mark.parametrize(("name", "function"), cli.COMMANDS)
def test_every_command_exists_and_is_documented(name: str, function: str) -> None:
    module, _, attribute = function.partition(":")
    command = getattr(importlib.import_module(module), attribute)
    assert command.__doc__ or command.help, name


def test_the_version_is_told() -> None:
    done = run("--version")
    assert (done.returncode, done.stdout.strip()) == (0, "0.1.0")


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("serv",), "serve"),
        (("xyzzy",), "there are"),
        (("serve", "--prot", "1"), "--port"),
        (("serve", "--port", "many"), "--port"),
        (("serve", "extra"), "extra"),
        (("moves",), "FEN"),
        (("moves", "X"), "FEN"),
        (("perft", "-1"), "DEPTH"),
        (("--config", "/no/file", "serve"), "/no/file"),
        (("--config=/no/file", "serve"), "/no/file"),
        (("serve", "--config", "/no/file"), "/no/file"),
    ],
)
def test_wrong_use_is_one_line_and_exit_code_2(arguments: tuple[str, ...], named: str) -> None:
    done = run(*arguments)
    assert done.returncode == 2, done.stderr
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("bonnard: ")
    assert named.lower() in done.stderr.lower()


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (UsageError("no such thing"), 2, "bonnard: no such thing\n"),
        (FailedError("it\nbroke"), 1, "bonnard: it broke\n"),
        (ExceptionGroup("x", [ExceptionGroup("y", [ValueError("a"), FailedError("b")])]), 1, "bonnard: b\n"),
        (KeyboardInterrupt(), 130, ""),
        (BaseExceptionGroup("x", [KeyboardInterrupt()]), 130, ""),
    ],
)
def test_how_a_command_ends_badly(
    error: BaseException,
    code: int,
    line: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def fail() -> None:
        raise error

    monkeypatch.setattr("bonnard.health.health", fail)
    assert cli.run(["health"]) == code
    assert capsys.readouterr().err == line


def test_a_defect_is_one_line_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail() -> None:
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr("bonnard.health.health", fail)
    assert cli.run(["health"]) == 1
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert "ZeroDivisionError" in err


def test_a_reader_that_goes_away_is_no_error() -> None:
    command = f"{' '.join(PROGRAM)} moves W:W31-50:B1-20 | head -1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False, timeout=60)  # noqa: S602
    assert done.stdout.count("\n") == 1
    assert done.stderr == ""
