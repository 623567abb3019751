#define _GNU_SOURCE
#include "CMemory.h"

#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>
#endif

#ifdef __GLIBC__
// Bytes of a block that has pages of its own, as the C library begins.
static size_t mapped_block = 128 << 10;
#endif

void cm_bound_free_memory(size_t block, size_t rest, int arenas) {
#ifdef __GLIBC__
  if (arenas > 0) mallopt(M_ARENA_MAX, arenas);
  mallopt(M_MMAP_THRESHOLD, (int)block);
  mapped_block = block;
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

#ifdef __GLIBC__
static size_t thread_span;
#endif

void cm_use_heaps(int count, size_t step, size_t span, size_t rest) {
#ifdef __GLIBC__
  mallopt(M_ARENA_MAX, count);
  mallopt(M_TRIM_THRESHOLD, (int)(span + rest));
  mallopt(M_TOP_PAD, (int)step);
  if (span > 0) ask_for_large_pages(span, step);
  thread_span = count > 1 ? span : 0;
#else
  (void)count;
  (void)step;
  (void)span;
  (void)rest;
#endif
}

void cm_prepare_thread(void) {
#ifdef __GLIBC__
  const size_t large = 2 << 20;
  if (thread_span == 0) return;
  // One block, so that nothing between its ends is touched before the system is asked for large pages there. Volatile, since compilers
  // leave out blocks that nobody uses.
  mallopt(M_MMAP_THRESHOLD, (int)(thread_span + large));
  char *volatile block = malloc(thread_span);
  if (block != NULL) {
    uintptr_t start = ((uintptr_t)block + large) / large * large, end = ((uintptr_t)block + thread_span) / large * large;
    if (start < end) madvise((void *)start, end - start, MADV_HUGEPAGE);
  }
  free(block);
  mallopt(M_MMAP_THRESHOLD, (int)mapped_block);
#endif
}

void cm_return_free_memory(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}
