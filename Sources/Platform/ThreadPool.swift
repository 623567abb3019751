import Synchronization

/// Threads that have done their work and wait a while for more. The allocator keeps memory for each thread, so there are no more
/// than have had work at the same time, and the one that has waited least goes on. While they wait they hold nothing of what
/// they worked with.
final class ThreadPool: Sendable {
  /// Does the work and returns what tells of it, which is done when the thread is free again.
  typealias Work = @Sendable () -> @Sendable () -> Void

  /// The threads of this process. A child that it forks has none of them and begins anew.
  static var shared: ThreadPool { unsafe current }
  // Changed only where a child begins, which has one thread then.
  private static nonisolated(unsafe) var current: ThreadPool = {
    pthread_atfork(nil, nil, { ThreadPool.beginChild() })
    return ThreadPool()
  }()

  /// This process was forked from one that had used the pool.
  static var isChild: Bool { unsafe childState != .none }
  /// When it was forked threads were at work: they may have held locks, which nobody gives up in this process.
  static var isOrphan: Bool { unsafe childState == .orphan }

  private enum ChildState { case none, child, orphan }
  // As `current`.
  private static nonisolated(unsafe) var childState = ChildState.none

  private static func beginChild() {
    let old = unsafe current
    if unsafe old.working.load(ordering: .relaxed) > 0 || childState == .orphan {
      unsafe childState = .orphan
    } else {
      unsafe childState = .child
    }
    // Threads that are not here wait for its conditions: whoever releases one waits for them.
    _ = unsafe Unmanaged.passRetained(old)
    unsafe current = ThreadPool()
  }

  /// Nanoseconds after which a thread without work ends.
  private static let timeout: UInt64 = 10_000_000_000

  /// The mailbox that a thread waits at.
  private final class Mailbox: @unchecked Sendable {
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
    func take(timeout: UInt64) -> Work? {
      let start = Clock.wallTime
      return monitor.withLock {
        while work == nil {
          guard Clock.wallTime - start < timeout else { return nil }
          monitor.wait(milliseconds: 1000)
        }
        defer { work = nil }
        return work
      }
    }
  }

  /// Threads that have work.
  private let working = Atomic<Int>(0)

  /// Those who wait; the last one came last.
  private let idle = Lock<[Mailbox]>([])

  /// Has a thread do the work; false when the system has none to give.
  func run(_ work: @escaping Work) -> Bool {
    working.add(1, ordering: .relaxed)
    if let mailbox = idle.withLock({ $0.popLast() }) {
      mailbox.give(work)
      return true
    }
    let mailbox = Mailbox(work)
    if Worker.start(detached: { [self] in while serve(mailbox) {} }) { return true }
    working.subtract(1, ordering: .relaxed)
    return false
  }

  /// Does what the mailbox has been given; false when nothing has been for long.
  private func serve(_ mailbox: Mailbox) -> Bool {
    guard let tell = mailbox.take(timeout: Self.timeout)?() else {
      // A thread that leaves may be given work in the same moment.
      return idle.withLock { idle in
        guard let place = idle.firstIndex(where: { $0 === mailbox }) else { return true }
        idle.remove(at: place)
        return false
      }
    }
    idle.withLock { $0.append(mailbox) }
    working.subtract(1, ordering: .relaxed)
    tell()
    return true
  }
}
