import Testing

@testable import Primitives

@Suite struct DecimalDigitsTests {
  private func decimal(_ units: UInt, _ decimals: Int, omitsZero: Bool = false) -> String {
    var bytes: [UInt8] = [0x2D]
    bytes.appendDecimal(units, decimals: decimals, omitsZero: omitsZero)
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func zerosAtTheEndOfAFractionAreLeftOut() {
    #expect(decimal(0, 0) == "-0" && decimal(0, 3) == "-0" && decimal(0, 3, omitsZero: true) == "-0")
    #expect(decimal(1250, 3) == "-1.25" && decimal(1000, 3) == "-1" && decimal(1001, 3) == "-1.001")
    #expect(decimal(50, 3) == "-0.05" && decimal(50, 3, omitsZero: true) == "-.05" && decimal(100, 0) == "-100")
    #expect(decimal(.max, 0) == "-18446744073709551615" && decimal(.max, 19) == "-1.8446744073709551615")
    #expect(decimal(1, 19) == "-0.0000000000000000001")
  }
}
