"""The parameters of our engine: what it declares and what a driver may set."""

from collections.abc import Mapping

import attrs

from engine.assets import HAND_MADE, LEARNED
from hub.dialect import read_real, read_whole
from hub.messages import Param

PARAMS = (
    Param("variant", "normal", "enum", choices=("normal",)),
    Param("book", "false", "bool"),
    Param("book-ply", "4", "int", 0, 20),
    Param("book-margin", "4", "int", 0, 100),
    Param("ponder", "false", "bool"),
    Param("threads", "1", "int", 1, 64),
    Param("tt-size", "22", "int", 16, 30),
    Param("bb-size", "5", "int", 0, 5),
    Param("lines", "1", "int", 1, 20),
    Param("overhead", "0.03", "real", 0, 10),
    Param("evaluation", LEARNED, "enum", choices=(LEARNED, HAND_MADE)),
)
"""The first eight are named as Scan names them; see docs/hub.md for what each does.

There is no opening book, so that the three book parameters have no effect. `ponder` only tells the driver
that `go ponder` is welcome. `lines`, `overhead` and `evaluation` are our own.
"""
_BYTES_OF_AN_ENTRY = 16
_MEGABYTE = 1 << 20


class OptionError(ValueError):
    """A parameter that does not exist or a value that it does not take; the text names what is accepted."""


@attrs.define
class Options:
    """The values in force."""

    values: dict[str, str] = attrs.field(factory=lambda: {param.name: param.value for param in PARAMS})

    def set(self, name: str, value: str) -> None:
        """Take a value as it stands on the wire.

        Raises OptionError and changes nothing if it is not accepted.
        """
        param = next((param for param in PARAMS if param.name == name), None)
        if param is None:
            raise OptionError(f"there is no parameter {name!r}")
        self.values[name] = _accepted(param, value)

    @property
    def threads(self) -> int:
        """Search threads."""
        return int(self.values["threads"])

    @property
    def table_megabytes(self) -> int:
        """Size of the transposition table; `tt-size` is the logarithm of its entries."""
        return max(1, (_BYTES_OF_AN_ENTRY << int(self.values["tt-size"])) // _MEGABYTE)

    @property
    def bitbase_pieces(self) -> int:
        """Which bitbases are asked: 0 none, 1 to 4 those that are shipped, 5 also those that were built."""
        return int(self.values["bb-size"])

    @property
    def lines(self) -> int:
        """Principal variations to be told while analysing."""
        return int(self.values["lines"])

    @property
    def overhead(self) -> float:
        """Seconds of a move that pass outside the search."""
        return float(self.values["overhead"])

    @property
    def evaluation(self) -> str:
        """What positions are evaluated with: LEARNED or HAND_MADE."""
        return self.values["evaluation"]


def declaration(param: Param, values: Mapping[str, str]) -> dict[str, str]:
    """Return the arguments of the `param` line that declares a parameter with its value in force."""
    arguments = {"name": param.name, "value": values[param.name], "type": param.type}
    if param.minimum is not None and param.maximum is not None:
        arguments |= {"min": f"{param.minimum:g}", "max": f"{param.maximum:g}"}
    if param.choices:
        arguments["values"] = " ".join(param.choices)
    return arguments


def _accepted(param: Param, value: str) -> str:
    """Return `value` in the form that is kept, or raise OptionError."""
    if param.type == "bool":
        if value in ("true", "false"):
            return value
        raise OptionError(f"{param.name} is true or false, not {value!r}")
    if param.type == "enum":
        if value in param.choices:
            return value
        raise OptionError(f"{param.name} is {' or '.join(param.choices)}, not {value!r}")
    number = read_whole(value) if param.type == "int" else read_real(value)
    least, most = param.minimum or 0, param.maximum or 0
    if number is None or not least <= number <= most:
        kind = "a whole number" if param.type == "int" else "a number"
        raise OptionError(f"{param.name} is {kind} from {least:g} to {most:g}, not {value!r}")
    return str(number)
