# Fitting of the evaluation's weights: see descent.py.

from engine.evaluate cimport Features
from training.arena cimport Record

cdef struct Pair:
    float opening
    float ending
    float squares  # sum of the squared gradients so far
    float prior  # pull towards zero at each visit

cdef struct Touched:
    int count  # pairs that a position touches
    int pairs[248]  # 8 windows with a cell, two small windows and 12 men, and 128 further terms
    float values[248]
    float early  # what the opening's and the ending's weights count for the logit
    float late
    float logit
    Features features

cdef class Model:
    cdef Pair *pairs
    cdef void predict(self, const Record *record, Touched *touched) noexcept nogil
    cdef void correct(self, Touched *touched, float error, float rate) noexcept nogil
