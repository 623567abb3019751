#pragma once
#include <stddef.h>

// Has the allocator keep little free memory: blocks of `block` bytes and more go back to the system at once, and at most `rest`
// free bytes stay at the end of a heap; at most `arenas` heaps, as many as it will for 0. Does nothing where the allocator is
// not glibc's.
void cm_bound_free_memory(size_t block, size_t rest, int arenas);

// Has the threads share `count` heaps. The first one grows by `step` bytes at a time; `span` more bytes of it, a multiple of 2 MiB, are
// in large pages of the system where it has them: a small page costs a fault when it is first touched, which takes longer than most
// that is done with it. At most `span` and `rest` free bytes stay at the end of a heap. Does nothing where the allocator is not
// glibc's.
void cm_use_heaps(int count, size_t step, size_t span, size_t rest);

// Has the heap of the calling thread begin with `span` bytes in large pages, if there are several: a heap that is not the first grows
// by single small pages, each with a call of the system. To be called before the thread does anything else.
void cm_prepare_thread(void);

// Gives free pages inside of the heaps back to the system. Does nothing where the allocator is not glibc's.
void cm_return_free_memory(void);
