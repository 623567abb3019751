package import Fonts
import Layout
package import Primitives
import Shaping
import Text

/// Characters that no font has, counted by script: those of a page, of a chapter or of a book.
package struct MissingCharacters: Sendable, Equatable {
  /// The characters of one line that is told.
  private enum Group: Sendable, Equatable {
    case script(Script)
    case emoji
    case symbols
    /// Figures and marks of punctuation of all scripts.
    case common
    /// Characters that only a font of the book's own gives a meaning.
    case privateUse

    init(_ scalar: UInt32) {
      let properties = CharacterProperties(scalar)
      if properties.script.isReal, properties.script != .unknown {
        self = .script(properties.script)
      } else if properties.category == .privateUse {
        self = .privateUse
      } else if properties.hasEmojiPresentation || properties.isEmojiModifier
        || properties.isExtendedPictographic && scalar >= 0x1F000
      {
        self = .emoji
      } else if EastAsianSpacing.isIdeographic(scalar, properties) {
        self = .script(.han)
      } else {
        // Marks that a few scripts share.
        let script = [Script.han, .arabic, .devanagari, .latin].first { CharacterMapping.isUsed(scalar, in: $0) }
        self = script.map { .script($0) } ?? (properties.category.isSymbol ? .symbols : .common)
      }
    }

    /// An ISO 15924 code.
    var code: String {
      switch self {
      case .script(let script): script.code
      case .emoji: "Zsye"
      case .symbols: "Zsym"
      case .common: "Zyyy"
      case .privateUse: "Zzzz"
      }
    }

    func name(of count: Int) -> String {
      switch self {
      case .script(let script): (count == 1 ? "character" : "characters") + " of \(script.name)"
      case .emoji: "emoji"
      case .symbols: count == 1 ? "symbol" : "symbols"
      case .common: (count == 1 ? "character" : "characters") + " of no script"
      case .privateUse: count == 1 ? "private character" : "private characters"
      }
    }
  }

  /// A character in the texts of a chapter's boxes.
  package struct Place: Sendable, Equatable {
    package var text: TextID
    /// Of the text.
    package var unit: Int
  }

  private struct Entry: Sendable, Equatable {
    var group: Group
    var count: Int
    var first: UInt32
    var place: Place?
  }

  /// In the order in which scripts were met.
  private var entries: [Entry] = []

  package init() {}

  package var isEmpty: Bool { entries.isEmpty }
  /// The number of characters.
  package var count: Int { entries.reduce(0) { $0 + $1.count } }

  package mutating func add(_ scalar: UInt32, times count: Int = 1, at place: Place? = nil) {
    add(Entry(group: Group(scalar), count: count, first: scalar, place: place))
  }

  /// Adds those of what follows.
  package mutating func add(_ others: Self) { for entry in others.entries { add(entry) } }

  /// The same without places: for texts of other boxes.
  var unplaced: Self {
    var unplaced = self
    for index in entries.indices { unplaced.entries[index].place = nil }
    return unplaced
  }

  private mutating func add(_ entry: Entry) {
    if let place = entries.firstIndex(where: { $0.group == entry.group }) {
      entries[place].count += entry.count
    } else {
      entries.append(entry)
    }
  }

  /// A warning for each script.
  package func diagnostics(_ fonts: FontLibrary) -> [Diagnostic] {
    messages(fonts).map { Diagnostic(.warning, code: "missing-glyph", message: $0.message) }
  }

  /// A message for each script, with the Debian package whose fonts would show it, as far as one would, and the place
  /// of the first character where it is known.
  package func messages(_ fonts: FontLibrary) -> [(message: String, place: Place?)] {
    entries.map { entry in
      var message = "no font has \(entry.count.grouped) \(entry.group.name(of: entry.count))"
      let code = String(entry.first, radix: 16, uppercase: true)
      let shown =
        entry.group == .privateUse || CharacterProperties(entry.first).category == .unassigned
        ? "" : Unicode.Scalar(entry.first).map { "\($0) " } ?? ""
      message += " (first: \(shown)U+\(String(repeating: "0", count: Swift.max(0, 4 - code.count)))\(code))"
      if let package = fonts.missingPackage(for: entry.group.code) { message += "; install \(package)" }
      return (message, entry.place)
    }
  }
}

extension MissingCharacters {
  /// Those of the texts of a page.
  init(on page: PageLayout, _ texts: AttributedTextStore, _ shaper: Shaper) {
    guard shaper.lacksCharacters else { return }
    for text in page.texts {
      let offsets = shaper.missingCharacters(in: text.text, within: text.range)
      let units = texts.units.span.extracting(texts[text.text].units)
      for offset in offsets {
        let place = Place(text: text.text, unit: Int(offset))
        add(UTF16Text.scalar(units, at: place.unit).value, at: place)
      }
    }
  }
}
