import BoxGeneration
import CSS
package import Graphics
import ImageCodecs
import Images
package import Layout
import Markup
package import PDFRendering
package import Painting
import Primitives
package import Publications
package import Styling
import Text

/// Adds to the display lists of a chapter's pages what they mean: the text that glyphs stand for, the structure of the document,
/// links and the places they lead to.
package struct PageTagger: Sendable {
  private let inputs: LayoutInputs
  private let styles: StyledTree
  private let document: Document
  private let fit: PageFit
  private let links: LinkTargets
  private var roles: StructureRoles
  /// Elements with names that have not been met yet, in order.
  private var named: [(node: NodeID, name: String)]
  private var isNamed: [Bool]
  private var pages = 0
  private var furthest = NodeID.none
  /// Pictures that nothing stands for.
  private var picturesWithoutText: [NodeID] = []
  private let alternatives: PictureAlternatives
  private let outline: ChapterOutline
  /// The box that a text belongs to.
  private let owners: [BoxID]
  /// By node: whether it has a box.
  private let boxed: [Bool]

  package var structure: ChapterStructure {
    var structure = roles.structure
    structure.bookmarks = outline.bookmarks
    structure.headings = outline.headings
    return structure
  }

  /// The first fault of the pages so far for PDF/UA-1 (ISO 14289-1, section 7.3); nil where they lack nothing.
  package var lackForAccessibility: String? {
    picturesWithoutText.first.map { "line \(document[$0].line): \(PictureAlternatives.lack)" }
  }

  /// - Parameters:
  ///   - language: Of the chapter, where it is not that of the book.
  ///   - chapter: Its position in the spine.
  ///   - hasDestinations: Pages tell the places of elements that have names.
  package init(
    _ inputs: LayoutInputs, styles: StyledTree, fit: PageFit, publication: Publication, chapter: Int, language: String?,
    hasDestinations: Bool = true
  ) {
    self.inputs = inputs
    self.styles = styles
    let document = styles.document
    self.document = document
    self.fit = fit
    let links = LinkTargets(publication: publication, document: document, chapter: chapter)
    self.links = links
    alternatives = PictureAlternatives(tree: inputs.tree, document: document)
    let fragments = document.elementsByFragment()
    outline = ChapterOutline(
      inputs.tree, styles, fragments, chapter: chapter, takesHeadings: publication.tableOfContents.isEmpty)
    roles = StructureRoles(document: document, language: language) { links.target(of: $0) != nil }
    isNamed = [Bool](repeating: false, count: document.nodes.count)
    named = []
    if hasDestinations {
      for (fragment, node) in fragments {
        named.append((node, DestinationName.name(chapter: chapter, fragment: fragment)))
      }
      for (node, name) in outline.madeNames { named.append((node, name)) }
    }
    named.sort { ($0.node, $0.name) < ($1.node, $1.name) }
    for entry in named { isNamed[entry.node.index] = true }
    var owners = [BoxID](repeating: .none, count: inputs.tree.texts.texts.count)
    for (index, box) in inputs.tree.boxes.enumerated() where !box.text.isNone { owners[box.text.index] = BoxID(index) }
    self.owners = owners
    var boxed = [Bool](repeating: false, count: document.nodes.count)
    for box in inputs.tree.boxes where !box.node.isNone && box.node.index < boxed.count { boxed[box.node.index] = true }
    self.boxed = boxed
  }

  /// - Parameters:
  ///   - list: As it is drawn on the reader's page.
  ///   - regions: The page's links, on the reader's page.
  package mutating func tag(
    _ list: DisplayList, of page: PageLayout, _ contents: PaintedContents, links regions: [LinkRegion]
  ) -> TaggedPage {
    var tagged = TaggedPage(list: list)
    // A cluster of a page is one here, and hyphens and the spaces between lines are some more.
    tagged.clusters.reserveCapacity(page.clusters.count + 2 * contents.texts.count)
    tagged.units.reserveCapacity(page.clusters.count + 2 * contents.texts.count)
    let repeated = Self.repeatedTexts(page)
    let starts = Set(page.texts.lazy.filter { !$0.isAnnotation }.map { Self.key($0.text, $0.range.lowerBound) })
    for painted in contents.texts where painted.text < page.texts.count {
      let text = page.texts[painted.text]
      let isApart = !text.isAnnotation && !starts.contains(Self.key(text.text, text.range.upperBound))
      add(
        painted, text, on: page, isArtifact: repeated.contains(painted.text), isApart: isApart, to: &tagged)
    }
    for picture in contents.pictures { add(picture, pageHeight: list.size.height, to: &tagged) }
    for region in regions {
      guard let target = links.target(of: region.node) else { continue }
      let element = roles.link(region.node)
      tagged.links.append(
        PageLink(
          rect: region.rect, target: target, contents: links.contents(of: region.node, in: styles), element: element))
    }
    addDestinations(of: page, to: &tagged)
    pages += 1
    return tagged
  }

  /// The element of a page break, which has no content.
  mutating func pageBreak(_ node: NodeID) -> StructureElementID { roles.pageBreak(node) }

  // MARK: Text

  /// Texts of parts that layout repeats, such as a table's header on its later pages.
  private static func repeatedTexts(_ page: PageLayout) -> Set<Int> {
    guard page.fragments.contains(where: { $0.flags.contains(.repeated) }) else { return [] }
    var texts: Set<Int> = []
    func collect(_ id: FragmentID, isRepeated: Bool) {
      let fragment = page[id]
      let isRepeated = isRepeated || fragment.flags.contains(.repeated)
      if isRepeated, fragment.kind == .text { texts.insert(Int(fragment.payload)) }
      var child = fragment.firstChild
      while !child.isNone {
        collect(child, isRepeated: isRepeated)
        child = page[child].nextSibling
      }
    }
    if !page.root.isNone { collect(page.root, isRepeated: false) }
    return texts
  }

  private static func key(_ text: TextID, _ unit: UInt32) -> UInt64 { UInt64(text.rawValue) << 32 | UInt64(unit) }

  /// - Parameter isApart: No other text goes on where this one ends.
  private mutating func add(
    _ painted: PaintedText, _ text: TextFragment, on page: PageLayout, isArtifact: Bool, isApart: Bool,
    to tagged: inout TaggedPage
  ) {
    let axis: TaggedRun.Axis =
      switch painted.writingMode {
      case .horizontalTB: .right
      case .verticalRL, .verticalLR, .sidewaysRL: .down
      case .sidewaysLR: .up
      }
    let first = tagged.clusters.count
    let place = addClusters(painted, text, on: page, isApart: isApart, to: &tagged)
    guard tagged.clusters.count > first else { return }
    if painted.glyphs.isEmpty {
      // Spaces alone belong to the text before them on their line.
      guard let last = tagged.runs.last, last.axis == axis, last.clusters.upperBound == first,
        axis == .right ? last.origin.y == painted.origin.y : last.origin.x == painted.origin.x
      else {
        tagged.clusters.removeSubrange(first...)
        return
      }
      let shift = axis == .right ? painted.origin.x - last.origin.x : painted.origin.y - last.origin.y
      for index in first..<tagged.clusters.count {
        tagged.clusters[index].left += axis == .up ? -shift : shift
      }
      tagged.runs[tagged.runs.count - 1].clusters = last.clusters.lowerBound..<tagged.clusters.count
      return
    }
    let element = isArtifact ? .none : element(of: text, place: place, box: painted.box)
    if furthest.isNone || NodeID(rawValue: place.node) > furthest { furthest = NodeID(rawValue: place.node) }
    tagged.runs.append(
      TaggedRun(
        glyphs: painted.glyphs, clusters: first..<tagged.clusters.count, element: element, origin: painted.origin,
        axis: axis, isRightToLeft: text.level & 1 == 1, place: place, fragment: painted.text))
  }

  private mutating func element(of text: TextFragment, place: SourceOrder, box: BoxID) -> StructureElementID {
    let owner = owners[text.text.index]
    if !owner.isNone, inputs.tree[owner].kind == .marker { return roles.label(of: inputs.tree[owner].node) }
    var node = NodeID(rawValue: place.node)
    guard node.index < document.nodes.count else { return .none }
    let source = node
    while !node.isNone, document[node].kind == .text { node = document[node].parent }
    let element = roles.element(ofTextIn: node, text: text.isAnnotation ? .none : text.text)
    // Text of a ruby that stands in no part of it is a base.
    if roles.structure[element].type == .ruby { return roles.rubyBase(in: element, of: source) }
    return element
  }

  /// Adds the clusters of a fragment.
  ///
  /// - Returns: Where the first of them in the document stands.
  private func addClusters(
    _ painted: PaintedText, _ text: TextFragment, on page: PageLayout, isApart: Bool, to tagged: inout TaggedPage
  ) -> SourceOrder {
    let first = tagged.clusters.count
    let source = inputs.tree.texts.units
    let paragraph = inputs.tree.texts[text.text].units
    let places = page.clusters[Int(text.clusters.lowerBound)..<Int(text.clusters.upperBound)]
    let isRTL = text.level & 1 == 1
    let hasGlyphs = !painted.glyphs.isEmpty
    var covered = 0
    func addHyphen(upTo end: Int) {
      guard hasGlyphs, covered < end else { return }
      tagged.clusters.append(
        TaggedCluster(
          glyphs: painted.glyphs.lowerBound + covered..<painted.glyphs.lowerBound + end,
          units: tagged.units.count..<tagged.units.count, left: .zero, isOwn: true))
    }
    for index in places.indices {
      let cluster = places[index]
      let end: UInt32
      if isRTL {
        end = index > places.startIndex ? places[index - 1].unit : text.range.upperBound
      } else {
        end = index + 1 < places.endIndex ? places[index + 1].unit : text.range.upperBound
      }
      let glyphs = Int(cluster.glyphs.lowerBound)..<Int(cluster.glyphs.upperBound)
      if !glyphs.isEmpty {
        addHyphen(upTo: glyphs.lowerBound)
        covered = glyphs.upperBound
      }
      let start = tagged.units.count
      var isOwn = false
      if text.isAnnotation, cluster.unit == 0 {
        tagged.units.append(0xFF08)
        isOwn = true
      }
      for unit in cluster.unit..<Swift.max(cluster.unit, end) {
        let at = paragraph.lowerBound + Int(unit)
        if at < paragraph.upperBound, Self.isCopied(source[at]) { tagged.units.append(source[at]) }
      }
      if text.isAnnotation, Int(end) == paragraph.count {
        tagged.units.append(0xFF09)
        isOwn = true
      }
      let units = start..<tagged.units.count
      if glyphs.isEmpty || !hasGlyphs {
        guard !units.isEmpty else { continue }
        if !Self.isSpace(tagged.units[start]) {
          // Joiners belong to the character beside them, and the parts of a ligature to the one drawn leftmost, with its glyphs.
          if let last = tagged.clusters.indices.last, tagged.clusters[last].units.upperBound == start {
            let all = tagged.clusters[last].units.lowerBound..<units.upperBound
            if isRTL {
              // What stands on the right is read first.
              tagged.units[all] = tagged.units[units] + tagged.units[tagged.clusters[last].units]
            }
            tagged.clusters[last].units = all
          }
          continue
        }
        tagged.clusters.append(TaggedCluster(glyphs: 0..<0, units: units, left: cluster.left))
      } else {
        tagged.clusters.append(
          TaggedCluster(
            glyphs: painted.glyphs.lowerBound + glyphs.lowerBound..<painted.glyphs.lowerBound + glyphs.upperBound,
            units: units, left: cluster.left, isOwn: isOwn))
      }
    }
    addHyphen(upTo: painted.glyphs.count)
    // The space or the break that the end of a line stands for keeps its words apart (ISO 32000-1, section 14.8.2.5).
    let next = paragraph.lowerBound + Int(text.range.upperBound)
    if isApart, hasGlyphs, next < paragraph.upperBound, Self.keepsApart(source[next]) {
      let start = tagged.units.count
      tagged.units.append(0x20)
      let left = isRTL ? .zero : places.last?.right ?? .zero
      tagged.clusters.insert(
        TaggedCluster(glyphs: 0..<0, units: start..<start + 1, left: left), at: isRTL ? first : tagged.clusters.count)
    }
    let position = inputs.tree.texts.sourcePosition(of: Int(text.range.lowerBound), in: text.text)
    return SourceOrder(node: position?.node.rawValue ?? 0, offset: UInt32(clamping: position?.offset ?? 0))
  }

  /// The unit is part of copied text: no object, no forced break, no control of direction, no soft hyphen.
  private static func isCopied(_ unit: UInt16) -> Bool {
    // Nearly all text is none of them.
    if 0x20...0xAC ~= unit || 0x2E80...0xD7FF ~= unit { return true }
    return switch unit {
    case 0xFFFC, 0x2028, 0x000A, 0x00AD, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069, 0x0000: false
    default: true
    }
  }

  /// The unit is a space or a forced break.
  private static func keepsApart(_ unit: UInt16) -> Bool { isSpace(unit) || unit == 0x0A || unit == 0x2028 }

  private static func isSpace(_ unit: UInt16) -> Bool {
    switch unit {
    case 0x09, 0x20, 0xA0, 0x1680, 0x2000...0x200A, 0x202F, 0x205F, 0x3000: true
    default: false
    }
  }

  // MARK: Pictures

  private mutating func add(_ picture: PaintedPicture, pageHeight: LayoutUnit, to tagged: inout TaggedPage) {
    let box = inputs.tree[picture.box]
    guard !box.node.isNone, box.pseudo == nil else { return }
    let alternative = alternatives.alternative(of: box)
    if alternative?.isEmpty == true || alternatives.isDecoration(box.node) { return }
    if alternative == nil { picturesWithoutText.append(box.node) }
    var rect = fit(picture.rect)
    rect.y = pageHeight - rect.maxY
    let element = roles.figure(box.node, alternative: alternative, box: rect)
    var figure = TaggedPicture(
      image: picture.image, rect: picture.rect, element: element,
      place: SourceOrder(node: box.node.rawValue, offset: 0))
    if let drawn = inputs.tree.drawnTexts[box.node] {
      let info = inputs.images.info(picture.image)
      let natural = info.width.flatMap { width in info.height.map { SIMD2(Float(width), Float($0)) } }
      figure.addTexts(drawn, natural: natural, to: &tagged)
    }
    tagged.pictures.append(figure)
  }

  // MARK: Destinations

  private mutating func addDestinations(of page: PageLayout, to tagged: inout TaggedPage) {
    if pages == 0 {
      tagged.destinations.append(.init(name: DestinationName.name(chapter: links.chapter), point: .zero))
    }
    guard !named.isEmpty else { return }
    var places: [NodeID: Point] = [:]
    func collect(_ id: FragmentID, at offset: LogicalOffset) {
      let fragment = page[id]
      if !fragment.box.isNone, fragment.kind == .box || fragment.kind == .inlineBox {
        let box = inputs.tree[fragment.box]
        if !box.node.isNone, isNamed[box.node.index], !fragment.flags.contains(.continuesBefore),
          !box.flags.contains(.anonymous), places[box.node] == nil
        {
          let rect = fit(page.physicalRect(offset, fragment.size))
          places[box.node] = Point(x: rect.x, y: rect.y)
        }
      }
      var child = fragment.firstChild
      while !child.isNone {
        collect(child, at: offset + page[child].offset)
        child = page[child].nextSibling
      }
    }
    if !page.root.isNone { collect(page.root, at: page[page.root].offset) }
    var rest: [(node: NodeID, name: String)] = []
    for entry in named {
      if let place = places[entry.node] {
        tagged.destinations.append(.init(name: entry.name, point: place))
        isNamed[entry.node.index] = false
      } else if !furthest.isNone, entry.node < furthest, !boxed[entry.node.index] {
        // It has no box: it is where what follows it is.
        tagged.destinations.append(.init(name: entry.name, point: .zero))
        isNamed[entry.node.index] = false
      } else {
        rest.append(entry)
      }
    }
    named = rest
  }

}

/// Targets of the links of a chapter.
private struct LinkTargets: Sendable {
  let chapter: Int
  private let targets: [NodeID: PageLink.Target]
  private static let longestContents = 120

  init(publication: Publication, document: Document, chapter: Int) {
    self.chapter = chapter
    let path = publication.spine[chapter].path
    var targets: [NodeID: PageLink.Target] = [:]
    for index in document.nodes.indices where document.isElement(NodeID(index), .a) {
      guard let href = document.attributeValue(.href, of: NodeID(index)) else { continue }
      targets[NodeID(index)] = Self.target(href, path: path, publication)
    }
    self.targets = targets
  }

  func target(of node: NodeID) -> PageLink.Target? { targets[node] }

  private static func target(_ href: String, path: String, _ publication: Publication) -> PageLink.Target? {
    if let place = publication.resolve(href, relativeTo: path) {
      return publication.spineIndex(of: place.path).map {
        .destination(DestinationName.name(chapter: $0, fragment: place.fragment))
      }
    }
    let trimmed = href.split(whereSeparator: \.isWhitespace).joined(separator: "%20")
    let scheme = trimmed.prefix { $0 != ":" }.lowercased()
    return ["http", "https", "mailto", "ftp", "tel"].contains(scheme) ? .uri(trimmed) : nil
  }

  /// Contents of a link annotation: its title, its text, or where it leads.
  func contents(of node: NodeID, in styles: StyledTree) -> String {
    let document = styles.document
    if let title = document.attributeValue(.title, of: node), !title.isEmpty { return title }
    let text = styles.words(of: node, limit: Self.longestContents)
    if !text.isEmpty { return text }
    return document.attributeValue(.href, of: node) ?? ""
  }
}
