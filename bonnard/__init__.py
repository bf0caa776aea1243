"""The program: command line, composition, signals, service."""
