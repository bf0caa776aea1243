"""A DXP follower as a process: listens on a port and plays the last legal move (moby.py)."""

import sys
from functools import partial
from pathlib import Path

import trio

sys.path.insert(0, str(Path(__file__).parent.parent))

from moby import MobyLike

if __name__ == "__main__":
    follower = MobyLike(stale=False)
    trio.run(partial(trio.serve_tcp, follower.run, int(sys.argv[1]), host="127.0.0.1"))
