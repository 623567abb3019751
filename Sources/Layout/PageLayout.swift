import BoxGeneration
import CSS
package import Primitives
package import Styling

/// The fragments of one page: trees in arrays, complete in themselves.
package struct PageLayout: Sendable {
  package internal(set) var fragments: [Fragment] = []
  package internal(set) var geometries: [BoxGeometry] = []
  package internal(set) var lines: [LineFragment] = []
  package internal(set) var texts: [TextFragment] = []
  package internal(set) var glyphs: [FragmentGlyph] = []
  /// Empty unless `LayoutSettings.recordsClusters`.
  package internal(set) var clusters: [ClusterPlace] = []
  package internal(set) var collapsedBorders: [CollapsedBorder] = []
  /// Boxes that did not fit their page or block and stick out.
  package internal(set) var overflows: [BoxID] = []
  /// The root element's fragment; its offset is from the page's content area. `.none` for a blank page.
  package internal(set) var root = FragmentID.none
  /// What the break at the page's end had to do without: `perfect` when it kept all rules.
  package internal(set) var brokenRule = BreakRank.perfect
  /// The page box, physical.
  package let geometry: PageGeometry
  /// What the page is to `@page` rules.
  package let traits: PageTraits
  package let writingMode: WritingMode

  package var size: Size { geometry.size }
  package var contentArea: Rect { geometry.contentArea }

  package init(geometry: PageGeometry, traits: PageTraits = PageTraits(), writingMode: WritingMode = .horizontalTB) {
    self.geometry = geometry
    self.traits = traits
    self.writingMode = writingMode
  }

  package subscript(id: FragmentID) -> Fragment { fragments[id.index] }
}

/// The page being made: the one thing that changes while boxes are laid out.
///
/// It is a transaction. Whatever is added or changed after a savepoint is undone by going back to it, wherever the change was
/// made: additions are cut off, and what a change replaced is kept until the page is done.
final class PageBuilder {
  @exclusivity(unchecked) var layout = PageLayout(geometry: PageGeometry(size: .zero, margin: Sides(all: .zero)))
  /// Absolutely positioned boxes that are parted at the page's end, by their places.
  private(set) var placesOverEnd: [BoxID: LogicalOffset] = [:]
  /// What changes replaced, in order.
  @exclusivity(unchecked) private var replaced: [Replaced] = []
  /// The last savepoint: what is older than it is kept when it changes.
  @exclusivity(unchecked) private var last = Savepoint()

  /// A state of the page to go back to.
  struct Savepoint {
    fileprivate(set) var fragments = 0
    fileprivate(set) var geometries = 0
    fileprivate(set) var lines = 0
    fileprivate(set) var texts = 0
    fileprivate(set) var glyphs = 0
    fileprivate(set) var clusters = 0
    fileprivate(set) var collapsedBorders = 0
    fileprivate var overflows = 0
    fileprivate var replaced = 0
    fileprivate var digest: Int?
  }

  /// A part of the page as it was before a change.
  private enum Replaced {
    case fragment(Int, Fragment)
    case geometry(Int, BoxGeometry)
    case line(Int, LineFragment)
    case text(Int, TextFragment)
    case glyph(Int, FragmentGlyph)
    case cluster(Int, ClusterPlace)
    case collapsedBorder(Int, CollapsedBorder)
  }

  // MARK: Transactions

  /// Begins an empty page.
  ///
  /// - Parameter placesOverEnd: Absolutely positioned boxes known to reach over the page's end, and their offsets from the corner
  ///   of the page's area.
  func begin(
    _ geometry: PageGeometry, traits: PageTraits = PageTraits(), writingMode: WritingMode,
    placesOverEnd: [BoxID: LogicalOffset] = [:]
  ) {
    self.placesOverEnd = placesOverEnd
    layout = PageLayout(geometry: geometry, traits: traits, writingMode: writingMode)
    replaced.removeAll(keepingCapacity: true)
    last = Savepoint()
  }

  /// Begins a trial. It need not be ended where what it made stays.
  ///
  /// - Complexity: O(1).
  func savepoint() -> Savepoint {
    var point = Savepoint(
      fragments: layout.fragments.count, geometries: layout.geometries.count, lines: layout.lines.count,
      texts: layout.texts.count, glyphs: layout.glyphs.count, clusters: layout.clusters.count,
      collapsedBorders: layout.collapsedBorders.count, overflows: layout.overflows.count, replaced: replaced.count)
    point.digest = LayoutChecks.digest(of: layout)
    last = point
    return point
  }

  /// Forgets all that was done since a savepoint, which stays valid; later ones do not.
  ///
  /// - Complexity: O(what was done).
  func goBack(to point: Savepoint) {
    while replaced.count > point.replaced { restore(replaced.removeLast()) }
    layout.fragments.removeLast(layout.fragments.count - point.fragments)
    layout.geometries.removeLast(layout.geometries.count - point.geometries)
    layout.lines.removeLast(layout.lines.count - point.lines)
    layout.texts.removeLast(layout.texts.count - point.texts)
    layout.glyphs.removeLast(layout.glyphs.count - point.glyphs)
    layout.clusters.removeLast(layout.clusters.count - point.clusters)
    layout.collapsedBorders.removeLast(layout.collapsedBorders.count - point.collapsedBorders)
    layout.overflows.removeLast(layout.overflows.count - point.overflows)
    last = point
    LayoutChecks.trialLeftNoTrace(on: layout, digestBefore: point.digest)
  }

  private func restore(_ part: Replaced) {
    switch part {
    case .fragment(let index, let old): layout.fragments[index] = old
    case .geometry(let index, let old): layout.geometries[index] = old
    case .line(let index, let old): layout.lines[index] = old
    case .text(let index, let old): layout.texts[index] = old
    case .glyph(let index, let old): layout.glyphs[index] = old
    case .cluster(let index, let old): layout.clusters[index] = old
    case .collapsedBorder(let index, let old): layout.collapsedBorders[index] = old
    }
  }

  // MARK: Reading

  var hasPositioned: Bool { layout.fragments.contains { $0.flags.contains(.positioned) } }
  subscript(id: FragmentID) -> Fragment {
    @inline(__always) get { layout.fragments[id.index] }
  }
  var root: FragmentID { layout.root }
  var geometry: PageGeometry { layout.geometry }
  var traits: PageTraits { layout.traits }
  func geometry(of id: FragmentID) -> BoxGeometry { layout.geometries[Int(layout.fragments[id.index].payload)] }
  func line(of id: FragmentID) -> LineFragment { layout.lines[Int(layout.fragments[id.index].payload)] }
  func text(of id: FragmentID) -> TextFragment { layout.texts[Int(layout.fragments[id.index].payload)] }

  func glyph(_ index: Int) -> FragmentGlyph { layout.glyphs[index] }

  // MARK: Adding

  /// Adds a box fragment with its geometry, without a parent.
  func appendBox(
    _ box: BoxID, kind: FragmentKind = .box, size: LogicalSize, geometry: BoxGeometry, flags: FragmentFlags = []
  ) -> FragmentID {
    layout.geometries.append(geometry)
    return append(
      Fragment(kind: kind, flags: flags, box: box, size: size, payload: UInt32(layout.geometries.count - 1)))
  }
  /// Adds the fragment of a line box, without a parent.
  func appendLine(_ line: LineFragment, of box: BoxID, size: LogicalSize) -> FragmentID {
    layout.lines.append(line)
    return append(Fragment(kind: .line, box: box, size: size, payload: UInt32(layout.lines.count - 1)))
  }
  /// Adds a stretch of glyphs, without a parent.
  func appendText(_ text: TextFragment, of box: BoxID, size: LogicalSize) -> FragmentID {
    layout.texts.append(text)
    return append(Fragment(kind: .text, box: box, size: size, payload: UInt32(layout.texts.count - 1)))
  }
  private func append(_ fragment: Fragment) -> FragmentID {
    layout.fragments.append(fragment)
    return FragmentID(layout.fragments.count - 1)
  }
  /// Whether a fragment of a box has been made since another one.
  func holds(_ box: BoxID, since first: FragmentID) -> Bool {
    layout.fragments[first.index...].contains { $0.box == box && $0.kind == .box }
  }
  var glyphCount: Int { layout.glyphs.count }
  var clusterCount: Int { layout.clusters.count }
  func append(_ glyphs: UnsafeBufferPointer<FragmentGlyph>) { layout.glyphs.append(contentsOf: glyphs) }
  func append(_ clusters: [ClusterPlace]) { layout.clusters += clusters }
  /// Puts glyphs in the place of the last one.
  func replaceLastGlyph(by glyphs: (FragmentGlyph) -> [FragmentGlyph]) {
    let old = layout.glyphs.removeLast()
    layout.glyphs += glyphs(old)
  }
  /// A box does not fit its page or block.
  func noteOverflow(of box: BoxID) { layout.overflows.append(box) }
  /// Adds the border segments of a box in the collapsing model, or the rules between its columns.
  func append(_ borders: [CollapsedBorder], to id: FragmentID) {
    guard !borders.isEmpty else { return }
    let first = UInt32(layout.collapsedBorders.count)
    layout.collapsedBorders += borders
    change(geometryOf: id) { $0.collapsedBorders = first..<UInt32(layout.collapsedBorders.count) }
  }
  /// The page is complete but for its root's place.
  func setRoot(_ root: FragmentID, at offset: LogicalOffset) {
    layout.root = root
    if !root.isNone { change(root) { $0.offset = offset } }
  }
  func setBrokenRule(_ rank: BreakRank) { layout.brokenRule = rank }

  // MARK: Trees

  /// Makes `child` the last child of `parent`, at `offset`.
  func attach(_ child: FragmentID, to parent: FragmentID, at offset: LogicalOffset) {
    keep(child)
    keep(parent)
    let lastChild = layout.fragments[parent.index].lastChild
    if !lastChild.isNone { keep(lastChild) }
    layout.fragments.withUnsafeMutableBufferPointer { fragments in
      fragments[child.index].offset = offset
      fragments[child.index].nextSibling = .none
      fragments[parent.index].lastChild = child
      if lastChild.isNone {
        fragments[parent.index].firstChild = child
      } else {
        fragments[lastChild.index].nextSibling = child
      }
    }
  }
  /// Attaches a finished box at its place in the flow, moved by its relative shift, which painting and records can tell apart.
  func attach(_ child: FragmentID, to parent: FragmentID, at offset: LogicalOffset, shift: LogicalOffset) {
    attach(child, to: parent, at: offset + shift)
    if shift != .zero { change(geometryOf: child) { $0.relativeShift = shift } }
  }
  /// Makes fragments with offsets of their own the first children of `parent`.
  func prepend(_ children: [FragmentID], to parent: FragmentID) {
    guard let first = children.first, let last = children.last else { return }
    for (child, next) in zip(children, children.dropFirst()) { change(child) { $0.nextSibling = next } }
    let old = layout.fragments[parent.index].firstChild
    change(last) { $0.nextSibling = old }
    change(parent) {
      $0.firstChild = first
      if $0.lastChild.isNone { $0.lastChild = last }
    }
  }
  /// Hangs the children of a fragment, which is left empty, into another one.
  func moveChildren(of old: FragmentID, to parent: FragmentID, by offset: LogicalOffset) {
    var child = layout.fragments[old.index].firstChild
    while !child.isNone {
      let next = layout.fragments[child.index].nextSibling
      attach(child, to: parent, at: layout.fragments[child.index].offset + offset)
      child = next
    }
    change(old) {
      $0.firstChild = .none
      $0.lastChild = .none
      $0.size = .zero
    }
  }

  // MARK: Changing

  func setSize(_ size: LogicalSize, of id: FragmentID) { change(id) { $0.size = size } }
  func setBlockSize(_ block: LayoutUnit, of id: FragmentID) { change(id) { $0.size.block = block } }
  func setInlineSize(_ inline: LayoutUnit, of id: FragmentID) { change(id) { $0.size.inline = inline } }
  func setOffset(_ offset: LogicalOffset, of id: FragmentID) { change(id) { $0.offset = offset } }
  func setBlockOffset(_ block: LayoutUnit, of id: FragmentID) { change(id) { $0.offset.block = block } }
  /// Moves all children of a fragment along the block axis.
  func moveContent(of id: FragmentID, by shift: LayoutUnit) {
    guard shift != .zero else { return }
    var child = layout.fragments[id.index].firstChild
    while !child.isNone {
      change(child) { $0.offset.block += shift }
      child = layout.fragments[child.index].nextSibling
    }
  }
  func insert(_ flags: FragmentFlags, into id: FragmentID) { change(id) { $0.flags.insert(flags) } }
  /// Flags all fragments that were added since a savepoint.
  func insert(_ flags: FragmentFlags, since point: Savepoint) {
    for index in point.fragments..<layout.fragments.count { change(FragmentID(index)) { $0.flags.insert(flags) } }
  }

  @inline(__always)
  func change(_ id: FragmentID, _ change: (inout Fragment) -> Void) {
    keep(id)
    change(&layout.fragments[id.index])
  }
  /// Keeps a fragment as it is for the savepoints that are younger.
  @inline(__always)
  private func keep(_ id: FragmentID) {
    if id.index < last.fragments { replaced.append(.fragment(id.index, layout.fragments[id.index])) }
  }
  func change(geometryOf id: FragmentID, _ change: (inout BoxGeometry) -> Void) {
    let index = Int(layout.fragments[id.index].payload)
    if index < last.geometries { replaced.append(.geometry(index, layout.geometries[index])) }
    change(&layout.geometries[index])
  }
  func change(lineOf id: FragmentID, _ change: (inout LineFragment) -> Void) {
    let index = Int(layout.fragments[id.index].payload)
    if index < last.lines { replaced.append(.line(index, layout.lines[index])) }
    change(&layout.lines[index])
  }
  func change(textOf id: FragmentID, _ change: (inout TextFragment) -> Void) {
    let index = Int(layout.fragments[id.index].payload)
    if index < last.texts { replaced.append(.text(index, layout.texts[index])) }
    change(&layout.texts[index])
  }
  func change(glyph index: Int, _ change: (inout FragmentGlyph) -> Void) {
    if index < last.glyphs { replaced.append(.glyph(index, layout.glyphs[index])) }
    change(&layout.glyphs[index])
  }
  func change(cluster index: Int, _ change: (inout ClusterPlace) -> Void) {
    if index < last.clusters { replaced.append(.cluster(index, layout.clusters[index])) }
    change(&layout.clusters[index])
  }
  func change(collapsedBorder index: Int, _ change: (inout CollapsedBorder) -> Void) {
    if index < last.collapsedBorders { replaced.append(.collapsedBorder(index, layout.collapsedBorders[index])) }
    change(&layout.collapsedBorders[index])
  }
}
