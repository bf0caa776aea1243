"""Speed beside peers: each module prints its figures, run as `python -m benchmarks.NAME`."""
