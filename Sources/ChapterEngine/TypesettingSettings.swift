public import Graphics
public import Primitives
package import Text

/// A reader's choice about something that the book or its style decides, too.
public enum ReaderChoice: String, Hashable, Sendable, CaseIterable {
  /// As the book says, or its style.
  case auto
  /// Also where the book says otherwise.
  case on
  /// Not even where the book asks for it.
  case off
}

/// The reader's settings of a book. A value; equal settings give equal pages.
public struct TypesettingSettings: Hashable, Sendable {
  /// The style in force where neither the book nor the reader says anything.
  public enum Style: String, Hashable, Sendable, CaseIterable {
    /// The initial values of CSS.
    case book
    /// The best practice of each language: indents, justification, spacing of marks. Plain texts are always set so.
    case house
  }
  /// The place of the notes that a book marks as such (`epub:type`, DPUB-ARIA roles).
  public enum Notes: String, Hashable, Sendable, CaseIterable {
    /// The place that the book gives them.
    case book
    /// At the foot of the page of their mark.
    case foot
  }
  /// The composition of pages from lines.
  public enum Composition: String, Hashable, Sendable, CaseIterable {
    /// `pages` in the house style and for plain texts, `lines` otherwise.
    case auto
    /// Pages are filled line by line.
    case lines
    /// Paragraphs are set in one line more or less where a page would otherwise end short, with a hyphen, or against a rule.
    case pages
  }
  /// Decisions about pages that others make than the reader: the book by its `@page` rules, and the house style, which
  /// gives printed pages furniture where the book puts nothing into their margins.
  public struct PageDesign: OptionSet, Hashable, Sendable {
    /// The sum of its parts.
    public var rawValue: Int
    /// From the sum of its parts.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// The `size` of the book's rules goes before `pageSize`.
    public static let bookSize = Self(rawValue: 1)
    /// Margins, borders and paddings of the book's rules go before the margins of the reader.
    public static let bookMargins = Self(rawValue: 2)
    /// The house style puts the number of the page at its foot.
    public static let folios = Self(rawValue: 4)
    /// The house style puts the title of the book over left pages, that of the chapter over right ones.
    public static let runningHeads = Self(rawValue: 8)
    /// The house style makes margins wider at the outer edge; only with `bookMargins`.
    public static let mirroredMargins = Self(rawValue: 16)
    /// What the house style puts around the text.
    public static let furniture: Self = [.folios, .runningHeads, .mirroredMargins]
    /// All of them.
    public static let all: Self = [.bookSize, .bookMargins, .furniture]
  }
  /// Whom text is set for.
  public enum Legibility: String, Hashable, Sendable, CaseIterable {
    /// All readers.
    case standard
    /// Readers with dyslexia: letters, words and lines farther apart (WCAG 2.2, success criterion 1.4.12), paragraphs
    /// told apart by space, lines that are ragged and without divided words, and a face without serifs.
    case dyslexia
  }
  /// The medium a book is set for.
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
  /// What is not up to the margins and the size here.
  public var pageDesign = PageDesign.all
  /// Device pixels per CSS px in images of pages.
  public var scale = 1.0
  /// The base font size in CSS px.
  public var fontSize: Float = 16
  /// Line height of body text as a multiple of the font size; nil leaves the book's.
  public var lineHeight: Float?
  /// Space between letters, in em; nil leaves the book's. Formulas keep theirs.
  public var letterSpacing: Float?
  /// Space added to that between words, in em; nil leaves the book's.
  public var wordSpacing: Float?
  /// Space between paragraphs, in em; nil leaves the book's.
  public var paragraphSpacing: Float?
  /// The indent of first lines of paragraphs, in em; nil leaves the book's.
  public var paragraphIndent: Float?
  /// Text that is easier to read, where no other setting says anything.
  public var legibility = Legibility.standard
  /// Families for body text, in order; empty leaves the book's.
  public var fontFamily: [String] = []
  /// The family of `serif`; nil leaves the engine's choice by language.
  public var serif: String?
  /// The family of `sans-serif`; nil leaves the engine's choice.
  public var sans: String?
  /// The family of `monospace`; nil leaves the engine's choice.
  public var mono: String?
  /// Style sheets of the book count.
  public var publisherStyles = true
  /// Properties of CSS, by name, that the book does not set: without `text-align` the publisher's alignment is off.
  public var ignoredProperties: [String] = []
  /// Readings above or beside characters (ruby) are shown.
  public var showsRuby = true
  /// A style sheet of the reader's.
  public var userStyleSheet: String?
  /// The style in force where neither the book nor the reader says anything.
  public var style = Style.book
  /// The place of notes.
  public var notes = Notes.book
  /// Words are divided at the ends of lines.
  public var hyphenate = ReaderChoice.auto
  /// Words to be divided as they say: one a line, with hyphens where it may be divided; `[de]` begins those of a language.
  public var hyphenationExceptions = ""
  /// Words in capitals only are hyphenated, too.
  public var hyphenatesCapitals = false
  /// Lines of body text are made equally long.
  public var justify = ReaderChoice.auto
  /// 。！？ within a line give up their blank half where a Chinese line is made narrower, after all other marks.
  public var reducesStops = true
  /// Lines of body text stand on a grid that all pages have in common: their baselines at whole multiples of the body's
  /// line height from the top of the page.
  public var baselineGrid = false
  /// Chinese and Japanese characters stand in columns: marks keep their em, and Western words between characters are
  /// set in a whole number of ems.
  public var characterGrid = false
  /// Columns of body text on a page, side by side; 1 leaves the book's. Pages of fixed design keep theirs.
  public var columns = 1
  /// Facing pages end at the same depth: white that a page has left goes into the gaps between its paragraphs.
  public var balancesPages = false
  /// The composition of pages from lines. Pages of fixed design stay as they are.
  public var compose = Composition.auto
  /// Microtypography: justified lines of Western text are set with their glyphs up to 2 % wider or narrower and their letters up to
  /// 1 % of an em apart or together, so that word spaces keep near their natural width. `auto` is on in the house style and for plain
  /// texts. Pages of fixed design stay as they are.
  public var micro = ReaderChoice.auto
  /// The `@media` type that applies.
  public var media = Media.screen
  /// The colours of pages.
  public var theme = Theme.light
  /// Folders whose faces are used beside those of the system.
  public var fontDirectories: [String] = []
  /// Fonts installed on the system are used.
  public var usesSystemFonts = true
  /// Bounds against hostile books.
  public var limits = Limits()

  /// Pages of 600 by 800 CSS px, as books have them.
  public init() {}

  package func hyphenator() -> Hyphenator {
    Hyphenator(exceptions: HyphenationExceptions(hyphenationExceptions), dividesCapitals: hyphenatesCapitals)
  }

  /// Pages are flush, so that a page is like a browser's window.
  var isFlush: Bool { marginTop == .zero && marginRight == .zero && marginBottom == .zero && marginLeft == .zero }
}
