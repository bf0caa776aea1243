"""rules.colour."""

import pytest

from rules.colour import Colour

pytestmark = pytest.mark.rules


def test_the_two_sides() -> None:
    assert (Colour.WHITE, Colour.BLACK) == (0, 1)
    assert Colour.WHITE.other is Colour.BLACK
    assert Colour.BLACK.other is Colour.WHITE
    assert [colour.letter for colour in Colour] == ["W", "B"]
