import CSS
import Fonts
import Platform
package import Primitives
import Publications
import Styling
import Synchronization

/// The fonts that the chapters of a book see, by their `@font-face` rules: mostly all chapters have the same.
package final class FontBooks: Sendable {
  private struct Key: Hashable {
    var faces: [FontFaceDescription]
    var palettes: [FontPaletteValues]
  }

  private let library: FontLibrary
  private let publication: Publication
  private let books = Lock<[Key: FontBook]>([:])

  init(library: FontLibrary, publication: Publication) {
    self.library = library
    self.publication = publication
  }

  func book(for faces: [FontFaceDescription], palettes: [FontPaletteValues] = []) -> FontBook {
    let key = Key(faces: faces, palettes: palettes)
    return books.withLock { books in
      if let known = books[key] { return known }
      let made = FontBook(library: library, rules: Self.definitions(of: faces, in: publication), palettes: palettes)
      books[key] = made
      return made
    }
  }

  /// A family of this name is declared by a chapter that was looked at.
  func declares(family: String) -> Bool {
    books.withLock { $0.values.contains { $0.declares(family: family) } }
  }

  /// The warnings about fonts that could not be used, each once.
  package var diagnostics: [Diagnostic] {
    var found = Set(books.withLock { $0.values.flatMap { $0.diagnostics.diagnostics } })
    if library.lacksFontconfig {
      found.insert(
        Diagnostic(
          .warning, code: "no-fontconfig",
          message: "fontconfig is not installed: only fonts that the book brings along can be used"
            + OptionalLibrary.fontconfig.advice))
    }
    return found.sorted { ($0.resource, $0.message) < ($1.resource, $1.message) }
  }

  /// `@font-face` rules, with the way to their fonts.
  private static func definitions(of faces: [FontFaceDescription], in publication: Publication) -> [FontFaceDefinition]
  {
    faces.map { face in
      var definition = FontFaceDefinition(
        family: face.family,
        sources: face.sources.map { source in
          switch source {
          case .local(let name): return .local(name)
          case .url(let url):
            if url.hasPrefix("data:") { return .data(key: url, load: { decodeDataURL(url) }) }
            let place = publication.resolve(url, relativeTo: "")
            return .data(
              key: place?.path ?? url, fragment: place?.fragment,
              load: { place.flatMap { try? publication.resource(at: $0.path) } })
          }
        }, weight: face.weight, slant: face.slant, stretch: face.stretch, unicodeRanges: face.unicodeRange)
      definition.hasAutomaticWeight = face.hasAutomaticWeight
      definition.angles = face.angles
      definition.features = face.features
      definition.variations = face.variations
      definition.adjustments = face.adjustments
      return definition
    }
  }
}
