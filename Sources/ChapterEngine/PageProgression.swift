import CSS
package import Markup
package import Primitives
package import Publications
import Styling

extension Publication {
  /// Opens a book and decides which way its pages follow each other where the package does not: books of Chinese, Japanese and
  /// Korean whose text runs in vertical lines are read as those lines are.
  package static func openForReading(
    path: String, limits: Limits, hints: TextHints = TextHints(), decryption: Decryption? = nil
  ) throws(PublicationError) -> Publication {
    try open(path: path, limits: limits, hints: hints, decryption: decryption).withProgressionOfLines
  }

  /// The same of a book in memory.
  package static func openForReading(
    bytes: [UInt8], name: String, limits: Limits, hints: TextHints = TextHints(), decryption: Decryption? = nil
  ) throws(PublicationError) -> Publication {
    try open(bytes: bytes, name: name, limits: limits, hints: hints, decryption: decryption)
      .withProgressionOfLines
  }

  /// The same of an EPUB in a container of the program's.
  package static func openForReading(
    container: any Container, limits: Limits, decryption: Decryption? = nil
  ) throws(PublicationError) -> Publication {
    try open(container: container, limits: limits, decryption: decryption).withProgressionOfLines
  }

  private var withProgressionOfLines: Publication {
    guard mayRunVertically, let progression = progressionOfLines() else { return self }
    return Publication(self, pageProgression: progression)
  }

  private var mayRunVertically: Bool {
    guard kind == .epub, metadata.pageProgression == .unspecified, metadata.layout == .reflowable else { return false }
    let language = metadata.language.prefix { $0 != "-" && $0 != "_" }.lowercased()
    return ["zh", "yue", "lzh", "nan", "hak", "cmn", "ja", "ko"].contains(language)
  }

  /// As the largest document of the reading order runs: covers and title pages may run otherwise.
  private func progressionOfLines() -> Metadata.PageProgression? {
    let candidates = spine.indices.filter { spine[$0].isLinear }.prefix(200).map { ($0, size(of: $0).unpacked) }
    guard let largest = candidates.max(by: { ($0.1, $1.0) < ($1.1, $0.0) })?.0 else { return nil }
    let whole = documentWithoutContent(at: largest) ?? document(at: largest).document
    let body = whole.nodes.indices.first { whole.isElement(NodeID($0), .body) }
    guard let body, !whole.root.isNone else { return nil }
    // The lines are those of the body: nothing in it matters.
    let document = whole.filtered { whole[$0].parent.index != body }
    let sheets = StylesheetCollection(
      of: document, path: spine[largest].path, media: MediaEnvironment(), cache: StylesheetCache(), limits: limits,
      load: { try? self.resource(at: $0) })
    let tree = StyleResolver.resolve(document: document, path: spine[largest].path, sheets: sheets.sheets)
    guard let node = document.nodes.indices.first(where: { document.isElement(NodeID($0), .body) }) else { return nil }
    switch tree.table.paragraphs[tree.styles[node].paragraph.index].writingMode {
    case .verticalRL, .sidewaysRL: return .rightToLeft
    case .verticalLR, .sidewaysLR: return .leftToRight
    case .horizontalTB: return nil
    }
  }
}
