import Primitives
import Testing

@Suite struct OpenTableTests {
  /// Interns numbers under a hash of the test's choice.
  private struct Numbers {
    var table = OpenTable()
    var values: [Int] = []

    mutating func intern(_ value: Int, hash: UInt64) -> Int {
      if let known = table.position(of: hash, where: { values[$0] == value }) { return known }
      values.append(value)
      table.append(hash)
      return values.count - 1
    }
  }

  @Test func `Positions follow the first appearance of values`() {
    var numbers = Numbers()
    for round in 0..<2 {
      for value in 0..<5000 {
        #expect(numbers.intern(value, hash: UInt64(value) &* 0x9E37_79B9_7F4A_7C15) == value, "round \(round)")
      }
      numbers.table.checkInvariants()
    }
    #expect(numbers.table.count == 5000)
  }

  @Test(arguments: [0, 0x1_0000_0000, UInt64.max]) func `Values of one hash are told apart`(hash: UInt64) {
    var numbers = Numbers()
    for value in 0..<200 { #expect(numbers.intern(value, hash: hash) == value) }
    for value in 0..<200 { #expect(numbers.intern(value, hash: hash) == value) }
    numbers.table.checkInvariants()
  }

  @Test func `A hash that was never added asks no value`() {
    var table = OpenTable()
    for hash in 0..<100 { table.append(UInt64(hash)) }
    #expect(
      table.position(of: 1000) { _ in
        Issue.record("a value of another hash is compared")
        return true
      } == nil)
  }
}
