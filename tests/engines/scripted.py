"""A Hub engine whose every word is given: `scripted.py JSON`, for tests of those who drive engines.

JSON is an object of answers by command word. An answer is a list of lines; of a list of answers one after the
other is used, the last one again and again. The word "start" is answered before anything is read. A line that
begins with "!" is done instead of said:

    !exit N    end with a status                         !kill      end by SIGKILL
    !close     close the output and live on              !garbage   binary, and a line of 200,000 characters
    !hang      read on but never say a word again        !deaf      stop reading, too
    !flood N   write N megabytes of info lines           !stderr N  write N kilobytes to the standard error
    !child     start a child that lives for an hour, and say `child PID`
"""

import json
import os
import signal
import subprocess
import sys
from typing import Any

CHILD = "import time; time.sleep(3600)"
POLITE = {
    "hub": ["id name=Scripted version=1", "wait"],
    "init": ["ready"],
    "ping": ["pong"],
    "quit": ["!exit 0"],
}


class Script:
    """The answers, and what was used of them."""

    def __init__(self, answers: dict[str, Any]) -> None:
        """Add what every engine answers, unless the script says otherwise."""
        self.answers = {**POLITE, **answers}
        self.used: dict[str, int] = {}
        self.silent = False

    def answer(self, word: str) -> None:
        """Say or do what the script has for a command."""
        lines = self.answers.get(word, [])
        if lines and isinstance(lines[0], list):
            number = self.used.get(word, 0)
            self.used[word] = number + 1
            lines = lines[min(number, len(lines) - 1)]
        for line in lines:
            if line.startswith("!"):
                self.act(*line[1:].split())
            else:
                self.say(line.encode() + b"\n")

    def act(self, deed: str, number: str = "0") -> None:  # noqa: C901 - one case for each deed
        """Do something that no engine should."""
        match deed:
            case "exit":
                os._exit(int(number))
            case "kill":
                os.kill(os.getpid(), signal.SIGKILL)
            case "hang":
                self.silent = True
            case "deaf":
                signal.pause()
            case "close":
                os.close(1)
            case "flood":
                line = b"info depth=9 score=0.50 nodes=123456 time=1.000 nps=1.2 pv=" + b"32-28x" * 8 + b"\n"
                for _ in range(int(number)):
                    self.say(line * ((1 << 20) // len(line)))
            case "garbage":
                self.say(bytes(range(256)) * 4 + b'\n" = = done\n' + b"z" * 200_000 + b"\n")
            case "child":
                child = subprocess.Popen([sys.executable, "-S", "-c", CHILD], stdout=subprocess.DEVNULL)
                self.say(b"child %d\n" % child.pid)
            case "stderr":
                os.write(2, b"e" * 1024 * int(number) + b"\nlast words\n")

    def say(self, data: bytes) -> None:
        """Write whole."""
        while data and not self.silent:
            data = data[os.write(1, data) :]


def main() -> None:
    """Follow the script until `quit` or the end of input."""
    script = Script(json.loads(sys.argv[1]))
    script.answer("start")
    for line in sys.stdin:
        words = line.split()
        if words:
            script.answer(words[0])


if __name__ == "__main__":
    main()
