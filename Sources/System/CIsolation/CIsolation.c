#define _GNU_SOURCE
#include "CIsolation.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int isolated_write(int out, const void *bytes, size_t size) {
  const uint8_t *at = bytes;
  while (size > 0) {
    ssize_t written = write(out, at, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return 0;
    at += written;
    size -= (size_t)written;
  }
  return 1;
}

#ifdef ISOLATED_IN_PROCESS
/// Time and memory are the fuzzer's to bound.
int isolated_run(isolated_body *body, void *context, isolated_limits limits, int *status, uint8_t **bytes,
                 size_t *count) {
  *bytes = NULL;
  *count = 0;
  *status = 0;
  int out = memfd_create("isolated", MFD_CLOEXEC);
  if (out < 0) return ISOLATED_FAILED;
  *status = body(context, out);
  size_t size = (size_t)lseek(out, 0, SEEK_END);
  int end = size > limits.output ? ISOLATED_LONG : ISOLATED_DONE;
  if (end == ISOLATED_DONE && !(*bytes = malloc(size + 1))) end = ISOLATED_FAILED;
  while (end == ISOLATED_DONE && *count < size) {
    ssize_t got = pread(out, *bytes + *count, size - *count, (off_t)*count);
    if (got <= 0) break;
    *count += (size_t)got;
  }
  close(out);
  return end;
}
#else
static void limit(int resource, rlim_t value) {
  struct rlimit limits = {value, value};
  setrlimit(resource, &limits);
}

/// Bytes of address space that this process has.
static size_t address_space(void) {
  unsigned long pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (!file) return 0;
  if (fscanf(file, "%lu", &pages) != 1) pages = 0;
  fclose(file);
  return pages * (size_t)sysconf(_SC_PAGESIZE);
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/// Collects what the process writes until it ends.
static int collect(int in, isolated_limits limits, uint8_t **bytes, size_t *count) {
  size_t capacity = 1 << 16;
  double end = now() + limits.seconds;
  *count = 0;
  *bytes = malloc(capacity);
  while (*bytes) {
    struct pollfd descriptor = {.fd = in, .events = POLLIN};
    double left = end - now();
    if (left <= 0) return ISOLATED_LATE;
    int ready = poll(&descriptor, 1, (int)(left * 1000) + 1);
    if (ready < 0 && errno == EINTR) continue;
    if (ready == 0) return ISOLATED_LATE;
    if (*count == capacity) {
      uint8_t *larger = realloc(*bytes, capacity * 2);
      if (!larger) return ISOLATED_LONG;
      *bytes = larger;
      capacity *= 2;
    }
    ssize_t got = read(in, *bytes + *count, capacity - *count);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return ISOLATED_DONE;
    *count += (size_t)got;
    if (*count > limits.output) return ISOLATED_LONG;
  }
  return ISOLATED_LONG;
}

/// How a process ended, in memory that it shares with the one that waits for it. What the kernel says of it is no use: a program that
/// ignores SIGCHLD, or whose threads wait for any child, takes that away.
typedef struct {
  _Atomic int end;    ///< One of `isolated_end`; `ISOLATED_FAILED` until it is told otherwise.
  _Atomic int status; ///< Of the body.
} outcome;

static outcome *told;

static void tell_late(int signal) {
  (void)signal;
  told->end = ISOLATED_LATE;
  _exit(1);
}

int isolated_run(isolated_body *body, void *context, isolated_limits limits, int *status, uint8_t **bytes,
                 size_t *count) {
  *bytes = NULL;
  *count = 0;
  *status = 0;
  outcome *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) return ISOLATED_FAILED;
  shared->end = ISOLATED_FAILED;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    munmap(shared, sizeof *shared);
    return ISOLATED_FAILED;
  }
  size_t space = address_space() + limits.memory;
  pid_t child = fork();
  if (child == 0) {
    // Whoever handles crashes in this process has nothing to tell of those.
    for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
    told = shared;
    signal(SIGXCPU, tell_late);
    limit(RLIMIT_AS, space);
    // The second limit kills what does not answer to the first.
    struct rlimit time = {limits.seconds, limits.seconds + 1};
    setrlimit(RLIMIT_CPU, &time);
    limit(RLIMIT_CORE, 0);
    int quiet = open("/dev/null", O_WRONLY);
    if (quiet >= 0) {
      dup2(quiet, 1);
      dup2(quiet, 2);
    }
    shared->status = body(context, ends[1]);
    shared->end = ISOLATED_DONE;
    _exit(0);
  }
  close(ends[1]);
  int end = child < 0 ? ISOLATED_FAILED : collect(ends[0], limits, bytes, count);
  close(ends[0]);
  if (child > 0) {
    // It holds its end of the pipe, so the id is still its own.
    if (end != ISOLATED_DONE) kill(child, SIGKILL);
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {}
    // It has closed its end by ending.
    if (end == ISOLATED_DONE) end = shared->end;
    if (end == ISOLATED_DONE) *status = shared->status;
  }
  munmap(shared, sizeof *shared);
  if (end != ISOLATED_DONE) {
    free(*bytes);
    *bytes = NULL;
    *count = 0;
  }
  return end;
}
#endif
