"""The program: command line, composition, signals, service."""

__version__ = "0.1.0"
