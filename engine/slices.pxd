# How long a thread keeps its processor: see slices.py.

from libc.stdint cimport uint64_t

cdef extern from *:
    """
    #include <stdint.h>
    #ifdef __linux__
    #include <sys/syscall.h>
    #include <unistd.h>
    /* glibc has neither function, nor, for long, the struct: sched_setattr(2). Niceness and all else are
       written back as they were read; a policy that has no slices is left alone. */
    static int bonnard_ask_for_slices(uint64_t nanoseconds) {
        struct {
            uint32_t size, policy;
            uint64_t flags;
            int32_t nice;
            uint32_t priority;
            uint64_t runtime, deadline, period;
        } attributes = {0};
        if (syscall(SYS_sched_getattr, 0, &attributes, sizeof attributes, 0) != 0 || attributes.policy != 0)
            return 0;
        attributes.runtime = nanoseconds;
        return syscall(SYS_sched_setattr, 0, &attributes, 0) == 0;
    }
    #else
    static int bonnard_ask_for_slices(uint64_t nanoseconds) { (void)nanoseconds; return 0; }
    #endif
    """
    bint slices "bonnard_ask_for_slices"(uint64_t nanoseconds) noexcept nogil
