"""Fitting of the evaluation's weights to results by logistic regression: a stochastic descent over the positions.

The model is the unfolded one of `engine.weights`: a cell's own part, the two small windows in it and its single men add
up. Each weight is a pair, opening and ending; the gradient goes to both by the stage of the game. Steps are scaled per
weight by the gradients it has met (Adagrad), and every weight is pulled towards zero as if that had been seen a number
of times before any position, so that rare contents keep the value that their parts give them.

The evaluation is the same for a board turned with its colours swapped, so the mirrored position of each record is
learned with it: no copy is made.
"""

import cython
from cython.cimports.engine.evaluate import (
    CELLS,
    FIRST_KING,
    STAGES,
    TERMS,
    TRITS,
    WINDOWS,
    Features,
    extract,
)
from cython.cimports.engine.weights import SINGLES, SMALL, SMALL_CELLS, SMALL_WINDOWS
from cython.cimports.libc.math import exp, log, sqrt
from cython.cimports.libc.stdlib import calloc, free
from cython.cimports.rules.board import Board
from cython.cimports.training.arena import Record

SMALL_START = cython.declare(cython.int, WINDOWS * CELLS)
SINGLES_START = cython.declare(cython.int, WINDOWS * CELLS + WINDOWS * SMALL_WINDOWS * SMALL_CELLS)
TERMS_START = cython.declare(
    cython.int, WINDOWS * CELLS + WINDOWS * SMALL_WINDOWS * SMALL_CELLS + WINDOWS * SINGLES
)
PAIRS = WINDOWS * CELLS + WINDOWS * SMALL_WINDOWS * SMALL_CELLS + WINDOWS * SINGLES + TERMS - FIRST_KING
"""Pairs of weights of the model; those of `engine.weights.PARTS`, in the same order."""

PARTS_OF_PAIRS = {
    "cells": WINDOWS * CELLS,
    "small": WINDOWS * SMALL_WINDOWS * SMALL_CELLS,
    "singles": WINDOWS * SINGLES,
    "terms": TERMS - FIRST_KING,
}
"""The parts of the model in their order, and the pairs of each."""

# Pairs that one position touches at most: 8 windows with a cell, two small ones and twelve men, and the further terms.
MOST_TOUCHED = cython.declare(cython.int, 8 * 15 + 128)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _touched(
    record: cython.pointer(cython.const[Record]),
    indices: cython.p_int,
    values: cython.p_float,
    found: cython.pointer(Features),
) -> cython.int:
    """List the pairs that a position touches, and how often; return their number."""
    board: Board
    window: cython.int
    kind: cython.int
    count: cython.int = 0
    own: cython.int
    other: cython.int
    bit: cython.int
    sign: cython.float
    board.white_men = record.white & ~record.kings
    board.white_kings = record.white & record.kings
    board.black_men = record.black & ~record.kings
    board.black_kings = record.black & record.kings
    board.turn = record.turn
    extract(board, found)
    for window in range(8):
        sign = 1 if window < 4 else -1
        kind = window & 3
        own, other = found.own[window], found.other[window]
        indices[count] = kind * CELLS + TRITS[own] + 2 * TRITS[other]
        indices[count + 1] = SMALL_START + 2 * kind * SMALL_CELLS + SMALL[own] + 2 * SMALL[other]
        indices[count + 2] = (
            SMALL_START + (2 * kind + 1) * SMALL_CELLS + SMALL[4096 + own] + 2 * SMALL[4096 + other]
        )
        values[count] = values[count + 1] = values[count + 2] = sign
        count += 3
        for bit in range(12):
            if own >> bit & 1:
                indices[count] = SINGLES_START + kind * SINGLES + bit
                values[count] = sign
                count += 1
            elif other >> bit & 1:
                indices[count] = SINGLES_START + kind * SINGLES + 12 + bit
                values[count] = sign
                count += 1
    for bit in range(found.count):
        indices[count] = TERMS_START + found.terms[bit] - FIRST_KING
        values[count] = found.values[bit]
        count += 1
    return count


@cython.cclass
class Model:
    """The weights being fitted, in logits."""

    def __cinit__(self) -> None:
        """Start with zeros."""
        self.pairs = cython.cast(cython.pointer(Pair), calloc(PAIRS, cython.sizeof(Pair)))  # noqa: F821
        if self.pairs == cython.NULL:
            raise MemoryError("no memory for the weights")

    def __dealloc__(self) -> None:
        """Give the memory back."""
        free(self.pairs)

    def weigh(self, records: cython.const[cython.uchar][::1], strengths: dict) -> None:
        """Set the pull towards zero: each pair as if zero had been seen `strengths[part]` times before."""
        index: cython.Py_ssize_t
        count: cython.int
        touched: cython.int[248]
        values: cython.float[248]
        found: Features
        first: cython.pointer(cython.const[Record]) = cython.cast(
            cython.pointer(cython.const[Record]), cython.address(records[0])
        )
        positions: cython.Py_ssize_t = records.shape[0] // cython.sizeof(Record)
        strength: cython.float
        start: cython.Py_ssize_t = 0
        for index in range(PAIRS):
            self.pairs[index].prior = 0
        with cython.nogil:
            for index in range(positions):
                count = _touched(first + index, touched, values, cython.address(found))
                while count:
                    count -= 1
                    self.pairs[touched[count]].prior += 1
        for part, size in PARTS_OF_PAIRS.items():
            strength = strengths[part]
            for index in range(start, start + size):
                if self.pairs[index].prior > 0:
                    self.pairs[index].prior = strength / self.pairs[index].prior
            start += size

    def loss_on(self, records, targets, count, rate, logits):
        """Go once over positions; return the mean loss, learn if `rate` is not 0, note the logits if wanted."""
        touched: cython.int[248]
        values: cython.float[248]
        found: Features
        index: cython.Py_ssize_t
        size: cython.int
        i: cython.int
        opening: cython.float
        ending: cython.float
        early: cython.float
        late: cython.float
        logit: cython.float
        chance: cython.float
        error: cython.float
        slope: cython.float
        step: cython.float
        keep: cython.float
        total: cython.double = 0
        pair: cython.pointer(Pair)  # noqa: F821
        first: cython.pointer(cython.const[Record]) = cython.cast(
            cython.pointer(cython.const[Record]), records
        )
        for index in range(count):
            size = _touched(first + index, touched, values, cython.address(found))
            opening = ending = 0
            for i in range(size):
                pair = self.pairs + touched[i]
                opening += values[i] * pair.opening
                ending += values[i] * pair.ending
            late = cython.cast(cython.float, found.stage) / STAGES
            early = 1 - late
            logit = opening * early + ending * late
            if logit > 0:
                early /= found.white_divisor
                late /= found.white_divisor
                logit /= found.white_divisor
            else:
                early /= found.black_divisor
                late /= found.black_divisor
                logit /= found.black_divisor
            if logits != cython.NULL:
                logits[index] = logit
            # log(1 + exp(x)) of the logit's absolute value cannot overflow.
            total += (logit if logit > 0 else 0) - targets[index] * logit
            total += log(1 + exp(-logit if logit > 0 else logit))
            if rate == 0:
                continue
            chance = 1 / (1 + exp(-logit))
            error = chance - targets[index]
            for i in range(size):
                pair = self.pairs + touched[i]
                slope = error * values[i]
                step = slope * slope * (early * early + late * late)
                pair.squares += step
                step = rate / sqrt(1 + pair.squares)
                # The pull is taken implicitly, so that a strong one cannot overshoot.
                keep = 1 / (1 + step * pair.prior)
                pair.opening = (pair.opening - step * slope * early) * keep
                pair.ending = (pair.ending - step * slope * late) * keep
        return total / count if count else 0

    def learn(
        self,
        records: cython.const[cython.uchar][::1],
        targets: cython.const[cython.float][::1],
        rate: cython.float,
    ) -> float:
        """Learn from positions once, in their order; return the mean loss met on the way."""
        loss: cython.double
        count: cython.Py_ssize_t = self._count(records, targets)
        if count == 0:
            return 0.0
        with cython.nogil:
            loss = self.loss_on(
                cython.address(records[0]), cython.address(targets[0]), count, rate, cython.NULL
            )
        return loss

    def judge(
        self,
        records: cython.const[cython.uchar][::1],
        targets: cython.const[cython.float][::1],
        logits: cython.float[::1],
    ) -> float:
        """Return the mean loss on positions, and fill in their logits; nothing is learned."""
        loss: cython.double
        count: cython.Py_ssize_t = self._count(records, targets)
        if count == 0 or logits.shape[0] != count:
            raise ValueError(f"{count} positions need as many logits")
        with cython.nogil:
            loss = self.loss_on(
                cython.address(records[0]), cython.address(targets[0]), count, 0, cython.address(logits[0])
            )
        return loss

    def export(self, opening: cython.float[::1], ending: cython.float[::1]) -> None:
        """Copy the weights out."""
        index: cython.Py_ssize_t
        for index in range(PAIRS):
            opening[index] = self.pairs[index].opening
            ending[index] = self.pairs[index].ending

    def _count(
        self, records: cython.const[cython.uchar][::1], targets: cython.const[cython.float][::1]
    ) -> cython.Py_ssize_t:
        count: cython.Py_ssize_t = records.shape[0] // cython.sizeof(Record)
        if targets.shape[0] != count:
            raise ValueError(f"{count} positions have {targets.shape[0]} targets")
        return count
