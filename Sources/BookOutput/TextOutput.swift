import BookEngine
import Primitives

/// The text of the book, chapter by chapter.
final class TextOutput: PageOutput, @unchecked Sendable {
  // Chapters come from one worker at a time.
  private let stream: OutputStream
  private var isEmpty = true

  init(_ target: OutputTarget) throws(BookError) { stream = try OutputStream(target) }

  var needs: PageNeeds { .text }

  func prepare(_ page: BookPage, _ tools: Void) {}
  func append(_ page: Void, number: Int) {}

  func finish(_ chapter: BookChapter) throws(BookError) {
    guard let text = chapter.text, !text.isEmpty else { return }
    if !isEmpty { try stream.append([0x0A]) }
    isEmpty = false
    try stream.append(text.utf8)
  }

  func finish(_ book: BookEnd) throws(BookError) -> DiagnosticSink {
    if book.error?.kind != .missing { try stream.finish() }
    return DiagnosticSink()
  }
}
