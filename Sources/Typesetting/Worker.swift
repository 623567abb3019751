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
  ///
  /// - Parameter look: Called about fifty times a second while it waits.
  static func run<Result: Sendable>(
    _ body: @escaping @Sendable () -> Result, meanwhile look: (() -> Void)? = nil
  ) -> Result {
    let result = Slot<Result>()
    let monitor = Monitor()
    let isRun = ThreadPool.shared.run {
      result.store(body())
      return { monitor.withLock { monitor.signalAll() } }
    }
    guard isRun else { return body() }
    monitor.lock()
    defer { monitor.unlock() }
    while true {
      if let made = result.take() { return made }
      if let look {
        monitor.wait(milliseconds: 20)
        look()
      } else {
        monitor.wait()
      }
    }
  }

  /// Runs `body` on a thread with a deep stack, without blocking the caller's.
  static func perform<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    let result = Slot<Result>()
    await withCheckedContinuation { continuation in
      let isRun = ThreadPool.shared.run {
        result.store(body())
        return { continuation.resume() }
      }
      if !isRun { continuation.resume() }
    }
    return result.take() ?? body()
  }

  /// Hands a value over, so that who made it keeps nothing of it.
  private final class Slot<Value: Sendable>: Sendable {
    private let value = Lock<Value?>(nil)
    func store(_ value: Value) { self.value.withLock { $0 = value } }
    func take() -> Value? {
      value.withLock { value in
        defer { value = nil }
        return value
      }
    }
  }
}

/// Threads that have done their work and wait a while for more. The allocator keeps memory for each thread, so there are no more
/// than have had work at the same time, and the one that has waited least goes on. While they wait they hold nothing of what
/// they worked with.
private final class ThreadPool: Sendable {
  /// Does the work and returns what tells of it, which is done when the thread is free again.
  typealias Work = @Sendable () -> @Sendable () -> Void

  static let shared = ThreadPool()
  /// Nanoseconds after which a thread without work ends.
  private static let patience: UInt64 = 10_000_000_000

  /// A thread's place to wait in.
  private final class Seat: @unchecked Sendable {
    private let monitor = Monitor()
    // Touched only under `monitor`.
    private var work: Work?

    init(_ work: @escaping Work) { self.work = work }

    func give(_ work: @escaping Work) {
      monitor.withLock {
        self.work = work
        monitor.signalAll()
      }
    }

    /// Work, once; nil when none comes in time.
    func take(patience: UInt64) -> Work? {
      let start = Clock.wallTime
      return monitor.withLock {
        while work == nil {
          guard Clock.wallTime - start < patience else { return nil }
          monitor.wait(milliseconds: 1000)
        }
        defer { work = nil }
        return work
      }
    }
  }

  /// Those who wait; the last one came last.
  private let idle = Lock<[Seat]>([])

  /// Has a thread do the work; false when the system has none to give.
  func run(_ work: @escaping Work) -> Bool {
    if let seat = idle.withLock({ $0.popLast() }) {
      seat.give(work)
      return true
    }
    let seat = Seat(work)
    return Worker.start(detached: { [self] in while serve(seat) {} })
  }

  /// Does what the seat has been given; false when nothing has been for long.
  private func serve(_ seat: Seat) -> Bool {
    guard let tell = seat.take(patience: Self.patience)?() else {
      // Who leaves may be given work in the same moment.
      return idle.withLock { idle in
        guard let place = idle.firstIndex(where: { $0 === seat }) else { return true }
        idle.remove(at: place)
        return false
      }
    }
    idle.withLock { $0.append(seat) }
    tell()
    return true
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
