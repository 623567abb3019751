import CSS
import Markup
import Primitives
import Styling
import Text

/// Ruby (CSS Ruby 1, section 2): each base and the annotations it is paired with become stretches of the inline
/// formatting context between `.openRuby` and `.closeRuby`, whose boxes hold the annotations' texts.
extension BoxGenerator {
  /// A ruby inside the base or annotation of another keeps its annotation beside its base from this depth on, as text.
  private static let deepestRuby = 3

  // MARK: Containers

  /// Generates the content of a ruby container.
  mutating func rubyContent(_ node: NodeID, _ style: ComputedStyle) {
    ruby(rubyContents.sources(in: node, nil), style)
  }

  /// Wraps an internal ruby box that stands in no ruby container, and those right after it, in an anonymous one.
  mutating func strayRuby(_ node: NodeID) {
    var sources: [BoxSource] = []
    var spaces: [BoxSource] = []
    var last = node
    var next = node
    while !next.isNone {
      let source = BoxSource(node: next, pseudo: nil, style: tree.styles[next.index])
      let isElement = document.nodes[next.index].kind == .element
      if !isElement || boxTraits[source.style.box.index].role != .none {
        switch rubyContents.part(source) {
        case .space: spaces.append(source)
        case .content: next = .none
        default:
          sources += spaces
          spaces.removeAll()
          sources.append(source)
          last = next
        }
        if next.isNone { break }
      }
      next = document.nodes[next.index].nextSibling
    }
    let parent = document.nodes[node.index].parent
    ruby(sources, tree.styles[parent.index].anonymousChild)
    rubies.strayEnd = last
  }

  private mutating func ruby(_ sources: [BoxSource], _ style: ComputedStyle) {
    let savedFrame = rubies.frame
    defer { rubies.frame = savedFrame }
    rubies.frame = openBoxes.frames.count - 1
    if rubies.depth >= Self.deepestRuby || openBoxes.frames[openBoxes.realFrame].kind != .block {
      return flatRuby(sources)
    }
    rubies.depth += 1
    for segment in rubyContents.segments(sources) { generate(segment, style) }
    rubies.depth -= 1
  }

  /// Generates boxes one after the other, those of a ruby that stand among them in an anonymous ruby container.
  private mutating func generate(_ sources: [BoxSource]) {
    var index = 0
    while index < sources.count {
      var end = index
      var last = index
      while end < sources.count, rubyContents.part(sources[end]) != .content {
        if rubyContents.part(sources[end]) != .space { last = end + 1 }
        end += 1
      }
      if last > index, rubyContents.part(sources[index]) != .space {
        let parent = document.nodes[sources[index].node.index].parent
        ruby(Array(sources[index..<last]), tree.styles[parent.index].anonymousChild)
        index = last
        continue
      }
      if let pseudo = sources[index].pseudo {
        pseudoElement(sources[index].node, pseudo, sources[index].style)
      } else {
        generate(sources[index].node)
      }
      index += 1
    }
  }

  /// Generates the inline box of an internal ruby element around `body`; nil for its own content.
  private mutating func rubyElement(_ source: BoxSource, _ body: ((inout BoxGenerator) -> Void)? = nil) {
    let traits = boxTraits[source.style.box.index]
    let mark = numbering.counters.nestedMark
    applyCounters(of: source.node, pseudo: source.pseudo, source.style, traits)
    inlineBox(source.node, source.pseudo, source.style, traits, body)
    numbering.counters.closeNested(to: mark)
  }

  // MARK: Pairs

  private mutating func generate(_ segment: RubySegment, _ style: ComputedStyle) {
    let spanning = segment.annotations.filter(\.isSpanning).reversed().map {
      openRuby($0.units[0], in: $0, for: segment.bases.units.map(Optional.some), style)
    }
    if let container = segment.bases.container {
      rubyElement(container) { $0.pairs(segment, style) }
    } else {
      pairs(segment, style)
    }
    for box in spanning.reversed() { closeRuby(box, style) }
  }

  private mutating func pairs(_ segment: RubySegment, _ style: ComputedStyle) {
    let levels = segment.annotations
    let mayMerge = levels.count == 1 && !levels[0].isSpanning && rubies.depth == 1
    var mergesNext = false
    for column in segment.columns {
      var open: [OpenAnnotation?] = []
      for level in levels.indices.reversed() where !levels[level].isSpanning {
        guard let unit = column.annotations[level] else { continue }
        open.append(openRuby(unit, in: levels[level], for: [column.base], style))
      }
      // A base that its element says is one stays whole without annotations, too.
      if open.isEmpty, column.base?.isAnonymous == false {
        open.append(openRuby(nil, in: nil, for: [column.base], style))
      }
      if mayMerge {
        let box = (open.first ?? nil)?.box
        let merges =
          box.map { tree.table.texts[boxTree.boxes[$0.index].style.text.index].rubyMerge != .separate } ?? false
        if merges, mergesNext, let box { boxTree.boxes[box.index].flags.insert(.mergesRuby) }
        mergesNext = merges
      }
      if let base = column.base {
        if base.isAnonymous { generate(base.sources) } else { rubyElement(base.sources[0]) }
      }
      for box in open.reversed() { closeRuby(box, style) }
    }
  }

  /// A base that is open, and its annotation.
  private struct OpenAnnotation {
    var box: BoxID
    /// nil when the annotation is not shown.
    var unit: RubyUnit?
    /// The bidi isolate around the base is to be closed.
    var isIsolated = false
  }

  /// Opens a base for an annotation, which may be none; nil where none can stand.
  private mutating func openRuby(
    _ unit: RubyUnit?, in level: RubyLevel?, for bases: [RubyUnit?], _ style: ComputedStyle
  ) -> OpenAnnotation? {
    guard enter(.inline) else { return nil }
    let builder = inlineContext()
    var annotation = style.anonymousChild
    var node = bases.first??.sources.first?.node ?? .none
    if let unit {
      annotation = unit.isAnonymous ? level?.container?.style ?? style : unit.sources[0].style
      annotation = annotation.anonymousChild
      node = (unit.isAnonymous ? level?.container?.node : nil) ?? unit.sources[0].node
    }
    if node.isNone { node = openBoxes.frames[openBoxes.frames.count - 1].node }
    let box = makeBox(.rubyBase, node, nil, annotation, [], parent: inlineParent(builder))
    let attribute = attributes.attributes(of: style, decorations: openBoxes.decorations)
    openBoxes.builders[builder].mark(.openRuby, attribute, box)
    var open = OpenAnnotation(box: box, unit: unit)
    if tree.table.texts[annotation.text.index].visibility == .collapse || rubyContents.isHidden(unit, bases) {
      open.unit = nil
    }
    // Bases stay apart in bidirectional text (CSS Ruby 1, section 3.5), which right-to-left ones need most.
    if bases.contains(where: { rubyContents.isRightToLeft($0) }) {
      open.isIsolated = true
      openBoxes.builders[builder].append(
        .bidiControl, unit: BidiControls.rightToLeftIsolate, attribute, node: node, box: box)
    }
    return open
  }

  private mutating func closeRuby(_ open: OpenAnnotation?, _ style: ComputedStyle) {
    guard let open, enter(.inline) else { return }
    let builder = inlineContext()
    let attribute = attributes.attributes(of: style, decorations: openBoxes.decorations)
    let node = boxTree.boxes[open.box.index].node
    if open.isIsolated {
      openBoxes.builders[builder].append(
        .bidiControl, unit: BidiControls.popDirectionalIsolate, attribute, node: node, box: open.box)
    }
    openBoxes.builders[builder].mark(.closeRuby, attribute, open.box)
    guard let unit = open.unit else { return }

    // The annotation is a context of its own, without the decorations of its base (CSS Text Decoration 3, section 2.1).
    let savedReal = openBoxes.realFrame
    let savedDecorations = openBoxes.decorations
    let savedStarts = lineStarts
    let savedFrame = rubies.frame
    openBoxes.decorations = 0
    lineStarts = LineStarts()
    rubies.annotationDepth += 1
    pushFrame(open.box, wrapsInline: false, style: boxTree.boxes[open.box.index].style, node: node)
    openBoxes.realFrame = openBoxes.frames.count - 1
    openBoxes.frames[openBoxes.realFrame].isInlineOnly = true
    rubies.frame = openBoxes.realFrame
    if unit.isAnonymous { generate(unit.sources) } else { annotationElement(unit.sources[0]) }
    popFrames(to: openBoxes.realFrame)
    closeFrame()
    rubies.annotationDepth -= 1
    rubies.frame = savedFrame
    openBoxes.decorations = savedDecorations
    lineStarts = savedStarts
    openBoxes.realFrame = savedReal
  }

  /// The element of an annotation: an inline box in the annotation's text where that shows something of its own.
  private mutating func annotationElement(_ source: BoxSource) {
    let style = source.style
    let traits = boxTraits[style.box.index]
    let hasBox =
      traits.hasEdge || traits.unicodeBidi != .normal || style.border.index != 0 || style.background.index != 0
      || tree.table.boxes[style.box.index].position != .static
    if hasBox { return rubyElement(source) }
    decorate(style, traits, box: openBoxes.frames[openBoxes.realFrame].box)
    let mark = numbering.counters.nestedMark
    applyCounters(of: source.node, pseudo: source.pseudo, style, traits)
    content(source.node, source.pseudo, style)
    numbering.counters.closeNested(to: mark)
  }

  /// Base and annotation as one line of text, the annotation in brackets.
  private mutating func flatRuby(_ sources: [BoxSource]) {
    for source in sources {
      let part = rubyContents.part(source)
      let isAnnotation = part == .annotation || part == .annotationContainer
      if isAnnotation { appendGenerated("（", source.node, source.style) }
      if part == .content || part == .space { generate([source]) } else { rubyElement(source) }
      if isAnnotation { appendGenerated("）", source.node, source.style) }
    }
  }
}
