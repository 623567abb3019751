import BoxGeneration
import CSS
import Fonts
package import Primitives
import Shaping
import Styling
import Text

extension LayoutContext {
  /// Min-content and max-content size of an inline formatting context (CSS Sizing 3, section 5.1): the widest piece that no
  /// soft wrap opportunity divides, and the widest line between forced breaks.
  ///
  /// - Complexity: O(content).
  package func inlineIntrinsicSizes(_ box: BoxID, text: TextID) -> IntrinsicSizes {
    let paragraph = acquireParagraph(text)
    defer { release(paragraph) }
    let style = styles.paragraphs[tree.boxes[box.index].style.paragraph.index]
    var indent = LayoutUnit.zero
    if !style.indent.isZero, !hasPercentage(style.indent) {
      indent = resolve(style.indent, font: tree.boxes[box.index].style.font, percentage: .zero)
    }
    var scan = ContentSizeScan(
      context: self, paragraph: paragraph, container: box,
      indent: ContentSizeScan.Indent(
        width: indent.advance, appliesToFirst: isFirstFormattedLineOwner(box) != style.indentHanging,
        appliesAfterBreaks: style.indentEachLine != style.indentHanging, appliesToOthers: style.indentHanging))
    scan.run(tree.texts.texts[text.index].runs)
    return IntrinsicSizes(
      minimum: Swift.max(.zero, LayoutUnit(roundingUp: scan.sizes.minimum)),
      maximum: Swift.max(.zero, LayoutUnit(roundingUp: scan.sizes.maximum)))
  }

  /// The first line of the box is the first formatted line of a block: that of an anonymous box is only when nothing
  /// comes before it.
  func isFirstFormattedLineOwner(_ box: BoxID) -> Bool {
    let value = tree.boxes[box.index]
    // Its paragraph indents an initial letter.
    if value.flags.contains(.initialLetter) { return false }
    guard value.flags.contains(.anonymous), !value.parent.isNone else { return true }
    // An anonymous item is a block container of its own (CSS Flexible Box 1, section 4).
    let parent = tree.boxes[value.parent.index]
    return parent.kind.holdsItems || parent.firstChild == box
  }

  /// The result of `contentSizes`.
  struct ContentSizes {
    var minimum: Advance = 0
    var maximum: Advance = 0
  }

  /// The measures of a shaped text, unrounded.
  func contentSizes(_ paragraph: InlineParagraph, text: TextID, container: BoxID) -> ContentSizes {
    var scan = ContentSizeScan(
      context: self, paragraph: paragraph, container: container, indent: ContentSizeScan.Indent())
    scan.run(tree.texts.texts[text.index].runs)
    return scan.sizes
  }
}

/// One pass over a text for its intrinsic sizes.
private struct ContentSizeScan {
  /// Indent of `text-indent`, and the lines it applies to.
  struct Indent {
    /// Width of the indent.
    var width: Advance = 0
    /// First line of the text: it is indented.
    var appliesToFirst = false
    /// Lines after forced breaks: they are indented.
    var appliesAfterBreaks = false
    /// Lines after soft wraps: they are indented.
    var appliesToOthers = false
  }
  /// Line between two forced breaks.
  private struct Line {
    /// Width of the content.
    var width: Advance = 0
    /// Width of the spaces at its end.
    var trailing: Advance = 0
    /// Width of the floats beside it.
    var floats: Advance = 0
    /// Content that is no collapsible space.
    var hasContent = false
  }
  /// Piece that no soft wrap opportunity divides.
  private struct Piece {
    /// Width of the content.
    var width: Advance = 0
    /// Width of the spaces at its end.
    var trailing: Advance = 0
    /// Edges of inline boxes that were opened before it: they count to what follows.
    var edges: Advance = 0
    /// Those of them that every line in the boxes has.
    var clonedEdges: Advance = 0
    /// Soft wrap opportunity after the spaces at its end.
    var trailingWraps = true

    /// Adds content, and the edges before it.
    mutating func add(_ width: Advance) {
      self.width += edges + width
      edges = 0
      clonedEdges = 0
    }
  }
  /// Ruby bases around a cluster.
  private struct Ruby {
    /// Number of the bases that are nested.
    var depth = 0
    /// Starts of the bases on the line.
    var starts = SIMD4<Int64>()
    /// Start of a base: nothing of it has come yet.
    var isStart = false
    /// Bases whose annotations are set together.
    var group = RubyGroup()
  }
  let context: LayoutContext
  let paragraph: InlineParagraph
  let container: BoxID
  /// Indent of the text's lines.
  private let indent: Indent
  var sizes = LayoutContext.ContentSizes()
  private var cluster = 0
  private var shapedRun = 0
  /// Innermost inline box that is open, or the container.
  private var box: BoxID
  /// Line so far.
  private var line = Line()
  /// Unbreakable piece so far.
  private var piece = Piece()
  /// Ruby around the next cluster.
  private var ruby = Ruby()
  private let emergency: Advance
  private let breaksWords: Bool

  init(context: LayoutContext, paragraph: InlineParagraph, container: BoxID, indent: Indent) {
    self.context = context
    self.paragraph = paragraph
    self.container = container
    box = container
    self.indent = indent
    breaksWords = context.mode.measuresBrokenWords
    emergency = breaksWords ? 0 : context.contentArea.width.advance
  }

  mutating func run(_ runs: Range<Int>) {
    startLine(isIndented: indent.appliesToFirst)
    for index in runs {
      let run = context.tree.texts.runs[index]
      switch run.kind {
      case .text, .bidiControl: text(to: run.end)
      case .open: edge(run.box, isStart: true)
      case .close: edge(run.box, isStart: false)
      case .object: object(run)
      case .lineBreak:
        while cluster < paragraph.shaped.clusterCount, paragraph.shaped.clusters[cluster].text < run.end {
          cluster += 1
        }
        endLine()
      case .float where context.isPageFloat(run.box): break
      case .float:
        let own = context.intrinsicSizes(of: run.box)
        let margins = context.margins(of: run.box, availableInline: .zero).inlineSum
        sizes.minimum = Swift.max(sizes.minimum, (own.minimum + margins).advance)
        line.floats += Swift.max(.zero, own.maximum + margins).advance
      case .openRuby:
        ruby.starts[Swift.min(3, ruby.depth)] = line.width
        ruby.isStart = ruby.depth == 0 || ruby.isStart
        if ruby.depth == 0, !ruby.group.takes(context.tree.boxes[run.box.index]) { ruby.group = RubyGroup() }
        ruby.depth += 1
      case .closeRuby:
        let base = line.width - ruby.starts[Swift.min(3, Swift.max(0, ruby.depth - 1))]
        let excess = context.annotationExcess(run.box, over: base)
        if ruby.depth != 1 || context.isAnnotationBeside(run.box) {
          line.width += excess
        } else {
          ruby.group.add(base: base, annotation: context.annotationWidth(run.box))
          line.width += ruby.group.take(ruby.group.excess)
        }
        // Any of them may come to stand alone on its line.
        piece.width += excess
        if excess > 0 {
          line.trailing = 0
          piece.trailing = 0
          line.hasContent = true
        }
        ruby.depth = Swift.max(0, ruby.depth - 1)
        ruby.isStart = false
      case .positioned, .marker: break
      }
    }
    endLine()
  }

  private mutating func edge(_ box: BoxID, isStart: Bool) {
    self.box = isStart ? box : context.inlineParent(of: box, container: container)
    var width = context.inlineEdge(of: box, isStart: isStart, availableInline: .zero).advance
    if context.clonesInlineEdges(box) {
      width = isStart ? context.inlineEdges(of: box, availableInline: .zero).advance : 0
      piece.clonedEdges += width
    }
    line.width += width
    // An edge that opens goes with what follows, one that closes with what came before.
    if isStart { piece.edges += width } else { piece.add(width) }
  }

  private mutating func startLine(isIndented: Bool) {
    line.width = (isIndented ? indent.width : 0) + clonedEdges
    piece.width = line.width
  }

  /// The edges of the boxes around that each line has.
  private var clonedEdges: Advance {
    guard context.inputs.hasClonedEdges else { return 0 }
    let edges = context.clonedEdges(around: box, in: container, availableInline: .zero)
    return (edges.start + edges.end).advance
  }

  private mutating func endPiece() {
    sizes.minimum = Swift.max(sizes.minimum, piece.width - piece.trailing)
    piece.width = (indent.appliesToOthers ? indent.width : 0) + clonedEdges - piece.clonedEdges
    piece.trailing = 0
  }

  private mutating func endLine() {
    piece.add(0)
    endPiece()
    sizes.maximum = Swift.max(sizes.maximum, line.width - line.trailing + line.floats)
    startLine(isIndented: indent.appliesAfterBreaks)
    line.trailing = 0
    line.floats = 0
    line.hasContent = false
  }

  private mutating func object(_ run: Run) {
    let clusters = paragraph.shaped.clusters
    if cluster < paragraph.shaped.clusterCount, clusters[cluster].text < run.end {
      if clusters[cluster].flags.contains(.breakBefore), ruby.depth == 0, line.hasContent, mayWrapAround(run.box) {
        endPiece()
      }
      cluster += 1
    }
    let own = context.intrinsicSizes(of: run.box)
    let margins = context.margins(of: run.box, availableInline: .zero).inlineSum
    line.width += (own.maximum + margins).advance
    piece.add((own.minimum + margins).advance)
    line.trailing = 0
    piece.trailing = 0
    line.hasContent = true
  }

  private func mayWrapAround(_ box: BoxID) -> Bool {
    let parent = context.inlineParent(of: box, container: container)
    return context.styles.texts[context.tree.boxes[parent.index].style.text.index].wrapMode == .wrap
  }

  /// Ends the piece where its line may be broken before a cluster.
  @inline(__always)
  private mutating func considerBreak(_ flags: ClusterFlags, _ run: ShapedRun, _ spacing: ClusterSpacing) {
    if flags.contains(.breakBefore), piece.trailing > 0 ? piece.trailingWraps : spacing.wraps {
      if flags.contains(.hyphenBreakBefore) { piece.width += context.hyphenAdvance(of: run) }
      endPiece()
    } else if spacing.shrinksAnywhere, spacing.wraps, flags.contains(.graphemeStart) {
      endPiece()
    } else if spacing.wraps || breaksWords, flags.contains(.graphemeStart), piece.width > emergency {
      endPiece()
    }
  }

  private mutating func text(to unitEnd: UInt32) {
    let shaped = paragraph.shaped
    let count = shaped.clusterCount
    let units = context.tree.texts.units
    let base = context.tree.texts.texts[paragraph.text.index].units.lowerBound
    while cluster < count, shaped.clusters[cluster].text < unitEnd {
      while shapedRun < shaped.runs.count, cluster >= shaped.runs[shapedRun].clusters.upperBound { shapedRun += 1 }
      guard shapedRun < shaped.runs.count else {
        cluster = count
        return
      }
      let run = shaped.runs[shapedRun]
      let spacing = context.spacing(run.attributes)
      let scale = run.fixedScale
      let end = Swift.min(run.clusters.upperBound, count)
      while cluster < end {
        let entry = shaped.clusters[cluster]
        guard entry.text < unitEnd else { break }
        let flags = entry.flags
        if flags.contains(.mandatoryBreakBefore), line.hasContent { endLine() }
        if line.hasContent, ruby.depth == 0 || ruby.isStart { considerBreak(flags, run, spacing) }
        ruby.isStart = false
        var advance = scale.advance(entry.advance)
        if !flags.contains(.ignorable) {
          if !flags.contains(.cursive) { advance += spacing.letter }
          if flags.contains(.wordSeparator) { advance += spacing.word }
        }
        if flags.contains(.tab) {
          advance = context.tabStops(container, textOf: box).advance(from: line.width)
        }
        let isSpace = flags.contains(.space) && spacing.trims
        if isSpace, spacing.collapses, !line.hasContent, units[base + Int(entry.text)] == 0x20 {
          cluster += 1
          continue
        }
        line.width += advance
        piece.add(advance)
        if isSpace {
          piece.trailing += advance
          piece.trailingWraps = spacing.wraps
          if spacing.collapses {
            line.trailing += advance
          } else {
            // Preserved spaces at the end of the widest line do not hang (CSS Text 3, section 4.1.3).
            line.trailing = 0
            line.hasContent = true
          }
        } else if !flags.contains(.ignorable) {
          line.trailing = 0
          piece.trailing = 0
          line.hasContent = true
        }
        cluster += 1
      }
    }
  }
}
