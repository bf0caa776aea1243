"""How the engine learns: self-play, fitting, bitbases."""
