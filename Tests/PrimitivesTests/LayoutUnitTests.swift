import Primitives
import Testing

@Suite struct LayoutUnitTests {
  @Test func `Prints exact decimals`() {
    #expect(LayoutUnit(12).description == "12")
    #expect(LayoutUnit(rawValue: 1).description == "0.015625")
    #expect(LayoutUnit(rawValue: -32).description == "-0.5")
    #expect(LayoutUnit(rawValue: 64 * 114 + 33).description == "114.515625")
  }

  @Test func `Saturates instead of trapping`() {
    #expect(LayoutUnit.max + LayoutUnit(1) == .max)
    #expect(LayoutUnit.min - LayoutUnit(1) == .min)
    #expect(LayoutUnit(1e30) == .max)
    #expect(LayoutUnit(-1e30) == .min)
    #expect(LayoutUnit(Double.nan) == .zero)
    #expect(LayoutUnit(20_000_000) * 4 == .max)
    #expect(LayoutUnit.max * -3 == .min)
    #expect(-LayoutUnit.min == .max)
  }

  @Test(arguments: [(95, 64, 128, 64), (96, 128, 128, 64), (-1, 0, 0, -64), (-32, 0, 0, -64), (-33, -64, 0, -64)])
  func `Rounds to whole pixels`(raw: Int, nearest: Int, up: Int, down: Int) {
    let unit = LayoutUnit(rawValue: Int32(raw))
    #expect(Int(unit.rounded.rawValue) == nearest)
    #expect(Int(unit.ceiling.rawValue) == up)
    #expect(Int(unit.floor.rawValue) == down)
  }
}
