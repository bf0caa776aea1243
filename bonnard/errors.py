"""The two ways in which a command ends badly."""


class UsageError(Exception):
    """Wrong use: exit code 2. The message is one line that names what was wrong and what is accepted."""


class FailedError(Exception):
    """The command could not do its work: exit code 1. The message is one line."""
