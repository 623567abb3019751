#include "CMemory.h"

#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
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

void cm_use_one_heap(size_t step) {
#ifdef __GLIBC__
  mallopt(M_ARENA_MAX, 1);
  mallopt(M_TOP_PAD, (int)step);
#else
  (void)step;
#endif
}

void cm_return_free_memory(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}
