/// Clocks.
package enum Clock {
  /// Nanoseconds of processor time of this thread.
  package static var threadTime: UInt64 { read(CLOCK_THREAD_CPUTIME_ID) }
  /// Nanoseconds of processor time of the process.
  package static var processTime: UInt64 { read(CLOCK_PROCESS_CPUTIME_ID) }
  /// Nanoseconds of a clock on the wall that never goes back.
  package static var wallTime: UInt64 { read(CLOCK_MONOTONIC) }

  private static func read(_ clock: clockid_t) -> UInt64 {
    var time = timespec()
    unsafe clock_gettime(clock, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
