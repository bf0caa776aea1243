"""tournament.toml_table: every fault is told, by its path."""

import tomllib

from tournament.toml_table import Table

TEXT = """
text = 1
whole = 2.5
high = 11
number = "x"
flag = "yes"
choice = "c"
texts = ["a", 1]
parsed = "a"
table = 3
tables = [1]
mispelled = 1
[scalars]
good = true
real = 0.5
bad = [1]
"""


def test_every_fault_is_told_at_once() -> None:
    faults: list[str] = []
    table = Table(tomllib.loads(TEXT), "", faults)
    assert table.text("text", "default") == "default"
    assert table.integer("whole", 1, 0) == 1
    assert table.integer("high", 2, 0, 10) == 2
    assert table.number("number", 0.5, 0, 1) == 0.5
    assert table.flag("flag", default=True) is True
    assert table.choice("choice", "a", ("a", "b")) == "a"
    assert table.texts("texts") == ()
    assert table.parsed("parsed", int) is None
    assert table.scalars("scalars") == {"good": "true", "real": "0.5"}
    assert table.table("table").text("x") == ""
    assert table.tables("tables") == []
    assert table.text("misspelled") == ""
    table.close()
    paths = [fault.partition(":")[0] for fault in faults]
    assert paths == [
        "text", "whole", "high", "number", "flag", "choice", "texts", "parsed", "scalars.bad", "table",
        "tables", "mispelled",
    ]  # fmt: skip
    assert faults[-1] == "mispelled: no such setting; did you mean misspelled?"


def test_paths_within_tables() -> None:
    faults: list[str] = []
    table = Table(tomllib.loads("[a]\nb = 1\n[[c]]\n[[c]]\nd = 1\n"), "", faults)
    inner = table.table("a")
    inner.text("b")
    inner.close()
    for element in table.tables("c"):
        element.text("d")
        element.text("missing", required=True)
    assert faults == [
        "a.b: 1 is no text",
        "c[0].missing: is missing; a text is expected",
        "c[1].d: 1 is no text",
        "c[1].missing: is missing; a text is expected",
    ]


def test_what_is_right_is_read() -> None:
    faults: list[str] = []
    table = Table(
        tomllib.loads('a = "x"\nb = 3\nc = 2\nd = true\ne = "two"\nf = ["x", "y"]\ng = "7"\n'), "", faults
    )
    assert table.text("a") == "x"
    assert table.integer("b", 0, 0) == 3
    assert table.number("c", 0, 0) == 2.0
    assert table.flag("d", default=False) is True
    assert table.choice("e", "one", ("one", "two")) == "two"
    assert table.texts("f") == ("x", "y")
    assert table.parsed("g", int) == 7
    table.close()
    assert faults == []
