package import CSS
package import Primitives

/// A reader's choice about something books say too.
package enum ReaderChoice: UInt8, Hashable, Sendable { case auto, on, off }

/// Sizes of a font's marks, each a share of its em.
package struct FontUnitRatios: Hashable, Sendable {
  package var xHeight: Float
  package var zeroAdvance: Float
  /// The advance of the zero that stands upright in a vertical line.
  package var zeroHeight: Float = 1
  package var capHeight: Float
  package var ideographAdvance: Float
  package var lineHeight: Float
  /// The sizes of scripts and of scripts of scripts in formulas, in that of their base (OpenType `MATH`).
  package var scriptScale = Self.scriptScale
  package var scriptScriptScale = Self.scriptScale * Self.scriptScale
  /// The size of scripts where a face says nothing (MathML Core, section 4.5).
  package static let scriptScale: Float = 0.71

  package init(
    xHeight: Float = 0.5, zeroAdvance: Float = 0.5, capHeight: Float = 0.7, ideographAdvance: Float = 1,
    lineHeight: Float = 1.2
  ) {
    self.xHeight = xHeight
    self.zeroAdvance = zeroAdvance
    self.capHeight = capHeight
    self.ideographAdvance = ideographAdvance
    self.lineHeight = lineHeight
  }
}

/// Settings of the reader for styling. A change of any of these styles the chapter anew, but for the size of the page
/// and the base font size, which most chapters are styled without (`StyleDependencies`).
package struct StyleSettings: Sendable {
  /// The environment of media queries; its size is also the page that `font-size: 5vw` refers to.
  package var media = MediaEnvironment()
  /// The page area in CSS px, which query containers stand in; nil for the size of `media`.
  package var pageArea: (width: Double, height: Double)?
  /// The base font size in px, for the few lengths that cannot stay relative to it.
  package var rootFontSize: Float = 16
  /// Absolute font sizes and line heights are shares of the base font size, so that the reader's size reaches books
  /// that set theirs in points or pixels: the 16 px that authors take for granted are 1 rem. Not on pages of fixed
  /// layout.
  package var scalesAbsoluteSizes = false
  /// Without them, the book's sheets count only where they carry meaning: emphasis, indents, what is hidden, lists.
  package var usesPublisherStyles = true
  /// Families for body text; monospaced and mathematical text keep theirs. Empty leaves the book's.
  package var fontFamilyOverride: [FontFamily] = []
  /// The defaults of the house style hold where neither the book nor the reader says anything.
  package var usesHouseStyle: Bool {
    get { !houseSheets.isEmpty }
    set { houseSheets = newValue ? [UserAgentSheet.house] : [] }
  }
  /// The sheets of the house style: its defaults, and the furniture of printed pages that have none of their own
  /// (rule G15).
  package var houseSheets: [TypedStylesheet] = []
  /// The notes of a book (`epub:type`, DPUB-ARIA roles) are set at the foot of the page of their mark.
  package var movesNotes = false
  /// The language of elements that say none, in lower case; empty when it is unknown.
  package var language = ""
  package var justifies = ReaderChoice.auto
  package var hyphenates = ReaderChoice.auto
  /// Formulas are set as books want them, where browsers have only MathML Core: signs over a base that are accents by nature are
  /// set as such (MathML 3, section 3.4.5), and a table that is all of its paragraph may be longer than a page.
  package var extendsFormulas = false
  /// The 8 px margin browsers give `body`; a page with margins of its own needs none.
  package var hasBodyMargin = true
  /// Measures a font for `ex`, `ch` and their kin where they must be known before layout. Nil takes usual values.
  package var measureFont: (@Sendable (FontDescription) -> FontUnitRatios)?
  /// The first face of a font has a character, or with `true` some face that it may fall back to. Nil for fonts that
  /// have only letters.
  package var coversCharacter: (@Sendable (FontDescription, UInt32, _ fallsBack: Bool) -> Bool)?

  package init() {}
}

/// The dependencies of styles on settings that layout would otherwise see first: a change of it styles the chapter
/// anew.
package struct StyleDependencies: OptionSet, Sendable, Hashable {
  package var rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }
  /// The page, by a font size in viewport units.
  package static let pageSize = Self(rawValue: 1 << 0)
  /// The base font size, by a comparison of lengths or a sum that had to become one.
  package static let rootFontSize = Self(rawValue: 1 << 1)
  /// Elements that come later in the document, by selectors that count from the end or look into what follows.
  package static let laterElements = Self(rawValue: 1 << 2)
}
