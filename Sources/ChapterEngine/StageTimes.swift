package import Markup
import Platform
package import Primitives
package import Publications

/// Processor time of each stage over one chapter, in nanoseconds.
package struct StageTimes: Hashable, Sendable {
  package var parse: UInt64 = 0
  package var style: UInt64 = 0
  package var boxes: UInt64 = 0
  package var shape: UInt64 = 0
  package var layout: UInt64 = 0
  package var paint: UInt64 = 0
  package var encode: UInt64 = 0

  package init() {}

  package mutating func add(_ other: StageTimes) {
    parse += other.parse
    style += other.style
    boxes += other.boxes
    shape += other.shape
    layout += other.layout
    paint += other.paint
    encode += other.encode
  }
}

/// A chapter's document, what was wrong with it, and how long it took to read.
package struct ParsedChapter {
  package var document: Document
  package var diagnostics = DiagnosticSink()
  /// Nanoseconds of processor time.
  package var time: UInt64 = 0

  package init(_ document: Document) { self.document = document }

  package init(_ publication: Publication, index: Int) {
    let start = Clock.threadTime
    (document, diagnostics) = publication.document(at: index)
    time = Clock.threadTime - start
  }
}
