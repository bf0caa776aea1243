"""What stands in the lines of the board: the first piece, and whether it can be taken.

The C face is in lines.pxd, for the kernels only; here are the table and the same for plain Python.
"""

import cython

if not cython.compiled:
    from rules.plain import SINGLE, highest

    RAYS = [0] * 256


def _fill() -> None:
    squares: object = 0
    for row in range(10):
        squares |= 0x1F << (13 * (row // 2) + 6 * (row % 2))
    for direction, shift in enumerate((6, 7, -7, -6)):
        for bit in range(64):
            ray, at = 0, bit + shift
            while 0 <= at < 64 and (squares >> at) & 1 and (squares >> bit) & 1:
                ray |= 1 << at
                at += shift
            RAYS[direction * 64 + bit] = ray


_fill()

if not cython.compiled:

    def reach(at, blockers, direction):
        """Return the squares from a bit in one direction, up to and with the first blocker."""
        ray = RAYS[direction * 64 + at]
        barred = ray & blockers
        if direction <= 1:
            return ray & (barred ^ (barred - 1))
        return ray & -SINGLE[highest(barred | 1)]

    def capturing_men(men, enemies, empty):
        """Return the men that can capture."""
        return men & (
            ((enemies & (empty >> 6)) >> 6)
            | ((enemies & (empty >> 7)) >> 7)
            | ((enemies & (empty << 7)) << 7)
            | ((enemies & (empty << 6)) << 6)
        )

    def first_behind(down_left, down_right, up_left, up_right, enemies, empty):
        """Return the enemies that a king with this reach can take at once."""
        return enemies & (
            (down_left & (empty >> 6))
            | (down_right & (empty >> 7))
            | (up_left & (empty << 7))
            | (up_right & (empty << 6))
        )
