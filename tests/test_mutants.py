"""Classical mistakes put into the generator's own source, one at a time: named tests catch each (make soak).

Everything happens in a copy of the tree without compiled files, where the kernels run as plain Python.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import attrs
import pytest
from processes import ROOT

pytestmark = pytest.mark.soak
NOT_COPIED = shutil.ignore_patterns("*.so", "__pycache__", ".*", "build", "dist", "*.egg-info")
CASE = "tests/test_vectors.py::test_move_cases[{}]"
VECTOR = "tests/test_vectors.py::test_legal_moves[international-lm-{}]"


@attrs.frozen
class Mutant:
    """One change of a kernel, and the tests that must notice it."""

    file: str
    right: str
    """The text to change: once in the file."""
    wrong: str
    caught_by: tuple[str, ...]


MUTANTS = {
    # A king's search goes on with the taken pieces gone.
    "remove at once": Mutant(
        "rules/capture.py",
        "    beyond = reach(victim, strike.blockers, direction)\n",
        "    strike = __import__('copy').copy(strike)\n"
        "    strike.blockers &= ~captured\n"
        "    strike.empty |= captured\n"
        "    beyond = reach(victim, strike.blockers, direction)\n",
        (CASE.format("RULES-06"),),
    ),
    # From its second capture on, a man on either far row (its colour is not known here) goes on as a king.
    "crown in passing": Mutant(
        "rules/capture.py",
        "        if following:\n"
        "            _strike_man(strike, now, to, following, taken + 1)\n"
        "        else:\n"
        "            _offer(strike, now, to, taken, taken >= RING)\n",
        "        strike.blockers, strike.remembers = SQUARES & ~strike.empty, False\n"
        "        for direction in range(4) if SINGLE[to] & (0x1F | 0x1F << 58) else ():\n"
        "            if king := _first_victim(strike, now, to, direction):\n"
        "                _strike_king(strike, now | king, lowest(king), direction, taken + 1)\n"
        "        if following:\n"
        "            _strike_man(strike, now, to, following, taken + 1)\n"
        "        else:\n"
        "            _offer(strike, now, to, taken, True)\n",
        (VECTOR.format("097"), VECTOR.format("123"), VECTOR.format("150")),
    ),
    # A king cannot pass or end on the square where it started.
    "own square blocked": Mutant(
        "rules/capture.py",
        "strike.blockers = all_pieces ^ SINGLE[strike.origin]\n",
        "strike.blockers = all_pieces\n",
        (CASE.format("RULES-04"),),
    ),
    "no majority": Mutant(
        "rules/capture.py",
        "    if taken < found.captures:\n"
        "        return\n"
        "    if taken > found.captures:\n"
        "        found.captures = taken\n"
        "        found.count = 0\n",
        "    found.captures = max(found.captures, taken)\n",
        (CASE.format("RULES-13"),),
    ),
    # A king lands on the first square behind the piece only.
    "short king landings": Mutant(
        "rules/capture.py",
        "landings = beyond & strike.empty\n",
        "landings = beyond & strike.empty & reach(victim, SQUARES, direction)\n",
        (CASE.format("RULES-13"),),
    ),
    "list too small": Mutant(
        "rules/capture.py",
        "if found.count < MOST_MOVES:\n",
        "if found.count < 256:\n",
        (CASE.format("RULES-19"), "tests/test_vectors.py::test_384_captures_and_128_quiet_moves"),
    ),
    # A king may jump the first of the taken pieces, from above, again; with all of them it would never end.
    "captured piece jumped twice": Mutant(
        "rules/capture.py",
        "reach(at, strike.blockers, direction) & _open(strike.empty, direction)"
        " & (strike.enemies & ~captured)\n",
        "reach(at, strike.blockers, direction) & _open(strike.empty, direction)"
        " & (strike.enemies & ~(captured & (captured - 1)))\n",
        (CASE.format("RULES-06"), VECTOR.format("205")),
    ),
}


def outcome(tree: Path, tests: tuple[str, ...]) -> dict[str, str]:
    """Run tests of a tree; return what each ended with: "passed", or the reason why it failed."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-rpf", "-p", "no:cacheprovider", *tests],
        cwd=tree,
        # No byte code: a change within one second, of the same length, would be taken for the old source.
        env={**os.environ, "BONNARD_INTERPRETED": "1", "PYTHONDONTWRITEBYTECODE": "1", "COLUMNS": "250"},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    found = re.findall(r"^(PASSED|FAILED) (\S+?)(?: - (.*))?$", done.stdout, re.MULTILINE)
    assert len(found) == len(tests), done.stdout + done.stderr
    return {test: reason if result == "FAILED" else "passed" for result, test, reason in found}


@pytest.mark.parametrize("mutant", MUTANTS.values(), ids=MUTANTS.keys())
def test_a_mutant_of_the_kernel_is_caught(mutant: Mutant, tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    shutil.copytree(ROOT, tree, ignore=NOT_COPIED)
    assert outcome(tree, mutant.caught_by) == dict.fromkeys(mutant.caught_by, "passed")
    kernel = tree / mutant.file
    source = kernel.read_text()
    times = source.count(mutant.right)
    assert times == 1, f"{times} places in {mutant.file} to change: the mutant has to follow the kernel"
    kernel.write_text(source.replace(mutant.right, mutant.wrong))
    # A wrong list of moves, not an error in what we have written here.
    for test, reason in outcome(tree, mutant.caught_by).items():
        assert re.match(r"AssertionError|assert ", reason), f"{test}: {reason}"
