"""Reading a TOML table field by field, so that every fault of a file is told at once, each by its path.

A read never raises: a value of the wrong kind is noted and replaced by the default, and `close` notes the
keys nobody asked for.
"""

import difflib
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

Value = TypeVar("Value")
Choice = TypeVar("Choice", bound=str)


class Table:
    """A table at a path; `faults` is shared by all tables of a file."""

    def __init__(self, values: Mapping[str, object], path: str, faults: list[str]) -> None:
        """Read from `values`."""
        self._values = values
        self._path = path
        self._faults = faults
        self._known: list[str] = []

    def path(self, key: str) -> str:
        """Return the path of a key, as faults name it."""
        return f"{self._path}.{key}" if self._path else key

    def fault(self, key: str, text: str) -> None:
        """Note a fault of the value at `key`."""
        self._faults.append(f"{self.path(key)}: {text}")

    def has(self, key: str) -> bool:
        """Whether the key is given."""
        return key in self._values

    def text(self, key: str, default: str = "", *, required: bool = False) -> str:
        """Return a text."""
        value = self._get(key)
        if value is None and required:
            self.fault(key, "is missing; a text is expected")
        if value is None or isinstance(value, str):
            return default if value is None else value
        self.fault(key, f"{value!r} is no text")
        return default

    def integer(self, key: str, default: int, low: int, high: int = 1_000_000_000) -> int:
        """Return a whole number between `low` and `high`."""
        value = self._get(key)
        if value is None:
            return default
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            self.fault(key, f"{value!r} is no whole number from {low} to {high}")
            return default
        return value

    def number(self, key: str, default: float, low: float, high: float = 1e9) -> float:
        """Return a number between `low` and `high`."""
        value = self._get(key)
        if value is None:
            return default
        if not isinstance(value, int | float) or isinstance(value, bool) or not low <= value <= high:
            self.fault(key, f"{value!r} is no number from {low:g} to {high:g}")
            return default
        return float(value)

    def flag(self, key: str, *, default: bool) -> bool:
        """Return true or false."""
        value = self._get(key)
        if value is None or isinstance(value, bool):
            return default if value is None else value
        self.fault(key, f"{value!r} is not true or false")
        return default

    def choice(self, key: str, default: Choice, choices: Sequence[Choice]) -> Choice:
        """Return one of some texts."""
        value = self._get(key)
        for choice in choices:
            if value == choice:
                return choice
        if value is not None:
            self.fault(key, f"{value!r} is not one of {', '.join(choices)}")
        return default

    def texts(self, key: str) -> tuple[str, ...]:
        """Return a list of texts, empty if it is missing."""
        value = self._get(key)
        if value is None:
            return ()
        if isinstance(value, list) and all(isinstance(item, str) for item in value):
            return tuple(value)
        self.fault(key, f"{value!r} is no list of texts")
        return ()

    def parsed(self, key: str, parse: Callable[[str], Value]) -> Value | None:
        """Return a text as `parse` reads it, None if it is missing or a ValueError says that it is wrong."""
        text = self.text(key)
        if not self.has(key) or not isinstance(self._values[key], str):
            return None
        try:
            return parse(text)
        except ValueError as error:
            self.fault(key, str(error))
            return None

    def scalars(self, key: str) -> dict[str, str]:
        """Return a table of texts, numbers and truth values as texts."""
        value = self._get(key)
        if value is None:
            return {}
        if not isinstance(value, dict):
            self.fault(key, f"{value!r} is no table")
            return {}
        result = {}
        for name, item in value.items():
            if isinstance(item, bool):
                result[name] = str(item).lower()
            elif isinstance(item, str | int | float) and str(item).isprintable():
                result[name] = str(item)
            else:
                self.fault(f"{key}.{name}", f"{item!r} is no text of one line, number or truth value")
        return result

    def table(self, key: str) -> "Table":
        """Return a table within, empty if it is missing."""
        value = self._get(key)
        if value is not None and not isinstance(value, dict):
            self.fault(key, f"{value!r} is no table; write [{self.path(key)}]")
        return Table(value if isinstance(value, dict) else {}, self.path(key), self._faults)

    def tables(self, key: str) -> list["Table"]:
        """Return the tables of an array of tables."""
        value = self._get(key)
        if value is None:
            return []
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            self.fault(key, f"is no array of tables; write [[{self.path(key)}]]")
            return []
        return [Table(item, f"{self.path(key)}[{index}]", self._faults) for index, item in enumerate(value)]

    def close(self) -> None:
        """Note the keys that were not asked for."""
        for key in self._values:
            if key not in self._known:
                near = difflib.get_close_matches(key, self._known, n=1)
                hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(sorted(self._known))}"
                self.fault(key, f"no such setting; {hint}")

    def _get(self, key: str) -> object:
        self._known.append(key)
        return self._values.get(key)
