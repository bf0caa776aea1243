"""The parameters of our engine."""

import pytest

from hub.codec import format_line
from hub.options import PARAMS, OptionError, Options, declaration


def test_the_parameters_of_scan_are_there_under_their_names() -> None:
    names = ("variant", "book", "book-ply", "book-margin", "ponder", "threads", "tt-size", "bb-size")
    assert tuple(param.name for param in PARAMS)[: len(names)] == names


def test_every_default_is_accepted() -> None:
    options = Options()
    for param in PARAMS:
        options.set(param.name, param.value)
    assert options == Options()


@pytest.mark.parametrize(("entries", "megabytes"), [("16", 1), ("20", 16), ("24", 256), ("30", 16384)])
def test_table_size_is_the_logarithm_of_16_byte_entries(entries: str, megabytes: int) -> None:
    options = Options()
    options.set("tt-size", entries)
    assert options.table_megabytes == megabytes


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("threads", "0", "1 to 64, not '0'"),
        ("threads", "65", "1 to 64"),
        ("threads", "", "1 to 64"),
        ("threads", "two", "whole number"),
        ("overhead", "-1", "number from 0 to 10"),
        ("book", "yes", "true or false"),
        ("variant", "frisian", "normal, not 'frisian'"),
        ("hash", "1", "no parameter 'hash'"),
    ],
)
def test_other_values_change_nothing_and_are_named(name: str, value: str, message: str) -> None:
    options = Options()
    with pytest.raises(OptionError, match=message):
        options.set(name, value)
    assert options == Options()


def test_declarations_tell_the_value_in_force() -> None:
    options = Options()
    options.set("threads", "2")
    lines = {param.name: format_line("param", declaration(param, options.values)) for param in PARAMS}
    assert lines["threads"] == "param name=threads value=2 type=int min=1 max=64"
    assert lines["variant"] == "param name=variant value=normal type=enum values=normal"
    assert lines["ponder"] == "param name=ponder value=false type=bool"
