import ChapterEngine
import Platform
import Primitives

/// The counters of a run (`--stats` in the command line's manual): one flat object.
struct RunStatistics {
  var pages = 0
  var chapters = 0
  var counters = StageStatistics()
  var times = StageTimes()
  var openTime: UInt64 = 0
  var wallStart = Clock.wallTime
  var firstPage: UInt64?

  mutating func add(chapter times: StageTimes, _ counters: StageStatistics) {
    chapters += 1
    self.times.add(times)
    self.counters.merge(counters)
  }

  /// Keys that are always there.
  private static let always = [
    "paragraphs", "characters", "runs", "attributes.unique", "attributes.lookups", "attributes.probes",
    "attributes.longestProbe",
    "styles.unique", "styles.sharedHits", "shaping.words", "shaping.cacheHits", "glyphs.drawn", "glyphs.rasterised",
    "glyphs.missing",
  ]

  func json() -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("pages")
    writer.value(pages)
    writer.key("chapters")
    writer.value(chapters)
    for name in Self.always {
      writer.key(name)
      writer.value(counters.counters[name] ?? 0)
    }
    for name in counters.counters.keys.sorted() where !Self.always.contains(name) && !name.hasPrefix("time.") {
      writer.key(name)
      writer.value(counters.counters[name] ?? 0)
    }
    func time(_ name: String, _ nanoseconds: UInt64) {
      writer.key("time." + name)
      writer.value(Double(nanoseconds) / 1e6)
    }
    time("open", openTime)
    time("parse", times.parse)
    time("style", times.style)
    time("boxes", times.boxes)
    time("shape", times.shape)
    time("layout", times.layout)
    time("paint", times.paint)
    time("encode", times.encode)
    time("total", Clock.processTime)
    time("wall", Clock.wallTime - wallStart)
    time("firstPage", firstPage.map { $0 - wallStart } ?? 0)
    writer.key("memory.peakBytes")
    writer.value(ProcessMemory.peak)
    writer.endObject()
    writer.newline()
    return writer.bytes
  }
}
