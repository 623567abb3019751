import BoxGeneration
import CSS
package import Primitives
package import Styling

/// The fragments of one page: trees in arrays, complete in themselves.
package struct PageLayout: Sendable {
  package internal(set) var fragments: [Fragment] = []
  package internal(set) var geometries: [BoxGeometry] = []
  package internal(set) var lines: [LineFragment] = []
  package internal(set) var texts: [TextFragment] = []
  package internal(set) var glyphs: [FragmentGlyph] = []
  /// Empty unless `LayoutSettings.recordsClusters`.
  package internal(set) var clusters: [ClusterPlace] = []
  package internal(set) var collapsedBorders: [CollapsedBorder] = []
  /// The root element's fragment; its offset is from the page's content area. `.none` for a blank page.
  package internal(set) var root = FragmentID.none
  /// The rule that the break at the page's end broke: `perfect` when it kept all rules.
  package internal(set) var brokenRule = BreakRank.perfect
  /// The page box, physical.
  package let geometry: PageGeometry
  /// Traits of the page for `@page` rules.
  package let traits: PageTraits
  package let writingMode: WritingMode

  package var size: Size { geometry.size }
  package var contentArea: Rect { geometry.contentArea }

  package init(geometry: PageGeometry, traits: PageTraits = PageTraits(), writingMode: WritingMode = .horizontalTB) {
    self.geometry = geometry
    self.traits = traits
    self.writingMode = writingMode
  }

  package subscript(id: FragmentID) -> Fragment { fragments[id.index] }
}
