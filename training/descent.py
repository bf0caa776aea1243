"""Fitting of the weights to results by logistic regression: a stochastic descent over the positions.

The model is the unfolded one of `engine.weights`: a cell's own part, the two small windows in it and its
single men add up. Each weight is a pair, opening and ending; the gradient goes to both by the stage of the
game. Steps are scaled per weight by the gradients it has met (Adagrad), and every weight is pulled towards
where it began, zero or the weights that the fit goes on from, as if that had been seen a number of times
before any position: rare contents keep the value that their parts, or earlier positions, give them.

Beside that sum stands the small net of `engine.evaluate`, learned by the same descent, without a pull: it
starts with small random numbers, because units that start alike stay alike.

The evaluation is the same for a board turned with its colours swapped, so the mirrored position of each
record is learned with it: no copy is made.
"""

import cython
from cython.cimports.engine.evaluate import (
    CELLS,
    FIRST_KING,
    NET_BIAS,
    NET_ENDING,
    NET_OPENING,
    NET_SIZE,
    STAGES,
    TERMS,
    TRITS,
    UNITS,
    WINDOWS,
    extract,
)
from cython.cimports.engine.evaluate import NET_SHIFT as SHIFT
from cython.cimports.engine.weights import SINGLES, SMALL, SMALL_CELLS, SMALL_WINDOWS
from cython.cimports.libc.math import exp, log, sqrt, sqrtf
from cython.cimports.libc.stdlib import calloc, free
from cython.cimports.rules.board import WHITE_TURN, Board
from cython.cimports.training.arena import Record

SMALL_START = cython.declare(cython.int, WINDOWS * CELLS)
SINGLES_START = cython.declare(cython.int, WINDOWS * CELLS + WINDOWS * SMALL_WINDOWS * SMALL_CELLS)
TERMS_START = cython.declare(
    cython.int, WINDOWS * CELLS + WINDOWS * SMALL_WINDOWS * SMALL_CELLS + WINDOWS * SINGLES
)
PAIRS = WINDOWS * CELLS + WINDOWS * SMALL_WINDOWS * SMALL_CELLS + WINDOWS * SINGLES + TERMS - FIRST_KING
"""Pairs of weights of the model; those of `engine.weights.PARTS`, in the same order."""

NET_WEIGHTS = NET_SIZE
"""Weights of the net: rows of its units, their bias, and what each unit counts in opening and ending."""

NET_FACTORS = NET_OPENING
"""The first of the latter."""

NET_SHIFT = SHIFT
"""Binary places of the net's sums below 1/1000 man."""

# Where the squared slopes of the rows begin; those of the net's other weights begin at 1. A row is seldom
# visited, so that its first steps may be longer.
NET_CALM = cython.declare(cython.float, 0.01)

PARTS_OF_PAIRS = {
    "cells": WINDOWS * CELLS,
    "small": WINDOWS * SMALL_WINDOWS * SMALL_CELLS,
    "singles": WINDOWS * SINGLES,
    "terms": TERMS - FIRST_KING,
}
"""The parts of the model in their order, and the pairs of each."""


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _add(touched: cython.pointer(Touched), pair: cython.int, value: cython.float) -> cython.void:
    touched.pairs[touched.count] = pair
    touched.values[touched.count] = value
    touched.count += 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _window(touched: cython.pointer(Touched), window: cython.int) -> cython.void:
    """List the pairs of one window's contents."""
    bit: cython.int
    own: cython.int = touched.features.own[window]
    other: cython.int = touched.features.other[window]
    kind: cython.int = window % WINDOWS
    sign: cython.float = 1 if window < WINDOWS else -1
    small: cython.int = SMALL_START + SMALL_WINDOWS * kind * SMALL_CELLS
    single: cython.int = SINGLES_START + kind * SINGLES
    _add(touched, kind * CELLS + TRITS[own] + 2 * TRITS[other], sign)
    _add(touched, small + SMALL[own] + 2 * SMALL[other], sign)
    _add(touched, small + SMALL_CELLS + SMALL[4096 + own] + 2 * SMALL[4096 + other], sign)
    for bit in range(12):
        if own >> bit & 1:
            _add(touched, single + bit, sign)
        elif other >> bit & 1:
            _add(touched, single + 12 + bit, sign)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _touch(record: cython.pointer(cython.const[Record]), touched: cython.pointer(Touched)) -> cython.void:
    """List the pairs that a position touches, and how often."""
    board: Board
    index: cython.int
    board.white_men = record.white & ~record.kings
    board.white_kings = record.white & record.kings
    board.black_men = record.black & ~record.kings
    board.black_kings = record.black & record.kings
    board.turn = record.turn
    extract(board, cython.address(touched.features))
    touched.count = 0
    for index in range(2 * WINDOWS):
        _window(touched, index)
    for index in range(touched.features.count):
        _add(
            touched,
            TERMS_START + touched.features.terms[index] - FIRST_KING,
            touched.features.values[index],
        )


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _loss(logit: cython.float, target: cython.float) -> cython.double:
    """Return the logistic loss; the exponential of a number below 0 cannot overflow."""
    size: cython.float = logit if logit > 0 else -logit
    return (logit + size) / 2 - target * logit + log(1 + exp(-size))


@cython.cclass
class Model:
    """The weights being fitted, in logits."""

    def __cinit__(self) -> None:
        """Start with zeros; the net then says nothing until `start_net` is called."""
        self.pairs = cython.cast(cython.pointer(Pair), calloc(PAIRS, cython.sizeof(Pair)))
        if self.pairs == cython.NULL:
            raise MemoryError("no memory for the weights")

    def __dealloc__(self) -> None:
        """Give the memory back."""
        free(self.pairs)

    def start_net(self, numbers: cython.const[cython.float][::1]) -> None:
        """Start the net with all of its `NET_WEIGHTS`: small random numbers, or what it was before."""
        index: cython.Py_ssize_t
        if numbers.shape[0] != NET_SIZE:
            raise ValueError(f"the net has {NET_SIZE} weights")
        for index in range(NET_SIZE):
            self.net[index] = numbers[index]

    def start_pairs(
        self, opening: cython.const[cython.float][::1], ending: cython.const[cython.float][::1]
    ) -> None:
        """Start with other pairs than zeros; ValueError if there are not `PAIRS` of them."""
        index: cython.Py_ssize_t
        pair: cython.pointer(Pair)
        if opening.shape[0] != PAIRS or ending.shape[0] != PAIRS:
            raise ValueError(f"there are {PAIRS} pairs of weights")
        for index in range(PAIRS):
            pair = self.pairs + index
            pair.opening = pair.first_opening = opening[index]
            pair.ending = pair.first_ending = ending[index]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def net_logit(
        self, record: cython.pointer(cython.const[Record]), touched: cython.pointer(Touched)
    ) -> cython.float:
        """Return what the net adds to the logit of white's chances, and note what its units say."""
        index: cython.int
        unit: cython.int
        row: cython.pointer(cython.float)
        total: cython.float = 0
        for unit in range(UNITS):
            touched.units[unit] = self.net[NET_BIAS + unit]
        for index in range(touched.features.inputs):
            row = cython.address(self.net[UNITS * touched.features.rows[index]])
            for unit in range(UNITS):
                touched.units[unit] += row[unit]
        for unit in range(UNITS):
            touched.units[unit] = max(touched.units[unit], 0)
            total += touched.units[unit] * (
                touched.early * self.net[NET_OPENING + unit] + touched.late * self.net[NET_ENDING + unit]
            )
        return total if record.turn == WHITE_TURN else -total

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def correct_net(
        self,
        record: cython.pointer(cython.const[Record]),
        touched: cython.pointer(Touched),
        error: cython.float,
        rate: cython.float,
    ) -> cython.void:
        """Move the net's weights against the error of a prediction."""
        index: cython.int
        unit: cython.int
        at: cython.int
        slopes: cython.float[32]
        if record.turn != WHITE_TURN:
            error = -error
        for unit in range(UNITS):
            slopes[unit] = 0
            if touched.units[unit] > 0:
                slopes[unit] = error * (
                    touched.early * self.net[NET_OPENING + unit] + touched.late * self.net[NET_ENDING + unit]
                )
            self._step(NET_OPENING + unit, error * touched.early * touched.units[unit], rate)
            self._step(NET_ENDING + unit, error * touched.late * touched.units[unit], rate)
            self._step(NET_BIAS + unit, slopes[unit], rate)
        for index in range(touched.features.inputs):
            at = UNITS * touched.features.rows[index]
            for unit in range(UNITS):
                self._step(at + unit, slopes[unit], rate)

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _step(self, at: cython.int, slope: cython.float, rate: cython.float) -> cython.void:
        self.net_squares[at] += slope * slope
        self.net[at] -= rate * slope / sqrtf((NET_CALM if at < NET_BIAS else 1) + self.net_squares[at])

    def weigh(self, records: cython.const[cython.uchar][::1], strengths: dict) -> None:
        """Set the pull: each pair as if its beginning had been seen `strengths[part]` times before."""
        index: cython.Py_ssize_t
        touched: Touched
        first: cython.pointer(cython.const[Record])
        positions: cython.Py_ssize_t = records.shape[0] // cython.sizeof(Record)
        strength: cython.float
        start: cython.Py_ssize_t = 0
        for index in range(PAIRS):
            self.pairs[index].prior = 0
        if positions:
            first = cython.cast(cython.pointer(cython.const[Record]), cython.address(records[0]))
            with cython.nogil:
                for index in range(positions):
                    _touch(first + index, cython.address(touched))
                    while touched.count:
                        touched.count -= 1
                        self.pairs[touched.pairs[touched.count]].prior += 1
        for part, size in PARTS_OF_PAIRS.items():
            strength = strengths[part]
            for index in range(start, start + size):
                if self.pairs[index].prior > 0:
                    self.pairs[index].prior = strength / self.pairs[index].prior
            start += size

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def predict(
        self, record: cython.pointer(cython.const[Record]), touched: cython.pointer(Touched)
    ) -> cython.void:
        """Find the logit of white's chances in a position, and what it depends on."""
        index: cython.int
        opening: cython.float = 0
        ending: cython.float = 0
        divisor: cython.int
        pair: cython.pointer(Pair)
        _touch(record, touched)
        for index in range(touched.count):
            pair = self.pairs + touched.pairs[index]
            opening += touched.values[index] * pair.opening
            ending += touched.values[index] * pair.ending
        touched.late = cython.cast(cython.float, touched.features.stage) / STAGES
        touched.early = 1 - touched.late
        touched.logit = opening * touched.early + ending * touched.late + self.net_logit(record, touched)
        divisor = touched.features.white_divisor if touched.logit > 0 else touched.features.black_divisor
        touched.late /= divisor
        touched.early /= divisor
        touched.logit /= divisor

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def correct(
        self, touched: cython.pointer(Touched), error: cython.float, rate: cython.float
    ) -> cython.void:
        """Move the weights against the error of a prediction."""
        index: cython.int
        slope: cython.float
        step: cython.float
        keep: cython.float
        weight: cython.float = touched.early * touched.early + touched.late * touched.late
        pair: cython.pointer(Pair)
        for index in range(touched.count):
            pair = self.pairs + touched.pairs[index]
            slope = error * touched.values[index]
            pair.squares += slope * slope * weight
            step = rate / sqrt(1 + pair.squares)
            # The pull is taken implicitly, so that a strong one cannot overshoot.
            keep = 1 / (1 + step * pair.prior)
            pair.opening -= step * slope * touched.early + pair.first_opening
            pair.opening = pair.opening * keep + pair.first_opening
            pair.ending -= step * slope * touched.late + pair.first_ending
            pair.ending = pair.ending * keep + pair.first_ending

    def learn(
        self,
        records: cython.const[cython.uchar][::1],
        targets: cython.const[cython.float][::1],
        rate: cython.float,
        net_rate: cython.float,
    ) -> float:
        """Learn from positions once, in their order; return the mean loss met on the way."""
        total: cython.double = 0
        error: cython.float
        index: cython.Py_ssize_t
        touched: Touched
        count: cython.Py_ssize_t = _count(records, targets)
        first: cython.pointer(cython.const[Record]) = cython.cast(
            cython.pointer(cython.const[Record]), cython.address(records[0])
        )
        with cython.nogil:
            for index in range(count):
                self.predict(first + index, cython.address(touched))
                total += _loss(touched.logit, targets[index])
                error = 1 / (1 + exp(-touched.logit)) - targets[index]
                self.correct_net(first + index, cython.address(touched), error, net_rate)
                self.correct(cython.address(touched), error, rate)
        return total / count

    def judge(
        self,
        records: cython.const[cython.uchar][::1],
        targets: cython.const[cython.float][::1],
        logits: object,
    ) -> float:
        """Return the mean loss on positions, and fill in their logits; nothing is learned."""
        total: cython.double = 0
        index: cython.Py_ssize_t
        touched: Touched
        into: cython.float[::1] = logits
        count: cython.Py_ssize_t = _count(records, targets)
        first: cython.pointer(cython.const[Record]) = cython.cast(
            cython.pointer(cython.const[Record]), cython.address(records[0])
        )
        if into.shape[0] != count:
            raise ValueError(f"{count} positions need as many logits")
        with cython.nogil:
            for index in range(count):
                self.predict(first + index, cython.address(touched))
                total += _loss(touched.logit, targets[index])
                into[index] = touched.logit
        return total / count

    def export_net(self, into: object) -> None:
        """Copy the net's weights into an array of floats; ValueError if it has another size."""
        index: cython.Py_ssize_t
        numbers: cython.float[::1] = into
        if numbers.shape[0] != NET_SIZE:
            raise ValueError(f"the net has {NET_SIZE} weights")
        for index in range(NET_SIZE):
            numbers[index] = self.net[index]

    def export(self, opening: object, ending: object) -> None:
        """Copy the weights into two arrays of floats; ValueError if they have another size."""
        index: cython.Py_ssize_t
        first: cython.float[::1] = opening
        second: cython.float[::1] = ending
        if first.shape[0] != PAIRS or second.shape[0] != PAIRS:
            raise ValueError(f"there are {PAIRS} pairs of weights")
        for index in range(PAIRS):
            first[index] = self.pairs[index].opening
            second[index] = self.pairs[index].ending


@cython.cfunc
@cython.exceptval(-1)
def _count(
    records: cython.const[cython.uchar][::1], targets: cython.const[cython.float][::1]
) -> cython.Py_ssize_t:
    """Return the number of positions; ValueError if there are none, or not as many targets."""
    count: cython.Py_ssize_t = records.shape[0] // cython.sizeof(Record)
    if count == 0 or targets.shape[0] != count:
        raise ValueError(f"{count} positions have {targets.shape[0]} targets")
    return count
