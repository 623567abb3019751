import Layout
import Primitives
import TestSupport
import Testing

@Suite struct PageOptimizationTests {
  private static let sentences = [
    "In olden times when wishing still helped one, there lived a king whose daughters were all beautiful.",
    "The youngest was so beautiful that the sun itself was astonished whenever it shone in her face.",
    "Close by the castle lay a great dark forest, and under an old lime tree in the forest was a well.",
    "When the day was very warm, the child went out and sat down by the side of the cool fountain.",
    "When she was bored she took a golden ball, threw it up on high and caught it, and it was her favourite plaything.",
  ]
  private static let width = 560
  private static let css = """
    html { orphans: 2; widows: 2 }
    p { font: 16px 'Liberation Serif'; text-align: justify; text-wrap: pretty; line-height: 20px; text-indent: 20px }
    """

  /// Paragraphs of different lengths, made from a seed.
  private func story(_ seed: Int, paragraphs: Int = 20) -> String {
    (0..<paragraphs).map { number in
      let count = 2 + (number * 7 + seed * 5) % 5
      let text = (0..<count).map { Self.sentences[(number * 3 + seed + $0 * 2) % Self.sentences.count] }
      return "<p>\(text.joined(separator: " "))</p>"
    }.joined()
  }

  private func layout(_ body: String, optimizes: Bool, css: String = Self.css, height: Int = 400) -> LaidOut {
    LaidOut(body, css: css, width: Self.width, height: height) { $0.composition.optimizesPages = optimizes }
  }

  /// The lines of each page.
  private func lineCounts(_ laidOut: LaidOut) -> [Int] {
    laidOut.pages.indices.map { page in laidOut.fragments(.line).count { $0.page == page } }
  }

  @Test func `G11 More pages are full where texts may be a line longer or shorter, and none is against a rule`() {
    var short = (plain: 0, optimized: 0)
    for seed in 0..<16 {
      let plain = layout(story(seed), optimizes: false)
      let optimized = layout(story(seed), optimizes: true)
      #expect(optimized.lines.joined(separator: " ") == plain.lines.joined(separator: " "))
      short.plain += lineCounts(plain).dropLast().count { $0 < 20 }
      short.optimized += lineCounts(optimized).dropLast().count { $0 < 20 }
      #expect(optimized.pages.allSatisfy { $0.brokenRule == .perfect })
      for line in optimized.fragments(.line) where optimized.line(line).contentWidth > LayoutUnit(Self.width) {
        Issue.record("a line is too long")
      }
    }
    #expect(short.plain > 5 && short.optimized < short.plain, "\(short)")
  }

  @Test func `A text that goes on on the next page goes on in the lines chosen for it`() {
    for seed in 0..<8 {
      let laidOut = layout(story(seed), optimizes: true)
      let lines = laidOut.fragments(.line).map { ($0.fragment.box, laidOut.line($0)) }
      for (before, after) in zip(lines, lines.dropFirst()) where before.0 == after.0 {
        #expect(before.1.range.upperBound == after.1.range.lowerBound)
      }
    }
  }

  @Test func `A page whose own texts cannot change is made fuller by those of the page before it`() {
    func fixed(_ lines: Int) -> String { "<p>" + (1...lines).map { "line \($0)" }.joined(separator: "<br/>") + "</p>" }
    // Behind 17 lines three of six fill the page, and those left leave the next one short; behind 16 there are two of them.
    let behind = fixed(6) + (1...8).map { _ in fixed(3) }.joined()
    var fuller = 0
    for seed in 0..<12 {
      let told = story(seed, paragraphs: 2 + seed % 3)
      let lines = lineCounts(layout(told, optimizes: false, height: 800))[0]
      guard lines < 17 else { continue }
      let story = fixed(17 - lines) + told
      let plain = lineCounts(layout(story + behind, optimizes: false))
      let optimized = lineCounts(layout(story + behind, optimizes: true))
      #expect(plain.prefix(2) == [20, 18] && optimized[0] == 20)
      if optimized[1] > plain[1] { fuller += 1 }
    }
    #expect(fuller > 0)
  }

  @Test func `Pages that nothing can be done for stay as they are`() {
    let body = (1...40).map { "<p>line \($0)a<br/>line \($0)b<br/>line \($0)c</p>" }.joined()
    let plain = layout(body, optimizes: false)
    let optimized = layout(body, optimizes: true)
    #expect(lineCounts(plain) == lineCounts(optimized))
    #expect(plain.fragments(.line).map(\.offset.inline) == optimized.fragments(.line).map(\.offset.inline))
  }
}
