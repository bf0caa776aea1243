"""Settings: which place wins, and that all faults are told at once."""

from pathlib import Path

import attrs
import pytest

from config.loader import SettingsError, load_settings
from config.schema import Settings


def faults(*arguments: object) -> list[str]:
    """Return what is wrong with settings."""
    with pytest.raises(SettingsError) as caught:
        load_settings(*arguments)
    return caught.value.faults


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return a file for settings."""
    return tmp_path / "settings.toml"


def test_the_defaults_are_complete_and_those_of_the_command_line() -> None:
    settings = load_settings()
    assert (settings.serve.host, settings.serve.port) == ("127.0.0.1", 27531)
    assert (settings.serve.max_games, settings.serve.per_address) == (8, 8)
    assert settings.serve.min_minutes == 0.5
    assert (settings.play.games, settings.play.minutes, settings.play.moves) == (2, 5.0, 75)
    assert settings.engine.threads == 1


def test_later_places_win(file: Path) -> None:
    file.write_text('[serve]\nport = 1\nmax_games = 1\nhost = "::1"\nallow = ["192.0.2.0/24"]\n')
    environment = {"BONNARD_SERVE_PORT": "2", "BONNARD_SERVE_MAX_GAMES": "2", "HOME": "/"}
    settings = load_settings(file, environment, {"serve.port": 3, "serve.host": None})
    assert (settings.serve.port, settings.serve.max_games, settings.serve.host) == (3, 2, "::1")
    assert settings.serve.allow == ("192.0.2.0/24",)


def test_the_environment_has_every_type() -> None:
    settings = load_settings(
        None,
        {
            "BONNARD_SERVE_FLAG": "yes",
            "BONNARD_SERVE_MIN_MINUTES": ".25",
            "BONNARD_SERVE_ALLOW": "192.0.2.0/24, 2001:db8::/32",
            "BONNARD_ENGINE_TT_SIZE": "128",
            "BONNARD_DATA_DIRECTORY": "42",
            "BONNARD_INTERPRETED": "1",
        },
    )
    assert settings.serve.flag is True
    assert settings.serve.min_minutes == 0.25
    assert settings.serve.allow == ("192.0.2.0/24", "2001:db8::/32")
    assert settings.engine.tt_size == 128
    assert settings.data.directory == "42"


def test_all_faults_are_told_at_once_with_their_places(file: Path) -> None:
    file.write_text(
        '[serve]\nport = "a"\nmax_games = 0\ntakeback = 1\nprt = 1\n'
        "[play]\nminutes = 1e9\n[sevre]\nport = 1\n"
    )
    environment = {"BONNARD_SERVE_FLAG": "maybe", "BONNARD_SERV_PORT": "1"}
    told = faults(file, environment, {"serve.on_illegal": "shrug"})
    assert len(told) == 9
    for path, place in (
        ("serve.port", str(file)),
        ("serve.max_games", str(file)),
        ("serve.takeback", str(file)),
        ("play.minutes", str(file)),
        ("sevre", str(file)),
        ("serve.flag", "BONNARD_SERVE_FLAG"),
        ("serve.on_illegal", "command line"),
    ):
        assert any(line.startswith(f"{path} ({place})") for line in told), path
    assert any("prt" in line and "max_games" in line for line in told)
    assert any("BONNARD_SERV_PORT" in line for line in told)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("serve.port", 65536),
        ("serve.port", True),
        ("serve.port", 1.5),
        ("serve.min_minutes", 0.0),
        ("serve.min_minutes", float("nan")),
        ("serve.allow", ("192.0.2.0/33",)),
        ("serve.role", "both"),
        ("engine.tt_size", 0),
        ("engine.nice", 20),
        ("dxp.name", ""),
        ("dxp.name", " Bonnard"),
        ("dxp.name", "x" * 33),
        ("dxp.name", "café"),
        ("log.level", "loud"),
    ],
)
def test_a_value_out_of_its_limits_names_its_path(path: str, value: object) -> None:
    (line,) = faults(None, None, {path: value})
    assert line.startswith(f"{path} (command line): ")


def test_a_file_that_cannot_be_read(file: Path) -> None:
    assert str(file) in faults(file)[0]
    file.write_text("[serve\n")
    assert "no TOML" in faults(file)[0]
    file.write_bytes(b"\xff\xfe")
    assert "no TOML" in faults(file)[0]


def test_every_setting_has_a_default_and_no_default_is_without_a_setting() -> None:
    # With a value missing or too many, loading fails: forbid_extra_keys, and no field has a default of its
    # own.
    assert isinstance(load_settings(), Settings)
    for section in attrs.fields(Settings):
        assert all(field.default is attrs.NOTHING for field in attrs.fields(section.type))
