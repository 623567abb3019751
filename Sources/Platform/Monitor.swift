/// A lock with a condition to wait for.
package final class Monitor: @unchecked Sendable {
  // The C objects are made for use from all threads and are never moved.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  package init() {
    pthread_mutex_init(mutex, nil)
    #if canImport(Darwin)
      pthread_cond_init(condition, nil)
    #else
      // Deadlines are of the clock that is never set.
      var attributes = pthread_condattr_t()
      pthread_condattr_init(&attributes)
      pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
      pthread_cond_init(condition, &attributes)
      pthread_condattr_destroy(&attributes)
    #endif
  }
  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  package func lock() { pthread_mutex_lock(mutex) }
  package func unlock() { pthread_mutex_unlock(mutex) }

  /// Gives up the lock until another thread signals.
  package func wait() { pthread_cond_wait(condition, mutex) }

  /// Waits at most so many milliseconds, whatever is done to the time of day.
  package func wait(milliseconds: Int) {
    #if canImport(Darwin)
      var time = timespec(tv_sec: milliseconds / 1000, tv_nsec: milliseconds % 1000 * 1_000_000)
      pthread_cond_timedwait_relative_np(condition, mutex, &time)
    #else
      var deadline = timespec()
      clock_gettime(CLOCK_MONOTONIC, &deadline)
      deadline.tv_nsec += milliseconds % 1000 * 1_000_000
      deadline.tv_sec += milliseconds / 1000 + deadline.tv_nsec / 1_000_000_000
      deadline.tv_nsec %= 1_000_000_000
      pthread_cond_timedwait(condition, mutex, &deadline)
    #endif
  }

  package func signalAll() { pthread_cond_broadcast(condition) }

  package func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
    lock()
    defer { unlock() }
    return try body()
  }
}
