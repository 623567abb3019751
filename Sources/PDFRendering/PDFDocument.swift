package import Fonts
import Graphics
package import Images
package import Primitives
package import RasterRendering

/// A PDF file that grows page by page: what is done is handed over at once, and what is kept of a page is a few numbers.
package struct PDFDocument {
  private var file: PDFFile
  private var pageTree: PageTree
  private var structure: StructureTree
  private var images: ImageObjects
  private var subsets: FontSubsets
  private var navigation = PDFNavigation()
  private let encoder: PageEncoder
  private let shapes: GlyphShapes
  private let isTagged: Bool
  private let isTextOnly: Bool
  /// Outline entries of the chapters.
  private var bookmarks: [PDFOutlineEntry] = []
  private var headings: [PDFOutlineEntry] = []
  /// The pages of chapters that are not complete.
  private var open: [Int: [OpenPage]] = [:]

  private struct OpenPage {
    var structure: StructureTree.Page
    var marks: [(element: StructureElementID, place: SourceOrder)]
    var links: [PageLink]
  }

  /// - Parameters:
  ///   - encoder: Of the document's own: encodes the pages whose text does not fit that of pages before.
  ///   - isTagged: `true` if the structure is written.
  ///   - isTextOnly: `true` if pictures and the outlines of glyphs are left out: nobody looks at the pages.
  package init(
    fonts: FontLibrary, images: ImageStore, shapes: GlyphShapes, encoder: PageEncoder, deflater: Deflater,
    isTagged: Bool = true, isTextOnly: Bool = false
  ) {
    file = PDFFile(deflater: deflater)
    pageTree = PageTree(in: &file)
    structure = StructureTree(in: &file)
    self.images = ImageObjects(images: images, shapes: shapes, deflater: deflater, leavesOut: isTextOnly)
    subsets = FontSubsets(fonts: fonts)
    self.encoder = encoder
    self.shapes = shapes
    self.isTagged = isTagged
    self.isTextOnly = isTextOnly
  }

  /// Hands over the bytes that have been added since the last call.
  package mutating func takeOutput() -> [UInt8] { file.takeOutput() }

  package var pageCount: Int { pageTree.count }

  /// Adds a page. Those of a chapter come in order.
  ///
  /// - Parameters:
  ///   - index: Its place in the file, from 0; each is taken once, in any order.
  ///   - chapter: Any number that all pages of the chapter have.
  package mutating func append(_ page: EncodedPDFPage, index: Int, chapter: Int) {
    var page = page
    if !subsets.agree(with: page.resources) {
      let subsets = subsets
      page = encoder.encode(page.source, texts: GlyphTexts { subsets.text(of: $1, in: $0) })
    }
    let size = page.source.list.size
    let resources = write(page.resources, size: size)
    let content = file.allocate()
    var dictionary = PDFBytes()
    dictionary.raw("/Filter/FlateDecode")
    file.add(stream: page.content, dictionary, isEncoded: true, as: content)

    let id = file.allocate()
    var own = StructureTree.Page(object: id, key: structure.makeKey(), marks: page.marks.map(\.element), links: [])
    var body = PDFBytes("<</Type/Page/Contents")
    body.reference(content)
    body.raw("/Resources")
    body.reference(resources)
    if isTagged {
      body.raw("/StructParents")
      body.integer(own.key)
      body.raw("/Tabs/S")
    }
    if !page.resources.states.isEmpty || !page.resources.groups.isEmpty {
      body.raw("/Group<</S/Transparency/CS/DeviceRGB>>")
    }
    if page.source.quarterTurns > 0 {
      body.raw("/Rotate")
      body.integer(page.source.quarterTurns * 90)
    }
    if let boxes = page.source.boxes {
      for (name, box) in [("/BleedBox[", boxes.bleed), ("/TrimBox[", boxes.trim)] {
        body.raw(name.utf8)
        for value in [box.x, size.height - box.maxY, box.maxX, size.height - box.y] {
          body.real(value.pixels * 0.75, decimals: 4)
        }
        body.raw("]")
      }
    }
    if !page.source.links.isEmpty {
      body.raw("/Annots[")
      for link in page.source.links {
        let key = structure.makeKey()
        let annotation = file.add(navigation.annotation(link, height: size.height, key: isTagged ? key : nil))
        own.links.append((annotation, key, link.element))
        body.reference(annotation)
      }
      body.raw("]")
    }
    pageTree.add(body, as: id, index: index, size: size, in: &file)
    navigation.add(page.source.destinations, page: index, height: size.height)
    open[chapter, default: []].append(OpenPage(structure: own, marks: page.marks, links: page.source.links))
  }

  /// Writes what the pages of a chapter name, and gives it a name.
  private mutating func write(_ resources: PageResources, size: Size) -> PDFObjectID {
    let id = file.allocate()
    var bytes = PDFBytes("<<")
    if !resources.fonts.isEmpty {
      bytes.raw("/Font<<")
      for (index, font) in resources.fonts.enumerated() {
        let object = subsets.use(
          font, resources.codes[index], unseen: resources.unseenCodes[index], resources.texts[index], in: &file)
        bytes.raw("/F")
        bytes.raw(String(index).utf8)
        bytes.reference(object)
      }
      bytes.raw(">>")
    }
    if !resources.pictures.isEmpty || !resources.groups.isEmpty {
      bytes.raw("/XObject<<")
      for (index, picture) in resources.pictures.enumerated() {
        bytes.raw("/I")
        bytes.raw(String(index).utf8)
        bytes.reference(images.object(picture, in: &file))
      }
      for (index, content) in resources.groups.enumerated() {
        let form = file.allocate()
        var dictionary = PDFBytes("/Type/XObject/Subtype/Form/BBox[0 0")
        dictionary.integer(Int(size.width.rawValue))
        dictionary.integer(Int(size.height.rawValue))
        dictionary.raw("]/Group<</S/Transparency/CS/DeviceRGB>>/Resources")
        dictionary.reference(id)
        dictionary.raw("/Filter/FlateDecode")
        file.add(stream: content, dictionary, isEncoded: true, as: form)
        bytes.raw("/X")
        bytes.raw(String(index).utf8)
        bytes.reference(form)
      }
      bytes.raw(">>")
    }
    for (kind, name, entries) in [("/ExtGState", "/G", resources.states), ("/Shading", "/S", resources.shadings)]
    where !entries.isEmpty {
      bytes.raw(kind.utf8)
      bytes.raw("<<")
      for (index, entry) in entries.enumerated() {
        bytes.raw(name.utf8)
        bytes.raw(String(index).utf8)
        bytes.raw(entry)
      }
      bytes.raw(">>")
    }
    bytes.raw(">>")
    file.add(bytes, as: id)
    return id
  }

  /// Writes the structure of a chapter, all of whose pages have come.
  package mutating func finish(chapter: Int, _ structure: ChapterStructure) {
    bookmarks += structure.bookmarks
    headings += structure.headings
    guard let pages = open.removeValue(forKey: chapter), isTagged else { return }
    var filled = structure
    for (index, page) in pages.enumerated() {
      filled.append(page: index, content: page.marks, links: page.links)
    }
    self.structure.write(filled, pages: pages.map(\.structure), in: &file)
  }

  /// Writes what belongs to the whole file.
  ///
  /// - Parameters:
  ///   - outline: The table of contents, which is the outline unless styles ask for bookmarks; headings are where it is empty.
  ///   - labels: The pages of a printed edition: a named destination where each begins, and its label.
  ///   - isWhole: All of the book is in the file, so that all links lead somewhere.
  /// - Returns: Faces that may not be embedded, and links that lead nowhere.
  @discardableResult
  package mutating func finish(
    _ information: PDFInformation, outline: [PDFOutlineEntry], labels: [(destination: String, label: String)] = [],
    isWhole: Bool = true
  ) -> DiagnosticSink {
    let metadata = PDFMetadata(information: information)
    let stream = file.allocate()
    // Metadata is read by programs that know no filters (ISO 19005-1).
    file.add(stream: metadata.packet, PDFBytes("/Type/Metadata/Subtype/XML"), isEncoded: true, as: stream)
    subsets.write(to: &file, shapes: isTextOnly ? nil : shapes)
    let pages = pageTree.finish(in: &file)

    var catalog = PDFBytes("<</Type/Catalog/Pages")
    catalog.reference(pages)
    catalog.raw("/Metadata")
    catalog.reference(stream)
    if isTagged {
      structure.finish(in: &file)
      catalog.raw("/MarkInfo<</Marked true>>/StructTreeRoot")
      catalog.reference(structure.root)
    }
    if !information.language.isEmpty {
      catalog.raw("/Lang")
      catalog.text(information.language)
    }
    catalog.raw("/ViewerPreferences<<")
    if !information.title.isEmpty { catalog.raw("/DisplayDocTitle true") }
    if information.isRightToLeft { catalog.raw("/Direction/R2L") }
    catalog.raw(">>")
    if information.showsSpreads { catalog.raw("/PageLayout/TwoPageRight") }
    let profile = file.allocate()
    file.add(stream: OutputIntent.profile, PDFBytes("/N 3"), as: profile)
    catalog.raw(
      "/OutputIntents[<</Type/OutputIntent/S/GTS_PDFA1/OutputConditionIdentifier(sRGB)/Info(sRGB)/DestOutputProfile")
    catalog.reference(profile)
    catalog.raw(">>]")
    let missing = navigation.finish(
      outline: !bookmarks.isEmpty ? bookmarks : outline.isEmpty ? headings : outline, labels: labels,
      pages: pageTree.objects, catalog: &catalog, in: &file)
    catalog.raw(">>")
    let root = file.add(catalog)
    let info = file.add(metadata.dictionary)
    file.finish(root: root, information: info)
    var diagnostics = DiagnosticSink()
    for face in subsets.unembeddableFaces {
      diagnostics.warn(
        "font-not-embedded", "the licence of \(face) forbids to embed it: its glyphs are drawn as outlines in the PDF")
    }
    for name in missing where isWhole { diagnostics.warn("dead-link", "a link leads to \(name), which no page shows") }
    return diagnostics
  }
}

/// The tree of pages (ISO 32000-1, section 7.7.3), which may come out of order.
struct PageTree {
  private let root: PDFObjectID
  private var nodes: [Int: PDFObjectID] = [:]
  private var kids: [Int: PDFObjectID] = [:]
  private var size: Size?

  /// Pages of a node.
  private static let capacity = 64

  init(in file: inout PDFFile) { root = file.allocate() }

  var count: Int { kids.count }

  /// Pages by their place.
  var objects: [Int: PDFObjectID] { kids }

  /// - Parameter body: The page's dictionary without its end.
  mutating func add(_ body: PDFBytes, as id: PDFObjectID, index: Int, size: Size, in file: inout PDFFile) {
    kids[index] = id
    let node = nodes[index / Self.capacity] ?? file.allocate()
    nodes[index / Self.capacity] = node
    if self.size == nil { self.size = size }
    var body = body
    body.raw("/Parent")
    body.reference(node)
    if size != self.size { Self.append(size, to: &body) }
    body.raw(">>")
    file.add(body, as: id)
  }

  private static func append(_ size: Size, to bytes: inout PDFBytes) {
    bytes.raw("/MediaBox[0 0")
    bytes.real(size.width.pixels * 0.75, decimals: 4)
    bytes.real(size.height.pixels * 0.75, decimals: 4)
    bytes.raw("]")
  }

  func finish(in file: inout PDFFile) -> PDFObjectID {
    let order = kids.keys.sorted()
    for (number, node) in nodes.sorted(by: { $0.key < $1.key }) {
      let pages = order.filter { $0 / Self.capacity == number }
      var bytes = PDFBytes("<</Type/Pages/Parent")
      bytes.reference(root)
      bytes.raw("/Count")
      bytes.integer(pages.count)
      bytes.raw("/Kids[")
      for page in pages { if let id = kids[page] { bytes.reference(id) } }
      bytes.raw("]>>")
      file.add(bytes, as: node)
    }
    var bytes = PDFBytes("<</Type/Pages/Count")
    bytes.integer(order.count)
    if let size { Self.append(size, to: &bytes) }
    bytes.raw("/Kids[")
    for node in nodes.keys.sorted() { if let id = nodes[node] { bytes.reference(id) } }
    bytes.raw("]>>")
    file.add(bytes, as: root)
    return root
  }
}
