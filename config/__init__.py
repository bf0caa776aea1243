"""The settings of the program: schema, defaults, loader."""
