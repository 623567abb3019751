import Glibc
import Primitives
import Synchronization

/// Threads of our own with room for deep recursion: layout and painting descend as deep as a book nests its elements, and
/// the threads of Swift's pools have small stacks.
package enum Worker {
  /// Address space for each stack. Only what is touched takes memory.
  static let stackSize = 512 << 20

  private final class Job: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// A thread that can be waited for once.
  package struct Handle: @unchecked Sendable {
    // A thread's id may be used from any thread.
    fileprivate let thread: pthread_t
    package func join() { pthread_join(thread, nil) }
  }

  /// Starts a thread; nil when the system has none to give.
  package static func start(_ body: @escaping @Sendable () -> Void) -> Handle? {
    let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
    pthread_attr_init(attributes)
    defer {
      pthread_attr_destroy(attributes)
      attributes.deallocate()
    }
    pthread_attr_setstacksize(attributes, stackSize)
    let job = Unmanaged.passRetained(Job(body))
    var thread = pthread_t()
    let status = pthread_create(
      &thread, attributes,
      { argument in
        guard let argument else { return nil }
        Unmanaged<Job>.fromOpaque(argument).takeRetainedValue().body()
        return nil
      }, job.toOpaque())
    guard status == 0 else {
      job.release()
      return nil
    }
    return Handle(thread: thread)
  }

  /// Starts a thread that nobody waits for; false when the system has none to give.
  fileprivate static func start(detached body: @escaping @Sendable () -> Void) -> Bool {
    guard let handle = start(body) else { return false }
    pthread_detach(handle.thread)
    return true
  }

  /// Runs `body` on a thread with a deep stack and waits for it.
  static func run<Result: Sendable>(_ body: @escaping @Sendable () -> Result) -> Result {
    let shared = Shared<Result>()
    if let handle = start({ shared.store(body()) }) {
      handle.join()
      if let result = shared.value { return result }
    }
    return body()
  }

  /// Runs `body` on a thread with a deep stack, without blocking the caller's.
  static func perform<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
      let work: @Sendable () -> Void = { continuation.resume(returning: body()) }
      if !ThreadPool.shared.run(work) { work() }
    }
  }

  private final class Shared<Value: Sendable>: Sendable {
    private let state = Lock<Value?>(nil)
    func store(_ value: Value) { state.withLock { $0 = value } }
    var value: Value? { state.withLock { $0 } }
  }
}

/// Threads that have done their work and wait a while for more. The allocator keeps memory for each thread, so as few as
/// can be take turns; there are as many as have work at the same time.
private final class ThreadPool: @unchecked Sendable {
  static let shared = ThreadPool()
  /// Nanoseconds after which a thread without work ends.
  private static let patience: UInt64 = 10_000_000_000

  // Touched only under `monitor`.
  private let monitor = Monitor()
  private var waiting: [@Sendable () -> Void] = []
  private var idle = 0

  /// Has a thread do the work; false when the system has none to give.
  func run(_ work: @escaping @Sendable () -> Void) -> Bool {
    let isTaken = monitor.withLock {
      guard idle > waiting.count else { return false }
      waiting.append(work)
      monitor.signalAll()
      return true
    }
    return isTaken
      || Worker.start(detached: { [self] in
        work()
        while let next = next() { next() }
      })
  }

  private func next() -> (@Sendable () -> Void)? {
    monitor.withLock {
      idle += 1
      defer { idle -= 1 }
      let start = Clock.wallTime
      while waiting.isEmpty {
        guard Clock.wallTime - start < Self.patience else { return nil }
        monitor.wait(milliseconds: 1000)
      }
      return waiting.removeFirst()
    }
  }
}

/// A lock with a condition to wait for.
package final class Monitor: @unchecked Sendable {
  // The C objects are made for use from all threads and are never moved.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  package init() {
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(condition, nil)
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
  /// Waits at most so many milliseconds.
  package func wait(milliseconds: Int) {
    var deadline = timespec()
    clock_gettime(CLOCK_REALTIME, &deadline)
    deadline.tv_nsec += milliseconds % 1000 * 1_000_000
    deadline.tv_sec += milliseconds / 1000 + deadline.tv_nsec / 1_000_000_000
    deadline.tv_nsec %= 1_000_000_000
    pthread_cond_timedwait(condition, mutex, &deadline)
  }
  package func signalAll() { pthread_cond_broadcast(condition) }
  package func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
    lock()
    defer { unlock() }
    return try body()
  }
}

/// Clocks.
package enum Clock {
  /// Nanoseconds of processor time of this thread.
  static var threadTime: UInt64 { read(CLOCK_THREAD_CPUTIME_ID) }
  /// Nanoseconds of processor time of the process.
  static var processTime: UInt64 { read(CLOCK_PROCESS_CPUTIME_ID) }
  /// Nanoseconds of a clock on the wall that never goes back.
  package static var wallTime: UInt64 { read(CLOCK_MONOTONIC) }

  private static func read(_ clock: clockid_t) -> UInt64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
