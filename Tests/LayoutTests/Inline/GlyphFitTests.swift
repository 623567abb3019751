import Layout
import Primitives
import TestSupport
import Testing

/// Microtypography: glyphs, letters and breaks of justified lines.
@Suite struct GlyphFitTests {
  private let text = """
    In olden times when wishing still helped one, there lived a king whose daughters were all beautiful; and the \
    youngest was so beautiful that the sun itself, which has seen so much, was astonished whenever it shone in her \
    face. Close by the castle lay a great dark forest, and under an old lime tree in the forest was a well, and when \
    the day was very warm, the child went out into the forest and sat down by the side of the cool fountain.
    """

  private func page(
    _ body: String, _ css: String = "", width: Int = 250, fits: Bool = true, records: Bool = false
  ) -> LaidOut {
    LaidOut(
      body, css: "p { font: 16px 'Liberation Serif'; text-align: justify; text-wrap: pretty; \(css) }", width: width
    ) {
      $0.composition.fitsGlyphs = fits
      $0.recordsClusters = records
    }
  }

  private func fits(_ page: LaidOut) -> [GlyphFit] { page.fragments(.line).map { page.line($0).glyphFit } }

  /// The word spaces of each justified line, as shares of their natural width.
  private func spaces(_ page: LaidOut) -> [Double] {
    let lines = page.fragments(.line)
    let texts = page.fragments(.text)
    return lines.dropLast().compactMap { line in
      let content = texts.filter { $0.offset.block >= line.offset.block && $0.bottom <= line.bottom }
      let units = content.flatMap { placed -> [(Character, ClusterPlace)] in
        let text = page.text(placed)
        return page.pages[0].clusters[Int(text.clusters.lowerBound)..<Int(text.clusters.upperBound)].map {
          (Character(page.string(text.text, $0.unit..<$0.unit + 1)), $0)
        }
      }
      let widths = units.filter { $0.0 == " " }.map { Double(($0.1.right - $0.1.left).float) }
      guard !widths.isEmpty else { return nil }
      return widths.reduce(0, +) / Double(widths.count) / 4
    }
  }

  private func deviation(_ values: [Double]) -> Double {
    let mean = values.reduce(0, +) / Double(values.count)
    return (values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count)).squareRoot()
  }

  @Test(arguments: [180, 220, 250, 310])
  func `B12 Glyphs are expanded in steps, up to two hundredths, and lines still reach both edges`(_ width: Int) {
    let page = page("<p>\(text)</p>", width: width)
    let fits = fits(page)
    #expect(fits.allSatisfy { abs($0.expansion) <= 20 && $0.expansion % 5 == 0 })
    #expect(Set(fits.map(\.expansion)).count > 2)
    #expect(fits.last == GlyphFit.none)
    #expect(page.lines.joined(separator: " ") == text)
    for line in page.fragments(.line).dropLast() {
      let content = page.fragments(.text).filter {
        $0.offset.block >= line.offset.block && $0.bottom <= line.bottom
      }
      #expect(content.map(\.right).max() == LayoutUnit(width))
      #expect(content.allSatisfy { page.text($0).expansion == page.line(line).glyphFit.expansion })
    }
  }

  @Test
  func `B12 Word spaces come near their natural width`() {
    let widths = Array(stride(from: 200, to: 400, by: 20))
    func all(_ fits: Bool) -> [Double] {
      widths.flatMap { spaces(page("<p>\(text)</p>", width: $0, fits: fits, records: true)) }
    }
    let (plain, fitted) = (all(false), all(true))
    #expect(deviation(fitted) < 0.8 * deviation(plain))
    #expect(fitted.count { $0 > 1.5 } * 2 <= plain.count { $0 > 1.5 })
    #expect(fitted.allSatisfy { $0 > 0.79 })
  }

  @Test
  func `B12 Lines one below the other are alike where their word spaces allow it`() {
    let steps = stride(from: 300, to: 420, by: 10).flatMap { width in
      let lines = fits(page("<p>\(text) \(text)</p>", width: width)).dropLast()
      return zip(lines, lines.dropFirst()).map { abs($0.expansion - $1.expansion) }
    }
    #expect(steps.count > 100)
    #expect(steps.count { $0 > 15 } * 10 < steps.count)
  }

  @Test(.enabled(if: InstalledPatterns.include("en"), "no hyphenation patterns for English are installed"))
  func `B12 A hyphen is as wide as its letters, and ends with the line`() {
    let page = page("<p>\(text)</p>", "hyphens: auto", width: 150)
    let lines = page.fragments(.line).filter { page.line($0).isHyphenated && page.line($0).glyphFit.expansion != 0 }
    #expect(!lines.isEmpty)
    for line in lines {
      let content = page.fragments(.text).filter {
        $0.offset.block >= line.offset.block && $0.bottom <= line.bottom
      }
      #expect(content.map(\.right).max() == LayoutUnit(150))
    }
  }

  @Test(arguments: [
    ("<p lang='ja'>\(String(repeating: "春はあけぼの、やうやう白くなりゆく山ぎは。", count: 8))</p>", ""),
    ("<p lang='ar' dir='rtl'>\(String(repeating: "قفا نبك من ذكرى حبيب ومنزل ", count: 12))</p>", ""),
    ("<p>\(String(repeating: "some words of a program ", count: 12))</p>", "font-family: 'Liberation Mono'"),
    ("<p>\(String(repeating: "some words kept as typed ", count: 12))</p>", "white-space: pre-wrap"),
    ("<p>\(String(repeating: "some words at the left ", count: 12))</p>", "text-align: left"),
    ("<p>\(String(repeating: "some words ", count: 30))</p>", "text-justify: none"),
  ])
  func `B12 Text that is not Western, or of one width, keeps its glyphs`(_ body: String, _ css: String) {
    let page = page(body, css)
    #expect(page.lines.count > 3)
    #expect(fits(page).allSatisfy { $0 == GlyphFit.none })
    #expect(page.fragments(.text).allSatisfy { page.text($0).expansion == 0 })
  }

  @Test
  func `B12 Letters of a line that are of one width keep it beside others`() throws {
    let code = "<code style='font: 14px Liberation Mono'>beautiful</code>"
    let page = page("<p>\(text.replacing("beautiful", with: code))</p>")
    let codes = page.texts.filter { $0.string == "beautiful" }
    #expect(codes.count == 2 && codes.allSatisfy { page.text($0.placed).expansion == 0 })
    #expect(fits(page).contains { $0.expansion != 0 })
    for line in page.fragments(.line).dropLast() {
      let content = page.fragments(.text).filter {
        $0.offset.block >= line.offset.block - LayoutUnit(4) && $0.bottom <= line.bottom + LayoutUnit(4)
      }
      #expect(content.map(\.right).max() == LayoutUnit(250))
    }
  }

  @Test
  func `B13 Letters are moved by a hundredth of an em at most, spaces not, and only where glyphs do not suffice`() {
    let page = page("<p>\(text)</p>", width: 180, records: true)
    let fits = fits(page)
    #expect(fits.contains { $0.letterFit != 0 })
    #expect(fits.allSatisfy { abs($0.letterFit) <= 100 })
    #expect(fits.contains { $0.expansion != 0 && $0.letterFit == 0 })
    // The places of clusters, which carets and selections go by, are those of the glyphs.
    for placed in page.fragments(.text) {
      let text = page.text(placed)
      let places = page.pages[0].clusters[Int(text.clusters.lowerBound)..<Int(text.clusters.upperBound)]
      for (one, other) in zip(places, places.dropFirst()) { #expect(abs((other.left - one.right).rawValue) <= 1) }
      for place in places where !place.glyphs.isEmpty {
        let glyph = page.pages[0].glyphs[Int(text.glyphs.lowerBound + place.glyphs.lowerBound)]
        #expect(abs((glyph.x - place.left).rawValue) <= 1)
      }
    }
  }

  /// Lines that begin or end with the word that the line before begins or ends with.
  private func stacks(_ page: LaidOut) -> Int {
    let words = page.lines.map { $0.split { !$0.isLetter } }
    return zip(words, words.dropFirst()).reduce(0) { sum, pair in
      sum + (pair.0.first == pair.1.first ? 1 : 0) + (pair.0.last == pair.1.last ? 1 : 0)
    }
  }

  @Test
  func `B14 Lines are broken so that words do not stand below themselves`() {
    let sentence = "and the king said to the queen that the day of the feast was the day of the king and of the queen, "
    let body = "<p>\(String(repeating: sentence, count: 6))</p>"
    let widths = Array(stride(from: 200, to: 420, by: 10))
    func all(_ fits: Bool) -> Int { widths.reduce(0) { $0 + stacks(page(body, width: $1, fits: fits)) } }
    let (plain, fitted) = (all(false), all(true))
    #expect(fitted * 3 < plain * 2, "\(fitted) of \(plain)")
  }

  @Test
  func `B12 Nothing is fitted unless it is asked for`() {
    let body = "<p>\(text)</p>"
    #expect(fits(page(body, fits: false)).allSatisfy { $0 == GlyphFit.none })
  }
}
