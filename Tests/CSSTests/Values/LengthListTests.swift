import CSS
import Testing

@Suite struct LengthListTests {
  /// The numbers of px in a list.
  private func pixels(_ text: String) -> [Double] {
    Length.list(text).compactMap { LengthBasis(fontSize: 10, rootFontSize: 10).pixels($0).map(Double.init) }
  }

  @Test(arguments: [
    "0", "-0", "7", "-7", "+7", "12.345678", "-0.1", ".5", "-.5", "5.", "1e2", "1.5e-3", "123456789012345", "0.000001",
    "99999.99999", "1234567.125",
  ])
  func `Numbers are the nearest there are`(_ text: String) throws {
    let expected = Float(try #require(Double(text)))
    let found = try #require(pixels(text).first)
    #expect(Float(found) == Swift.min(expected, 1e8))
  }

  @Test func `Lists end with what is no length`() {
    #expect(pixels("1,2 3\t4") == [1, 2, 3, 4])
    #expect(pixels("1 2em 3px") == [1, 20, 3])
    #expect(pixels("1 2 - 3") == [1, 2])
    #expect(pixels("1 2 1.2.3 4") == [1, 2])
    #expect(pixels("1 auto 2") == [1])
    #expect(pixels("").isEmpty)
  }
}
