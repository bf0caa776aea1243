# Fitting of the evaluation's weights: see descent.py.

from engine.evaluate cimport NET_SIZE, UNITS, Features
from training.arena cimport Record

cdef struct Pair:
    float opening
    float ending
    float squares  # sum of the squared gradients so far
    float prior  # pull at each visit towards where the pair began
    float first_opening  # there: zero, or earlier weights
    float first_ending

cdef struct Touched:
    int count  # pairs that a position touches
    int pairs[248]  # 8 windows with a cell, two small windows and 12 men, and 128 further terms
    float values[248]
    float units[UNITS]  # what comes out of the net's units
    float early  # what the opening's and the ending's weights count for the logit
    float late
    float logit
    Features features

cdef class Model:
    cdef Pair *pairs
    cdef float net[NET_SIZE]  # in the order of the table's net: rows, bias, factors
    cdef float net_squares[NET_SIZE]
    cdef void predict(self, const Record *record, Touched *touched) noexcept nogil
    cdef void correct(self, Touched *touched, float error, float rate) noexcept nogil
    cdef float net_logit(self, const Record *record, Touched *touched) noexcept nogil
    cdef void correct_net(self, const Record *record, Touched *touched, float error, float rate) noexcept nogil
    cdef void _step(self, int at, float slope, float rate) noexcept nogil
