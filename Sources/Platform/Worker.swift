import Synchronization

/// Threads of our own with room for deep recursion: layout and painting descend as deep as a book nests its elements, and
/// the threads of Swift's pools have small stacks.
package enum Worker {
  /// Address space for each stack; only what is touched takes memory. Trees are at most 400 levels deep (`Limits.greatestDepth`), of
  /// which floats and inline blocks, the most costly of those measured, take up to 80 KiB each in a debug build.
  static let stackSize = 128 << 20

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
    unsafe pthread_attr_init(attributes)
    defer {
      unsafe pthread_attr_destroy(attributes)
      unsafe attributes.deallocate()
    }
    unsafe pthread_attr_setstacksize(attributes, stackSize)
    let job = unsafe Unmanaged.passRetained(Job(body))
    var thread = pthread_t()
    let status = unsafe pthread_create(
      &thread, attributes,
      { argument in
        guard let argument = unsafe argument else { return nil }
        Allocator.prepareThread()
        unsafe Unmanaged<Job>.fromOpaque(argument).takeRetainedValue().body()
        return nil
      }, unsafe job.toOpaque())
    guard status == 0 else {
      unsafe job.release()
      return nil
    }
    return Handle(thread: thread)
  }

  /// Starts a thread that nobody waits for; false when the system has none to give.
  static func start(detached body: @escaping @Sendable () -> Void) -> Bool {
    guard let handle = start(body) else { return false }
    pthread_detach(handle.thread)
    return true
  }

  /// Runs `body` on a thread with a deep stack and waits for it.
  ///
  /// - Parameter look: Called about fifty times a second while it waits.
  package static func run<Result: Sendable>(
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

  /// This process was forked while threads of its parent were at work, which may have held locks that nobody here gives up: what
  /// waits for them would wait for ever.
  package static var isOrphan: Bool { ThreadPool.isOrphan }

  /// This process was forked from one that had used such threads.
  package static var isForked: Bool { ThreadPool.isChild }

  /// Runs `body` on a thread with a deep stack, without blocking the caller's. In a forked process, where no thread of Swift's pools
  /// is left to go on, the caller's waits.
  package static func perform<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    if isForked { return run(body) }
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
