# Fitting of the evaluation's weights: see descent.py.

cdef struct Pair:
    float opening
    float ending
    float squares  # sum of the squared gradients so far
    float prior  # pull towards zero at each visit

cdef class Model:
    cdef Pair *pairs
    cdef double loss_on(self, const unsigned char *records, const float *targets, Py_ssize_t count, float rate, float *logits) noexcept nogil
