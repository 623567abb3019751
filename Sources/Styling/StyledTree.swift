package import CSS
package import Markup
package import Primitives

/// The interned style groups of one chapter. Group 0 of each table is the initial value of all its properties.
package struct StyleTable: Sendable {
  package var fonts: [FontStyle] = [FontStyle()]
  package var texts: [TextStyle] = [TextStyle()]
  package var paragraphs: [ParagraphStyle] = [ParagraphStyle()]
  package var lists: [ListStyle] = [ListStyle()]
  package var boxes: [BoxStyle] = [BoxStyle()]
  package var borders: [BorderGroup] = [BorderGroup()]
  package var backgrounds: [BackgroundGroup] = [BackgroundGroup()]
  package var pages: [PageGroup] = [PageGroup()]
  package var calculations: [Calculation] = []

  package init() {}

  package subscript(id: Identifier<FontStyleTag>) -> FontStyle { fonts[id.index] }
  package subscript(id: Identifier<TextStyleTag>) -> TextStyle { texts[id.index] }
  package subscript(id: Identifier<ParagraphStyleTag>) -> ParagraphStyle { paragraphs[id.index] }
  package subscript(id: Identifier<ListStyleTag>) -> ListStyle { lists[id.index] }
  package subscript(id: Identifier<BoxStyleTag>) -> BoxStyle { boxes[id.index] }
  package subscript(id: Identifier<BorderStyleTag>) -> BorderGroup { borders[id.index] }
  package subscript(id: Identifier<BackgroundStyleTag>) -> BackgroundGroup { backgrounds[id.index] }
  package subscript(id: Identifier<PageStyleTag>) -> PageGroup { pages[id.index] }
  package subscript(id: CalcID) -> Calculation { calculations[id.index] }

  /// Gives body text the reader's line height, a multiple of the font size.
  package mutating func setReaderLineHeight(_ factor: Float) {
    for index in fonts.indices where !fonts[index].keepsLineHeight { fonts[index].lineHeight = .number(factor) }
  }
}

/// A pseudo-element that has a style of its own.
package struct PseudoElementStyle: Sendable {
  package var node: NodeID
  package var pseudo: PseudoElement
  package var style: ComputedStyle
  package init(node: NodeID, pseudo: PseudoElement, style: ComputedStyle) {
    self.node = node
    self.pseudo = pseudo
    self.style = style
  }
}

/// A property of `DrawingProperty` with its value as written.
package struct DrawingDeclaration: Hashable, Sendable {
  package var name: String
  package var value: String
}

/// A document with the computed style of each of its elements and pseudo-elements. Text takes its parent's style.
package struct StyledTree: Sendable {
  package var document: Document
  /// By `NodeID`; the entry of a text node is its parent's.
  package var styles: ComputedStyles
  /// Sorted by node, then pseudo-element. `::before` and `::after` are present only when they generate content.
  package var pseudoElements: [PseudoElementStyle]
  /// Styles of elements (`.none`) and their pseudo-elements on the first formatted line of a block container that has a
  /// `::first-line`; of that container and blocks that begin with its first line, the style of the line itself. Sorted
  /// as `pseudoElements` are.
  package var firstLineStyles: [PseudoElementStyle] = []
  /// What is declared of the drawing properties (`DrawingProperty`) for elements of SVG themselves, by rules and by attributes
  /// with `var()`: name and value, sorted by name.
  package var drawingProperties: [NodeID: [DrawingDeclaration]] = [:]
  /// The looks of footnotes, when the document has any.
  package var footnotes: FootnoteStyles?
  package var table: StyleTable
  package var statistics: StageStatistics
  /// The `@font-face` rules in effect, in cascade order.
  package var fontFaces: [FontFaceDescription] = []
  /// Page styles of the `@page` rules in effect.
  package var pageStyles = PageStyles()
  /// The `@counter-style` rules in effect, by name.
  package var counterStyles: [String: CounterStyleDescription] = [:]
  /// Values of the `@font-feature-values` rules in effect.
  package var fontFeatureValues = FontFeatureValues()
  /// The `@font-palette-values` rules in effect, in cascade order.
  package var fontPalettes: [FontPaletteValues] = []
  package var dependencies: StyleDependencies = []
  package var diagnostics: DiagnosticSink

  package init(
    document: Document, styles: ComputedStyles, pseudoElements: [PseudoElementStyle], table: StyleTable,
    statistics: StageStatistics,
    diagnostics: DiagnosticSink
  ) {
    self.document = document
    self.styles = styles
    self.pseudoElements = pseudoElements
    self.table = table
    self.statistics = statistics
    self.diagnostics = diagnostics
  }

  /// The style of a pseudo-element, nil when no rule speaks of it.
  ///
  /// - Complexity: O(log pseudo-elements).
  package func style(of node: NodeID, _ pseudo: PseudoElement) -> ComputedStyle? {
    Self.find(node, pseudo, in: pseudoElements)
  }

  /// The style of an element or pseudo-element on a first line; nil when no first line reaches it.
  ///
  /// - Complexity: O(log styles on first lines).
  package func firstLineStyle(of node: NodeID, _ pseudo: PseudoElement) -> ComputedStyle? {
    firstLineStyles.isEmpty ? nil : Self.find(node, pseudo, in: firstLineStyles)
  }

  private static func find(
    _ node: NodeID, _ pseudo: PseudoElement, in entries: [PseudoElementStyle]
  ) -> ComputedStyle? {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      let entry = entries[middle]
      if entry.node < node || (entry.node == node && entry.pseudo.rawValue < pseudo.rawValue) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    guard low < entries.count, entries[low].node == node, entries[low].pseudo == pseudo else { return nil }
    return entries[low].style
  }
}
