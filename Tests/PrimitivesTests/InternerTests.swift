import Primitives
import Testing

private struct Word: StableHashable {
  var text: String
  func hash(into hasher: inout StableHasher) { hasher.combine(text) }
}

/// Every value has the same hash: the worst a table can meet.
private struct Colliding: StableHashable {
  var number: Int
  func hash(into hasher: inout StableHasher) {}
}

@Suite struct InternerTests {
  @Test func `Ids follow first appearance`() {
    var table = Interner<Word, AttributesTag>()
    let ids = ["b", "a", "b", "c", "a"].map { table.intern(Word(text: $0)).rawValue }
    #expect(ids == [0, 1, 0, 2, 1])
    #expect(table.values.map(\.text) == ["b", "a", "c"])
    #expect(table.lookups == 5)
  }

  @Test func `Costs about one probe a lookup`() {
    var table = Interner<Word, AttributesTag>()
    for round in 0..<2 {
      for number in 0..<20_000 {
        let id = table.intern(Word(text: "style \(number)"))
        #expect(id.index == number, "round \(round)")
      }
    }
    #expect(table.values.count == 20_000)
    #expect(Double(table.probes) / Double(table.lookups) < 1.1)
    #expect(table.longestProbe <= 8)
  }

  @Test func `Colliding values stay apart`() {
    var table = Interner<Colliding, AttributesTag>()
    for number in 0..<200 { #expect(table.intern(Colliding(number: number)).index == number) }
    for number in 0..<200 { #expect(table.intern(Colliding(number: number)).index == number) }
  }
}

@Suite struct StableHashTests {
  /// The values may never change: saved directories and baselines are keyed by them.
  @Test func `Is the same in every process`() {
    var hasher = StableHasher()
    hasher.combine("typeset")
    let first = hasher.value
    var again = StableHasher()
    again.combine(Array("typeset".utf8))
    #expect(first == again.value)
    #expect(first == 0xE8AC_BB10_53B2_26AE)
  }

  @Test func `One bit changes half of the hash`() {
    var changed = 0
    for bit in 0..<64 {
      var a = StableHasher()
      a.combine(UInt64(0))
      var b = StableHasher()
      b.combine(UInt64(1) << UInt64(bit))
      changed += (a.value ^ b.value).nonzeroBitCount
    }
    #expect((24 * 64...40 * 64).contains(changed))
  }
}
