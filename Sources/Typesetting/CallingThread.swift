import Platform
import Synchronization

/// The synchronous way in: asynchronous functions of the library for code that is not asynchronous.
///
///     let page = try CallingThread.run { () async throws(PageError) in try await typesetter.page(0, of: 0) }
///
/// What runs between two suspensions runs on the calling thread, and layout on threads of the library's own: Swift's
/// pool of threads is not started. That matters to a host that is no Swift program, and to one that is to be forked.
public enum CallingThread {
  /// Runs asynchronous code and waits for its end. It is not for asynchronous code, whose thread it would block.
  public static func run<Value: Sendable, Failure: Error>(
    _ body: @escaping @Sendable () async throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try run(body) { _ in }
  }

  /// - Parameter started: Told what cancels the code, from any thread.
  package static func run<Value: Sendable, Failure: Error>(
    _ body: @escaping @Sendable () async throws(Failure) -> Value,
    started: (_ cancel: @escaping @Sendable () -> Void) -> Void
  ) throws(Failure) -> Value {
    let loop = JobLoop()
    let outcome = Lock<Result<Value, Failure>?>(nil)
    let task = Task(executorPreference: loop) {
      let made: Result<Value, Failure>
      do throws(Failure) { made = .success(try await body()) } catch { made = .failure(error) }
      outcome.withLock { $0 = made }
    }
    started { task.cancel() }
    while true {
      if let made = outcome.withLock({ $0 }) { return try made.get() }
      loop.runNext()
    }
  }
}

/// Runs the jobs of one task on the thread that waits for it.
private final class JobLoop: TaskExecutor {
  private let monitor = Monitor()
  private let jobs = Lock<[UnownedJob]>([])

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    monitor.withLock {
      jobs.withLock { $0.append(job) }
      monitor.signalAll()
    }
  }

  /// Waits for a job, and runs it.
  func runNext() {
    let job = monitor.withLock {
      while true {
        if let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { return job }
        monitor.wait()
      }
    }
    unsafe job.runSynchronously(on: asUnownedTaskExecutor())
  }
}
