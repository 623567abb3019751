import Markup
import Primitives

/// Opens the package of an EPUB: container, package document, navigation (EPUB 3.3, sections 4 and 5).
struct PackageDocument {
  var path: String
  var metadata: Metadata
  var manifest: Manifest
  var spine: [SpineItem]
  var navigation: Navigation
  var coverPath: String?
  var encryption: Encryption

  /// - Parameter decrypts: `true` if somebody has keys to what is encrypted.
  init(
    container: any Container, decrypts: Bool = false, limits: Limits, diagnostics: inout DiagnosticSink
  ) throws(PublicationError) {
    path = try Self.locate(container, limits: limits, diagnostics: &diagnostics)
    let document = try Self.readXML(
      path, in: container, wanted: "package", limits: limits, diagnostics: &diagnostics)
    let root = document.firstDescendant(of: Document.documentNode, named: "package") ?? document.root
    guard !root.isNone else { throw PublicationError(.notABook, part: path, "the package document is empty") }
    metadata = Metadata(package: document, root: root)
    manifest = Manifest(package: document, root: root, path: path, diagnostics: &diagnostics)
    var items = PackageItems(manifest, container: container, packagePath: path)
    spine = Spine.read(
      package: document, root: root, path: path, items: &items, limits: limits, diagnostics: &diagnostics)
    encryption = Encryption()
    navigation = Navigation()
    coverPath = nil
    if container.contains("META-INF/encryption.xml"),
      let file = try? Self.readXML("META-INF/encryption.xml", in: container, limits: limits, diagnostics: &diagnostics)
    {
      encryption = Encryption(file)
    }
    if !decrypts { try refuseProtected(container) }
    guard !spine.isEmpty else {
      throw PublicationError(.notABook, part: path, "the package names no document that is in the book")
    }
    readProgression(document, root)
    readNavigation(document, root, items: &items, limits: limits, diagnostics: &diagnostics)
    coverPath = cover(document, root, items: &items, limits: limits, diagnostics: &diagnostics)
    manifest = items.manifest
    readDisplayOptions(container, limits: limits)
    titleSpine()
  }

  // MARK: Finding

  private static func locate(_ container: any Container, limits: Limits, diagnostics: inout DiagnosticSink)
    throws(PublicationError) -> String
  {
    let containerPath = "META-INF/container.xml"
    if container.contains(containerPath) {
      var named: [(path: String, isPackage: Bool)] = []
      do throws(PublicationError) {
        let document = try readXML(containerPath, in: container, limits: limits, diagnostics: &diagnostics)
        for file in document.descendants(of: Document.documentNode, named: "rootfile") {
          guard
            let fullPath = document.value(of: "full-path", on: file) ?? document.value(of: "fullpath", on: file)
              ?? document.value(of: "full-path", ignoringCaseOn: file),
            let target = ResourcePath.resolve(fullPath, relativeTo: "")
          else { continue }
          let type = (document.value(of: "media-type", on: file) ?? "").lowercased().collapsed
          named.append((target.path, type == "application/oebps-package+xml" || type.isEmpty))
        }
      } catch {
        if case .protected = error.kind { throw error }
        diagnostics.warn("wrong-container", resource: containerPath, error.reason)
      }
      let found = named.filter { container.contains($0.path) }
      if let first = found.first(where: \.isPackage) { return first.path }
      // A type that is misspelt says less than the name.
      if let first = found.first(where: { $0.path.lowercased().hasSuffix(".opf") }) {
        diagnostics.warn(
          "wrong-container", resource: containerPath, "“\(first.path)” has another type than packages have")
        return first.path
      }
      diagnostics.warn(
        "wrong-container", resource: containerPath,
        named.first(where: \.isPackage).map { "it names “\($0.path)”, which is not in the book" }
          ?? "it names no package document")
    } else {
      diagnostics.warn("missing-container", resource: containerPath, "the file is not in the book")
    }
    func depth(_ path: String) -> Int { path.utf8.count { $0 == 0x2F } }
    let packages = container.paths.filter { $0.lowercased().hasSuffix(".opf") }
    if let path = packages.min(by: { depth($0) < depth($1) }) { return path }
    let others = container.paths.filter { $0.lowercased().hasSuffix(".xml") && !$0.hasPrefix("META-INF/") }
    for path in others.sorted(by: { depth($0) < depth($1) }).prefix(8) {
      var ignored = DiagnosticSink()
      guard let document = try? readXML(path, in: container, limits: limits, diagnostics: &ignored),
        !document.root.isNone, document.localName(of: document.root) == "package"
      else { continue }
      return path
    }
    throw PublicationError(
      .notABook, "it is no book: it has neither META-INF/container.xml nor a package document (.opf)")
  }

  /// Reads an XML file of the book as far as it can be read; `wanted` is an element it must have.
  static func readXML(
    _ path: String, in container: any Container, wanted: String? = nil, limits: Limits,
    diagnostics: inout DiagnosticSink
  ) throws(PublicationError) -> Document {
    let entry: ContainerEntry
    do {
      entry = try container.read(path, limit: limits.bytesPerText)
    } catch {
      switch error {
      case .encrypted:
        throw PublicationError(.protected(.password), part: path, "the archive is encrypted with a password")
      case .tooLarge: throw PublicationError(.limit, part: path, error.reason)
      default: throw PublicationError(.notABook, part: path, error.reason)
      }
    }
    if let damage = entry.damage { diagnostics.warn("damaged-entry", resource: path, damage) }
    let text = EncodingSniffer.decodeMarkup(entry.bytes, resource: path, diagnostics: &diagnostics)
    var outcome = XMLReader.read(text.bytes, limits: limits, recovering: true)
    if outcome.fault != nil, let wanted,
      outcome.document.firstDescendant(of: Document.documentNode, named: wanted) == nil
    {
      outcome.document = XMLReader.read(text.bytes, limits: limits, recovering: true, wrapping: true).document
    }
    if let fault = outcome.fault {
      diagnostics.warn("markup-not-well-formed", resource: path, line: fault.line, fault.message)
    }
    return outcome.document
  }

  // MARK: Reading

  /// Refuses a book whose chapters nobody but a shop's own reader can open, and names its protection; scrambled fonts are none.
  private func refuseProtected(_ container: any Container) throws(PublicationError) {
    guard let item = spine.first(where: { encryption.encrypted[$0.path] != nil }) else { return }
    let scheme: (kind: Protection, name: String)
    if encryption.usesLicense || container.contains("META-INF/license.lcpl") {
      scheme = (.lcp, "Readium LCP")
    } else if container.contains("META-INF/sinf.xml") {
      scheme = (.apple, "Apple FairPlay")
    } else if container.contains("META-INF/rights.xml") {
      let rights = (try? container.read("META-INF/rights.xml", limit: 1 << 20))?.bytes ?? []
      let isAdobe = String(decoding: rights, as: UTF8.self).contains("http://ns.adobe.com/adept")
      scheme = isAdobe ? (.adobe, "Adobe ADEPT") : (.unknown, "a shop's digital rights management")
    } else {
      scheme = (.unknown, "encryption")
    }
    throw PublicationError(
      .protected(scheme.kind), part: item.path, "the book is protected by \(scheme.name) and cannot be read")
  }

  private mutating func readProgression(_ document: Document, _ root: NodeID) {
    let spine = document.firstDescendant(of: root, named: "spine")
    metadata.decideProgression(
      direction: spine.flatMap { document.value(of: "page-progression-direction", on: $0)?.collapsed })
  }

  /// The contents by the first that has any: navigation documents, NCX files, documents that look like the former.
  private mutating func readNavigation(
    _ document: Document, _ root: NodeID, items: inout PackageItems, limits: Limits, diagnostics: inout DiagnosticSink
  ) {
    let container = items.container
    func readDocument(_ path: String) -> Navigation? {
      guard let entry = try? container.read(path, limit: limits.bytesPerText) else { return nil }
      return NavigationDocument.read(
        MarkupReader.read(entry.bytes, as: .xml, resource: path, limits: limits).document, path: path)
    }
    for item in items.manifest.items(property: "nav") where navigation.tableOfContents.isEmpty {
      guard let item = items.located(item, diagnostics: &diagnostics), let found = readDocument(item.path) else {
        continue
      }
      navigation.fill(from: found)
    }
    if navigation.tableOfContents.isEmpty {
      for path in ncxPaths(document, root, items: &items, diagnostics: &diagnostics)
      where navigation.tableOfContents.isEmpty {
        guard let file = try? Self.readXML(path, in: container, limits: limits, diagnostics: &diagnostics) else {
          continue
        }
        navigation.fill(from: NCX.read(file, path: path))
      }
    }
    if navigation.tableOfContents.isEmpty, items.manifest.items(property: "nav").isEmpty {
      for item in items.manifest.items where item.mediaType == MediaType.xhtml && navigation.tableOfContents.isEmpty {
        let name = item.path.split(separator: "/").last?.prefix { $0 != "." }.lowercased() ?? ""
        guard ["nav", "toc", "navigation"].contains(name), items.exists(item.path), let found = readDocument(item.path),
          !found.tableOfContents.isEmpty
        else { continue }
        diagnostics.warn("unnamed-navigation", resource: item.path, "the contents are found by the file's name alone")
        navigation.fill(from: found)
      }
    }
    if navigation.landmarks.isEmpty, let guide = document.firstDescendant(of: root, named: "guide") {
      for reference in document.descendants(of: guide, named: "reference") {
        guard let href = document.value(of: "href", on: reference) else { continue }
        navigation.landmarks.append(
          NavigationEntry(
            title: document.value(of: "title", on: reference) ?? "",
            target: ResourcePath.resolve(href, relativeTo: path),
            level: 0, type: document.value(of: "type", on: reference)))
      }
    }
  }

  /// The files that may be the NCX: what the spine names, then those of its type and of its name, also such as the package does
  /// not list.
  private func ncxPaths(
    _ document: Document, _ root: NodeID, items: inout PackageItems, diagnostics: inout DiagnosticSink
  ) -> [String] {
    func isNCX(_ item: Manifest.Item) -> Bool {
      item.mediaType == MediaType.ncx || item.path.lowercased().hasSuffix(".ncx")
    }
    let named = document.firstDescendant(of: root, named: "spine").flatMap { document.value(of: "toc", on: $0) }
    var found = named.flatMap { items.manifest.item(id: $0.collapsed, where: isNCX) }.map { [$0] } ?? []
    found += items.manifest.items.filter { $0.mediaType == MediaType.ncx }
    found += items.manifest.items.filter(isNCX)
    var paths: [String] = []
    for item in found {
      if let path = items.located(item, diagnostics: &diagnostics)?.path, !paths.contains(path) { paths.append(path) }
    }
    return paths.isEmpty ? items.container.paths.filter { $0.lowercased().hasSuffix(".ncx") } : paths
  }

  /// The cover image: by property, by the metadata of EPUB 2, by its name, by the guide and what the document that it names shows.
  private func cover(
    _ document: Document, _ root: NodeID, items: inout PackageItems, limits: Limits, diagnostics: inout DiagnosticSink
  ) -> String? {
    for item in items.manifest.items(property: "cover-image") {
      if let item = items.located(item, diagnostics: &diagnostics) { return item.path }
    }
    var documents: [String] = []
    for meta in document.descendants(of: root, named: "meta")
    where document.value(of: "name", on: meta)?.collapsed.lowercased() == "cover" {
      guard let content = document.value(of: "content", on: meta)?.collapsed else { continue }
      var ignored = DiagnosticSink()
      if let item = items.picture(content, diagnostics: &ignored) { return item.path }
      if let item = items.manifest.item(id: content) { documents.append(item.path) }
    }
    let named = items.manifest.items.filter {
      $0.mediaType.hasPrefix("image/")
        && ($0.id.lowercased().hasPrefix("cover") || $0.path.lowercased().contains("cover."))
    }
    for item in named where items.exists(item.path) { return item.path }
    for reference in document.descendants(of: root, named: "reference")
    where document.value(of: "type", on: reference)?.collapsed.lowercased() == "cover" {
      guard let href = document.value(of: "href", on: reference),
        let target = ResourcePath.resolve(href, relativeTo: path)?.path, items.exists(target)
      else { continue }
      if MediaType.ofName(target).map(MediaType.isPicture) == true { return target }
      documents.append(target)
    }
    let container = items.container
    return documents.lazy.compactMap { Self.picture(on: $0, in: container, limits: limits) }.first
  }

  /// The first picture that a document shows; nil where it has more text than the page of a cover.
  private static func picture(on path: String, in container: any Container, limits: Limits) -> String? {
    guard let entry = try? container.read(path, limit: limits.bytesPerText) else { return nil }
    let document = MarkupReader.read(entry.bytes, as: .xml, resource: path, limits: limits).document
    let body = document.firstDescendant(of: Document.documentNode, named: "body") ?? document.root
    guard !body.isNone, document.collapsedText(of: body).utf8.count <= 100 else { return nil }
    for index in document.nodes.indices where document.nodes[index].kind == .element {
      let id = NodeID(index)
      let href =
        switch document.localName(of: id) {
        case "img": document.attributeValue(.src, of: id)
        case "image": document.attributeValue(.xlinkHref, of: id) ?? document.attributeValue(.href, of: id)
        default: nil as String?
        }
      if let target = href.flatMap({ ResourcePath.resolve($0, relativeTo: path)?.path }), container.contains(target) {
        return target
      }
    }
    return nil
  }

  /// Apple's way to say that a book of EPUB 2 has fixed pages.
  private mutating func readDisplayOptions(_ container: any Container, limits: Limits) {
    let path = "META-INF/com.apple.ibooks.display-options.xml"
    var ignored = DiagnosticSink()
    guard container.contains(path),
      let document = try? Self.readXML(path, in: container, limits: limits, diagnostics: &ignored)
    else { return }
    for option in document.descendants(of: Document.documentNode, named: "option")
    where document.value(of: "name", on: option) == "fixed-layout" && document.collapsedText(of: option) == "true" {
      metadata.layout = .prePaginated
    }
  }

  private mutating func titleSpine() {
    var titles: [String: String] = [:]
    for entry in navigation.tableOfContents {
      guard let path = entry.target?.path, titles[path] == nil, !entry.title.isEmpty else { continue }
      titles[path] = entry.title
    }
    for index in spine.indices {
      spine[index].title = titles[spine[index].path] ?? spine[index].otherPaths.lazy.compactMap { titles[$0] }.first
    }
  }
}
