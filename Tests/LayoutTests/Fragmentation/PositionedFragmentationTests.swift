import Layout
import Primitives
import TestSupport
import Testing

/// Absolutely positioned boxes over page ends (CSS Positioned Layout 3, section 2.1): pages of 200 px, lines of 20 px.
@Suite struct PositionedFragmentationTests {
  /// The page and top of each line of positioned boxes, by their text.
  private func places(_ body: String, css: String = "", fixed: Bool = false) -> [String: [Int]] {
    let page = LaidOut(
      body, css: "body { line-height: 20px } .w { position: relative } i { position: absolute } \(css)", height: 200
    ) { $0.isFixedPage = fixed }
    var found: [String: [Int]] = [:]
    for placed in page.fragments(.line) {
      let line = page.line(placed)
      let text = page.string(line.text, line.range).replacing("\u{2028}", with: "")
      if text.hasPrefix("*") { found[text] = [placed.page, placed.offset.block.roundedPixels] }
    }
    return found
  }
  private let lines = String(repeating: "x<br/>", count: 25)

  @Test func `Boxes stand in the part of the container that they fall in`() {
    let found = places(
      """
      <div class='w'><i style='top: 10px'>*a</i><i style='top: 250px'>*b</i><i style='bottom: 30px'>*c</i>\
      <i style='top: 430px'>*d</i>\(lines)</div>
      """)
    #expect(found == ["*a": [0, 10], "*b": [1, 50], "*c": [2, 50], "*d": [2, 30]])
  }

  @Test func `Boxes that the page would cut move on or are parted`() {
    let found = places(
      "<div class='w'><i style='top: 190px'>*a</i><i style='top: 170px; left: 90px'>*b<br/>*c<br/>*d</i>x</div>")
    #expect(found["*a"] == [1, 0])
    // Two lines would be too many for the page, and one too few.
    #expect(found["*b"] == [1, 0] && found["*c"] == [1, 20] && found["*d"] == [1, 40])
  }

  @Test func `Nothing of a box longer than the page is lost`() {
    let text = (0..<40).map { "*\($0)" }.joined(separator: "<br/>")
    let found = places("<div style='position: absolute; top: 0'>\(text)</div>")
    #expect(found.count == 40)
    #expect(Set(found.values.map { $0[0] }) == [0, 1, 2, 3])
  }

  @Test func `Boxes below the end of their container are on later pages`() {
    let found = places("<div class='w'><i style='top: 650px'>*a</i>x</div>")
    // Empty pages between are left out.
    #expect(found == ["*a": [1, 50]])
  }

  @Test func `What is hidden or on fixed pages stays where it is`() {
    let far = places("<div class='w'><i style='left: -5000px; top: 250px'>*a</i><i style='top: 99999px'>*b</i>x</div>")
    #expect(far == ["*a": [0, 250], "*b": [0, 99999]])
    #expect(places("<div class='w'><i style='top: 250px'>*a</i>x</div>", fixed: true) == ["*a": [0, 250]])
    #expect(
      places("<div class='w' style='overflow: hidden'><i style='top: 250px'>*a</i>x</div>") == ["*a": [0, 250]])
  }
}
