"""The game of International draughts, and the only notion of legality."""
