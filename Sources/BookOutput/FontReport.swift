package import ChapterEngine
import Fonts
import Primitives

/// The faces that a text would be set in, and why (`typeset fonts`).
package struct FontReport {
  private let book: FontBook
  private let families: [FontFamily]
  private let language: String?

  package init(settings: TypesettingSettings, families: [String], language: String) {
    var generic: [GenericFamily: String] = [:]
    if let name = settings.serif { generic[.serif] = name }
    if let name = settings.sans { generic[.sansSerif] = name }
    if let name = settings.mono { generic[.monospace] = name }
    book = FontBook(
      library: FontLibrary(
        directories: settings.fontDirectories, usesSystemFonts: settings.usesSystemFonts, genericFamilies: generic))
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
        guard let face = book.cascade(for: description, language: language)?.primary else { continue }
        lines.append("\(Self.column(name, 12))\(Self.column(style, 9))\(Self.describe(face))")
      }
    }
    return lines.isEmpty ? ["no fonts are installed"] : lines
  }

  /// A line for each stretch of text that one face draws.
  package func faces(for text: String) -> [String] {
    guard let cascade = book.cascade(for: FontDescription(families: families), language: language) else {
      return ["no fonts are installed"]
    }
    var stretches: [(text: String, face: FontFace?, reason: String)] = []
    for character in text {
      let scalars = character.unicodeScalars.map(\.value)
      guard let base = scalars.first else { continue }
      var face: FontFace?
      var reason = "asked for"
      if let entry = cascade.face(covering: base) {
        face = entry
        if entry !== cascade.primary { reason = "in the list of families" }
      } else if let found = book.fallback(
        for: scalars, in: cascade, script: "Zyyy",
        prefersEmoji: character.unicodeScalars.first?.properties.isEmojiPresentation ?? false),
        found.covers(base)
      {
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

  private static func describe(_ face: FontFace) -> String {
    "\(face.familyName) \(face.styleName), weight \(face.weight), \(face.fileName)"
      + (face.isSyntheticBold ? ", emboldened" : "")
      + (face.isSyntheticOblique ? ", slanted" : "")
  }
  private static func column(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: Swift.max(1, width - text.count))
  }
}
