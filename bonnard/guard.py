"""The start-up check that our packages are ours.

`rules`, `engine`, `config`, `dxp` and `hub` are names that other distributions use too. Two of them in one
environment overwrite each other without a word from pip, so the program looks before it imports anything.
"""

from importlib.util import find_spec
from pathlib import Path

PACKAGES = ("rules", "engine", "hub", "dxp", "tournament", "training", "bonnard", "config")

HOME = Path(__file__).resolve().parent.parent


def foreign_packages() -> list[str]:
    """Return a complaint for each of our packages that does not lie beside this one; nothing is imported."""
    complaints = []
    for name in PACKAGES:
        specification = find_spec(name)
        origin = specification.origin if specification else None
        if origin is None:
            complaints.append(f"package {name} is missing from {HOME}")
        elif Path(origin).resolve().parent.parent != HOME:
            complaints.append(f"package {name} comes from {Path(origin).parent}, not from {HOME}")
    return complaints
