"""The examples of docs/rules.md and docs/pdn.md run as they are printed."""

import doctest
from pathlib import Path

import pytest

DOCS = Path(__file__).parent.parent / "docs"


@pytest.mark.parametrize("name", ["rules.md", "pdn.md"])
def test_examples(name: str) -> None:
    result = doctest.testfile(str(DOCS / name), module_relative=False)
    assert result.attempted > 5
    assert result.failed == 0
