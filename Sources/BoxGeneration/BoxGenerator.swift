import CSS
import Markup
import Primitives
package import Styling
import Text

/// Generates the box tree of a styled document (CSS 2.2, section 9.2; CSS Display 3): anonymous boxes, white space,
/// generated content, list markers, ruby, and the attributed text of every inline formatting context, in one walk in
/// document order.
///
/// Before the walk go two passes over the document: `BlockMap` finds the containers whose text needs anonymous blocks
/// (CSS 2.2, section 9.2.1.1), `DocumentNotes` the notes that are set at the foot of a page (CSS GCPM 3, section 2).
///
/// The walk asks values that know the document and its styles alone, and nothing of what has been generated:
/// - `BoxKinds`: the kind of box, and whether it establishes a formatting context (CSS Display 3, section 2);
/// - `ReplacedElements`: what stands for an element of HTML (HTML, section 15.4);
/// - `RubyContents`: the bases and annotations of a ruby (CSS Ruby 1, sections 2.2 and 2.3);
/// - `FormulaReader`: the roles of the elements of a formula (MathML Core, sections 2 and 3);
/// - `BidiControls`: the characters that `unicode-bidi` stands for (CSS Writing Modes 4, section 2.4.2).
///
/// Others keep a state of their own, which they alone change:
/// - `CounterScopes`: the counters in scope (CSS Lists 3, section 4);
/// - `QuoteNesting`: the depth of quotations (CSS Content 3, section 3.2);
/// - `SVGDrawings`: the drawings met (SVG 2, section 5.1);
/// - `InlineBuilder`: the text of an inline formatting context (CSS Text 3, section 4.1);
/// - `AttributeResolver`: the attributes of its runs.
package struct BoxGenerator {
  let tree: StyledTree
  let document: Document
  let resources: BoxResources
  let boxTraits: [BoxTraits]
  let textTraits: [TextTraits]
  /// What the first pass has found out (`BlockMap`).
  let blocks: BlockMap
  let documentNotes: DocumentNotes
  let kinds: BoxKinds
  let replacedElements: ReplacedElements
  let rubyContents: RubyContents
  let formulas: FormulaReader
  let marksPages: Bool
  /// The fragments that lead to elements, where targets are noted.
  let fragments: [NodeID: [String]]
  /// The counters that pages have.
  let pageCounterNames: Set<String>
  let counterFormatter: CounterFormatter

  /// What has been generated so far.
  var boxTree = BoxTree()
  var attributes: AttributeResolver
  var openBoxes = OpenBoxes()
  var numbering = Numbering()
  /// Those since the last element with a box.
  var runningElements: [(name: String, node: NodeID)] = []
  var drawings: SVGDrawings
  var lineStarts = LineStarts()
  var footnotes = FootnoteState()
  var rubies = RubyState()
  var amounts = Amounts()

  /// The boxes that are being filled, and the inline formatting contexts in them.
  struct OpenBoxes {
    var frames: [OpenBox] = []
    /// The frame of the innermost element; those above it are wrappers that table fix-up made.
    var realFrame = 0
    var inlineStack: [OpenInline] = []
    var builders: [InlineBuilder] = []
    var freeBuilders: [Int] = []
    /// Depth of the element being generated.
    var depth = 0
    /// The decorations in force: an index of `AttributeTable.decorations`.
    var decorations: UInt32 = 0
  }

  /// Counters and quotation marks where generation stands (CSS Lists 3, section 4; CSS Content 3, section 3.2).
  struct Numbering {
    var counters = CounterScopes()
    var quotes = QuoteNesting()
  }

  /// Pseudo-elements of lines that are yet to begin (CSS Pseudo 4, section 2).
  struct LineStarts {
    var firstLetter: PendingFirstLetter?
    /// A block container is open that has a `::first-line`, and no line yet.
    var awaitsFirstLine = false
  }

  /// The ruby that is being generated (CSS Ruby 1).
  struct RubyState {
    var depth = 0
    var annotationDepth = 0
    /// The frame whose inline content is that of a ruby.
    var frame = -1
    /// The last of the siblings that an anonymous ruby container has taken in; `.none` when there is none.
    var strayEnd = NodeID.none
  }

  /// Amounts of what is generated, some of which are bounded: a few lines of style can ask for more than any memory
  /// holds.
  struct Amounts {
    var paragraphs = 0
    /// Of generated text.
    var generatedBytes = 0
    /// Parts of inline boxes behind the first.
    var continuedParts = 0
  }

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

  /// The box tree of a chapter.
  ///
  /// - Complexity: O(nodes + text).
  package static func generate(_ tree: StyledTree, resources: BoxResources) -> BoxTree {
    var generator = BoxGenerator(tree, resources)
    return generator.run()
  }

  init(_ tree: StyledTree, _ resources: BoxResources) {
    self.tree = tree
    document = tree.document
    self.resources = resources
    boxTraits = tree.table.boxes.map { BoxTraits($0) }
    textTraits = tree.table.texts.map {
      TextTraits(
        collapse: $0.whiteSpaceCollapse, wraps: $0.wrapMode == .wrap,
        transforms: $0.transform != TextTransform())
    }
    marksPages =
      tree.pageStyles.hasMarginBoxes || tree.table.pages.contains { !$0.stringSet.isEmpty }
      || tree.table.boxes.contains { $0.changesCounter("page") }
    pageCounterNames = tree.pageStyles.counterNames(tree.table)
    fragments =
      resources.references.notesTargets
      ? Dictionary(grouping: tree.document.elementsByFragment(), by: \.value).mapValues {
        $0.map(\.key).sorted()
      } : [:]
    counterFormatter = CounterFormatter(tree.counterStyles)
    attributes = AttributeResolver(
      table: tree.table, fallbackLanguage: resources.language, featureValues: tree.fontFeatureValues
    )
    blocks = BlockMap(tree, boxTraits)
    documentNotes =
      tree.footnotes != nil && resources.movesNotes ? DocumentNotes(in: tree.document, resources) : DocumentNotes()
    kinds = BoxKinds(tree, boxTraits)
    replacedElements = ReplacedElements(document: tree.document, resources: resources)
    rubyContents = RubyContents(tree, blocks, boxTraits)
    formulas = FormulaReader(tree, extendsFormulas: resources.extendsFormulas)
    drawings = SVGDrawings(tree, resources, boxTraits)
    for (name, value) in resources.counters.sorted(by: { $0.key < $1.key }) {
      numbering.counters.reset(name, to: value, level: 0)
    }
    if tree.footnotes != nil { numbering.counters.reset("footnote", to: 0, level: 0) }
    let nodes = tree.document.nodes.count
    boxTree.boxes.reserveCapacity(nodes / 2 + 16)
    boxTree.texts.units.reserveCapacity(document.text.count)
    boxTree.texts.runs.reserveCapacity(nodes / 2 + 16)
    boxTree.texts.source.reserveCapacity(nodes / 2 + 16)
  }

  private mutating func run() -> BoxTree {
    let root = document.root
    if root.isNone || boxTraits[tree.styles[root.index].box.index].role == .none {
      boxTree.boxes.append(
        Box(
          kind: .block, flags: [.root, .formattingContext],
          style: root.isNone ? .initial : tree.styles[root.index],
          node: root.isNone ? Document.documentNode : root, parent: .none))
    } else {
      rootElement(root)
      if tree.footnotes != nil { finishFootnotes() }
      finishRunningElements()
    }
    openBoxes.builders = []

    boxTree.filterImages = document.filterImages(resources)
    boxTree.footnotes = footnotes.notes
    boxTree.footnoteArea = footnotes.area
    boxTree.footnoteSeparator = footnotes.separator
    boxTree.texts.attributes = attributes.table
    boxTree.writingMode = tree.principalWritingMode
    addStatistics()
    return boxTree
  }

  private mutating func addStatistics() {
    let (texts, table) = (boxTree.texts, attributes.table)
    boxTree.statistics.add("paragraphs", amounts.paragraphs)
    boxTree.statistics.add("characters", texts.units.count)
    boxTree.statistics.add("runs", texts.runs.count)
    boxTree.statistics.add("attributes.unique", table.attributes.values.count)
    boxTree.statistics.add("attributes.lookups", attributes.lookups)
    boxTree.statistics.add("attributes.probes", attributes.probes)
    boxTree.statistics.add("attributes.longestProbe", attributes.longestProbe)
  }

  private mutating func rootElement(_ node: NodeID) {
    if document.isElement(node, .svg, in: .svg) { return drawing(node) }
    let style = tree.styles[node.index]
    let traits = boxTraits[style.box.index]
    let box = makeBox(
      kinds.kind(traits.display.blockified, traits), node, nil, style, [.root, .formattingContext],
      parent: .none)
    applyCounters(of: node, pseudo: nil, style, traits)
    decorate(style, traits, box: box)
    if blocks.hasPseudoElements(node), let style = tree.style(of: node, .firstLetter) {
      lineStarts.firstLetter = PendingFirstLetter(node: node, style: style)
    }
    lineStarts.awaitsFirstLine = hasFirstLine(node, nil)
    fill(box, traits.display.blockified, node, nil, style)
  }
  /// A document that is a drawing: a picture in the flow, which the page's size bounds like any other.
  private mutating func drawing(_ node: NodeID) {
    let root = makeBox(.block, node, nil, .initial, [.root, .formattingContext], parent: .none)
    pushFrame(root, wrapsInline: true, style: .initial, node: node)
    openBoxes.realFrame = openBoxes.frames.count - 1
    generate(node)
    popFrames(to: openBoxes.realFrame)
    closeFrame()
  }
}
