"""The words of PDN 3.0 and of what is met in old files, as one regular expression.

A result comes before a move ("1-1", "1. 2-0"); a star glued to a move is a mark and any other ends the game.
The plain form of a move takes its number along: nearly every token is one. Each alternative is a named group,
and `re.Match.lastgroup` is the kind of token.
"""

import re

_RESULT = (
    r"(?:2\ *-\ *0|1\ *-\ *1|0\ *-\ *2|0\ *-\ *0|1\ *-\ *0|0\ *-\ *1|1/2\ *-\ *1/2|½-½)(?![\d/]|\ *[-:xX])"
)

TOKEN = re.compile(
    rf"""
      (?P<result>{_RESULT})
    | (?:\d{{1,4}}\.(?!\.)\s*)? (?P<move>(?![012]-[012](?!\d)|1/2)\d\d?[-x]\d\d?(?!\d|\s*[-xX:]))
    | (?P<comment>\{{[^}}]*\}})
    | (?P<mark>[!?]+ | \([!?]+\) | (?:(?<=[\d!?])|(?<=[!?]\)))\*)
    | (?P<glyph>\$\d+)
    | (?P<number>\d+\s?\.+)
    | (?P<text>\d+(?:\s*[-xX:]\s*\d+)+ | \d{{4}}(?!\d))
    | (?P<tag>\[\s*(?P<name>[A-Za-z]\w*)\s+"(?P<value>(?:[^"\\\n]|\\.)*)"\s*\])
    | (?P<loose>\[\s*(?P<loose_name>[A-Za-z]\w*)\s+"(?P<loose_value>[^\n]*)"[^\S\n]*\](?=[^\S\n]*\n))
    | (?P<open>\() | (?P<close>\))
    | (?P<end>\*)
    | (?P<dots>\.+)
    | (?P<dash>[-–]+)
    | (?P<setup>/FEN\s*"(?P<fen>[^"\n]*)"\s*/)
    | (?P<skip>^%[^\n]*(?=\n))
    | (?P<line>;(?P<remark>[^\n]*)(?=\n))
    | (?P<unfinished>(?: \{{[^}}]* | \[[^\]\n]* | ; [^\n]* | ^%[^\n]* | /FEN[^\n/]* )\Z)
    | (?P<bad>\[[^\n]*)
    | (?P<stray>\}})
    | (?P<count>\d+)
    | (?P<junk>[^\s{{}}()\[\];*]+ | \])
    """,  # noqa: RUF001
    re.VERBOSE | re.MULTILINE | re.ASCII,
)

SQUARES = {
    f"{start}{separator}{end}": (start, end, separator == "x")
    for start in range(1, 51)
    for end in range(1, 51)
    for separator in "-x"
}
"""The plain move texts: from, to, and whether a capture is written."""

TAG_LINE = re.compile(r'(?P<gap>\n[^\S\n]*)?\n\[[A-Z]\w*\s+"[^"\n]*"\][^\S\n]*\n')
"""A line that only a header has, and `gap` if an empty line stands before it, as before a new game."""


def unescape(value: str) -> str:
    r"""Return a tag value without its escapes, \" and \\; any other backslash stands for itself."""
    return re.sub(r'\\(["\\])', r"\1", value)


def escape(value: str) -> str:
    """Return a tag value as it is written between quotes; a line end becomes a blank."""
    return " ".join(value.splitlines()).replace("\\", "\\\\").replace('"', '\\"')
