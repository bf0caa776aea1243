# The kernel's Python face: see tree.py.

from engine.worker cimport Shared, Worker

cdef class Memory:
    cdef Shared shared

cdef class Tree:
    cdef Worker *worker
    cdef readonly Memory memory
