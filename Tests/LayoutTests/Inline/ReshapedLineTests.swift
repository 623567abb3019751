import Layout
import Primitives
import TestSupport
import Testing

@Suite struct ReshapedLineTests {
  private let font = "p { font: 16px 'Linux Libertine O' }"

  private func glyphs(_ page: LaidOut, line: Int) -> [UInt16] {
    let block = page.fragments(.line)[line].offset.block
    return page.fragments(.text).filter { $0.offset.block == block }.flatMap { placed in
      let text = page.text(placed)
      return page.pages[0].glyphs[Int(text.glyphs.lowerBound)..<Int(text.glyphs.upperBound)].map(\.id)
    }
  }

  @Test
  func `Y8 a ligature is taken apart where a line ends inside it`() {
    let whole = LaidOut("<p>office</p>", css: font)
    #expect(glyphs(whole, line: 0).count < 6)
    let cut = LaidOut("<p>of&#xAD;fice</p>", css: font, width: 30)
    #expect(cut.lines.count == 2)
    // o, f and the hyphen; the rest as if it stood alone.
    #expect(glyphs(cut, line: 0).count == 3)
    #expect(glyphs(cut, line: 1) == glyphs(LaidOut("<p>fice</p>", css: font), line: 0))
    #expect(
      cut.line(cut.fragments(.line)[1]).contentWidth
        == LaidOut("<p>fice</p>", css: font).fragments(.text)[0].fragment.size.inline)
    // Where it stays whole, so does the ligature.
    let wide = LaidOut("<p>of&#xAD;fice</p>", css: "\(font) p { hyphens: manual }", width: 300)
    #expect(wide.lines.count == 1)
  }

  @Test
  func `X3 Arabic letters keep their joined forms at a break`() {
    let css = "p { font: 16px 'Noto Naskh Arabic'; overflow-wrap: anywhere }"
    let whole = LaidOut("<p>\u{628}\u{628}\u{628}\u{628}</p>", css: css, language: "ar")
    let cut = LaidOut("<p>\u{628}\u{628}\u{628}\u{628}</p>", css: css, width: 14, language: "ar")
    #expect(cut.lines.count > 1)
    let all = cut.fragments(.line).indices.flatMap { Array(glyphs(cut, line: $0).reversed()) }
    #expect(Set(all) == Set(glyphs(whole, line: 0)))
  }
}
