import Testing

@testable import Primitives

@Suite struct DiagnosticTests {
  @Test func `A warning of the book is told once, at its first place, with its number`() {
    var book = DiagnosticSink()
    for chapter in 1...3 {
      var sink = DiagnosticSink()
      for line in 1...chapter { sink.warn("kind", resource: "c\(chapter)", line: line, "one", isOfBook: true) }
      sink.warn("kind", resource: "c\(chapter)", "two")
      book.append(contentsOf: sink)
    }
    #expect(
      book.diagnostics.map { "\($0.resource):\($0.line) \($0.message)" } == [
        "c1:1 one", "c1:0 two", "c2:0 two", "c3:0 two",
      ])
    #expect(book.counted.map(\.count) == [6, 1, 1, 1])
  }

  @Test func `Equal warnings of a resource are counted, whatever their lines`() {
    var sink = DiagnosticSink()
    for line in 1...3 { sink.warn("kind", resource: "a", line: line, "one") }
    sink.warn("kind", resource: "b", line: 9, "one")
    #expect(sink.counted.map { "\($0.diagnostic.resource):\($0.diagnostic.line) \($0.count)" } == ["a:1 3", "b:9 1"])
  }

  @Test func `Warnings of the book do not use up the room of their kind`() {
    var sink = DiagnosticSink()
    sink.limit = 2
    for number in 0..<9 { sink.warn("kind", resource: "c\(number)", "one", isOfBook: true) }
    for number in 0..<3 { sink.warn("kind", "other \(number)", isOfBook: true) }
    #expect(sink.counted.map(\.count) == [9, 1])
    #expect(sink.suppressed == ["kind": 2])
  }
}
