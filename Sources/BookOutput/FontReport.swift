package import ChapterEngine
import Fonts
import Markup
import Platform
package import Primitives
import Publications
import Text
package import Typesetting

/// The faces that a text would be set in, and why (`typeset fonts`).
package struct FontReport {
  private let book: FontBook
  private let families: [FontFamily]
  private let language: String?

  package init(settings: TypesettingSettings, families: [String], language: String) {
    self.init(settings: settings, families: families, language: language, rules: [])
  }

  /// - Parameter rules: Fonts of a book.
  private init(settings: TypesettingSettings, families: [String], language: String, rules: [FontFaceDefinition]) {
    var generic: [GenericFamily: String] = [:]
    if let name = settings.serif { generic[.serif] = name }
    if let name = settings.sans { generic[.sansSerif] = name }
    if let name = settings.mono { generic[.monospace] = name }
    book = FontBook(
      library: FontLibrary(
        directories: settings.fontDirectories, usesSystemFonts: settings.usesSystemFonts, genericFamilies: generic),
      rules: rules)
    self.families = families.map(ChapterStyles.family)
    self.language = language.isEmpty ? nil : language.lowercased()
  }

  /// A line for each generic family in four styles.
  package func genericFamilies() -> [String] {
    var lines: [String] = []
    let generics: [(String, GenericFamily)] = [
      ("serif", .serif), ("sans-serif", .sansSerif), ("monospace", .monospace), ("cursive", .cursive),
      ("fantasy", .fantasy),
      ("math", .math), ("emoji", .emoji),
    ]
    for (name, generic) in generics {
      for (style, weight, slant) in [
        ("regular", UInt16(400), FontSlant.normal), ("bold", 700, .normal), ("italic", 400, .italic),
      ] {
        let description = FontDescription(families: [.generic(generic)], weight: weight, slant: slant)
        let face = book.cascade(for: description, language: language).primary
        if face === book.library.lastResort { continue }
        lines.append("\(Self.column(name, 12))\(Self.column(style, 9))\(Self.describe(face))")
      }
    }
    return lines.isEmpty ? ["no fonts are installed"] : lines
  }

  /// A line for each stretch of text that one face draws.
  package func faces(for text: String) -> [String] {
    let cascade = book.cascade(for: FontDescription(families: families), language: language)
    var stretches: [(text: String, face: FontFace?, reason: String)] = []
    for character in text {
      let scalars = character.unicodeScalars.map(\.value)
      guard let base = scalars.first else { continue }
      var face: FontFace?
      var reason = "asked for"
      if let entry = cascade.face(covering: base), entry !== book.library.lastResort {
        face = entry
        if entry !== cascade.primary { reason = "in the list of families" }
      } else if let found = fallback(for: scalars, in: cascade) {
        face = found
        reason = "fallback"
      } else {
        reason = "no installed face has it"
      }
      if let last = stretches.last, last.face === face, last.reason == reason {
        stretches[stretches.count - 1].text.append(character)
      } else {
        stretches.append((String(character), face, reason))
      }
    }
    return stretches.map { "\($0.text)\t\($0.face.map(Self.describe) ?? "-")\t\($0.reason)" }
  }

  /// The family that would draw a character; nil where no font has it.
  func family(for scalar: UInt32) -> String? {
    let cascade = book.cascade(for: FontDescription(families: families), language: language)
    if let own = cascade.face(covering: scalar), own !== book.library.lastResort { return own.familyName }
    return fallback(for: [scalar], in: cascade)?.familyName
  }

  /// The package that would bring a face for a script; nil where it is installed, or where none does.
  func missingPackage(for script: String) -> String? { book.library.missingPackage(for: script) }

  /// The family that formulas would be set in; nil where no font has what they need.
  var formulaFamily: String? {
    guard missingPackage(for: "Zmth") == nil else { return nil }
    return book.primaryFace(for: FontDescription(families: [.generic(.math)]), language: language).familyName
  }

  /// A warning for each script of a text that has characters which no font has.
  package func missing(in text: String) -> [Diagnostic] {
    missing(in: Array(text.unicodeScalars.map { ($0.value, 1) }))
  }

  private func missing(in characters: [(scalar: UInt32, count: Int)]) -> [Diagnostic] {
    let cascade = book.cascade(for: FontDescription(families: families), language: language)
    var missing = MissingCharacters()
    for (scalar, count) in characters where !Self.isInvisible(scalar) {
      let own = cascade.face(covering: scalar)
      if own == nil || own === book.library.lastResort, fallback(for: [scalar], in: cascade) == nil {
        missing.add(scalar, times: count)
      }
    }
    return missing.diagnostics(book.library)
  }

  private static func isInvisible(_ scalar: UInt32) -> Bool {
    let properties = CharacterProperties(scalar)
    return properties.isDefaultIgnorable || properties.category == .control
      || properties.category == .spaceSeparator || scalar == 0x2028 || scalar == 0x2029
  }

  private func fallback(for scalars: [UInt32], in cascade: FontCascade) -> FontFace? {
    guard let base = scalars.first else { return nil }
    let prefersEmoji = CharacterProperties(base).hasEmojiPresentation
    let found = book.fallback(for: scalars, in: cascade, script: "Zyyy", prefersEmoji: prefersEmoji)
    return found.flatMap { $0.covers(base) ? $0 : nil }
  }

  /// A warning for each script of a book that has characters which neither an installed font has nor one that the book brings along,
  /// whatever its styles ask for. Nothing is laid out.
  package static func missing(in book: Book, settings: TypesettingSettings = TypesettingSettings()) -> [Diagnostic] {
    let publication = book.publication
    let own = book.fontFiles
    let language = book.metadata.language
    return Worker.run {
      var counts: [UInt32: Int] = [:]
      var order: [UInt32] = []
      for index in publication.spine.indices {
        forEachText(of: ParsedChapter(publication, index: index).document) { text in
          for scalar in text.unicodeScalars {
            if let known = counts[scalar.value] {
              counts[scalar.value] = known + 1
            } else {
              counts[scalar.value] = 1
              order.append(scalar.value)
            }
          }
        }
      }
      let rules = own.map { path in
        FontFaceDefinition(
          family: path, sources: [.data(key: path, load: { try? publication.resource(at: path) })])
      }
      let report = FontReport(settings: settings, families: own + ["serif"], language: language, rules: rules)
      return report.missing(in: order.map { ($0, counts[$0] ?? 0) })
    }
  }

  /// Tells the texts of a document that readers may see.
  private static func forEachText(of document: Document, _ body: (String) -> Void) {
    var index = 0
    while index < document.nodes.count {
      let node = document.nodes[index]
      let id = NodeID(index)
      if node.kind == .element, [.head, .script, .style].contains(node.name) {
        index = Swift.max(index + 1, node.subtreeEnd.index)
        continue
      }
      if node.kind == .text { body(document.textContent(of: id)) }
      index += 1
    }
  }

  private static func describe(_ face: FontFace) -> String {
    "\(face.familyName) \(face.styleName), weight \(face.weight), \(face.fileName)"
      + (face.isSyntheticBold ? ", emboldened" : "")
      + (face.isSyntheticOblique ? ", slanted" : "")
  }
  private static func column(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: Swift.max(1, width - text.count))
  }
}
