import Markup
import Primitives

/// The metadata of a package (EPUB 3.3, section 5.5).
package struct Metadata: Hashable, Sendable {
  package struct Creator: Hashable, Sendable {
    package var name: String
    /// MARC relator code such as `aut`; nil when the package gives none.
    package var role: String?
    package var fileAs: String?
    /// The base direction of the name, by `dir` on its element or the package; nil where neither says one.
    package var direction: Direction?
  }
  /// A base direction (EPUB 3.3, section 5.3.2).
  package enum Direction: String, Hashable, Sendable {
    case leftToRight = "ltr"
    case rightToLeft = "rtl"
  }
  /// `rendition:layout` (EPUB 3.3, section 8.2.2.1). The pages of a roll follow each other without a gap (EPUB 3.4).
  package enum Layout: String, Hashable, Sendable {
    case reflowable
    case prePaginated = "pre-paginated"
    case roll
  }
  package enum PageProgression: Hashable, Sendable { case unspecified, leftToRight, rightToLeft }

  package var title = ""
  /// The base direction of the title; nil where the package says none.
  package var titleDirection: Direction?
  package var creators: [Creator] = []
  package var contributors: [Creator] = []
  /// The first language, a BCP 47 tag as the package spells it; empty when unknown.
  package var language = ""
  package var languages: [String] = []
  /// The unique identifier.
  package var identifier = ""
  package var identifiers: [String] = []
  package var date: String?
  package var publisher: String?
  package var rights: String?
  package var description: String?
  package var subjects: [String] = []
  /// The value of `version` on `package`; empty for other books.
  package var version = ""
  package var pageProgression = PageProgression.unspecified
  package var layout = Layout.reflowable
  /// `rendition:orientation`, `rendition:spread`, `rendition:flow` and `rendition:viewport` as they stand.
  package var orientation: String?
  package var spread: String?
  package var flow: String?
  package var viewport: String?
  /// `primary-writing-mode` of Kindle and Japanese packages.
  package var primaryWritingMode: String?

  /// The narrators of the recordings of a book with media overlays (EPUB 3.3, section 9).
  package var narrators: [String] = []
  /// The duration of all recordings together, as a SMIL clock value.
  package var duration: String?
  /// The class names of the element that is read aloud, and of the document's root meanwhile (EPUB 3.3, section 9.3.2.1).
  package var activeClass: String?
  package var playbackActiveClass: String?

  package init() {}

  /// Decides which way pages follow each other: as is said or, by default, as the book's main writing mode or language asks.
  ///
  /// - Parameter direction: `ltr`, `rtl`, or anything else for the default.
  mutating func decideProgression(direction: String? = nil) {
    switch direction?.lowercased() {
    case "ltr": pageProgression = .leftToRight
    case "rtl": pageProgression = .rightToLeft
    default:
      if let mode = primaryWritingMode?.lowercased(), mode.hasSuffix("-rl") || mode.hasSuffix("-lr") {
        pageProgression = mode.hasSuffix("-rl") ? .rightToLeft : .leftToRight
      } else if Self.runsRightToLeft(language) {
        pageProgression = .rightToLeft
      }
    }
  }

  /// The language is written from right to left: by its script subtag or, without one, by its usual script (BCP 47;
  /// CLDR, likely subtags).
  static func runsRightToLeft(_ tag: String) -> Bool {
    let subtags = tag.lowercased().split { $0 == "-" || $0 == "_" }
    guard let language = subtags.first else { return false }
    if let script = subtags.dropFirst().first(where: { $0.utf8.count == 4 && $0.allSatisfy(\.isLetter) }) {
      return rightToLeftScripts.contains(String(script))
    }
    return rightToLeftLanguages.contains(String(language))
  }
  private static let rightToLeftScripts: Set<String> = [
    "adlm", "arab", "aran", "hebr", "mand", "mend", "nkoo", "rohg", "samr", "syrc", "thaa",
  ]
  private static let rightToLeftLanguages: Set<String> = [
    "acm", "aeb", "ajp", "apc", "apd", "ar", "arc", "ary", "arz", "azb", "ckb", "dv", "fa", "glk", "he", "iw", "ji",
    "ks",
    "lrc", "mzn", "nqo", "pes", "pnb", "prs", "ps", "sd", "sdh", "skr", "syr", "ug", "ur", "yi",
  ]

  /// Reads the metadata of a package document.
  init(package document: Document, root: NodeID) {
    let scope = document.firstDescendant(of: root, named: "metadata") ?? root
    version = document.value(of: "version", on: root) ?? ""
    let uniqueID = document.value(of: "unique-identifier", on: root)
    var refinements: [String: [String: String]] = [:]
    var titles: [(id: String?, text: String, direction: Direction?)] = []
    let rootDirection = document.value(of: "dir", on: root)
    var people: [(id: String?, creator: Creator, contributes: Bool)] = []
    let end = document[scope].subtreeEnd.index
    for index in scope.index..<end where document.nodes[index].kind == .element {
      let id = NodeID(index)
      let node = document.nodes[index]
      let name = document.localName(of: id)
      if name == "meta" {
        readMeta(document, id, refinements: &refinements)
        continue
      }
      guard node.namespace == .dublinCore || node.namespace != .html && Self.elements.contains(name) else { continue }
      let text = document.collapsedText(of: id)
      guard !text.isEmpty else { continue }
      let ownID = document.value(of: "id", on: id)
      let direction = Direction(
        rawValue: (document.value(of: "dir", on: id) ?? rootDirection ?? "").lowercased())
      switch name.lowercased() {
      case "title": titles.append((ownID, text, direction))
      case "creator", "contributor":
        let creator = Creator(
          name: text, role: document.value(of: "role", on: id), fileAs: document.value(of: "file-as", on: id),
          direction: direction)
        people.append((ownID, creator, name.lowercased() == "contributor"))
      case "language": languages.append(text)
      case "identifier":
        identifiers.append(text)
        if let uniqueID, ownID == uniqueID { identifier = text }
      case "date": date = date ?? text
      case "publisher": publisher = publisher ?? text
      case "rights": rights = rights ?? text
      case "description": description = description ?? text
      case "subject": subjects.append(text)
      default: break
      }
    }
    let main = titles.first { $0.id.flatMap { refinements[$0]?["title-type"] } == "main" } ?? titles.first
    title = main?.text ?? ""
    titleDirection = main?.direction
    for person in people {
      var creator = person.creator
      if let id = person.id {
        creator.role = creator.role ?? refinements[id]?["role"]
        creator.fileAs = creator.fileAs ?? refinements[id]?["file-as"]
      }
      if person.contributes { contributors.append(creator) } else { creators.append(creator) }
    }
    language = languages.first ?? document.attributeValue(.xmlLang, of: root) ?? ""
    if identifier.isEmpty { identifier = identifiers.first ?? "" }
  }

  private mutating func readMeta(_ document: Document, _ id: NodeID, refinements: inout [String: [String: String]]) {
    if let property = document.value(of: "property", on: id) {
      let text = document.collapsedText(of: id)
      let value = text.isEmpty ? document.value(of: "content", on: id) ?? "" : text
      if let target = document.value(of: "refines", on: id) {
        refinements[target.hasPrefix("#") ? String(target.dropFirst()) : target, default: [:]][property] = value
        return
      }
      switch property {
      case "rendition:layout": layout = Layout(rawValue: value) ?? .reflowable
      case "rendition:orientation": orientation = value
      case "rendition:spread": spread = value
      case "rendition:flow": flow = value
      case "rendition:viewport": viewport = value
      case "media:narrator": narrators.append(value)
      case "media:duration": duration = value
      case "media:active-class": activeClass = value
      case "media:playback-active-class": playbackActiveClass = value
      case "dcterms:modified": date = date ?? value
      default: break
      }
      return
    }
    guard let name = document.value(of: "name", on: id), let value = document.value(of: "content", on: id) else {
      return
    }
    switch name.lowercased() {
    case "fixed-layout": if value.lowercased() == "true" { layout = .prePaginated }
    case "original-resolution": viewport = viewport ?? value
    case "primary-writing-mode": primaryWritingMode = value
    default: break
    }
  }

  private static let elements: Set<String> = [
    "title", "creator", "contributor", "language", "identifier", "date", "publisher", "rights", "description",
    "subject",
    "Title", "Creator", "Contributor", "Language", "Identifier", "Date", "Publisher", "Rights", "Description",
    "Subject",
  ]
}
