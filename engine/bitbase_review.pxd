# Review of stored bitbase tables: see bitbase_review.py.

from engine.bitbase cimport Index

cdef struct Review:
    Index won
    Index drawn
    Index lost
    Index wrong
    int longest
