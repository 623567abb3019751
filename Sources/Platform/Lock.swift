package import Synchronization

#if THREAD_SANITIZER
  /// Guards a value that several threads share. In builds for the thread sanitizer it is a lock of POSIX, which the sanitizer knows:
  /// the standard library's has the kernel hand it from one thread to the next where both want it, which the sanitizer does not see
  /// and takes for a race.
  package final class Lock<Value: ~Copyable>: @unchecked Sendable {
    // Touched only under `mutex`.
    private var value: Value
    // Made for use from all threads, never moved.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    /// A value that is guarded from now on.
    package init(_ value: consuming sending Value) {
      self.value = value
      pthread_mutex_init(mutex, nil)
    }
    deinit {
      pthread_mutex_destroy(mutex)
      mutex.deallocate()
    }

    /// Does something with the value while no other thread does.
    package func withLock<Result: ~Copyable, E: Error>(
      _ body: (inout sending Value) throws(E) -> sending Result
    ) throws(E) -> sending Result {
      pthread_mutex_lock(mutex)
      defer { pthread_mutex_unlock(mutex) }
      return try body(&value)
    }
  }
#else
  /// Guards a value that several threads share.
  package typealias Lock = Mutex
#endif
