import Synchronization

/// Threads that have done their work and wait a while for more. The allocator keeps memory for each thread, so there are no more
/// than have had work at the same time, and the one that has waited least goes on. While they wait they hold nothing of what
/// they worked with.
final class ThreadPool: Sendable {
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
      // A thread that leaves may be given work in the same moment.
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
