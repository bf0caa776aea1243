"""Our engine on stdin and stdout, as a Hub 2 engine: `bonnard hub`.

Blocking and without Trio, so that it starts as fast as a C++ engine: the main thread reads, a thread
searches.
"""

import argparse


def main(arguments: list[str]) -> int:
    """Serve until `quit` or the end of input; `arguments` are those after `bonnard hub`.

    Returns the exit code.
    """
    parser = argparse.ArgumentParser(prog="bonnard hub")
    parser.parse_args(arguments)
    raise NotImplementedError
