"""Games and matches between players: the referee, the runner, the store, statistics."""
