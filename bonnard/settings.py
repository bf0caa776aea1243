"""The settings of a command, and the logging that they ask for."""

import os
from collections.abc import Mapping
from pathlib import Path

from bonnard.log import set_up_logging
from config.loader import load_settings
from config.schema import Settings


def read_settings(file: Path | None, flags: Mapping[str, object]) -> Settings:
    """Return the settings from defaults, `file`, environment and `flags`; SettingsError tells all faults."""
    settings = load_settings(file, os.environ, flags)
    set_up_logging(settings.log.level, settings.log.format)
    return settings
