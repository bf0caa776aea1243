"""A stream of bytes into lines."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from hub.lines import LineSplitter


@given(st.binary(max_size=200), st.lists(st.integers(0, 200)))
def test_lines_do_not_depend_on_how_the_stream_is_cut(stream: bytes, cuts: list[int]) -> None:
    splitter = LineSplitter()
    edges = [0, *sorted(cuts), len(stream)]
    lines = [line for a, b in pairwise(edges) for line in splitter.feed(stream[a:b])]
    *whole, rest = stream.split(b"\n")
    assert lines == whole
    assert splitter.finish() == ([rest] if rest else [])


def test_a_long_line_is_cut_and_the_next_one_is_whole() -> None:
    splitter = LineSplitter(longest=10)
    assert splitter.feed(b"x" * 25) == []
    assert splitter.feed(b"y" * 25) == []
    assert splitter.feed(b"z\nping\n") == [b"x" * 10, b"ping"]
    assert splitter.finish() == []
