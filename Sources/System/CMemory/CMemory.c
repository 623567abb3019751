#define _GNU_SOURCE
#include "CMemory.h"

#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>
#endif

void cm_bound_free_memory(size_t block, size_t rest, int arenas) {
#ifdef __GLIBC__
  if (arenas > 0) mallopt(M_ARENA_MAX, arenas);
  mallopt(M_MMAP_THRESHOLD, (int)block);
  mallopt(M_TRIM_THRESHOLD, (int)rest);
#else
  (void)block;
  (void)rest;
  (void)arenas;
#endif
}

#ifdef __GLIBC__
// Has the heap go on at an address where large pages of the system begin, and asks for them. Bytes between the old end of the heap
// and the new one are addresses only. The system may have no large pages to give; ordinary ones come then.
static void ask_for_large_pages(size_t span, size_t step) {
#if __GLIBC_PREREQ(2, 33)
  const size_t small = 4096, large = 2 << 20;
  // Whole pages: where the system has no more room behind the heap, the C library goes on elsewhere only from the end of a page.
  size_t room = (mallinfo2().keepcost / small + 2) * small;
  uintptr_t end = ((uintptr_t)sbrk(0) + small - 1) / small * small;
  uintptr_t start = (end + room + 2 * small + large - 1) / large * large;
  if (brk((void *)(start - room - 2 * small)) != 0) return;
  mallopt(M_TOP_PAD, (int)(span + 2 * small));
  // Volatile, since compilers leave out blocks that nobody uses. It ends before the large pages: one that is touched in part before
  // it is asked for stays in small pieces.
  void *volatile block = malloc(room);
  free(block);
  madvise((void *)start, span, MADV_HUGEPAGE);
  mallopt(M_TOP_PAD, (int)step);
#endif
}
#endif

void cm_use_one_heap(size_t step, size_t span, size_t rest) {
#ifdef __GLIBC__
  mallopt(M_ARENA_MAX, 1);
  mallopt(M_TRIM_THRESHOLD, (int)(span + rest));
  mallopt(M_TOP_PAD, (int)step);
  if (span > 0) ask_for_large_pages(span, step);
#else
  (void)step;
  (void)span;
  (void)rest;
#endif
}

void cm_return_free_memory(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}
