import BoxGeneration
import ChapterEngine
import Fonts
import ImageCodecs
import Images
import Primitives

/// What cannot be shown of a page as the book means it.
public struct PageDiagnostic: Hashable, Sendable, Codable {
  /// Kinds of losses.
  public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
    /// No font has some characters, which are boxes with their code points: one for each script of a page.
    case fontMissing
    /// A picture needs a library that is not installed.
    case decoderMissing
    /// A picture is damaged, or the book does not have it.
    case imageUndecodable
  }

  /// The kind.
  public var kind: Kind
  /// The place of the first of the characters, or of the picture's element; the page's start for what stands in its
  /// margins.
  public var place: Locator
  /// The loss, as a clause without a final stop; it names the Debian package that helps where there is one.
  public var message: String
}

extension PageDiagnostic {
  /// What is lost of a page.
  ///
  /// - Parameter start: The first place on the page.
  static func all(_ losses: PageLosses, in text: ChapterText, start: SourcePosition, _ fonts: FontLibrary) -> [Self] {
    func locator(_ position: SourcePosition) -> Locator { position.locator(chapter: text.chapter) }
    let characters = losses.characters.messages(fonts).map { message, place in
      Self(kind: .fontMissing, place: locator(place.flatMap { text.position(of: $0) } ?? start), message: message)
    }
    let pictures = losses.pictures.map { node, reason in
      let place = locator(SourcePosition(node: node, offset: 0))
      return switch reason {
      case .decoder(let decoder):
        Self(kind: .decoderMissing, place: place, message: decoder.diagnostic(pictures: 1).message)
      case .broken(let message): Self(kind: .imageUndecodable, place: place, message: message)
      }
    }
    return characters + pictures
  }
}

extension ChapterText {
  /// The place of a character of a box's text; nil for one that is not the document's.
  fileprivate func position(of place: MissingCharacters.Place) -> SourcePosition? {
    guard let paragraph = paragraph(of: place.text) else { return nil }
    let units = paragraphs[paragraph].units
    let unit = units.lowerBound + place.unit
    return units.contains(unit) ? position(of: unit, in: paragraph) : nil
  }
}

extension ChapterLayout {
  /// What cannot be shown of a page, its margin boxes left out.
  public func diagnostics(on page: Int) -> [PageDiagnostic] {
    maps.indices.contains(page) ? maps[page].diagnostics : []
  }
}

extension Typesetter {
  /// What cannot be shown of a chapter, page by page, margin boxes left out. The chapter is laid out for it.
  public func diagnostics(of chapter: Int) async throws(PageError) -> [PageDiagnostic] {
    try await layout(of: chapter).maps.flatMap(\.diagnostics)
  }
}
