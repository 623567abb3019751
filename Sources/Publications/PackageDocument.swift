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
    spine = Spine.read(
      package: document, root: root, path: path, manifest: manifest, container: container, limits: limits,
      diagnostics: &diagnostics)
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
    readNavigation(document, root, container: container, limits: limits, diagnostics: &diagnostics)
    coverPath = cover(document, root, container: container)
    readDisplayOptions(container, limits: limits)
    titleSpine()
  }

  // MARK: Finding

  private static func locate(_ container: any Container, limits: Limits, diagnostics: inout DiagnosticSink)
    throws(PublicationError) -> String
  {
    let containerPath = "META-INF/container.xml"
    if container.contains(containerPath) {
      let document = try readXML(containerPath, in: container, limits: limits, diagnostics: &diagnostics)
      var named: [String] = []
      for file in document.descendants(of: Document.documentNode, named: "rootfile") {
        guard let fullPath = document.value(of: "full-path", on: file) ?? document.value(of: "fullpath", on: file),
          let target = ResourcePath.resolve(fullPath, relativeTo: "")
        else { continue }
        let type = document.value(of: "media-type", on: file) ?? ""
        if type == "application/oebps-package+xml" || type.isEmpty { named.append(target.path) } else { continue }
      }
      if let path = named.first(where: { container.contains($0) }) { return path }
      diagnostics.warn(
        "wrong-container", resource: containerPath,
        named.first.map { "it names “\($0)”, which is not in the book" } ?? "it names no package document")
    } else {
      diagnostics.warn("missing-container", resource: containerPath, "the file is not in the book")
    }
    let packages = container.paths.filter { $0.lowercased().hasSuffix(".opf") }
    guard let path = packages.min(by: { $0.utf8.count { $0 == 0x2F } < $1.utf8.count { $0 == 0x2F } }) else {
      throw PublicationError(
        .notABook, "it is no book: it has neither META-INF/container.xml nor a package document (.opf)")
    }
    return path
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
      case .encrypted: throw PublicationError(.protected, part: path, "the archive is encrypted with a password")
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
    let scheme: String
    if encryption.usesLicense || container.contains("META-INF/license.lcpl") {
      scheme = "Readium LCP"
    } else if container.contains("META-INF/sinf.xml") {
      scheme = "Apple FairPlay"
    } else if container.contains("META-INF/rights.xml") {
      let rights = (try? container.read("META-INF/rights.xml", limit: 1 << 20))?.bytes ?? []
      let isAdobe = String(decoding: rights, as: UTF8.self).contains("http://ns.adobe.com/adept")
      scheme = isAdobe ? "Adobe ADEPT" : "a shop's digital rights management"
    } else {
      scheme = "encryption"
    }
    throw PublicationError(.protected, part: item.path, "the book is protected by \(scheme) and cannot be read")
  }

  private mutating func readProgression(_ document: Document, _ root: NodeID) {
    let spine = document.firstDescendant(of: root, named: "spine")
    metadata.decideProgression(direction: spine.flatMap { document.value(of: "page-progression-direction", on: $0) })
  }

  private mutating func readNavigation(
    _ document: Document, _ root: NodeID, container: any Container, limits: Limits, diagnostics: inout DiagnosticSink
  ) {
    if let item = manifest.item(property: "nav"), let entry = try? container.read(item.path, limit: limits.bytesPerText)
    {
      let (nav, _) = MarkupReader.read(entry.bytes, as: .xml, resource: item.path, limits: limits)
      navigation = NavigationDocument.read(nav, path: item.path)
    }
    if navigation.tableOfContents.isEmpty {
      let named = document.firstDescendant(of: root, named: "spine").flatMap { document.value(of: "toc", on: $0) }
      let item =
        named.flatMap { manifest.item(id: $0) } ?? manifest.items.first { $0.mediaType == "application/x-dtbncx+xml" }
        ?? manifest.items.first { $0.path.lowercased().hasSuffix(".ncx") }
      if let item, container.contains(item.path),
        let file = try? Self.readXML(item.path, in: container, limits: limits, diagnostics: &diagnostics)
      {
        let ncx = NCX.read(file, path: item.path)
        navigation.tableOfContents = ncx.tableOfContents
        if navigation.pageList.isEmpty { navigation.pageList = ncx.pageList }
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

  /// The cover image: by property, by the metadata of EPUB 2, by its name.
  private func cover(_ document: Document, _ root: NodeID, container: any Container) -> String? {
    if let item = manifest.item(property: "cover-image"), container.contains(item.path) { return item.path }
    for meta in document.descendants(of: root, named: "meta")
    where document.value(of: "name", on: meta)?.lowercased() == "cover" {
      guard let content = document.value(of: "content", on: meta) else { continue }
      let item =
        manifest.item(id: content)
        ?? ResourcePath.resolve(content, relativeTo: path).flatMap { manifest.item(path: $0.path) }
      if let item, item.mediaType.hasPrefix("image/"), container.contains(item.path) { return item.path }
    }
    return manifest.items.first {
      $0.mediaType.hasPrefix("image/")
        && ($0.id.lowercased().hasPrefix("cover") || $0.path.lowercased().contains("cover."))
        && container.contains($0.path)
    }?.path
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
