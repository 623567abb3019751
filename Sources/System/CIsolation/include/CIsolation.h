#pragma once
#include <stddef.h>
#include <stdint.h>

/// Runs a function of a library that damaged input may crash, or keep busy without end, in a process of its own.

enum isolated_end {
  ISOLATED_DONE = 0,   ///< What `status` says is the function's own.
  ISOLATED_FAILED = 1, ///< It crashed, or no process could be had.
  ISOLATED_LATE = 2,   ///< It took too much time, or memory.
  ISOLATED_LONG = 3    ///< It wrote too much.
};

typedef struct {
  size_t output;    ///< Bytes that it may write.
  size_t memory;    ///< Bytes that it may take beside what this process has.
  unsigned seconds; ///< On the wall.
} isolated_limits;

/// What a body has is released with its process. A fuzzer, which has to see what it does, is built with bodies that run in its own
/// process: these release what they have.
#ifdef ISOLATED_IN_PROCESS
enum { ISOLATED_RELEASES = 1 };
#else
enum { ISOLATED_RELEASES = 0 };
#endif

/// The body of the process: writes its result by `isolated_write` and returns a status below 100. All libraries have to be loaded
/// before, and nothing may be waited for: other threads are not there.
typedef int isolated_body(void *context, int out);

/// - Parameters:
///   - bytes: The bytes written, released with `free`; NULL unless it is done.
/// - Returns: one of `isolated_end`.
int isolated_run(isolated_body *body, void *context, isolated_limits limits, int *status, uint8_t **bytes,
                 size_t *count);

/// Writes to the output of an isolated process. Returns 0 where nobody reads it any more.
int isolated_write(int out, const void *bytes, size_t size);
