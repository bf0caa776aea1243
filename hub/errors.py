"""What can go wrong with an engine, named by what it means for the caller."""

import signal

import attrs


@attrs.frozen
class EngineError(Exception):
    """An engine cannot be used as asked; the text says why in one line."""

    detail: str
    """One clause for logs and records, such as "signal 9 (SIGKILL)"."""

    def __str__(self) -> str:
        """Return the clause."""
        return self.detail


@attrs.frozen(str=False)
class EngineStartError(EngineError):
    """The command could not be started at all. Nothing is running; the command is wrong."""


@attrs.frozen(str=False)
class EngineCrashError(EngineError):
    """The process ended, or closed its output, without being asked to. It must be started again."""

    exit_code: int | None = None
    """Its exit status; negative for a signal; None when it closed its output and lives on."""
    stderr: str = ""
    """The last lines it wrote to its standard error."""


@attrs.frozen(str=False)
class EngineStallError(EngineError):
    """The process lives but did not answer in time. It must be ended and started again."""


@attrs.frozen(str=False)
class EngineProtocolError(EngineError):
    """The engine answered something that the protocol does not allow; it can still be used."""

    text: str = ""
    """The answer as it was sent."""


@attrs.frozen(str=False)
class EngineMoveError(EngineProtocolError):
    """The answer to `go` is no legal move of the position, or names none although there is one."""


@attrs.frozen(str=False)
class EngineClosedError(EngineError):
    """The engine was closed by us, so nothing can be asked of it."""


def describe_exit(exit_code: int) -> str:
    """Say how a process ended: "exit code 3", "signal 11 (SIGSEGV)"."""
    if exit_code >= 0:
        return f"exit code {exit_code}"
    try:
        return f"signal {-exit_code} ({signal.Signals(-exit_code).name})"
    except ValueError:
        return f"signal {-exit_code}"
