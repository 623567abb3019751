#include "fork_guard.h"
#include <pthread.h>
#include <stdatomic.h>

enum { UNUSED, USED, FORKED };
static _Atomic int state = UNUSED;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void begin_child(void) {
  if (atomic_load_explicit(&state, memory_order_relaxed) == USED) {
    atomic_store_explicit(&state, FORKED, memory_order_relaxed);
  }
}

static void watch(void) { pthread_atfork(NULL, NULL, begin_child); }

int ctypeset_enter(void) {
  // Before anything is waited for: in a child another thread of the parent may have been inside.
  if (ctypeset_is_forked()) return 0;
  pthread_once(&once, watch);
  int expected = UNUSED;
  atomic_compare_exchange_strong(&state, &expected, USED);
  return expected != FORKED;
}

int ctypeset_is_forked(void) { return atomic_load_explicit(&state, memory_order_relaxed) == FORKED; }
