import CSS
import Primitives
import TestSupport
import Testing
import Text

@testable import Shaping

/// Short items between others, which come from the cache.
@Suite struct ItemTests {
  /// The face has no Hebrew letters, and its lookups name the space: words are items of another face, as spaces and marks are of its own.
  private func libertine(_ helper: ShapingHelper) -> AttributeID {
    helper.attributes(families: [.named("Linux Libertine O")], language: "he")
  }

  @Test func `items in another face are shaped once, and alike wherever they stand`() {
    let helper = ShapingHelper()
    let text = "מפליגים בישראל, מפליגים (בישראל) שָׁלוֹם-עולם – שָׁלוֹם, עולם: “מפליגים” ABC"
    let id = helper.add([(text, libertine(helper), .text)], direction: .rtl)
    helper.expectSameWays(id, "Hebrew")
    let before = helper.shaper.counters.calls
    let again = helper.add([(text + " " + text, libertine(helper), .text)], direction: .rtl)
    _ = helper.shape(again)
    #expect(helper.shaper.counters.calls <= before + 3)
  }

  @Test func `where a line may break is told by the text around an item`() {
    let helper = ShapingHelper()
    // The letters of the second word are those of the first, behind a maqaf that binds and one that does not.
    let texts = ["עולם\u{5BE}עולם", "עולם עולם", "עולם-עולם", "עולם/עולם", "א-עולם", "עולם"]
    var shaped: [ShapedText] = []
    for text in texts { shaped.append(helper.shape(helper.add([(text, libertine(helper), .text)], direction: .rtl))) }
    for (text, kept) in zip(texts, shaped) {
      let fresh = ShapingHelper()
      let alone = fresh.shape(fresh.add([(text, libertine(fresh), .text)], direction: .rtl))
      #expect(alone.clusters == kept.clusters && alone.glyphs == kept.glyphs, "\(text)")
    }
  }

  @Test func `marks in vertical lines are the same from the cache`() {
    let text = "「ああ。」と、（彼は）言った……。「ええ。」と、（彼も）言った……。"
    let helper = ShapingHelper()
    let id = helper.add([(text, helper.attributes(language: "ja"), .text)])
    var ways: [ShapedText] = []
    for isExhaustive in [true, false, false] {
      helper.shaper.isExhaustive = isExhaustive
      var shaped = ShapedText()
      helper.shaper.shape(id, in: helper.store, writingMode: .verticalRL, into: &shaped)
      ways.append(shaped)
    }
    let calls = helper.shaper.counters.calls
    var last = ShapedText()
    helper.shaper.shape(id, in: helper.store, writingMode: .verticalRL, into: &last)
    #expect(helper.shaper.counters.calls == calls)
    for way in ways.dropFirst() {
      #expect(way.glyphs == ways[0].glyphs)
      #expect(way.clusters.map(\.advance) == ways[0].clusters.map(\.advance))
      #expect(
        way.clusters.map { $0.flags.subtracting(.unsafeToBreakBefore) }
          == ways[0].clusters.map { $0.flags.subtracting(.unsafeToBreakBefore) })
    }
    #expect(last.glyphs == ways[1].glyphs && last.clusters == ways[1].clusters)
  }
}
