import Markup
import Primitives

/// The items that a package means, also where it breaks a rule: the one that makes sense wins, which is told.
///
/// A reference is looked for among ids, then among ids that differ in case, then among files. Of several items of one id the
/// first wins that is in the book, is what the reference wants, and was not taken yet. A file that is not where the package says
/// is looked for from the root of the container, and then by its name alone, if only one file has it.
struct PackageItems {
  private(set) var manifest: Manifest
  let container: any Container
  private let packagePath: String
  private var isThere: [String: Bool] = [:]
  /// Paths by the last part, folded; nil for names that several files have.
  private var byName: [String: String?]?

  init(_ manifest: Manifest, container: any Container, packagePath: String) {
    self.manifest = manifest
    self.container = container
    self.packagePath = packagePath
  }

  // MARK: Files

  mutating func exists(_ path: String) -> Bool {
    if let known = isThere[path] { return known }
    let answer = container.contains(path)
    isThere[path] = answer
    return answer
  }

  /// The item where its file is; nil where that is nowhere in the book.
  mutating func located(_ item: Manifest.Item, diagnostics: inout DiagnosticSink) -> Manifest.Item? {
    if exists(item.path) { return item }
    guard let path = search(item.path) else { return nil }
    diagnostics.warn(
      "misplaced-file", resource: packagePath, "the package says “\(item.path)”, and the file is “\(path)”")
    var moved = item
    moved.path = path
    manifest.correct(item, path: path, mediaType: item.mediaType)
    return moved
  }

  private mutating func search(_ path: String) -> String? {
    if let slash = packagePath.lastIndex(of: "/") {
      let folder = packagePath[...slash]
      let fromRoot = path.hasPrefix(folder) ? String(path.dropFirst(folder.count)) : path
      if exists(fromRoot) { return fromRoot }
    } else if let slash = path.firstIndex(of: "/"), exists(String(path[path.index(after: slash)...])) {
      return String(path[path.index(after: slash)...])
    }
    let names = byName ?? makeNames()
    byName = names
    return names[Self.name(of: path)] ?? nil
  }

  private func makeNames() -> [String: String?] {
    var names: [String: String?] = [:]
    for path in container.paths {
      names[Self.name(of: path)] = names[Self.name(of: path)] == nil ? .some(path) : .some(nil)
    }
    return names
  }

  private static func name(of path: String) -> String {
    EntryIndex.fold(path.split(separator: "/").last.map(String.init) ?? path)
  }

  // MARK: References

  /// The items that a reference may mean, each where its file is, with what can be shown of its chain of fallbacks; best first.
  private mutating func candidates(_ reference: String, diagnostics: inout DiagnosticSink) -> [Manifest.Item] {
    let items = manifest.items(id: reference)
    if !items.isEmpty { return items }
    let key = EntryIndex.fold(reference)
    guard !key.isEmpty else { return [] }
    var found = manifest.items.filter { EntryIndex.fold($0.id) == key }
    if found.isEmpty, let path = ResourcePath.resolve(reference, relativeTo: packagePath)?.path {
      let key = EntryIndex.fold(path)
      found = manifest.items.filter { EntryIndex.fold($0.path) == key }
      if found.isEmpty {
        let name = Self.name(of: path)
        found = manifest.items.filter { Self.name(of: $0.path) == name }
        if found.count > 1 { found = [] }
      }
    }
    if let first = found.first {
      diagnostics.warn(
        "wrong-reference", resource: packagePath,
        "“\(reference)” is no id in the manifest; “\(first.path)” is taken")
    }
    return found
  }

  /// The item that a reference of the spine means, and the file of its chain of fallbacks that is shown, which is nil where that
  /// is not in the book; nil where there is no item.
  ///
  /// - Parameter isTaken: tells what stands in the spine already.
  mutating func content(
    of reference: String, isTaken: (Manifest.Item) -> Bool, diagnostics: inout DiagnosticSink
  ) -> (item: Manifest.Item, shown: Manifest.Item?)? {
    let items = candidates(reference, diagnostics: &diagnostics)
    guard let first = items.first else { return nil }
    if items.count == 1 { return (first, shown(of: first, diagnostics: &diagnostics)) }
    var best: (item: Manifest.Item, shown: Manifest.Item?, score: Int)?
    for item in items {
      let shown = shown(of: item, diagnostics: &diagnostics)
      let suits = shown.map { MediaType.isContent($0.mediaType) && !MediaType.isPicture($0.mediaType) } ?? false
      let score = (shown != nil ? 4 : 0) + (suits ? 2 : 0) + (isTaken(item) ? 0 : 1)
      if score > best?.score ?? -1 { best = (item, shown, score) }
    }
    diagnostics.warn(
      "duplicate-id", resource: packagePath,
      "\(items.count) items have the id “\(reference)”; “\(best?.item.path ?? first.path)” is taken")
    return best.map { ($0.item, $0.shown) }
  }

  /// The first in an item's chain of fallbacks that is in the book and can be shown: other XML only where nothing else can, and
  /// what nobody knows as it is.
  private mutating func shown(of item: Manifest.Item, diagnostics: inout DiagnosticSink) -> Manifest.Item? {
    var chain: [Manifest.Item] = []
    for item in manifest.fallbackChain(of: item) where exists(item.path) { chain.append(item) }
    if chain.isEmpty {
      for item in manifest.fallbackChain(of: item) {
        if let found = located(item, diagnostics: &diagnostics) { chain.append(found) }
      }
    }
    let shown =
      chain.first { MediaType.isContent($0.mediaType) } ?? chain.first { MediaType.isMarkup($0.mediaType) }
      ?? chain.first
    return shown.map { corrected($0, diagnostics: &diagnostics) }
  }

  /// The item with the type that its content has, where its name and what the package says of it differ.
  private mutating func corrected(_ item: Manifest.Item, diagnostics: inout DiagnosticSink) -> Manifest.Item {
    let declared = item.mediaType
    let isKnown = MediaType.isContent(declared) && !declared.isEmpty || MediaType.isMarkup(declared)
    if isKnown, let named = MediaType.ofName(item.path),
      MediaType.isPicture(named) == MediaType.isPicture(declared)
        && (named == MediaType.svg) == (declared == MediaType.svg)
    {
      return item
    }
    if isKnown, MediaType.ofName(item.path) == nil, !MediaType.isPicture(declared) { return item }
    guard let entry = try? container.read(item.path, limit: 64 << 20),
      let type = MediaType.ofContent(entry.bytes.prefix(4096)),
      !isKnown || MediaType.isPicture(type) != MediaType.isPicture(declared)
        || (type == MediaType.svg) != (declared == MediaType.svg)
    else { return item }
    diagnostics.warn(
      "wrong-media-type", resource: item.path,
      "the package says \(declared.isEmpty ? "no type" : "“\(declared)”"), and the file is \(type)")
    var result = item
    result.mediaType = type
    manifest.correct(item, path: item.path, mediaType: type)
    return result
  }

  /// Documents of the manifest in its order, for a package without a spine.
  ///
  /// - Parameter searches: Those of the container are taken where the manifest lists nothing.
  mutating func documents(searches: Bool, diagnostics: inout DiagnosticSink) -> [Manifest.Item] {
    func isDocument(_ type: String) -> Bool {
      !type.isEmpty
        && (type == MediaType.svg || MediaType.isMarkup(type)
          || MediaType.isContent(type) && !MediaType.isPicture(type))
    }
    var found: [Manifest.Item] = []
    for item in manifest.items where isDocument(item.mediaType) && !item.properties.contains("nav") {
      if let item = located(item, diagnostics: &diagnostics), !found.contains(where: { $0.path == item.path }) {
        found.append(item)
      }
    }
    if found.isEmpty, searches, manifest.items.isEmpty {
      let paths = container.paths.filter { MediaType.ofName($0) == MediaType.xhtml }
      for (index, path) in paths.sorted(by: Self.precedes).enumerated() {
        let item = Manifest.Item(
          id: "file-\(index + 1)", path: path, mediaType: MediaType.xhtml, properties: [], fallback: nil,
          mediaOverlay: nil)
        manifest.append(item)
        found.append(item)
      }
    }
    return found
  }

  /// The order of names in which numbers count as such: 2 before 10.
  private static func precedes(_ a: String, _ b: String) -> Bool {
    func key(_ text: String) -> [UInt8] {
      var result: [UInt8] = []
      var digits: [UInt8] = []
      func end() {
        guard !digits.isEmpty else { return }
        let number = digits.drop { $0 == 0x30 }
        result += [0x30, UInt8(clamping: number.count)] + number
        digits = []
      }
      for byte in text.lowercased().utf8 {
        if byte >= 0x30, byte <= 0x39 {
          digits.append(byte)
        } else {
          end()
          result.append(byte)
        }
      }
      end()
      return result
    }
    let (first, second) = (key(a), key(b))
    return first == second ? a < b : first.lexicographicallyPrecedes(second)
  }

  /// The item of an id that is a picture in the book, or one whose file's name is that.
  mutating func picture(_ reference: String, diagnostics: inout DiagnosticSink) -> Manifest.Item? {
    for item in candidates(reference, diagnostics: &diagnostics) where item.mediaType.hasPrefix("image/") {
      if let item = located(item, diagnostics: &diagnostics) { return item }
    }
    return nil
  }
}
