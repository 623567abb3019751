import Graphics

/// Pages laid out by one worker, waiting to be drawn by another that has no chapter of its own: so the pages of one huge
/// chapter are drawn on all cores while it is still being laid out.
///
/// A value that its owner guards with a lock.
struct DrawingQueue {
  struct Job: Sendable {
    var list: DisplayList
    /// The path of the image.
    var path: String
    var number: Int
  }

  private var jobs: [Job] = []
  /// Jobs that are not yet done, waiting or in work.
  private var unfinished: Set<Int> = []
  private var count = 0
  /// Workers that wait for something to do, and those that draw for others.
  var idleWorkers = 0
  private var drawingWorkers = 0

  /// Pages that may wait: a bound on memory.
  static let capacity = 8

  /// Takes a page over, if there is a worker to draw it.
  ///
  /// - Returns: The job's number; nil when the page has to be drawn by who laid it out.
  mutating func offer(_ list: DisplayList, path: String) -> Int? {
    guard idleWorkers + drawingWorkers > 0, jobs.count < Self.capacity else { return nil }
    count += 1
    jobs.append(Job(list: list, path: path, number: count))
    unfinished.insert(count)
    return count
  }

  /// The page that has waited longest.
  mutating func take() -> Job? {
    guard !jobs.isEmpty else { return nil }
    drawingWorkers += 1
    return jobs.removeFirst()
  }

  mutating func finish(_ job: Job) {
    drawingWorkers -= 1
    unfinished.remove(job.number)
  }

  func isFinished(_ number: Int?) -> Bool { number.map { !unfinished.contains($0) } ?? true }
}
