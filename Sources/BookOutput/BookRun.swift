import Platform

/// Sets a book and writes what was asked for: one run of the command line.
///
/// Chapters are set by several workers at once and put together in book order: a page's image is written under a temporary
/// name and takes its own when all pages before it are known, so the output is the same however many workers there are.
/// Workers stay at most a few chapters ahead of the first one that is not complete.
package final class BookRun: Sendable {
  private let options: RunOptions
  private let progress: @Sendable (RunProgress) -> Void

  package init(_ options: RunOptions, progress: @escaping @Sendable (RunProgress) -> Void = { _ in }) {
    self.options = options
    self.progress = progress
  }

  /// Runs to the end. Never throws: the result says what went wrong.
  package func run() -> RunResult {
    let options = options
    let progress = progress
    let watch = RunWatch(options)
    return Worker.run {
      Assembly.run(options, progress, watch)
    } meanwhile: {
      watch.look()
    }
  }
}
