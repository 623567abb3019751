import ChapterEngine

/// A page on its way through the outputs. Touched only by who makes it, and then under the lock of `BookPages`.
final class PreparedPage: @unchecked Sendable {
  /// What each output does with it when its number is known; nil as long as it is not prepared. Empty for a page that
  /// is counted only.
  private(set) var appendings: [AnyPageOutput.Appending]?
  let missing: MissingCharacters

  init() {
    appendings = []
    missing = MissingCharacters()
  }

  init(_ page: BookPage, _ appendings: [AnyPageOutput.Appending]?) {
    self.appendings = appendings
    missing = page.missing
  }

  func finish(_ appendings: [AnyPageOutput.Appending]) { self.appendings = appendings }
}

/// Pages laid out by one worker, waiting to be prepared by another that has no chapter of its own: so the pages of
/// one huge chapter are drawn on all cores while it is still being laid out.
///
/// A value that its owner guards with a lock.
struct PageQueue {
  struct Job: Sendable {
    var page: BookPage
    var place: PreparedPage
  }

  private var jobs: [Job] = []
  /// Workers that wait for something to do, and those that prepare pages of others.
  private var idleWorkers = 0
  private var helpingWorkers = 0

  /// Pages that may wait: a bound on memory.
  static let capacity = 8

  /// Takes a page over, if there is a worker to prepare it.
  ///
  /// - Returns: The page as it waits for its number; nil where it has to be prepared by who laid it out.
  mutating func offer(_ page: BookPage) -> PreparedPage? {
    guard idleWorkers + helpingWorkers > 0, jobs.count < Self.capacity else { return nil }
    let place = PreparedPage(page, nil)
    jobs.append(Job(page: page, place: place))
    return place
  }

  /// The page that has waited longest, for a worker that tells when it is done.
  mutating func take() -> Job? {
    guard !jobs.isEmpty else { return nil }
    helpingWorkers += 1
    return jobs.removeFirst()
  }

  mutating func finish(_ job: Job, _ appendings: [AnyPageOutput.Appending]) {
    helpingWorkers -= 1
    job.place.finish(appendings)
  }

  /// A worker has nothing to do, until it has waited.
  mutating func rest(_ isIdle: Bool) { idleWorkers += isIdle ? 1 : -1 }
}
