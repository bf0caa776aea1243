"""Build of the compiled kernels: everything else about the project is in pyproject.toml."""

import hashlib
import os
import sys
from pathlib import Path

from Cython.Build import cythonize
from Cython.Compiler import Errors
from setuptools import Extension, setup

KERNELS = {
    package: sorted(path.stem for path in Path(package).glob("*.pxd"))
    for package in ("rules", "engine", "training")
}
# What a kernel marks as inline knows its shifts, directions and colours by that; gcc leaves a long one out of
# line, so that Cython's word for it has to be an order (perft: 3 to 6 %).
ALWAYS_INLINE = "-DCYTHON_INLINE=__inline__ __attribute__((__always_inline__, __unused__))"
# A board is written word by word and read at once: a vector load over fresh scalar stores stalls, so the
# compiler must not join the words (perft: 5 to 15 %).
FLAGS = {"rules": ["-O3", "-fno-tree-vectorize", ALWAYS_INLINE], "engine": ["-O3"], "training": ["-O3"]}
DIRECTIVES = {
    "language_level": 3,
    "boundscheck": False,
    "wraparound": False,
    "initializedcheck": False,
    "cdivision": True,
    "embedsignature": True,
}


def source_hash(package: str) -> str:
    """Return a hash of every kernel source that a kernel of `package` may include."""
    digest = hashlib.sha256()
    for owner, names in KERNELS.items():
        for name in names:
            for suffix in (".py", ".pxd"):
                path = Path(owner, name + suffix)
                if path.exists():
                    digest.update(path.name.encode() + path.read_bytes())
        if owner == package:
            break
    return digest.hexdigest()


def main() -> None:
    """Compile the kernels and refuse a build in which Cython sees a hidden cost."""
    extensions = [
        Extension(f"{package}.{name}", [f"{package}/{name}.py"], extra_compile_args=FLAGS[package])
        for package, names in KERNELS.items()
        for name in names
        if Path(package, f"{name}.py").exists()
    ]
    hints: list[str] = []
    report = Errors.performance_hint
    Errors.performance_hint = lambda position, message, _env: hints.append(f"{position}: {message}")
    modules = cythonize(extensions, build_dir="build/cython", compiler_directives=DIRECTIVES)
    Errors.performance_hint = report
    if hints:
        sys.exit("Cython performance hints are errors here:\n" + "\n".join(hints))
    for package in KERNELS:
        Path(package, "_build_hash.py").write_text(
            f'"""Written by setup.py."""\n\nSOURCES = "{source_hash(package)}"\n'
        )
    os.environ.setdefault("CFLAGS", "-O3 -g0")
    setup(ext_modules=modules, options={"build_ext": {"parallel": os.cpu_count()}})


if __name__ == "__main__":
    main()
