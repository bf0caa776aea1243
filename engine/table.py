"""The transposition table: 16-byte entries in 64-byte buckets, shared by all threads without a lock.

An entry is two words; the first is the key XOR the second, so that an entry half written by another thread
matches no key (the lockless scheme of Hyatt and Mann). Both are read and written as relaxed atomics.
"""

import cython
from cython.cimports.libc.stdint import int16_t, uint64_t


def probe(table, key, found):
    """Fill `found` and return True if the table knows `key`."""
    bucket: cython.pointer(Entry) = table.entries + 4 * (key & table.mask)
    i: cython.int
    data: uint64_t
    for i in range(4):
        data = load(cython.address(bucket[i].data), RELAXED)
        if load(cython.address(bucket[i].check), RELAXED) ^ data == key and data != 0:
            found.move = data & 0xFFFF
            found.score = cython.cast(int16_t, data >> 16)
            found.depth = (data >> 48) & 0xFF
            found.bound = (data >> 56) & 3
            return True
    return False


def record(table, key, move, score, depth, bound):
    """Store a result in the entry of this key, else over the entry of the bucket that is worth least.

    Worth is depth, less for each search that passed since the entry was made. A known move is kept when none
    comes.
    """
    bucket: cython.pointer(Entry) = table.entries + 4 * (key & table.mask)
    i: cython.int
    best: cython.int = 0
    worth: cython.int
    least: cython.int = 1 << 20
    data: uint64_t
    for i in range(4):
        data = load(cython.address(bucket[i].data), RELAXED)
        if load(cython.address(bucket[i].check), RELAXED) ^ data == key:
            best = i
            if move == 0:
                move = data & 0xFFFF
            break
        worth = cython.cast(cython.int, (data >> 48) & 0xFF)
        worth -= 8 * cython.cast(cython.int, (table.age - (data >> 58)) & 63)
        if data == 0:
            worth = -(1 << 20)
        if worth < least:
            least = worth
            best = i
    data = (
        cython.cast(uint64_t, move)
        | (cython.cast(uint64_t, score & 0xFFFF) << 16)
        | (cython.cast(uint64_t, depth) << 48)
        | (cython.cast(uint64_t, bound) << 56)
        | (table.age << 58)
    )
    store(cython.address(bucket[best].check), key ^ data, RELAXED)
    store(cython.address(bucket[best].data), data, RELAXED)


def allocate(table, megabytes):
    """Give the table the largest power-of-two size within `megabytes`; False if there is no memory."""
    buckets: uint64_t = 1 << 14
    while 2 * buckets * 64 <= cython.cast(uint64_t, megabytes) << 20:
        buckets *= 2
    table.entries = cython.cast(cython.pointer(Entry), table_memory(buckets * 64))
    table.mask = buckets - 1
    table.age = 0
    return table.entries != cython.NULL


def clear(table):
    """Forget everything."""
    zero_memory(table.entries, (table.mask + 1) * 64)
    table.age = 0


def release(table):
    """Give the memory back."""
    free_memory(table.entries, (table.mask + 1) * 64)
    table.entries = cython.NULL
