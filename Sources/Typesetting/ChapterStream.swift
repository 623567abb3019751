import Platform
import Synchronization

/// What is found in one chapter after the other, made in the background: who stops asking stops the work.
enum ChapterStream {
  /// - Parameters:
  ///   - chapters: Found in the background, too: their order may take the text of the book.
  ///   - step: What a chapter gives; nil ends the stream.
  static func make<Element: Sendable>(
    of chapters: @autoclosure @escaping @Sendable () -> [Int], priority: TaskPriority? = nil,
    buffering: AsyncStream<Element>.Continuation.BufferingPolicy = .unbounded,
    _ step: @escaping @Sendable (Int) async -> [Element]?
  ) -> AsyncStream<Element> {
    if Worker.isForked { return onDemand(chapters(), step) }
    let (stream, continuation) = AsyncStream.makeStream(of: Element.self, bufferingPolicy: buffering)
    let task = Task(priority: priority) {
      for chapter in chapters() {
        guard !Task.isCancelled, let found = await step(chapter) else { break }
        for element in found { continuation.yield(element) }
      }
      continuation.finish()
    }
    continuation.onTermination = { _ in task.cancel() }
    return stream
  }

  /// Made when it is asked for, by who asks: in a forked process no task runs in the background.
  private static func onDemand<Element: Sendable>(
    _ chapters: [Int], _ step: @escaping @Sendable (Int) async -> [Element]?
  ) -> AsyncStream<Element> {
    let state = Lock<(rest: ArraySlice<Int>, found: ArraySlice<Element>)>((chapters[...], []))
    return AsyncStream {
      while true {
        if let next = state.withLock({ $0.found.popFirst() }) { return next }
        guard let chapter = state.withLock({ $0.rest.popFirst() }), let found = await step(chapter) else { return nil }
        state.withLock { $0.found = found[...] }
      }
    }
  }
}
