import Markup
import Primitives

/// One document of the reading order (EPUB 3.3, section 5.7).
package struct SpineItem: Hashable, Sendable {
  /// Path in the container; for a chapter of a plain text, the file's name and its number.
  package var path: String
  package var mediaType: String
  /// The item belongs to the main reading order.
  package var isLinear: Bool
  /// Properties of the `itemref` and of the manifest item.
  package var properties: [String]
  /// From the table of contents.
  package var title: String?
  package var id: String
  /// The steps from the `package` element to the `itemref`, as EPUB CFI counts them, and the `id` of the latter.
  package var packageSteps: [Int] = []
  package var referenceID: String?
  /// The other files of its chain of fallbacks, which links may name.
  package var otherPaths: [String] = []

  package init(
    path: String, mediaType: String, isLinear: Bool = true, properties: [String] = [], title: String? = nil,
    id: String = ""
  ) {
    self.path = path
    self.mediaType = mediaType
    self.isLinear = isLinear
    self.properties = properties
    self.title = title
    self.id = id
  }

  /// `path`, as outputs name it.
  package var href: String { path }
}

enum Spine {
  /// Repeated items of a spine that are kept.
  private static let maximumRepetitions = 1000

  /// Reads `itemref` elements; where there are none, the documents of the manifest in its order.
  static func read(
    package document: Document, root: NodeID, path: String, items manifest: inout PackageItems, limits: Limits,
    diagnostics: inout DiagnosticSink
  ) -> [SpineItem] {
    var items: [SpineItem] = []
    var taken: Set<Manifest.Item> = []
    var repetitions = 0
    let spineStep = document.firstDescendant(of: root, named: "spine").map { document.step(of: $0) } ?? 6
    var last = NodeID.none
    var step = 0
    let (id, properties) = (document.names.lookup("id"), document.names.lookup("properties"))
    let (name, linear) = (document.names.lookup("idref"), document.names.lookup("linear"))
    for reference in document.descendants(of: root, named: "itemref") {
      let idref =
        (document.value(of: name, on: reference) ?? document.value(of: "idref", ignoringCaseOn: reference)
        ?? document.value(of: "href", on: reference) ?? "").collapsed
      if last.isNone || document[last].parent != document[reference].parent {
        step = document.step(of: reference)
      } else {
        var sibling = reference
        while sibling != last {
          if document[sibling].kind == .element { step += 2 }
          sibling = document[sibling].previousSibling
        }
      }
      last = reference
      let line = Int(document[reference].line)
      guard
        let (item, shown) = manifest.content(of: idref, isTaken: taken.contains, diagnostics: &diagnostics)
      else {
        diagnostics.warn(
          "unknown-spine-item", resource: path, line: line,
          "the spine names “\(idref)”, which the manifest does not have")
        continue
      }
      // Repeated items are set again (EPUB Reading Systems 3.3, section 3.4), within a bound against packages that multiply them.
      if !taken.insert(item).inserted {
        repetitions += 1
        guard repetitions <= maximumRepetitions else {
          diagnostics.warn("repeated-spine-item", resource: path, line: line, "the spine names “\(idref)” again")
          continue
        }
      }
      guard let shown else {
        diagnostics.warn("missing-spine-item", resource: item.path, "the file is not in the book and is left out")
        continue
      }
      let own = (document.value(of: properties, on: reference) ?? "").lowercased().words.map(String.init)
      var spineItem = SpineItem(
        path: shown.path, mediaType: shown.mediaType,
        isLinear: document.value(of: linear, on: reference)?.collapsed.lowercased() != "no",
        properties: own + shown.properties, id: idref)
      spineItem.packageSteps = [spineStep, step]
      spineItem.otherPaths = manifest.manifest.fallbackChain(of: item).map(\.path).filter { $0 != shown.path }
      spineItem.referenceID = document.value(of: id, on: reference)
      items.append(spineItem)
      if items.count >= limits.spineItems {
        diagnostics.warn("too-many-spine-items", resource: path, "only the first \(limits.spineItems) items are read")
        break
      }
    }
    guard items.isEmpty else { return items }
    let isPackage = document.localName(of: root) == "package"
    for item in manifest.documents(searches: isPackage, diagnostics: &diagnostics).prefix(limits.spineItems) {
      items.append(SpineItem(path: item.path, mediaType: item.mediaType, properties: item.properties, id: item.id))
    }
    if !items.isEmpty {
      diagnostics.warn(
        "empty-spine", resource: path, "the spine is empty; the manifest's documents are read in its order")
    }
    return items
  }
}
