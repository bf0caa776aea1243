# Types of the module that kernels import: Cython ships them under another name.

from Cython.Shadow import *  # noqa: F403
