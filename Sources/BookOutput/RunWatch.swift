import BookEngine
import Platform
import Primitives
import Synchronization

/// Watches the time, the memory and the interruptions of a run, from the thread that waits for it.
final class RunWatch: Sendable {
  /// A run that can be told to stop, and tells its progress.
  struct Run: Sendable {
    var stop: @Sendable (BookError) -> Void
    var state: @Sendable () -> (pages: Int, error: BookError?)
  }

  private struct State {
    var run: Run?
    var stoppedAt: UInt64?
  }

  private let options: RunOptions
  private let start = Clock.wallTime
  private let state = Lock(State())

  init(_ options: RunOptions) { self.options = options }

  /// From now on there is something to stop.
  func begin(_ run: Run) { state.withLock { $0.run = run } }
  func end() { state.withLock { $0.run = nil } }

  /// Stops the run where a limit is reached, and the process where the run does not stop. To be called every few milliseconds.
  func look() {
    let (run, stoppedAt) = state.withLock { ($0.run, $0.stoppedAt) }
    guard let run else { return }
    let now = Clock.wallTime
    let resident = ProcessMemory.resident
    if let stoppedAt {
      let isStuck =
        now - stoppedAt > 3_000_000_000 || resident > options.bounds.memory + options.bounds.memory / 2
      // A stage does not come back to a place where it can be stopped.
      if options.bounds.endsProcess, isStuck { endProcess(run.state()) }
    } else if let reason = reason(now: now, resident: resident) {
      state.withLock { $0.stoppedAt = now }
      run.stop(reason)
    }
  }

  private func reason(now: UInt64, resident: Int) -> BookError? {
    if Interruption.isRequested { return BookError(.interrupted, "interrupted") }
    if Double(now - start) / 1e9 > options.bounds.seconds {
      return BookError(.limit, "the limit of \(Self.number(options.bounds.seconds)) seconds is reached")
    }
    if resident > options.bounds.memory {
      return BookError(.limit, "the limit of \(options.bounds.memory >> 20) MiB of memory is reached")
    }
    return nil
  }

  private static func number(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : String(value)
  }

  private func endProcess(_ state: (pages: Int, error: BookError?)) -> Never {
    let pages = "\(state.pages) \(state.pages == 1 ? "page" : "pages")"
    let message = "typeset: \(options.input): \(state.error?.reason ?? "stopped"), after \(pages)\n"
    _ = unsafe message.withCString { unsafe write(STDERR_FILENO, $0, strlen($0)) }
    Cleanup.shared.removeAll()
    _exit(state.error?.exitCode ?? 75)
  }
}
