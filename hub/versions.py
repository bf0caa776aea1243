"""The two versions of the protocol, and how to tell which one an engine speaks."""

from hub.codec import parse_line
from hub.dialect import Dialect
from hub.dialect1 import Hub1
from hub.dialect2 import Hub2

HUB_1: Dialect = Hub1()
HUB_2: Dialect = Hub2()


def detect(line: str) -> Dialect | None:
    """Return the version that a line after `hub` gives away; None for a banner.

    Version 2 begins with `id name=...`, version 1 with `name ...`; an engine that tells neither still says
    `wait`.
    """
    command = parse_line(line)
    if command.name in ("id", "param") and command.has("name"):
        return HUB_2
    if command.name in ("name", "author", "country") and command.arguments:
        return HUB_1
    return HUB_2 if command.name == "wait" else None
