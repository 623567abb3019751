import CSS
import Markup
import Primitives
import Styling
import Text

/// Ruby (CSS Ruby 1, section 2; HTML, section 4.5.10): bases and annotations are paired, and each pair becomes a stretch of
/// the inline formatting context between `.openRuby` and `.closeRuby`, whose box holds the annotation's text.
extension BoxGenerator {
  /// A ruby inside the base or annotation of another keeps its annotation beside its base from this depth on, as text.
  private static let deepestRuby = 3

  func isRubyPart(_ node: NodeID) -> Bool {
    let parent = document.nodes[node.index].parent
    return document.isElement(parent, .ruby) || document.isElement(parent, .rtc)
  }

  mutating func rubyContent(_ node: NodeID, _ style: ComputedStyle) {
    let savedFrame = rubyFrame
    defer { rubyFrame = savedFrame }
    rubyFrame = frames.count - 1
    if rubyDepth >= Self.deepestRuby || annotationDepth > 0 || frames[realFrame].kind != .block {
      flatRuby(node)
      return
    }
    rubyDepth += 1
    defer { rubyDepth -= 1 }
    var segment = RubySegment()
    var child = document.nodes[node.index].firstChild
    while !child.isNone {
      collect(child, into: &segment, style)
      child = document.nodes[child.index].nextSibling
    }
    flush(&segment, style)
  }

  /// Bases and the annotations that follow them.
  private struct RubySegment {
    /// The nodes of each base.
    var bases: [[NodeID]] = []
    /// The last base is made of loose nodes and takes more of them.
    var lastIsLoose = false
    /// `rt` children of the ruby itself.
    var annotations: [NodeID] = []
    /// Further levels: the `rt` children of each `rtc`, or the `rtc` itself when it has none.
    var containers: [[NodeID]] = []
    var hasAnnotations: Bool { !annotations.isEmpty || !containers.isEmpty }
  }

  private mutating func collect(_ child: NodeID, into segment: inout RubySegment, _ style: ComputedStyle) {
    let value = document.nodes[child.index]
    if value.kind == .text {
      let slice = unsafe UnsafeBufferPointer(rebasing: bytes[Int(value.range.lowerBound)..<Int(value.range.upperBound)])
      // White space between the parts of a ruby is no text.
      if unsafe isBlank(slice), segment.hasAnnotations || !segment.lastIsLoose { return }
    } else if value.kind == .element, value.namespace == .html {
      switch value.name {
      case .rp: return
      case .rt:
        segment.annotations.append(child)
        return
      case .rtc:
        var parts: [NodeID] = []
        for part in document.children(of: child) where document.isElement(part, .rt) { parts.append(part) }
        segment.containers.append(parts.isEmpty ? [child] : parts)
        return
      case .rb:
        if segment.hasAnnotations { flush(&segment, style) }
        segment.bases.append([child])
        segment.lastIsLoose = false
        return
      default: break
      }
    }
    if segment.hasAnnotations { flush(&segment, style) }
    if segment.lastIsLoose {
      segment.bases[segment.bases.count - 1].append(child)
    } else {
      segment.bases.append([child])
      segment.lastIsLoose = true
    }
  }

  private mutating func flush(_ segment: inout RubySegment, _ style: ComputedStyle) {
    let current = segment
    segment = RubySegment()
    var levels = current.containers
    if !current.annotations.isEmpty { levels.insert(current.annotations, at: 0) }
    // A level of one annotation over several bases spans them all; it encloses the pairs of the other levels.
    var spanning: [NodeID] = []
    var paired: [[NodeID]] = []
    for level in levels {
      if level.count == 1, current.bases.count > 1, level != current.annotations {
        spanning.append(level[0])
      } else {
        paired.append(level)
      }
    }
    let outer = spanning.map { openRuby($0, style) }
    let pairs = max(current.bases.count, paired.map(\.count).max() ?? 0)
    let mayMerge = paired.count == 1 && outer.isEmpty && rubyDepth == 1
    var mergesNext = false
    for index in 0..<pairs {
      var open: [BoxID?] = []
      for level in paired.reversed() where index < level.count { open.append(openRuby(level[index], style)) }
      if mayMerge {
        let box = open.first ?? nil
        let merges = box.map { tree.table.texts[boxes[$0.index].style.text.index].rubyMerge != .separate } ?? false
        if merges, mergesNext, let box { boxes[box.index].flags.insert(.mergesRuby) }
        mergesNext = merges
      }
      if index < current.bases.count {
        for node in current.bases[index] { generate(node) }
      }
      for box in open.reversed() { closeRuby(box, style) }
    }
    for box in outer.reversed() { closeRuby(box, style) }
  }

  /// Opens a base for an annotation; nil when the annotation is not displayed.
  private mutating func openRuby(_ annotation: NodeID, _ style: ComputedStyle) -> BoxID? {
    let annotationStyle = tree.styles[annotation.index]
    guard boxTraits[annotationStyle.box.index].role != .none, enter(.inline) else { return nil }
    let builder = inlineContext()
    let box = makeBox(.rubyBase, annotation, nil, annotationStyle, [], parent: inlineParent(builder))
    builders[builder].mark(.openRuby, attributes.attributes(of: style, decorations: decorations), box)
    return box
  }

  private mutating func closeRuby(_ box: BoxID?, _ style: ComputedStyle) {
    guard let box, enter(.inline) else { return }
    let builder = inlineContext()
    builders[builder].mark(.closeRuby, attributes.attributes(of: style, decorations: decorations), box)

    // The annotation is a context of its own, without the decorations of its base (CSS Text Decoration 3, section 2.1).
    let node = boxes[box.index].node
    let annotationStyle = boxes[box.index].style
    let savedReal = realFrame
    let savedDecorations = decorations
    let savedLetter = firstLetter
    let savedLine = awaitsFirstLine
    let savedFrame = rubyFrame
    decorations = 0
    firstLetter = nil
    awaitsFirstLine = false
    annotationDepth += 1
    pushFrame(box, wrapsInline: false, style: annotationStyle, node: node)
    realFrame = frames.count - 1
    frames[realFrame].isInlineOnly = true
    rubyFrame = realFrame
    decorate(annotationStyle, boxTraits[annotationStyle.box.index], box: box)
    let mark = counters.nestedMark
    applyCounters(of: node, pseudo: nil, annotationStyle, boxTraits[annotationStyle.box.index])
    content(node, nil, annotationStyle)
    popFrames(to: realFrame)
    closeFrame()
    counters.closeNested(to: mark)
    annotationDepth -= 1
    rubyFrame = savedFrame
    decorations = savedDecorations
    firstLetter = savedLetter
    awaitsFirstLine = savedLine
    realFrame = savedReal
  }

  /// Base and annotation as one line of text, the annotation in brackets.
  private mutating func flatRuby(_ node: NodeID) {
    var child = document.nodes[node.index].firstChild
    while !child.isNone {
      if document.isElement(child, .rt) || document.isElement(child, .rtc) {
        let style = tree.styles[child.index]
        if boxTraits[style.box.index].role != .none {
          appendGenerated("（", child, style)
          generate(child)
          appendGenerated("）", child, style)
        }
      } else {
        generate(child)
      }
      child = document.nodes[child.index].nextSibling
    }
  }
}
