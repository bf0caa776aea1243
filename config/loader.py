"""Settings from their places: default.toml, a TOML file, BONNARD_* in the environment, flags. Later ones win.

The faults of all places are told at once, each with the path of the setting and the place that it came from.
"""

import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal, get_args

import attrs
import cattrs
from cattrs.gen import make_dict_structure_fn, override

from config.schema import SECTIONS, Settings

PREFIX = "BONNARD_"

#: Variables of ours that are no settings: this tells the tests that kernels run interpreted on purpose.
NO_SETTINGS = frozenset({"BONNARD_INTERPRETED"})


class SettingsError(Exception):
    """The settings cannot be used. `faults` are all that is wrong, one line each; the message joins them."""

    def __init__(self, faults: list[str]) -> None:
        """Keep the faults and make the message of them."""
        super().__init__("; ".join(faults))
        self.faults = faults


class _Text(str):
    """A value from the environment: text that stands for a value of any type."""

    __slots__ = ()


def default_text() -> str:
    """Return default.toml, which documents every setting."""
    return Path(__file__).with_name("default.toml").read_text(encoding="utf-8")


def load_settings(
    file: Path | None = None,
    environment: Mapping[str, str] | None = None,
    flags: Mapping[str, object] | None = None,
) -> Settings:
    """Return the settings from all places; SettingsError tells all that is wrong with them.

    `flags` maps paths such as "serve.port" to values; None means that the flag was not given.
    """
    tree: dict[str, Any] = tomllib.loads(default_text())
    faults: list[str] = []
    origins: dict[str, str] = {}
    if file is not None:
        _merge_file(tree, origins, file, faults)
    for name, text in sorted((environment or {}).items()):
        if name.startswith(PREFIX) and name not in NO_SETTINGS:
            _merge_variable(tree, origins, name, text, faults)
    for path, value in (flags or {}).items():
        if value is not None:
            section, _, key = path.partition(".")
            tree[section][key] = value
            origins[path] = "command line"
    try:
        settings = _converter().structure(tree, Settings)
    except cattrs.ClassValidationError as error:
        raise SettingsError(faults + _lines(error, origins)) from None
    if faults:
        raise SettingsError(faults)
    return settings


def _merge_file(tree: dict[str, Any], origins: dict[str, str], file: Path, faults: list[str]) -> None:
    try:
        read = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingsError([f"{file}: {error.strerror}"]) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError([f"{file}: no TOML: {error}"]) from None
    for section, values in read.items():
        if section not in tree:
            faults.append(f"{section} ({file}): no such section; there are {', '.join(sorted(tree))}")
        elif not isinstance(values, dict):
            faults.append(f"{section} ({file}): a section is expected, not a value")
        else:
            tree[section].update(values)
            origins.update({f"{section}.{key}": str(file) for key in values})


def _merge_variable(
    tree: dict[str, Any], origins: dict[str, str], name: str, text: str, faults: list[str]
) -> None:
    section, _, key = name.removeprefix(PREFIX).lower().partition("_")
    if key not in tree.get(section, {}):
        faults.append(f"{name}: no such setting; a name is BONNARD_SECTION_NAME, such as BONNARD_SERVE_PORT")
        return
    tree[section][key] = _Text(text)
    origins[f"{section}.{key}"] = name


def _converter() -> cattrs.Converter:
    converter = cattrs.Converter(forbid_extra_keys=True, detailed_validation=True)
    for kind, hook in ((bool, _to_bool), (int, _to_int), (float, _to_float), (str, _to_str)):
        converter.register_structure_hook(kind, hook)
    converter.register_structure_hook_func(_has_origin(tuple), _to_texts)
    converter.register_structure_hook_func(_has_origin(Literal), _to_choice)
    for section in SECTIONS:
        hooks = {
            field.name: override(struct_hook=_checked(converter, field)) for field in attrs.fields(section)
        }
        structure = make_dict_structure_fn(section, converter, **hooks)  # type: ignore[arg-type]  # names of fields only
        converter.register_structure_hook(section, structure)
    return converter


def _has_origin(origin: object) -> Callable[[object], bool]:
    return lambda kind: getattr(kind, "__origin__", None) is origin


def _checked(
    converter: cattrs.Converter, field: "attrs.Attribute[object]"
) -> Callable[[object, type[object]], object]:
    """Return a hook that runs the field's validator too: its fault then has a path, and hides no other."""

    def structure(value: object, kind: type[object]) -> object:
        structured = converter.structure(value, kind)
        if field.validator is not None:
            field.validator(None, field, structured)
        return structured

    return structure


def _lines(error: BaseException, origins: Mapping[str, str]) -> list[str]:
    """Turn cattrs' tree of exceptions into one line a fault, with the path and the origin in front."""
    lines = []
    for line in cattrs.transform_error(
        error, path="$", format_exception=lambda fault, _kind: _describe(fault)
    ):
        message, _, path = line.rpartition(" @ $")
        path = path.removeprefix(".")
        origin = origins.get(path)
        lines.append(f"{path} ({origin}): {message}" if origin else f"{path}: {message}")
    return lines


def _describe(fault: BaseException) -> str:
    if isinstance(fault, cattrs.ForbiddenExtraKeysError):
        names = ", ".join(sorted(fault.extra_fields))
        known = ", ".join(field.name for field in attrs.fields(fault.cl))
        return f"no such setting: {names}; there are {known}"
    return str(fault)


def _to_bool(value: object, _kind: object) -> bool:
    words = {
        "true": True,
        "1": True,
        "yes": True,
        "on": True,
        "false": False,
        "0": False,
        "no": False,
        "off": False,
    }
    if isinstance(value, bool):
        return value
    if isinstance(value, _Text) and value.strip().lower() in words:
        return words[value.strip().lower()]
    raise ValueError(f"{_quoted(value)} is not true or false")


def _to_int(value: object, _kind: object) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, _Text):
        try:
            return int(value)
        except ValueError:
            pass
    raise ValueError(f"{_quoted(value)} is not a whole number")


def _to_float(value: object, _kind: object) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    if isinstance(value, _Text):
        try:
            return float(value)
        except ValueError:
            pass
    raise ValueError(f"{_quoted(value)} is not a number")


def _to_str(value: object, _kind: object) -> str:
    if isinstance(value, str):
        return str(value)
    raise ValueError(f"{_quoted(value)} is not text")


def _to_texts(value: object, _kind: object) -> tuple[str, ...]:
    if isinstance(value, _Text):
        return tuple(part.strip() for part in value.split(",") if part.strip())
    if isinstance(value, list | tuple) and all(isinstance(part, str) for part in value):
        return tuple(value)
    raise ValueError(f"{_quoted(value)} is not a list of texts")


def _to_choice(value: object, kind: object) -> str:
    if value in get_args(kind):
        return str(value)
    raise ValueError(f"{_quoted(value)} is none of {', '.join(get_args(kind))}")


def _quoted(value: object) -> str:
    return f'"{value}"' if isinstance(value, str) else repr(value)
