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
    var scan = ContentSizeScan(context: self, paragraph: paragraph, container: box)
    scan.indentsFirst = isFirstFormattedLineOwner(box) != style.indentHanging
    scan.indentsOthers = style.indentHanging
    scan.indentsAfterBreaks = style.indentEachLine != style.indentHanging
    scan.indent = indent.advance
    scan.run(tree.texts.texts[text.index].runs)
    return IntrinsicSizes(
      minimum: Swift.max(.zero, LayoutUnit(roundingUp: scan.sizes.minimum)),
      maximum: Swift.max(.zero, LayoutUnit(roundingUp: scan.sizes.maximum)))
  }

  /// Whether the first line of the box is the first formatted line of a block: that of an anonymous box is only when nothing
  /// comes before it.
  func isFirstFormattedLineOwner(_ box: BoxID) -> Bool {
    let value = tree.boxes[box.index]
    // Its paragraph indents an initial letter.
    if value.flags.contains(.initialLetter) { return false }
    guard value.flags.contains(.anonymous), !value.parent.isNone else { return true }
    return tree.boxes[value.parent.index].firstChild == box
  }

  /// What `contentSizes` finds.
  struct ContentSizes {
    var minimum: Advance = 0
    var maximum: Advance = 0
  }

  /// The measures of a shaped text, unrounded.
  func contentSizes(_ paragraph: InlineParagraph, text: TextID, container: BoxID) -> ContentSizes {
    var scan = ContentSizeScan(context: self, paragraph: paragraph, container: container)
    scan.run(tree.texts.texts[text.index].runs)
    return scan.sizes
  }
}

/// One pass over a text for its intrinsic sizes.
private struct ContentSizeScan {
  let context: LayoutContext
  let paragraph: InlineParagraph
  let container: BoxID
  var sizes = LayoutContext.ContentSizes()
  /// `text-indent`, and the lines it applies to.
  var indent: Advance = 0
  var indentsFirst = false
  var indentsAfterBreaks = false
  var indentsOthers = false
  private var cluster = 0
  private var shapedRun = 0
  /// The line so far, and of it the spaces at its end.
  private var line: Advance = 0
  private var trailing: Advance = 0
  private var floats: Advance = 0
  /// The unbreakable piece so far; edges that were opened before it count to it.
  private var piece: Advance = 0
  private var pieceTrailing: Advance = 0
  private var edges: Advance = 0
  private var trailingWraps = true
  private var hasContent = false
  private var rubyDepth = 0
  private var rubyStarts = SIMD4<Int64>()
  private var isRubyStart = false
  private var rubyGroup = RubyGroup()
  private let emergency: Advance
  private let breaksWords: Bool

  init(context: LayoutContext, paragraph: InlineParagraph, container: BoxID) {
    self.context = context
    self.paragraph = paragraph
    self.container = container
    breaksWords = context.mode.measuresBrokenWords
    emergency = breaksWords ? 0 : context.contentArea.width.advance
  }

  mutating func run(_ runs: Range<Int>) {
    startLine(isIndented: indentsFirst)
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
      case .float:
        let own = context.intrinsicSizes(of: run.box)
        let margins = context.margins(of: run.box, availableInline: .zero).inlineSum
        sizes.minimum = Swift.max(sizes.minimum, (own.minimum + margins).advance)
        floats += Swift.max(.zero, own.maximum + margins).advance
      case .openRuby:
        rubyStarts[Swift.min(3, rubyDepth)] = line
        isRubyStart = rubyDepth == 0 || isRubyStart
        if rubyDepth == 0, !rubyGroup.takes(context.tree.boxes[run.box.index]) { rubyGroup = RubyGroup() }
        rubyDepth += 1
      case .closeRuby:
        let base = line - rubyStarts[Swift.min(3, Swift.max(0, rubyDepth - 1))]
        let excess = context.annotationExcess(run.box, over: base)
        if rubyDepth != 1 || context.isAnnotationBeside(run.box) {
          line += excess
        } else {
          rubyGroup.add(base: base, annotation: context.annotationWidth(run.box))
          line += rubyGroup.take(rubyGroup.excess)
        }
        // Any of them may come to stand alone on its line.
        piece += excess
        if excess > 0 {
          trailing = 0
          pieceTrailing = 0
          hasContent = true
        }
        rubyDepth = Swift.max(0, rubyDepth - 1)
        isRubyStart = false
      case .positioned, .marker: break
      }
    }
    endLine()
  }

  private mutating func edge(_ box: BoxID, isStart: Bool) {
    let width = context.inlineEdge(of: box, isStart: isStart, availableInline: .zero).advance
    line += width
    // An edge that opens goes with what follows, one that closes with what came before.
    if isStart { edges += width } else { piece += edges + width; edges = 0 }
  }

  private mutating func startLine(isIndented: Bool) {
    line = isIndented ? indent : 0
    piece = line
  }

  private mutating func endPiece() {
    sizes.minimum = Swift.max(sizes.minimum, piece - pieceTrailing)
    piece = indentsOthers ? indent : 0
    pieceTrailing = 0
  }

  private mutating func endLine() {
    piece += edges
    edges = 0
    endPiece()
    sizes.maximum = Swift.max(sizes.maximum, line - trailing + floats)
    startLine(isIndented: indentsAfterBreaks)
    trailing = 0
    floats = 0
    hasContent = false
  }

  private mutating func object(_ run: Run) {
    let clusters = paragraph.shaped.clusters
    if cluster < paragraph.shaped.clusterCount, clusters[cluster].text < run.end {
      if clusters[cluster].flags.contains(.breakBefore), rubyDepth == 0, hasContent, mayWrapAround(run.box) {
        endPiece()
      }
      cluster += 1
    }
    let own = context.intrinsicSizes(of: run.box)
    let margins = context.margins(of: run.box, availableInline: .zero).inlineSum
    line += (own.maximum + margins).advance
    piece += edges + (own.minimum + margins).advance
    edges = 0
    trailing = 0
    pieceTrailing = 0
    hasContent = true
  }

  private func mayWrapAround(_ box: BoxID) -> Bool {
    let parent = context.inlineParent(of: box, container: container)
    return context.styles.texts[context.tree.boxes[parent.index].style.text.index].wrapMode == .wrap
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
        if flags.contains(.mandatoryBreakBefore), hasContent { endLine() }
        let isBetweenRuby = rubyDepth == 0 || isRubyStart
        if hasContent, isBetweenRuby {
          if flags.contains(.breakBefore), pieceTrailing > 0 ? trailingWraps : spacing.wraps {
            if flags.contains(.hyphenBreakBefore) { piece += context.hyphen(of: run).advance }
            endPiece()
          } else if spacing.shrinksAnywhere, spacing.wraps, flags.contains(.graphemeStart) {
            endPiece()
          } else if spacing.wraps || breaksWords, flags.contains(.graphemeStart), piece > emergency {
            endPiece()
          }
        }
        isRubyStart = false
        var advance = scale.advance(entry.advance)
        if !flags.contains(.ignorable) {
          if !flags.contains(.cursive) { advance += spacing.letter }
          if flags.contains(.wordSeparator) { advance += spacing.word }
        }
        if flags.contains(.tab) {
          let interval = context.tabInterval(container)
          if interval > 0 { advance = interval - Swift.max(0, line) % interval }
        }
        let isSpace = flags.contains(.space) && !flags.contains(.tab) && spacing.trims
        if isSpace, spacing.collapses, !hasContent, units[base + Int(entry.text)] == 0x20 {
          cluster += 1
          continue
        }
        line += advance
        piece += edges + advance
        edges = 0
        if isSpace {
          trailing += advance
          pieceTrailing += advance
          trailingWraps = spacing.wraps
          if !spacing.collapses { hasContent = true }
        } else if !flags.contains(.ignorable) {
          trailing = 0
          pieceTrailing = 0
          hasContent = true
        }
        cluster += 1
      }
    }
  }
}

extension LayoutContext {
  /// Distance of tab stops in a block container (CSS Text 3, section 4.2).
  func tabInterval(_ container: BoxID) -> Advance {
    let style = tree.boxes[container.index].style
    if let known = measurements.fonts.tabInterval, known.style == style { return known.interval }
    let interval = findTabInterval(style)
    measurements.fonts.tabInterval = (style, interval)
    return interval
  }

  private func findTabInterval(_ style: ComputedStyle) -> Advance {
    let paragraph = styles.paragraphs[style.paragraph.index]
    guard paragraph.tabSizeIsNumber else {
      return Swift.max(.zero, resolve(paragraph.tabSize, font: style.font)).advance
    }
    let size = fontSize(style.font)
    var space = size / 4
    if let face = primaryFace(style.font) { space = face.metrics.scaled(face.metrics.spaceAdvance, size: size) }
    let text = styles.texts[style.text.index]
    func spacing(_ value: SpacingValue) -> Float {
      guard case .length(let length) = value else { return 0 }
      return resolve(length, font: style.font, percentage: .zero).float
    }
    space += spacing(text.letterSpacing) + spacing(text.wordSpacing)
    return LayoutUnit(Swift.max(0, space * paragraph.tabSize.value)).advance
  }
}
