"""Lines are written one by one for a reader that reads, and at once for one that does not."""

import os
import select
import threading
import time

from hub.output import PATIENCE, PacedOutput


def test_a_reader_by_select_and_buffer_sees_every_line() -> None:
    """As py-draughts reads: a line that is buffered together with another one is not seen by select."""
    reading, writing = os.pipe()
    output = PacedOutput(writing)
    lines = [f"line {number}" for number in range(200)]
    seen: list[str] = []

    def read() -> None:
        with open(reading) as buffered:  # noqa: PTH123 - a descriptor
            while len(seen) < len(lines) and select.select([buffered], [], [], 2.0)[0]:
                seen.append(buffered.readline().strip())

    reader = threading.Thread(target=read)
    reader.start()
    for line in lines:
        output.write(line)
    reader.join()
    os.close(writing)
    assert seen == lines


def test_a_reader_that_is_late_gets_everything_and_is_waited_for_once() -> None:
    reading, writing = os.pipe()
    output = PacedOutput(writing)
    began = time.monotonic()
    for number in range(100):
        output.write(str(number))
    assert PATIENCE <= time.monotonic() - began < 20 * PATIENCE
    assert os.read(reading, 1 << 16).split() == [b"%d" % number for number in range(100)]
    os.close(reading)
    output.write("to nobody")
    os.close(writing)
    output.write("from nowhere")
