package import CSS
package import Markup
import Platform
package import Primitives
import Synchronization

/// The parsed sheets of a book, each read once however many chapters use it.
package final class StylesheetCache: Sendable {
  private struct Key: Hashable {
    var path: String
    var isQuirky: Bool
    var encoding: String
  }
  private let sheets = Lock<[Key: TypedStylesheet?]>([:])
  private let bytes = Atomic<Int>(0)

  package init() {}

  /// About the memory the sheets take, in bytes: their rules take several times what their text takes.
  package var byteCount: Int { bytes.load(ordering: .relaxed) }

  /// The sheet at `path`, nil when `load` has none. Chapters that ask for it at once may each parse it; all get equal
  /// sheets.
  func sheet(
    _ path: String, isQuirky: Bool, encoding: String, load: (String) -> [UInt8]?
  ) -> TypedStylesheet? {
    let key = Key(path: path, isQuirky: isQuirky, encoding: encoding)
    if let known = sheets.withLock({ $0[key] }) { return known }
    var size = 0
    let sheet = load(path).map { bytes in
      size = bytes.count * 8
      return TypedStylesheet(
        parsing: decodeStylesheet(bytes, environmentEncoding: encoding),
        context: ValueContext(quirks: isQuirky, base: path))
    }
    let isNew = sheets.withLock { $0.updateValue(sheet, forKey: key) == nil }
    if isNew { bytes.add(size, ordering: .relaxed) }
    return sheet
  }
}

/// Finds the sheets a document asks for: `<?xml-stylesheet?>`, `<style>`, `<link rel="stylesheet">`, and what they import.
package struct StylesheetCollection: Sendable {
  /// In cascade order: imported sheets before those that import them.
  package private(set) var sheets: [AuthorSheet] = []
  package private(set) var diagnostics = DiagnosticSink()

  private let isQuirky: Bool
  private let encoding: String
  private let media: MediaEnvironment
  private let cache: StylesheetCache
  private let limits: Limits
  /// The element around that of the sheet being added.
  private var scopeRoot = NodeID.none
  private var layers = LayerTree()
  /// By sheet.
  private var layerPlaces: [LayerTree.Places] = []

  /// - Parameters:
  ///   - path: the document's path in its container.
  ///   - load: the bytes of a sheet by its path, nil when there is none.
  package init(
    of document: Document, path: String, media: MediaEnvironment, cache: StylesheetCache, limits: Limits = Limits(),
    load: (String) -> [UInt8]?
  ) {
    isQuirky = document.mode == .quirks
    encoding = document.encoding.name
    self.media = media
    self.cache = cache
    self.limits = limits
    let base = Self.base(of: document, path: path)
    for instruction in document.styleSheets where !instruction.isAlternate {
      guard applies(instruction.media), Self.isStyleSheet(instruction.type) else { continue }
      var open: [String] = []
      add(path: resolveURL(instruction.href, base: path), from: path, line: instruction.line, &open, load)
    }
    for place in document.nodes.indices where document.nodes[place].kind == .element {
      let id = NodeID(place)
      let node = document.nodes[place]
      guard node.namespace == .html || node.namespace == .svg else { continue }
      scopeRoot = node.parent
      if node.name == .style {
        add(styleElement: id, in: document, path: path, base: base, load)
      } else if node.name == .link, node.namespace == .html {
        add(link: id, in: document, path: path, base: base, load)
      }
    }
    for (place, ranks) in layers.ranks(of: layerPlaces).enumerated() { sheets[place].layers = ranks }
  }

  /// The `@font-face` rules of the sheets that are in effect, in cascade order.
  package var fontFaces: [FontFaceDescription] {
    LayerRanks.all(of: sheets.map(\.layers)).flatMap { layer in
      sheets.flatMap { entry in
        let rules = entry.sheet.sheet
        if rules.fontFaces.isEmpty { return [FontFaceDescription]() }
        let results = rules.evaluateConditions(media, supports: PropertyTable.supports)
        return zip(rules.fontFaces, entry.sheet.fontFaces).compactMap { rule, face in
          entry.layers[rule.condition] == layer && rules.holds(rule.condition, in: results) ? face : nil
        }
      }
    }
  }

  /// The base URL: that of the first `<base href>`, or the document's own.
  private static func base(of document: Document, path: String) -> String {
    let root = document.root
    guard !root.isNone else { return path }
    for child in document.children(of: root) where document.isElement(child, .head) {
      for element in document.children(of: child) where document.isElement(element, .base) {
        if let href = document.attributeValue(.href, of: element) { return resolveURL(href, base: path) }
      }
    }
    return path
  }

  private func applies(_ media: String?) -> Bool {
    guard let text = media, !text.trimmedLowercase.isEmpty else { return true }
    return MediaQueryList(parsing: text).matches(self.media)
  }

  /// The type is none, or that of CSS.
  private static func isStyleSheet(_ type: String?) -> Bool {
    guard let type = type?.trimmedLowercase else { return true }
    return type.isEmpty || type.hasPrefix("text/css")
  }

  private mutating func add(
    styleElement id: NodeID, in document: Document, path: String, base: String, _ load: (String) -> [UInt8]?
  ) {
    guard Self.isStyleSheet(document.attributeValue(.type, of: id)),
      applies(document.attributeValue(.media, of: id)), sheets.count < limits.styleSheets
    else { return }
    let text = Array(document.textContent(of: id).utf8)
    let sheet = TypedStylesheet(parsing: text, context: ValueContext(quirks: isQuirky, base: base))
    var open: [String] = [path]
    add(sheet, path: path, layer: LayerTree.root, &open, load)
  }

  private mutating func add(
    link id: NodeID, in document: Document, path: String, base: String, _ load: (String) -> [UInt8]?
  ) {
    guard let relation = document.attributeValue(.rel, of: id)?.trimmedLowercase else { return }
    let words = relation.split { $0 == " " || $0 == "\t" || $0 == "\n" || $0 == "\r" }
    guard words.contains("stylesheet"), !words.contains("alternate"),
      applies(document.attributeValue(.media, of: id)), let href = document.attributeValue(.href, of: id),
      !href.isEmpty, Self.isStyleSheet(document.attributeValue(.type, of: id))
    else { return }
    let line = Int(document.nodes[id.index].line)
    var open: [String] = []
    add(path: resolveURL(href, base: base), from: path, line: line, &open, load)
  }

  private mutating func add(
    path: String, from: String, line: Int, layer: Int = LayerTree.root, _ open: inout [String],
    _ load: (String) -> [UInt8]?
  ) {
    guard open.count < limits.importDepth, sheets.count < limits.styleSheets else {
      diagnostics.warn("style-sheet-limit", resource: from, line: line, "too many style sheets, \(path) is left out")
      return
    }
    // A sheet that imports itself, at any remove, adds nothing the outer one does not.
    guard !open.contains(path) else { return }
    // Plain text is no style sheet, whatever the link says; browsers accept it from pages in quirks mode only.
    if !isQuirky, path.lowercased().hasSuffix(".txt") { return }
    let isData = path.hasPrefix("data:")
    let location = isData ? path : String(path.prefix { $0 != "#" && $0 != "?" })
    let found =
      isData
      ? decodeDataURL(path).map { TypedStylesheet(parsing: $0, context: ValueContext(quirks: isQuirky, base: from)) }
      : cache.sheet(location, isQuirky: isQuirky, encoding: encoding, load: load)
    guard let sheet = found else {
      diagnostics.warn(
        "missing-style-sheet", resource: from, line: line, "style sheet \(path.prefix(200)) cannot be read",
        isOfBook: true)
      return
    }
    open.append(path)
    add(sheet, path: isData ? from : location, layer: layer, &open, load)
    open.removeLast()
  }

  /// Adds a sheet, after those it imports.
  ///
  /// - Parameter layer: The layer it is imported into.
  private mutating func add(
    _ sheet: TypedStylesheet, path: String, layer: Int, _ open: inout [String], _ load: (String) -> [UInt8]?
  ) {
    let rules = sheet.sheet
    var places = LayerTree.Places(outer: layer)
    if !rules.imports.isEmpty || rules.hasLayers {
      let results = rules.evaluateConditions(media, supports: PropertyTable.supports)
      for rule in rules.imports where rules.holds(rule.condition, in: results) {
        // The layers of an imported sheet come after those named before the import.
        if rule.condition != Stylesheet.noCondition {
          layers.enter(rules, upTo: Int(rule.condition) + 1, results, &places)
        }
        add(
          path: resolveURL(rule.url, base: sheet.context.base), from: path, line: Int(rule.line),
          layer: layers.place(rule.condition, places), &open, load)
      }
      layers.enter(rules, upTo: rules.conditions.count, results, &places)
    }
    sheets.append(AuthorSheet(sheet, path: path, scopeRoot: scopeRoot))
    layerPlaces.append(places)
  }
}

/// The bytes of a `data:` URL (RFC 2397), nil when it is malformed.
package func decodeDataURL(_ url: String) -> [UInt8]? {
  let bytes = Array(url.utf8.dropFirst(5))
  guard let comma = bytes.firstIndex(of: 0x2C) else { return nil }
  let header = String(decoding: bytes[..<comma], as: UTF8.self)
  var decoded: [UInt8] = []
  var index = comma + 1
  func hex(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x41 + 10
    case 0x61...0x66: byte - 0x61 + 10
    default: nil
    }
  }
  while index < bytes.count {
    if bytes[index] == 0x25, index + 2 < bytes.count, let high = hex(bytes[index + 1]), let low = hex(bytes[index + 2])
    {
      decoded.append(high << 4 | low)
      index += 3
    } else {
      decoded.append(bytes[index])
      index += 1
    }
  }
  guard header.trimmedLowercase.hasSuffix(";base64") else { return decoded }
  return Base64.decode(decoded, leniency: .none)
}
