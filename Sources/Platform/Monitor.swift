/// A lock with a condition to wait for.
@safe package final class Monitor: @unchecked Sendable {
  // The C objects are made for use from all threads and are never moved.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  package init() {
    unsafe pthread_mutex_init(mutex, nil)
    #if canImport(Darwin)
      pthread_cond_init(condition, nil)
    #else
      // Deadlines are of the clock that is never set.
      var attributes = pthread_condattr_t()
      unsafe pthread_condattr_init(&attributes)
      unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
      unsafe pthread_cond_init(condition, &attributes)
      unsafe pthread_condattr_destroy(&attributes)
    #endif
  }
  deinit {
    unsafe pthread_cond_destroy(condition)
    unsafe pthread_mutex_destroy(mutex)
    unsafe condition.deallocate()
    unsafe mutex.deallocate()
  }

  package func lock() { unsafe pthread_mutex_lock(mutex) }
  package func unlock() { unsafe pthread_mutex_unlock(mutex) }

  /// Gives up the lock until another thread signals.
  package func wait() { unsafe pthread_cond_wait(condition, mutex) }

  /// Waits at most so many milliseconds, whatever is done to the time of day.
  package func wait(milliseconds: Int) {
    #if canImport(Darwin)
      var time = timespec(tv_sec: milliseconds / 1000, tv_nsec: milliseconds % 1000 * 1_000_000)
      pthread_cond_timedwait_relative_np(condition, mutex, &time)
    #else
      var deadline = timespec()
      unsafe clock_gettime(CLOCK_MONOTONIC, &deadline)
      deadline.tv_nsec += milliseconds % 1000 * 1_000_000
      deadline.tv_sec += milliseconds / 1000 + deadline.tv_nsec / 1_000_000_000
      deadline.tv_nsec %= 1_000_000_000
      unsafe pthread_cond_timedwait(condition, mutex, &deadline)
    #endif
  }

  package func signalAll() { unsafe pthread_cond_broadcast(condition) }

  package func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
    lock()
    defer { unlock() }
    return try body()
  }
}
