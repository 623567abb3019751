import Platform
import Synchronization

/// Work on numbered items by several threads, on deep stacks.
enum Parallel {
  /// Calls `body` once for each number below `count`, in order as threads are free; on the caller's thread where no
  /// other can be had. Returns when all are done.
  ///
  /// - Parameters:
  ///   - tools: Makes what a thread needs for all its items.
  ///   - body: Does an item; `false` hands out no more.
  static func forEach<Tools>(
    _ count: Int, jobs: Int, tools: @escaping @Sendable () -> Tools, _ body: @escaping @Sendable (Int, Tools) -> Bool
  ) {
    let next = Lock(0)
    let work: @Sendable () -> Void = {
      let own = tools()
      while true {
        let index = next.withLock { value in
          defer { value += 1 }
          return value
        }
        guard index < count else { return }
        if !body(index, own) { next.withLock { $0 = count } }
      }
    }
    let handles = (1..<max(1, min(jobs, count))).compactMap { _ in Worker.start(work) }
    if let own = Worker.start(work) { own.join() } else { work() }
    for handle in handles { handle.join() }
  }

  static func forEach(_ count: Int, jobs: Int, _ body: @escaping @Sendable (Int) -> Bool) {
    forEach(count, jobs: jobs, tools: {}) { index, _ in body(index) }
  }
}
