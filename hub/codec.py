"""Hub 2 lines: `command name=value flag name="a value"`, to and from `Command`.

The syntax is that of the Hub protocol, version 2. Anything at all can be read: what is no line of Hub comes
back as the best guess, never as an exception, because neither side may fall over what the other one sends.
"""

import re
from collections.abc import Iterator, Mapping

import attrs

# Control characters are blanks. A quote that is never closed ends with the line. Tokens are read one after
# the other instead of by one pattern for a whole argument, so that the time is linear in the length of any
# line.
_TOKEN = re.compile(r'"(?P<quoted>[^"]*)"?|(?P<equals>=)|(?P<word>[^\x00-\x20\x7f="]+)')
_NEEDS_QUOTES = re.compile(r"^$|[\x00-\x20\x7f=]")
_NOT_IN_QUOTES = re.compile(r"[\x00-\x1f\x7f]")


@attrs.frozen
class Command:
    """One line: a command and its arguments in their order.

    The value of a flag is None. `name` is empty for a blank line.
    """

    name: str
    arguments: Mapping[str, str | None] = attrs.field(factory=dict)

    def get(self, name: str) -> str:
        """Return the value of an argument; empty if it is missing or a flag."""
        return self.arguments.get(name) or ""

    def has(self, name: str) -> bool:
        """Whether the argument or flag is there."""
        return name in self.arguments


def parse_line(line: str) -> Command:
    """Read a line. Of an argument given twice the first one counts; a value without a name is left out."""
    tokens = _TOKEN.finditer(line)
    first = next(tokens, None)
    if first is None or not first["word"]:
        return Command("")
    arguments: dict[str, str | None] = {}
    for name, value in _arguments(tokens):
        arguments.setdefault(name, value)
    return Command(first["word"], arguments)


def _arguments(tokens: Iterator[re.Match[str]]) -> Iterator[tuple[str, str | None]]:
    name: str | None = None
    after_equals = False
    for token in tokens:
        if token["equals"]:
            after_equals = True
        elif after_equals:
            if name:
                yield name, token["word"] or token["quoted"] or ""
            name, after_equals = None, False
        else:
            if name:
                yield name, None
            name = token["word"]
    if name:
        yield name, "" if after_equals else None


def format_line(name: str, arguments: Mapping[str, str | None] | None = None) -> str:
    """Write a line without its end. None makes a flag; quotes are put where the protocol wants them.

    A value cannot hold a quote (the protocol has no escape), nor a line hold a line end: they become ' and a
    blank.
    """
    parts = [name]
    for key, value in (arguments or {}).items():
        parts.append(key if value is None else f"{key}={quote(value)}")
    return " ".join(parts)


def quote(value: str) -> str:
    """Return a value as it stands on a line."""
    value = _NOT_IN_QUOTES.sub(" ", value.replace('"', "'"))
    return f'"{value}"' if _NEEDS_QUOTES.search(value) else value
