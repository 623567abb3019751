import Fonts
package import Primitives

extension BookResources {
  /// What the settings name and neither the machine nor the book has, with what is taken instead: one warning each.
  package var missingNames: [Diagnostic] {
    let book = fontBooks.book(for: [])
    func face(_ families: [FontFamily]) -> String {
      let face = book.primaryFace(for: FontDescription(families: families))
      return face.id == fonts.lastResort.id ? "and there is no other" : "\(face.familyName) is used"
    }
    var found: [Diagnostic] = []
    func add(_ message: String) {
      found.append(Diagnostic(.warning, code: "missing-font", message: message))
    }
    let families = settings.fontFamily.map(ChapterStyles.family)
    for case .named(let name) in families where !fonts.hasFamily(named: name) && !fontBooks.declares(family: name) {
      add("--font-family “\(name)”: no face has this name, \(face(families))")
    }
    for (option, name, generic) in [
      ("serif", settings.serif, GenericFamily.serif), ("sans", settings.sans, .sansSerif),
      ("mono", settings.mono, .monospace),
    ] {
      guard let name, !fonts.hasFamily(named: name) else { continue }
      add("--\(option) “\(name)”: no face has this name, \(face([.generic(generic)]))")
    }
    for folder in settings.fontDirectories where !fonts.hasFaces(in: folder) {
      add("--font-dir \(folder): there is no font that can be read")
    }
    return found
  }
}
