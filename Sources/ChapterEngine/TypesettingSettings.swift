public import Graphics
public import Primitives
package import Text

/// A reader's choice about something books say too.
public enum ReaderChoice: String, Hashable, Sendable, CaseIterable {
  /// As the book says.
  case auto
  /// Also where the book says otherwise.
  case on
  /// Not even where the book asks for it.
  case off
}

/// How the reader wants a book set. A value; equal settings give equal pages.
public struct TypesettingSettings: Hashable, Sendable {
  /// What holds where neither the book nor the reader says anything.
  public enum Style: String, Hashable, Sendable, CaseIterable {
    /// The initial values of CSS.
    case book
    /// The best practice of each language: indents, justification, spacing of marks. Plain texts are always set so.
    case house
  }
  /// Where the notes stand that a book marks as such (`epub:type`, DPUB-ARIA roles).
  public enum Notes: String, Hashable, Sendable, CaseIterable {
    /// Where the book has them.
    case book
    /// At the foot of the page of their mark.
    case foot
  }
  /// How pages are made of lines.
  public enum Composition: String, Hashable, Sendable, CaseIterable {
    /// `pages` in the house style and for plain texts, `lines` otherwise.
    case auto
    /// Pages are filled line by line.
    case lines
    /// Paragraphs are set in one line more or less where a page would otherwise end short, with a hyphen, or against a rule.
    case pages
  }
  /// What a book is set for.
  public enum Media: String, Hashable, Sendable, CaseIterable {
    /// A screen of the reader's.
    case screen
    /// Paper.
    case print
  }

  /// The page in CSS px.
  public var pageSize = Size(width: LayoutUnit(600), height: LayoutUnit(800))
  /// Margins of the page in CSS px.
  public var marginTop = LayoutUnit(48)
  /// In CSS px.
  public var marginRight = LayoutUnit(48)
  /// In CSS px.
  public var marginBottom = LayoutUnit(48)
  /// In CSS px.
  public var marginLeft = LayoutUnit(48)
  /// Whether `size` in the book's own `@page` rules goes before `pageSize`, and their margins before those here.
  public var takesBookPageSize = true
  /// Whether margins, borders and paddings in the book's own `@page` rules go before the margins here.
  public var takesBookMargins = true
  /// Device pixels per CSS px in images of pages.
  public var scale = 1.0
  /// The base font size in CSS px.
  public var fontSize: Float = 16
  /// Line height of body text as a multiple of the font size; nil leaves the book's.
  public var lineHeight: Float?
  /// Families for body text, in order; empty leaves the book's.
  public var fontFamily: [String] = []
  /// What the generic families stand for; nil leaves the engine's choice by language.
  public var serif: String?
  /// What `sans-serif` stands for; nil leaves the engine's choice.
  public var sans: String?
  /// What `monospace` stands for; nil leaves the engine's choice.
  public var mono: String?
  /// Whether the book's own style sheets count.
  public var publisherStyles = true
  /// A style sheet of the reader's.
  public var userStyleSheet: String?
  /// What holds where neither the book nor the reader says anything.
  public var style = Style.book
  /// Where notes stand.
  public var notes = Notes.book
  /// Whether words are divided at the ends of lines.
  public var hyphenate = ReaderChoice.auto
  /// Words to be divided as they say: one a line, with hyphens where it may be divided; `[de]` begins those of a language.
  public var hyphenationExceptions = ""
  /// Whether words in capitals only are hyphenated, too.
  public var hyphenatesCapitals = false
  /// Whether lines of body text are made equally long.
  public var justify = ReaderChoice.auto
  /// Whether 。！？ within a line give up their blank half where a Chinese line is made narrower, after all other marks.
  public var reducesStops = true
  /// Whether lines of body text stand on a grid that all pages have in common: their baselines at whole multiples of the
  /// body's line height from the top of the page.
  public var baselineGrid = false
  /// Whether Chinese and Japanese characters stand in columns: marks keep their em, and Western words between characters are
  /// set in a whole number of ems.
  public var characterGrid = false
  /// Columns of body text on a page, side by side; 1 leaves the book's. Pages of fixed design keep theirs.
  public var columns = 1
  /// Whether facing pages end at the same depth: white that a page has left goes into the gaps between its paragraphs.
  public var balancesPages = false
  /// How pages are made of lines. Pages of fixed design stay as they are.
  public var compose = Composition.auto
  /// Which `@media` applies.
  public var media = Media.screen
  /// The colours of pages.
  public var theme = Theme.light
  /// Folders whose faces are used beside those of the system.
  public var fontDirectories: [String] = []
  /// Whether fonts installed on the system are used.
  public var usesSystemFonts = true
  /// Bounds against hostile books.
  public var limits = Limits()

  /// Pages of 600 by 800 CSS px, as books have them.
  public init() {}

  package func hyphenator() -> Hyphenator {
    Hyphenator(exceptions: HyphenationExceptions(hyphenationExceptions), dividesCapitals: hyphenatesCapitals)
  }

  /// Whether pages are flush, so that a page is like a browser's window.
  var isFlush: Bool { marginTop == .zero && marginRight == .zero && marginBottom == .zero && marginLeft == .zero }
}
