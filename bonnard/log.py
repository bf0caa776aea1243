"""Logging: one structlog chain on stderr, for people on a terminal, as JSON lines elsewhere."""

import logging
import os
import sys
from typing import Literal

import structlog


def set_up_logging(
    level: str = "",
    form: Literal["auto", "console", "json"] = "auto",
) -> None:
    """Configure structlog for the process; called first with what is known before the settings are read.

    Text from peers cannot forge a line: both renderers escape it.
    """
    names = logging.getLevelNamesMapping()
    chosen = (level or os.environ.get("BONNARD_LOG_LEVEL", "")).upper()
    console = form == "console" or (form == "auto" and sys.stderr.isatty())
    renderer: list[structlog.typing.Processor] = (
        [_escape, structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)]
        if console
        else [structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]
    )
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=not console),
            *renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(names.get(chosen, logging.INFO)),
        logger_factory=structlog.WriteLoggerFactory(file=sys.stderr),
        cache_logger_on_first_use=False,
    )


def _escape(
    _logger: structlog.typing.WrappedLogger, _method: str, event: structlog.typing.EventDict
) -> structlog.typing.EventDict:
    """Make control characters in values visible: a peer's chat must not move the cursor."""
    return {
        key: "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in value)
        if isinstance(value, str) and key != "exception"
        else value
        for key, value in event.items()
    }
