"""A runner with one guarded engine, to be killed: `runner.py COMMAND...`.

Says the process numbers of the guard, of the engine and of the engine's child, and then waits for ever.
"""

import sys

import trio

from hub.client import Launch, open_engine
from hub.guard import Guard


async def main() -> None:
    """Start everything and wait."""
    with Guard() as guard:
        async with open_engine(Launch(tuple(sys.argv[1:])), guard) as engine:
            child = next(item.text.split()[1] for item in engine.transcript if item.text.startswith("child"))
            sys.stdout.write(f"{guard.process_id} {engine.process_id} {child}\n")
            sys.stdout.flush()
            await trio.sleep_forever()


if __name__ == "__main__":
    trio.run(main)
