"""The search engine: compiled kernels and their Python face."""
