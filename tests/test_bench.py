"""`bonnard bench`: the signature of the search's tree, which only a change of the search changes."""

import json
import subprocess
import sys

import pytest

from bonnard.bench import bench
from bonnard.errors import UsageError

SIGNATURE = 175_717
"""Nodes of `bonnard bench --depth 9`."""


def test_the_signature_is_the_known_one() -> None:
    # A process of its own: the bench needs its own weights, and no bitbases.
    command = [sys.executable, "-m", "bonnard", "bench", "--depth", "9", "--json"]
    found = subprocess.run(command, capture_output=True, text=True, check=True)
    values = json.loads(found.stdout)
    assert values["depth"] == 9
    assert values["nodes"] == SIGNATURE
    assert values["mnps"] > 0


def test_a_depth_out_of_range_is_wrong_use() -> None:
    with pytest.raises(UsageError, match="depth 0: accepted are 1 to 40"):
        bench(depth=0)
