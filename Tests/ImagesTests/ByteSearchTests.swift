import Testing

@testable import Images

@Suite struct ByteSearchTests {
  @Test func `The first byte that matches is found wherever it stands in its block of sixteen`() {
    for count in 0..<40 {
      for place in 0...count {
        var bytes = [UInt8](repeating: 0x41, count: count)
        if place < count { bytes[place] = 0x3C }
        for start in 0...count {
          let found = bytes.firstIndex(from: start) { $0 .== 0x3C }
          #expect(found == (place >= start ? place : count), "\(count) \(place) \(start)")
        }
      }
    }
  }
}
