"""The board by rows and columns, for plain references of what the kernels do with bits."""

Cell = tuple[int, int]
"""Row from the top and column from the left, 0 to 9."""

DIAGONALS = ((1, 1), (1, -1), (-1, 1), (-1, -1))


def cell(square: int) -> Cell:
    """Return the row and column of a square: five dark squares a row, square 1 in the second column."""
    row, place = divmod(square - 1, 5)
    return row, 2 * place + (1 if row % 2 == 0 else 0)


def on_board(at: Cell) -> bool:
    """Tell whether a row and column are on the board."""
    return 0 <= at[0] <= 9 and 0 <= at[1] <= 9
