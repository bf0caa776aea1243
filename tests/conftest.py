"""What every test leaves behind: nothing."""

from collections.abc import Iterator

import pytest
import structlog


@pytest.fixture(autouse=True)
def logging_as_before() -> Iterator[None]:
    """Undo what a command has configured: its standard error may be captured, and closed by now."""
    yield
    structlog.reset_defaults()
