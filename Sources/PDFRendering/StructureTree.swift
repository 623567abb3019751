import Primitives

/// The structure of the whole document (ISO 32000-1, section 14.7), written chapter by chapter.
struct StructureTree {
  let root: PDFObjectID
  private let document: PDFObjectID
  private var chapters: [PDFObjectID] = []
  /// By key of the parent tree: the elements of a page's marked contents, or that of an annotation.
  private var parents: [(key: Int, object: PDFObjectID)] = []
  private var nextKey = 0
  private var notes = 0
  /// Of the last heading.
  private var headingLevel = 0

  /// The pages of a chapter as far as structure is concerned.
  struct Page {
    var object: PDFObjectID
    var key: Int
    var marks: [StructureElementID]
    /// Annotations of links, with their keys.
    var links: [(object: PDFObjectID, key: Int, element: StructureElementID)]
  }

  init(in file: inout PDFFile) {
    root = file.allocate()
    document = file.allocate()
  }

  mutating func makeKey() -> Int {
    defer { nextKey += 1 }
    return nextKey
  }

  /// Writes the elements of a chapter, all of whose pages are there.
  mutating func write(_ chapter: ChapterStructure, pages: [Page], in file: inout PDFFile) {
    guard chapter.elements.indices.contains(0), !chapter.children[0].isEmpty else { return }
    var objects = [PDFObjectID?](repeating: nil, count: chapter.elements.count)
    for index in chapter.elements.indices where chapter.isPlaced[index] { objects[index] = file.allocate() }
    let headings = headings(of: chapter)
    for index in chapter.elements.indices {
      guard let id = objects[index] else { continue }
      var element = chapter.elements[index]
      element.type = headings[index] ?? element.type
      let parent = element.parent.isNone ? document : objects[element.parent.index] ?? document
      file.add(body(element, parent, chapter.children[index], objects, pages), as: id)
    }
    if let first = objects[0] { chapters.append(first) }
    for page in pages {
      if !page.marks.isEmpty {
        var array = PDFBytes("[")
        for mark in page.marks { array.reference((mark.isNone ? nil : objects[mark.index]) ?? document) }
        array.raw("]")
        parents.append((page.key, file.add(array)))
      }
      for link in page.links {
        if let object = objects[link.element.index] { parents.append((link.key, object)) }
      }
    }
  }

  /// The types of a chapter's headings: none is more than one level below that before it (ISO 14289-1, section 7.4.2).
  private mutating func headings(of chapter: ChapterStructure) -> [Int: StructureType] {
    var types: [Int: StructureType] = [:]
    var open = [(element: 0, child: 0)]
    while let (element, child) = open.popLast() {
      guard child < chapter.children[element].count else { continue }
      open.append((element, child + 1))
      guard case .element(let id) = chapter.children[element][child] else { continue }
      if let level = chapter[id].type.headingLevel {
        headingLevel = Swift.min(level, headingLevel + 1)
        types[id.index] = StructureType(headingLevel: headingLevel)
      }
      open.append((id.index, 0))
    }
    return types
  }

  private mutating func body(
    _ element: StructureElement, _ parent: PDFObjectID, _ children: [ChapterStructure.Child], _ objects: [PDFObjectID?],
    _ pages: [Page]
  ) -> PDFBytes {
    var bytes = PDFBytes("<</S")
    bytes.name(element.type.rawValue)
    bytes.raw("/P")
    bytes.reference(parent)
    if let text = element.alternative {
      bytes.raw("/Alt")
      bytes.text(text)
    }
    if let language = element.language {
      bytes.raw("/Lang")
      bytes.text(language)
    }
    if element.type == .note {
      notes += 1
      bytes.raw("/ID")
      bytes.string("note\(notes)".utf8)
    }
    appendAttributes(of: element, to: &bytes)
    // The page of most of its contents, which they need not name then.
    var own: Int?
    for child in children {
      if case .content(let page, _) = child {
        own = page
        break
      }
    }
    if let own, pages.indices.contains(own) {
      bytes.raw("/Pg")
      bytes.reference(pages[own].object)
    }
    if children.isEmpty {
      bytes.raw(">>")
      return bytes
    }
    bytes.raw("/K")
    if children.count > 1 { bytes.raw("[") }
    for child in children {
      switch child {
      case .element(let id): if let object = objects[id.index] { bytes.reference(object) }
      case .content(let page, let id):
        if page == own {
          bytes.integer(id)
        } else if pages.indices.contains(page) {
          bytes.raw("<</Type/MCR/Pg")
          bytes.reference(pages[page].object)
          bytes.raw("/MCID")
          bytes.integer(id)
          bytes.raw(">>")
        }
      case .link(let page, let index):
        guard pages.indices.contains(page), pages[page].links.indices.contains(index) else { continue }
        bytes.raw("<</Type/OBJR/Pg")
        bytes.reference(pages[page].object)
        bytes.raw("/Obj")
        bytes.reference(pages[page].links[index].object)
        bytes.raw(">>")
      }
    }
    bytes.raw(children.count > 1 ? "]>>" : ">>")
    return bytes
  }

  /// Attributes by their owners (section 14.8.5).
  private func appendAttributes(of element: StructureElement, to bytes: inout PDFBytes) {
    if element.columnSpan > 1 || element.rowSpan > 1 || element.scope != nil {
      bytes.raw("/A<</O/Table")
      if let scope = element.scope {
        bytes.raw("/Scope")
        bytes.name(scope.rawValue)
      }
      if element.columnSpan > 1 {
        bytes.raw("/ColSpan")
        bytes.integer(element.columnSpan)
      }
      if element.rowSpan > 1 {
        bytes.raw("/RowSpan")
        bytes.integer(element.rowSpan)
      }
      bytes.raw(">>")
    } else if let numbering = element.listNumbering {
      bytes.raw("/A<</O/List/ListNumbering")
      bytes.name(numbering.rawValue)
      bytes.raw(">>")
    } else if let box = element.box {
      bytes.raw("/A<</O/Layout/Placement/Block/BBox[")
      for value in [box.x, box.y, box.maxX, box.maxY] { bytes.real(value.pixels * 0.75, decimals: 2) }
      bytes.raw("]>>")
    }
  }

  /// Writes the elements above the chapters, and the tree that finds elements by content.
  mutating func finish(in file: inout PDFFile) {
    var bytes = PDFBytes("<</S/Document/P")
    bytes.reference(root)
    bytes.raw("/K[")
    for chapter in chapters { bytes.reference(chapter) }
    bytes.raw("]>>")
    file.add(bytes, as: document)
    parents.sort { $0.key < $1.key }
    let tree = NumberTree.write(parents.map { ($0.key, $0.object) }, in: &file)
    bytes = PDFBytes("<</Type/StructTreeRoot/K")
    bytes.reference(document)
    bytes.raw("/ParentTree")
    bytes.reference(tree)
    bytes.raw("/ParentTreeNextKey")
    bytes.integer(nextKey)
    bytes.raw(">>")
    file.add(bytes, as: root)
  }
}

/// Number trees and name trees (section 7.9.6, 7.9.7): leaves of some entries each under one root.
enum NumberTree {
  private static let leaf = 64

  static func write(_ entries: [(Int, PDFObjectID)], in file: inout PDFFile) -> PDFObjectID {
    write(entries.count, "/Nums[", in: &file) { index, bytes in
      bytes.integer(entries[index].0)
      bytes.reference(entries[index].1)
    } limit: { index, bytes in
      bytes.integer(entries[index].0)
    }
  }

  /// - Parameter entries: Sorted by the bytes of their names.
  static func writeNames(_ entries: [(name: String, value: PDFBytes)], in file: inout PDFFile) -> PDFObjectID {
    write(entries.count, "/Names[", in: &file) { index, bytes in
      bytes.string(entries[index].name.utf8)
      bytes.raw(entries[index].value)
    } limit: { index, bytes in
      bytes.string(entries[index].name.utf8)
    }
  }

  private static func write(
    _ count: Int, _ key: StaticString, in file: inout PDFFile, entry: (Int, inout PDFBytes) -> Void,
    limit: (Int, inout PDFBytes) -> Void
  ) -> PDFObjectID {
    func body(_ range: Range<Int>, hasLimits: Bool) -> PDFBytes {
      var bytes = PDFBytes("<<")
      if hasLimits {
        bytes.raw("/Limits[")
        limit(range.lowerBound, &bytes)
        limit(range.upperBound - 1, &bytes)
        bytes.raw("]")
      }
      bytes.raw(key)
      for index in range { entry(index, &bytes) }
      bytes.raw("]>>")
      return bytes
    }
    guard count > leaf else { return file.add(body(0..<count, hasLimits: false)) }
    var root = PDFBytes("<</Kids[")
    var start = 0
    while start < count {
      let end = Swift.min(start + leaf, count)
      root.reference(file.add(body(start..<end, hasLimits: true)))
      start = end
    }
    root.raw("]>>")
    return file.add(root)
  }
}
