import CSS
import Markup
import Primitives
package import Styling
import Text

/// Generates the box tree of a styled document (CSS 2.2, section 9.2; CSS Display 3): anonymous boxes, white space, generated
/// content, list markers, ruby, and the attributed text of every inline formatting context, in one walk in document order.
@safe package struct BoxGenerator {
  let tree: StyledTree
  let document: Document
  let resources: BoxResources
  /// UTF-8 of all text of the document; valid while `generate` runs.
  let bytes: UnsafeBufferPointer<UInt8>
  let boxTraits: [BoxTraits]
  let textTraits: [TextTraits]
  var nodeFlags: [NodeFlags]

  var boxes: [Box] = []
  var store = AttributedTextStore()
  var attributes: AttributeResolver
  var diagnostics = DiagnosticSink()
  var undrawn: [NodeID: UndrawnPicture] = [:]

  var frames: [OpenBox] = []
  /// The frame of the innermost element; those above it are wrappers that table fix-up made.
  var realFrame = 0
  var inlineStack: [OpenInline] = []
  var builders: [InlineBuilder] = []
  var freeBuilders: [Int] = []

  var counters = CounterScopes()
  let marksPages: Bool
  var pageMarks: [PageMark] = []
  /// Those since the last element with a box.
  var runningElements: [(name: String, node: NodeID)] = []
  var targets: [NotedTarget] = []
  /// The fragments that lead to elements, where targets are noted.
  let fragments: [NodeID: [String]]
  /// The counters that pages have.
  let pageCounterNames: Set<String>
  var bookmarks: [Bookmark] = []
  var drawnTexts: [NodeID: DrawnText] = [:]
  var drawnImages: [BoxID: ImageValue] = [:]
  let counterFormatter: CounterFormatter
  var quoteDepth = 0
  /// As `BoxTree.relativeInlines`.
  var relativeInlines: [BoxID: [ComputedStyle]] = [:]
  /// As `BoxTree.fallbacks`.
  var fallbacks: Set<BoxID> = []
  var svgPaths = SVGPaths()
  /// What of drawings cannot be drawn, as clauses.
  var undrawnElements: Set<String> = []
  /// Elements `foreignObject` so far.
  var foreignCount = 0
  /// Depth of the element being generated.
  var depth = 0
  /// The decorations in force: an index of `AttributeTable.decorations`.
  var decorations: UInt32 = 0
  var firstLetter: PendingFirstLetter?
  /// A block container is open that has a `::first-line`, and no line yet.
  var awaitsFirstLine = false
  var footnotes = FootnoteState()
  /// As `BoxTree.formulas` and `BoxTree.mathTables`.
  var formulas: [BoxID: MathBox] = [:]
  var mathTables: [BoxID: MathTableAlignment] = [:]
  var rubyDepth = 0
  var annotationDepth = 0
  /// The frame whose inline content is that of a ruby.
  var rubyFrame = -1
  /// The last of the siblings that an anonymous ruby container has taken in; `.none` when there is none.
  var strayRubyEnd = NodeID.none

  var paragraphs = 0
  /// Bytes of generated text so far, and parts of inline boxes behind the first: each is bounded, because a few lines of
  /// style can ask for more than any memory holds.
  var generatedBytes = 0
  var continuedParts = 0
  static let mostGeneratedBytes = 32 << 20
  static let mostContinuedParts = 400_000
  /// Lines that text may carry from as many boxes around it.
  static let mostDecorations = 16

  /// Traits of a `TextStyle` that box generation needs.
  struct TextTraits {
    var collapse: WhiteSpaceCollapse
    var wraps: Bool
    var transforms: Bool
  }

  struct NodeFlags: OptionSet {
    var rawValue: UInt8
    /// A block-level box in flow lies among the descendants that the node does not itself contain in a block.
    static let containsBlock = Self(rawValue: 1)
    static let hasPseudoElements = Self(rawValue: 2)
  }

  /// The box tree of a chapter.
  ///
  /// - Complexity: O(nodes + text).
  package static func generate(_ tree: StyledTree, resources: BoxResources) -> BoxTree {
    unsafe tree.document.text.withUnsafeBufferPointer { bytes in
      var generator = unsafe BoxGenerator(tree, resources, bytes)
      return generator.run()
    }
  }

  init(_ tree: StyledTree, _ resources: BoxResources, _ bytes: UnsafeBufferPointer<UInt8>) {
    self.tree = tree
    document = tree.document
    self.resources = resources
    unsafe self.bytes = bytes
    boxTraits = tree.table.boxes.map { BoxTraits($0) }
    textTraits = tree.table.texts.map {
      TextTraits(
        collapse: $0.whiteSpaceCollapse, wraps: $0.wrapMode == .wrap, transforms: $0.transform != TextTransform())
    }
    marksPages =
      tree.pageStyles.hasMarginBoxes || tree.table.pages.contains { !$0.stringSet.isEmpty }
      || tree.table.boxes.contains { $0.changesCounter("page") }
    pageCounterNames = tree.pageStyles.counterNames(tree.table)
    fragments =
      resources.references.notesTargets
      ? Dictionary(grouping: tree.document.elementsByFragment(), by: \.value).mapValues { $0.map(\.key).sorted() } : [:]
    counterFormatter = CounterFormatter(tree.counterStyles)
    attributes = AttributeResolver(
      table: tree.table, fallbackLanguage: resources.language, featureValues: tree.fontFeatureValues)
    nodeFlags = [NodeFlags](repeating: [], count: tree.document.nodes.count)
    markNodes()
    for (name, value) in resources.counters.sorted(by: { $0.key < $1.key }) {
      counters.reset(name, to: value, level: 0)
    }
    if tree.footnotes != nil {
      counters.reset("footnote", to: 0, level: 0)
      if resources.movesNotes { findNotes() }
    }
    let nodes = tree.document.nodes.count
    boxes.reserveCapacity(nodes / 2 + 16)
    store.units.reserveCapacity(bytes.count)
    store.runs.reserveCapacity(nodes / 2 + 16)
    store.source.reserveCapacity(nodes / 2 + 16)
  }

  private mutating func run() -> BoxTree {
    let root = document.root
    if root.isNone || boxTraits[tree.styles[root.index].box.index].role == .none {
      boxes.append(
        Box(
          kind: .block, flags: [.root, .formattingContext], style: root.isNone ? .initial : tree.styles[root.index],
          node: root.isNone ? Document.documentNode : root, parent: .none))
    } else {
      rootElement(root)
      if tree.footnotes != nil { finishFootnotes() }
      finishRunningElements()
    }
    for builder in builders { builder.deallocate() }
    builders = []

    var result = BoxTree()
    result.boxes = boxes
    result.pageMarks = pageMarks
    result.targets = targets
    result.bookmarks = bookmarks
    result.drawnTexts = drawnTexts
    result.drawnImages = drawnImages
    result.filterImages = filterImages()
    result.footnotes = footnotes.notes
    result.footnoteArea = footnotes.area
    result.footnoteSeparator = footnotes.separator
    let table = attributes.table
    store.attributes = table
    result.statistics.add("paragraphs", paragraphs)
    result.statistics.add("characters", store.units.count)
    result.statistics.add("runs", store.runs.count)
    result.statistics.add("attributes.unique", table.attributes.values.count)
    result.statistics.add("attributes.lookups", attributes.lookups)
    result.statistics.add("attributes.probes", attributes.probes)
    result.statistics.add("attributes.longestProbe", attributes.longestProbe)
    result.texts = store
    result.relativeInlines = relativeInlines
    result.fallbacks = fallbacks
    result.formulas = formulas
    result.mathTables = mathTables
    result.writingMode = principalWritingMode
    result.diagnostics = diagnostics
    result.undrawn = undrawn
    return result
  }

  /// The images that filters of the document show (Filter Effects 1, section 9.14).
  private func filterImages() -> [NodeID: ImageID] {
    let names = ["feImage", "feimage"].compactMap { document.names.lookup($0) }
    guard !names.isEmpty else { return [:] }
    var images: [NodeID: ImageID] = [:]
    for index in document.nodes.indices {
      let node = document.nodes[index]
      guard node.kind == .element, node.namespace == .svg, names.contains(node.name) else { continue }
      let id = NodeID(index)
      let reference = document.drawingAttribute("href", of: id) ?? document.drawingAttribute("xlink:href", of: id)
      if let reference, let image = resources.image(reference) { images[id] = image }
    }
    return images
  }

  private var principalWritingMode: WritingMode {
    let root = document.root
    guard !root.isNone else { return .horizontalTB }
    let body = document.children(of: root).first { document.isElement($0, .body) }
    return tree.table.paragraphs[tree.styles[(body ?? root).index].paragraph.index].writingMode
  }

  /// Finds the elements that contain a block, from the last node to the first, so that a container knows when it is entered
  /// whether its text needs anonymous blocks.
  private mutating func markNodes() {
    for entry in tree.pseudoElements {
      nodeFlags[entry.node.index].insert(.hasPseudoElements)
      if entry.pseudo == .before || entry.pseudo == .after, boxTraits[entry.style.box.index].role == .block {
        nodeFlags[entry.node.index].insert(.containsBlock)
      }
    }
    var index = document.nodes.count - 1
    while index > 0 {
      let node = document.nodes[index]
      if node.kind == .element, !node.parent.isNone {
        let marks: Bool
        switch boxTraits[tree.styles[index].box.index].role {
        case .block: marks = true
        case .inline where boxTraits[tree.styles[index].box.index].isRuby: marks = false
        case .inline where boxTraits[tree.styles[index].box.index].isRubyPart: marks = false
        case .inline, .contents: marks = nodeFlags[index].contains(.containsBlock) && node.namespace != .svg
        case .rowGroup, .row, .cell, .columnGroup, .column, .caption: marks = !isInline(node.parent)
        case .none, .atomic, .float, .positioned: marks = false
        }
        let page = tree.styles[index].page
        let isRunning = page.index != 0 && !tree.table.pages[page.index].running.isEmpty
        if marks, !isRunning { nodeFlags[node.parent.index].insert(.containsBlock) }
      }
      index -= 1
    }
  }

  /// The node's box, or the nearest one above it that exists, is a non-atomic inline.
  private func isInline(_ node: NodeID) -> Bool {
    var node = node
    while !node.isNone, document.nodes[node.index].kind == .element {
      let role = boxTraits[tree.styles[node.index].box.index].role
      if role != .contents { return role == .inline }
      node = document.nodes[node.index].parent
    }
    return false
  }

  private mutating func rootElement(_ node: NodeID) {
    if document.isElement(node, .svg, in: .svg) { return drawing(node) }
    let style = tree.styles[node.index]
    let traits = boxTraits[style.box.index]
    let box = makeBox(
      boxKind(traits.display.blockified, traits), node, nil, style, [.root, .formattingContext], parent: .none)
    applyCounters(of: node, pseudo: nil, style, traits)
    decorate(style, traits, box: box)
    if nodeFlags[node.index].contains(.hasPseudoElements), let style = tree.style(of: node, .firstLetter) {
      firstLetter = PendingFirstLetter(node: node, style: style)
    }
    awaitsFirstLine = hasFirstLine(node, nil)
    fill(box, traits.display.blockified, node, nil, style)
  }
  /// A document that is a drawing: a picture in the flow, which the page's size bounds like any other.
  private mutating func drawing(_ node: NodeID) {
    let root = makeBox(.block, node, nil, .initial, [.root, .formattingContext], parent: .none)
    pushFrame(root, wrapsInline: true, style: .initial, node: node)
    realFrame = frames.count - 1
    generate(node)
    popFrames(to: realFrame)
    closeFrame()
  }
}
