import BoxGeneration
import CSS
import Primitives
import Styling

/// The page being made: the one thing that changes while boxes are laid out.
///
/// It is a transaction. Whatever is added or changed after a savepoint is undone by going back to it, wherever the change was
/// made: additions are cut off, and what a change replaced is kept until the page is done.
final class PageBuilder {
  private(set) var fragments = JournaledArray<Fragment>()
  private(set) var geometries = JournaledArray<BoxGeometry>()
  private(set) var lines = JournaledArray<LineFragment>()
  private(set) var texts = JournaledArray<TextFragment>()
  private(set) var glyphs = JournaledArray<FragmentGlyph>()
  private(set) var clusters = JournaledArray<ClusterPlace>()
  private(set) var collapsedBorders = JournaledArray<CollapsedBorder>()
  /// The page holds the content of the flow, and not only what stands around it.
  private var isOfFlow = false
  /// The page but for its contents.
  private var frame = PageLayout(geometry: PageGeometry(size: .zero, margin: Sides(all: .zero)))
  /// Absolutely positioned boxes that do not stand on the page, or not whole.
  private(set) var displaced: [BoxID: DisplacedPlace] = [:]
  /// Lines more than their best choice has that texts are set in, by their boxes.
  private(set) var looseness: [BoxID: Int8] = [:]
  /// Floats that are known to stand at the page's edges.
  private(set) var pageFloats: [PageFloat] = []
  /// The column being made, where floats may go to its edges.
  var column: FloatColumn?

  #if CHECK_LAYOUT
    /// Invariants that did not hold.
    var violations: [String] = []
  #endif

  /// Reports an invariant that does not hold, in the builds that the tests run.
  @inline(__always)
  func check(_ holds: @autoclosure () -> Bool, _ violation: @autoclosure () -> String) {
    #if CHECK_LAYOUT
      if !holds() { violations.append(violation()) }
    #endif
  }

  /// A state of the page to go back to.
  struct Savepoint {
    fileprivate(set) var fragments: JournalMark
    fileprivate var geometries: JournalMark
    fileprivate var lines: JournalMark
    fileprivate var texts: JournalMark
    fileprivate var glyphs: JournalMark
    fileprivate var clusters: JournalMark
    fileprivate(set) var collapsedBorders: JournalMark
    #if CHECK_LAYOUT
      fileprivate var digest: Int?
    #endif
  }

  // MARK: Transactions

  /// Begins an empty page.
  ///
  /// - Parameters:
  ///   - displaced: Absolutely positioned boxes known to reach over the page's end, or to stand above its start.
  ///   - pageFloats: Floats known to stand at the page's edges.
  ///   - looseness: Lines more than their best choice has that texts are set in on the page, by their boxes.
  ///   - isOfFlow: The page is to hold the content of the flow, and not only what stands around it.
  func begin(
    _ geometry: PageGeometry, traits: PageTraits = PageTraits(), writingMode: WritingMode,
    displaced: [BoxID: DisplacedPlace] = [:], pageFloats: [PageFloat] = [], looseness: [BoxID: Int8] = [:],
    isOfFlow: Bool = true
  ) {
    // A page may begin twice before it holds anything.
    let endsPage = self.isOfFlow && fragments.count > 0
    self.isOfFlow = isOfFlow
    self.displaced = displaced
    self.pageFloats = pageFloats
    column = nil
    self.looseness = looseness
    frame = PageLayout(geometry: geometry, traits: traits, writingMode: writingMode)
    fragments.removeAll(endsPage: endsPage, beginsPage: isOfFlow)
    geometries.removeAll(endsPage: endsPage, beginsPage: isOfFlow)
    lines.removeAll(endsPage: endsPage, beginsPage: isOfFlow)
    texts.removeAll(endsPage: endsPage, beginsPage: isOfFlow)
    glyphs.removeAll(endsPage: endsPage, beginsPage: isOfFlow)
    clusters.removeAll(endsPage: endsPage, beginsPage: isOfFlow)
    collapsedBorders.removeAll(endsPage: endsPage, beginsPage: isOfFlow)
  }

  /// The page as it is.
  var layout: PageLayout {
    var page = frame
    page.fragments = fragments.elements
    page.geometries = geometries.elements
    page.lines = lines.elements
    page.texts = texts.elements
    page.glyphs = glyphs.elements
    page.clusters = clusters.elements
    page.collapsedBorders = collapsedBorders.elements
    return page
  }

  /// Begins a trial. It need not be ended where what it made stays.
  ///
  /// - Complexity: O(1).
  func savepoint() -> Savepoint {
    #if CHECK_LAYOUT
      let digest = layout.digest
    #endif
    var point = Savepoint(
      fragments: fragments.mark(), geometries: geometries.mark(), lines: lines.mark(), texts: texts.mark(),
      glyphs: glyphs.mark(), clusters: clusters.mark(), collapsedBorders: collapsedBorders.mark())
    #if CHECK_LAYOUT
      point.digest = digest
    #endif
    return point
  }

  /// Forgets all that was done since a savepoint, which stays valid; later ones do not.
  ///
  /// - Complexity: O(what was done).
  func rollBack(to point: Savepoint) {
    fragments.rollBack(to: point.fragments)
    geometries.rollBack(to: point.geometries)
    lines.rollBack(to: point.lines)
    texts.rollBack(to: point.texts)
    glyphs.rollBack(to: point.glyphs)
    clusters.rollBack(to: point.clusters)
    collapsedBorders.rollBack(to: point.collapsedBorders)
    #if CHECK_LAYOUT
      if let before = point.digest { check(layout.digest == before, "a trial has left something on the page") }
    #endif
  }

  /// A page that was made, to come back to when another has been made in its place.
  struct Kept {
    fileprivate let fragments: JournaledArray<Fragment>
    fileprivate let geometries: JournaledArray<BoxGeometry>
    fileprivate let lines: JournaledArray<LineFragment>
    fileprivate let texts: JournaledArray<TextFragment>
    fileprivate let glyphs: JournaledArray<FragmentGlyph>
    fileprivate let clusters: JournaledArray<ClusterPlace>
    fileprivate let collapsedBorders: JournaledArray<CollapsedBorder>
    fileprivate let isOfFlow: Bool
    fileprivate let frame: PageLayout
    fileprivate let displaced: [BoxID: DisplacedPlace]
    fileprivate let looseness: [BoxID: Int8]
    fileprivate let pageFloats: [PageFloat]
    fileprivate let column: FloatColumn?
  }

  /// The page as it is, with what is known of it.
  ///
  /// - Complexity: O(1); the next page begins with arrays of its own.
  var kept: Kept {
    Kept(
      fragments: fragments, geometries: geometries, lines: lines, texts: texts, glyphs: glyphs, clusters: clusters,
      collapsedBorders: collapsedBorders, isOfFlow: isOfFlow, frame: frame, displaced: displaced,
      looseness: looseness, pageFloats: pageFloats, column: column)
  }

  /// Comes back to a page.
  func restore(_ page: Kept) {
    fragments = page.fragments
    geometries = page.geometries
    lines = page.lines
    texts = page.texts
    glyphs = page.glyphs
    clusters = page.clusters
    collapsedBorders = page.collapsedBorders
    isOfFlow = page.isOfFlow
    frame = page.frame
    displaced = page.displaced
    looseness = page.looseness
    pageFloats = page.pageFloats
    column = page.column
  }

  // MARK: Reading

  var hasPositioned: Bool { fragments.elements.contains { $0.flags.contains(.positioned) } }
  subscript(id: FragmentID) -> Fragment {
    @inline(__always) get { fragments[id.index] }
  }
  var root: FragmentID { frame.root }
  var geometry: PageGeometry { frame.geometry }
  var traits: PageTraits { frame.traits }
  func geometry(of id: FragmentID) -> BoxGeometry { geometries[Int(fragments[id.index].payload)] }
  func line(of id: FragmentID) -> LineFragment { lines[Int(fragments[id.index].payload)] }
  func text(of id: FragmentID) -> TextFragment { texts[Int(fragments[id.index].payload)] }

  func glyph(_ index: Int) -> FragmentGlyph { glyphs[index] }

  // MARK: Adding

  /// Adds a box fragment with its geometry, without a parent.
  func appendBox(
    _ box: BoxID, kind: FragmentKind = .box, size: LogicalSize, geometry: BoxGeometry, flags: FragmentFlags = []
  ) -> FragmentID {
    geometries.append(geometry)
    return append(
      Fragment(kind: kind, flags: flags, box: box, size: size, payload: UInt32(geometries.count - 1)))
  }
  /// Adds the fragment of a line box, without a parent.
  func appendLine(_ line: LineFragment, of box: BoxID, size: LogicalSize) -> FragmentID {
    lines.append(line)
    return append(Fragment(kind: .line, box: box, size: size, payload: UInt32(lines.count - 1)))
  }
  /// Adds a stretch of glyphs, without a parent.
  func appendText(_ text: TextFragment, of box: BoxID, size: LogicalSize) -> FragmentID {
    texts.append(text)
    return append(Fragment(kind: .text, box: box, size: size, payload: UInt32(texts.count - 1)))
  }
  private func append(_ fragment: Fragment) -> FragmentID {
    fragments.append(fragment)
    return FragmentID(fragments.count - 1)
  }
  /// A fragment of the box has been made since another one.
  func holds(_ box: BoxID, since first: FragmentID) -> Bool {
    fragments.elements[first.index...].contains { $0.box == box && $0.kind == .box }
  }
  /// The part of a box that was added last.
  ///
  /// - Complexity: O(fragments added since).
  func last(of box: BoxID) -> FragmentID? {
    fragments.elements.lastIndex { $0.box == box && $0.kind == .box }.map { FragmentID($0) }
  }
  /// The number of lines in a box's part.
  func lineCount(in id: FragmentID) -> Int {
    var count = 0
    var child = fragments[id.index].firstChild
    while !child.isNone {
      count += fragments[child.index].kind == .line ? 1 : lineCount(in: child)
      child = fragments[child.index].nextSibling
    }
    return count
  }
  var glyphCount: Int { glyphs.count }
  var clusterCount: Int { clusters.count }
  func append(_ new: UnsafeBufferPointer<FragmentGlyph>) { unsafe glyphs.append(contentsOf: new) }
  func append(_ new: [ClusterPlace]) { clusters.append(contentsOf: new) }
  /// Puts glyphs in the place of the last one.
  func replaceLastGlyph(by new: (FragmentGlyph) -> [FragmentGlyph]) {
    glyphs.replaceLast(by: new)
  }
  /// Adds the border segments of a box in the collapsing model, or the rules between its columns.
  func append(_ borders: [CollapsedBorder], to id: FragmentID) {
    guard !borders.isEmpty else { return }
    let first = UInt32(collapsedBorders.count)
    collapsedBorders.append(contentsOf: borders)
    change(geometryOf: id) { $0.collapsedBorders = first..<UInt32(collapsedBorders.count) }
  }
  /// The page is complete but for its root's place.
  func setRoot(_ root: FragmentID, at offset: LogicalOffset) {
    frame.root = root
    if !root.isNone { change(root) { $0.offset = offset } }
  }
  func setBrokenRule(_ rank: BreakRank) { frame.brokenRule = rank }

  // MARK: Trees

  /// Makes `child` the last child of `parent`, at `offset`.
  func attach(_ child: FragmentID, to parent: FragmentID, at offset: LogicalOffset) {
    let lastChild = fragments[parent.index].lastChild
    fragments.keep(child.index)
    fragments.keep(parent.index)
    if !lastChild.isNone { fragments.keep(lastChild.index) }
    unsafe fragments.withKept { fragments in
      unsafe fragments[child.index].offset = offset
      unsafe fragments[child.index].nextSibling = .none
      unsafe fragments[parent.index].lastChild = child
      if lastChild.isNone {
        unsafe fragments[parent.index].firstChild = child
      } else {
        unsafe fragments[lastChild.index].nextSibling = child
      }
    }
  }
  /// Takes a child away from its parent.
  func detach(_ child: FragmentID, from parent: FragmentID) {
    let next = fragments[child.index].nextSibling
    var before = FragmentID.none
    var sibling = fragments[parent.index].firstChild
    while !sibling.isNone, sibling != child {
      before = sibling
      sibling = fragments[sibling.index].nextSibling
    }
    guard sibling == child else { return }
    change(parent) {
      if before.isNone { $0.firstChild = next }
      if next.isNone { $0.lastChild = before }
    }
    if !before.isNone { change(before) { $0.nextSibling = next } }
    change(child) { $0.nextSibling = .none }
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
    let old = fragments[parent.index].firstChild
    change(last) { $0.nextSibling = old }
    change(parent) {
      $0.firstChild = first
      if $0.lastChild.isNone { $0.lastChild = last }
    }
  }
  /// Hangs the children of a fragment, which is left empty, into another one.
  func moveChildren(of old: FragmentID, to parent: FragmentID, by offset: LogicalOffset) {
    var child = fragments[old.index].firstChild
    while !child.isNone {
      let next = fragments[child.index].nextSibling
      attach(child, to: parent, at: fragments[child.index].offset + offset)
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
    var child = fragments[id.index].firstChild
    while !child.isNone {
      change(child) { $0.offset.block += shift }
      child = fragments[child.index].nextSibling
    }
  }
  func insert(_ flags: FragmentFlags, into id: FragmentID) { change(id) { $0.flags.insert(flags) } }
  /// Flags all fragments that were added since a savepoint.
  func insert(_ flags: FragmentFlags, since point: Savepoint) {
    for index in point.fragments.count..<fragments.count { change(FragmentID(index)) { $0.flags.insert(flags) } }
  }

  @inline(__always)
  func change(_ id: FragmentID, _ change: (inout Fragment) -> Void) { fragments.change(id.index, change) }
  func change(geometryOf id: FragmentID, _ change: (inout BoxGeometry) -> Void) {
    geometries.change(Int(fragments[id.index].payload), change)
  }
  func change(lineOf id: FragmentID, _ change: (inout LineFragment) -> Void) {
    lines.change(Int(fragments[id.index].payload), change)
  }
  func change(textOf id: FragmentID, _ change: (inout TextFragment) -> Void) {
    texts.change(Int(fragments[id.index].payload), change)
  }
  func change(glyph index: Int, _ change: (inout FragmentGlyph) -> Void) { glyphs.change(index, change) }
  func change(cluster index: Int, _ change: (inout ClusterPlace) -> Void) { clusters.change(index, change) }
  func change(collapsedBorder index: Int, _ change: (inout CollapsedBorder) -> Void) {
    collapsedBorders.change(index, change)
  }
}
