import BookEngine
import ChapterEngine
import Platform
import Primitives

/// The counters of a run (`--stats` in the command line's manual): one flat object.
final class StatisticsOutput: PageOutput {
  private let target: OutputTarget
  /// When the book began to be opened (`Clock.wallTime`), and the processor time that it took.
  private let start: UInt64
  private let openTime: UInt64
  private let countsRivers: Bool

  init(_ target: OutputTarget, start: UInt64, openTime: UInt64, countsRivers: Bool) {
    self.target = target
    self.start = start
    self.openTime = openTime
    self.countsRivers = countsRivers
  }

  var needs: PageNeeds { countsRivers ? [.layout, .rivers] : .layout }

  func prepare(_ page: BookPage, _ tools: Void) {}
  func append(_ page: Void, number: Int) {}

  func finish(_ book: BookEnd) throws(BookError) -> DiagnosticSink {
    let stream = try OutputStream(target)
    try stream.append(json(book.statistics))
    try stream.finish()
    return DiagnosticSink()
  }

  /// Keys that are always there.
  private static let always = [
    "paragraphs", "characters", "runs", "attributes.unique", "attributes.lookups", "attributes.probes",
    "attributes.longestProbe",
    "styles.unique", "styles.sharedHits", "shaping.words", "shaping.cacheHits", "glyphs.drawn", "glyphs.rasterised",
    "glyphs.missing",
  ]

  private func json(_ book: BookStatistics) -> [UInt8] {
    let counters = book.counters.counters
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("pages")
    writer.value(book.pages)
    writer.key("chapters")
    writer.value(book.chapters)
    for name in Self.always {
      writer.key(name)
      writer.value(counters[name] ?? 0)
    }
    for name in counters.keys.sorted() where !Self.always.contains(name) && !name.hasPrefix("time.") {
      writer.key(name)
      writer.value(counters[name] ?? 0)
    }
    func time(_ name: String, _ nanoseconds: UInt64) {
      writer.key("time." + name)
      writer.value(Double(nanoseconds) / 1e6)
    }
    time("open", openTime)
    time("parse", book.times.parse)
    time("style", book.times.style)
    time("boxes", book.times.boxes)
    time("shape", book.times.shape)
    time("layout", book.times.layout)
    time("paint", book.times.paint)
    time("encode", book.times.encode)
    time("total", Clock.processTime)
    time("wall", Clock.wallTime - start)
    time("firstPage", book.firstPage.map { $0 - start } ?? 0)
    writer.key("memory.peakBytes")
    writer.value(ProcessMemory.peak)
    writer.endObject()
    writer.newline()
    return writer.bytes
  }
}
