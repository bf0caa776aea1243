"""What may import what, what `bonnard hub` loads, and that the kernels are those of the sources."""

import ast
import importlib
import os
import subprocess
import sys
from pathlib import Path

import pytest
from processes import PROGRAM, ROOT

ALLOWED = {
    "rules": {"rules"},
    "engine": {"rules", "engine"},
    "hub": {"rules", "engine", "hub"},
    "dxp": {"rules", "engine", "dxp"},
    "tournament": {"rules", "engine", "hub", "dxp", "tournament"},
    "training": {"rules", "engine", "tournament", "training"},
    "config": {"config"},
    "bonnard": {"rules", "engine", "hub", "dxp", "tournament", "training", "config", "bonnard"},
}
"""Which of our packages each one may import: DESIGN 1."""

SANS_IO = (
    "dxp/codec.py",
    "dxp/session.py",
    "dxp/message.py",
    "dxp/events.py",
    "dxp/state.py",
    "hub/codec.py",
)
SLOW = {"trio", "structlog", "cyclopts", "rich"}


def imported(path: Path) -> set[str]:
    """Return the packages that a file imports, inside functions too; `cython.cimports.x` counts as x."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            names.add(node.module or "")
    return {name.removeprefix("cython.cimports.").split(".")[0] for name in names}


@pytest.mark.parametrize("package", sorted(ALLOWED))
def test_nothing_imports_what_stands_to_its_right(package: str) -> None:
    files = sorted((ROOT / package).rglob("*.py"))
    assert files
    for path in files:
        unwanted = (imported(path) & set(ALLOWED)) - ALLOWED[package]
        assert not unwanted, f"{path.relative_to(ROOT)} imports {', '.join(unwanted)}"


@pytest.mark.parametrize("name", SANS_IO)
def test_protocol_code_does_no_io(name: str) -> None:
    assert not imported(ROOT / name) & {"trio", "socket", "subprocess", "threading", "asyncio", "time"}


def test_every_package_is_built_and_guarded() -> None:
    pyproject = importlib.import_module("tomllib").loads((ROOT / "pyproject.toml").read_text())
    guard = importlib.import_module("bonnard.guard")
    assert set(pyproject["tool"]["setuptools"]["packages"]) == set(ALLOWED) == set(guard.PACKAGES)


def test_bonnard_hub_loads_nothing_slow() -> None:
    code = (
        "import sys; sys.argv = ['bonnard', 'hub']; from bonnard.__main__ import main\n"
        "code = main(); print('\\n'.join(sys.modules), file=sys.stderr); sys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", code],
        input="hub\nquit\n",
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert "id name=Bonnard" in done.stdout
    loaded = {name.split(".")[0] for name in done.stderr.split()}
    assert "hub" in loaded
    assert not loaded & SLOW


@pytest.mark.skipif(
    os.environ.get("BONNARD_INTERPRETED") == "1", reason="nothing is compiled here, on purpose"
)
@pytest.mark.parametrize("package", ["rules", "engine", "training"])
def test_the_kernels_are_compiled_from_these_sources(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT)
    monkeypatch.chdir(ROOT)
    source_hash = importlib.import_module("setup").source_hash
    built = importlib.import_module(f"{package}._build_hash").SOURCES
    assert built == source_hash(package), "stale kernels: python setup.py build_ext --inplace"
    for source in (ROOT / package).glob("*.pxd"):
        module = importlib.import_module(f"{package}.{source.stem}")
        assert not module.__file__.endswith(".py"), f"{module.__name__} is not compiled"


def test_a_foreign_package_is_named(tmp_path: Path) -> None:
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "__init__.py").write_text("")
    done = subprocess.run(
        [*PROGRAM, "--version"],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 2
    assert str(tmp_path) in done.stderr
    assert done.stderr.count("\n") == 1
