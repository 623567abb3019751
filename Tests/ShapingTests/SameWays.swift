import Primitives
import Shaping
import TestSupport
import Testing
import Text

extension ShapingHelper {
  /// Expects a text to have the same glyphs, advances and flags word by word, from the cache, and shaped as a whole.
  func expectSameWays(_ id: TextID, _ comment: Comment) {
    shaper.isExhaustive = true
    let whole = shape(id)
    shaper.isExhaustive = false
    let first = shape(id)
    let second = shape(id)
    #expect(first.isConsistent(units: store[id].units.count), comment)
    #expect(first.glyphs == whole.glyphs, comment)
    #expect(second.glyphs == whole.glyphs, comment)
    let safety: ClusterFlags = .unsafeToBreakBefore
    #expect(
      first.clusters.map { $0.flags.subtracting(safety) } == whole.clusters.map { $0.flags.subtracting(safety) },
      comment)
    #expect(first.clusters.map(\.advance) == whole.clusters.map(\.advance), comment)
    #expect(second.clusters == first.clusters, comment)
    #expect(second.runs.map(\.font) == first.runs.map(\.font), comment)
  }
}
