import Markup
import Primitives

/// A book of another format as what an EPUB would say: documents in a reading order, resources beside them, contents.
struct ConvertedBook: Sendable {
  var metadata = Metadata()
  var manifest = Manifest()
  var spine: [SpineItem] = []
  var navigation = Navigation()
  var coverPath: String?
  /// The encoding of the file it was, where that is a text.
  var encoding: TextEncoding?
  var diagnostics = DiagnosticSink()
  var files: [(path: String, bytes: [UInt8])] = []

  /// Adds a file; of two with one path the first counts.
  mutating func add(_ bytes: [UInt8], at path: String, mediaType: String) {
    guard manifest.item(path: path) == nil else { return }
    files.append((path, bytes))
    manifest.append(
      .init(
        id: "item-\(files.count)", path: path, mediaType: mediaType, properties: [], fallback: nil, mediaOverlay: nil))
  }

  /// Adds a document to the end of the reading order.
  mutating func addDocument(
    _ bytes: [UInt8], at path: String, mediaType: String = MediaType.xhtml, title: String? = nil, isLinear: Bool = true
  ) {
    add(bytes, at: path, mediaType: mediaType)
    var item = SpineItem(path: path, mediaType: mediaType, isLinear: isLinear, title: title, id: "item-\(files.count)")
    item.packageSteps = [6, 2 * (spine.count + 1)]
    spine.append(item)
  }
}

/// Files in memory, before those of another container.
struct MemoryContainer: Container {
  private let files: [(path: String, bytes: [UInt8])]
  private let index: EntryIndex
  private let others: (any Container)?

  init(_ files: [(path: String, bytes: [UInt8])], before others: (any Container)? = nil) {
    self.files = files
    index = EntryIndex(names: files.map(\.path))
    self.others = others
  }

  var paths: [String] { index.paths + (others?.paths ?? []) }

  func contains(_ path: String) -> Bool { index.find(path) != nil || others?.contains(path) ?? false }

  var asked: [String: String?] { others?.asked ?? [:] }

  func size(of path: String) -> ContainerEntrySize? {
    guard let position = index.find(path) else { return others?.size(of: path) }
    return ContainerEntrySize(unpacked: files[position].bytes.count, packed: files[position].bytes.count)
  }

  func combineContents(into hasher: inout StableHasher, limit: Int) {
    for file in files {
      hasher.combine(file.path)
      hasher.combine(file.bytes)
    }
    others?.combineContents(into: &hasher, limit: limit)
  }

  func read(_ path: String, limit: Int) throws(ContainerError) -> ContainerEntry {
    guard let position = index.find(path) else {
      guard let others else { throw .missing }
      return try others.read(path, limit: limit)
    }
    guard files[position].bytes.count <= limit else { throw .tooLarge(limit) }
    return ContainerEntry(bytes: files[position].bytes)
  }
}

/// Writes documents of XHTML.
struct XHTMLWriter {
  private(set) var bytes: [UInt8] = []

  /// Text or an attribute's value, with what markup is made of escaped.
  mutating func text(_ text: some Sequence<UInt8>) {
    XMLEscaping.append(text, to: &bytes)
  }

  mutating func text(_ text: String) { self.text(text.utf8) }
  mutating func raw(_ markup: String) { bytes += markup.utf8 }

  mutating func start(_ name: String, _ attributes: [(name: String, value: String)] = []) {
    raw("<\(name)")
    for attribute in attributes {
      raw(" \(attribute.name)=\"")
      text(attribute.value)
      raw("\"")
    }
    raw(">")
  }

  mutating func end(_ name: String) { raw("</\(name)>") }

  /// A whole document around a body.
  static func document(title: String, language: String, head: String = "", body: [UInt8]) -> [UInt8] {
    var writer = XHTMLWriter()
    writer.raw("<html xmlns=\"http://www.w3.org/1999/xhtml\" xmlns:epub=\"http://www.idpf.org/2007/ops\"")
    if !language.isEmpty {
      for name in ["lang", "xml:lang"] {
        writer.raw(" \(name)=\"")
        writer.text(language)
        writer.raw("\"")
      }
    }
    writer.raw("><head><title>")
    writer.text(title)
    writer.raw("</title>\(head)</head><body>")
    writer.bytes += body
    writer.raw("</body></html>")
    return writer.bytes
  }
}
