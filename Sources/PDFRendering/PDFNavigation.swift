import Primitives

/// Ways through a file (ISO 32000-1, section 12.3): destinations, links, the outline, labels of pages.
struct PDFNavigation {
  /// By the hash of its name, so that little is kept of names that nothing leads to.
  private var places: [UInt64: (page: Int, left: LayoutUnit, fromBottom: LayoutUnit)] = [:]
  /// Names that are linked.
  private var wanted: Set<String> = []

  private static func hash(_ name: String) -> UInt64 {
    var hasher = StableHasher()
    hasher.combine(name)
    return hasher.value
  }

  mutating func add(_ destinations: [TaggedPage.Destination], page: Int, height: LayoutUnit) {
    for destination in destinations {
      let key = Self.hash(destination.name)
      if places[key] == nil { places[key] = (page, destination.point.x, height - destination.point.y) }
    }
  }

  /// The annotation of a link (section 12.5.6.5).
  ///
  /// - Parameter key: In the parent tree; nil in a file without structure.
  mutating func annotation(_ link: PageLink, height: LayoutUnit, key: Int?) -> PDFBytes {
    // Printed, and without a border.
    var bytes = PDFBytes("<</Type/Annot/Subtype/Link/F 4/Border[0 0 0]/Rect[")
    for value in [link.rect.x, height - link.rect.maxY, link.rect.maxX, height - link.rect.y] {
      bytes.real(value.pixels * 0.75, decimals: 2)
    }
    bytes.raw("]")
    switch link.target {
    case .destination(let name):
      wanted.insert(name)
      bytes.raw("/Dest")
      bytes.string(name.utf8)
    case .uri(let uri):
      bytes.raw("/A<</S/URI/URI")
      bytes.string(Self.ascii(uri))
      bytes.raw(">>")
    }
    if !link.contents.isEmpty {
      bytes.raw("/Contents")
      bytes.text(link.contents)
    }
    if let key {
      bytes.raw("/StructParent")
      bytes.integer(key)
    }
    bytes.raw(">>")
    return bytes
  }

  /// A URI in ASCII: all other bytes are percent-encoded (RFC 3987, section 3.1).
  private static func ascii(_ uri: String) -> [UInt8] {
    uri.utf8.flatMap { byte -> [UInt8] in
      if byte > 0x20, byte < 0x7F { return [byte] }
      let digits = Array("0123456789ABCDEF".utf8)
      return [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
  }

  /// The place of a name, or that of the chapter it begins with.
  private func place(_ name: String) -> (page: Int, left: LayoutUnit, fromBottom: LayoutUnit)? {
    if let known = places[Self.hash(name)] { return known }
    return name.firstIndex(of: "#").flatMap { places[Self.hash(String(name[..<$0]))] }
  }

  /// - Parameter pages: By their place in the file.
  /// - Returns: Names that nothing has.
  mutating func finish(
    outline: [PDFOutlineEntry], labels: [(destination: String, label: String)], pages: [Int: PDFObjectID],
    catalog: inout PDFBytes, in file: inout PDFFile
  ) -> [String] {
    for entry in outline { if let name = entry.destination { wanted.insert(name) } }
    var names: [(name: String, value: PDFBytes)] = []
    var missing: [String] = []
    for name in wanted.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
      if places[Self.hash(name)] == nil { missing.append(name) }
      guard let place = place(name), let page = pages[place.page] else { continue }
      var value = PDFBytes("[")
      value.reference(page)
      value.raw("/XYZ")
      value.real(Swift.max(0, place.left.pixels * 0.75), decimals: 1)
      value.real(place.fromBottom.pixels * 0.75, decimals: 1)
      value.raw(" 0]")
      names.append((name, value))
    }
    if !names.isEmpty {
      catalog.raw("/Names<</Dests")
      catalog.reference(NumberTree.writeNames(names, in: &file))
      catalog.raw(">>")
    }
    if let root = PDFOutline(outline.filter { $0.destination.map { place($0) != nil } ?? true }).write(in: &file) {
      catalog.raw("/Outlines")
      catalog.reference(root)
      catalog.raw("/PageMode/UseOutlines")
    }
    writeLabels(labels, count: (pages.keys.max() ?? -1) + 1, catalog: &catalog)
    return missing
  }

  /// Labels of a printed edition's pages (section 12.4.2). Pages before the first are numbered in Roman.
  private func writeLabels(_ labels: [(destination: String, label: String)], count: Int, catalog: inout PDFBytes) {
    var byPage: [Int: String] = [:]
    for label in labels {
      guard let place = place(label.destination), places[Self.hash(label.destination)] != nil else { continue }
      // The label of the page that begins first on it.
      if byPage[place.page] == nil { byPage[place.page] = label.label }
    }
    guard !byPage.isEmpty, count > 0 else { return }
    catalog.raw("/PageLabels<</Nums[")
    if byPage[0] == nil { catalog.raw("0<</S/r>>") }
    for page in byPage.keys.sorted() {
      catalog.integer(page)
      catalog.raw("<</P")
      catalog.text(byPage[page] ?? "")
      catalog.raw(">>")
    }
    catalog.raw("]>>")
  }
}

/// The tree of bookmarks.
private struct PDFOutline {
  private struct Node {
    var entry: PDFOutlineEntry
    var parent = -1
    /// Among its siblings.
    var place = 0
    var children: [Int] = []
  }
  private var nodes: [Node] = []
  private var top: [Int] = []

  init(_ entries: [PDFOutlineEntry]) {
    var path: [Int] = []
    for entry in entries {
      while let last = path.last, nodes[last].entry.level >= entry.level { path.removeLast() }
      var node = Node(entry: entry)
      node.parent = path.last ?? -1
      node.place = path.last.map { nodes[$0].children.count } ?? top.count
      nodes.append(node)
      let index = nodes.count - 1
      if let parent = path.last { nodes[parent].children.append(index) } else { top.append(index) }
      path.append(index)
    }
  }

  /// The entries that are shown below some when these are.
  private func shown(_ indices: [Int]) -> Int {
    indices.reduce(0) { $0 + 1 + (nodes[$1].entry.isOpen ? shown(nodes[$1].children) : 0) }
  }

  /// Writes the tree, of which the highest level is open.
  func write(in file: inout PDFFile) -> PDFObjectID? {
    guard !top.isEmpty else { return nil }
    let root = file.allocate()
    let ids = nodes.map { _ in file.allocate() }
    for (index, node) in nodes.enumerated() {
      let siblings = node.parent < 0 ? top : nodes[node.parent].children
      var bytes = PDFBytes("<</Title")
      bytes.text(node.entry.title)
      bytes.raw("/Parent")
      bytes.reference(node.parent < 0 ? root : ids[node.parent])
      if let name = node.entry.destination {
        bytes.raw("/Dest")
        bytes.string(name.utf8)
      }
      if node.place > 0 {
        bytes.raw("/Prev")
        bytes.reference(ids[siblings[node.place - 1]])
      }
      if node.place + 1 < siblings.count {
        bytes.raw("/Next")
        bytes.reference(ids[siblings[node.place + 1]])
      }
      if let first = node.children.first, let last = node.children.last {
        bytes.raw("/First")
        bytes.reference(ids[first])
        bytes.raw("/Last")
        bytes.reference(ids[last])
        bytes.raw("/Count")
        let shown = shown(node.children)
        bytes.integer(node.entry.isOpen ? shown : -shown)
      }
      bytes.raw(">>")
      file.add(bytes, as: ids[index])
    }
    var bytes = PDFBytes("<</Type/Outlines/First")
    bytes.reference(ids[top[0]])
    bytes.raw("/Last")
    bytes.reference(ids[top[top.count - 1]])
    bytes.raw("/Count")
    bytes.integer(shown(top))
    bytes.raw(">>")
    file.add(bytes, as: root)
    return root
  }
}
