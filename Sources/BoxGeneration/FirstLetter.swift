import CSS
import Markup
import Primitives
import Styling
import Text

/// A block container whose first letter has a style of its own and has not come yet.
struct PendingFirstLetter {
  var node: NodeID
  var style: ComputedStyle
}

/// `::first-letter` (CSS Pseudo-elements 4, section 2.2).
extension BoxGenerator {
  /// Splits text at its first letter and appends the parts.
  ///
  /// - Returns: false when the text holds no letter: nothing has been appended.
  mutating func firstLetterText(
    _ bytes: Span<UInt8>, _ node: NodeID, _ style: ComputedStyle, isAtomic: Bool = false
  ) -> Bool {
    guard let pending = lineStarts.firstLetter, let range = Self.firstLetter(in: bytes) else { return false }
    lineStarts.firstLetter = nil
    var offset = 0
    func units(_ range: Range<Int>) -> Int {
      var count = 0
      for index in range {
        let byte = bytes[index]
        if byte & 0xC0 != 0x80 { count += byte >= 0xF0 ? 2 : 1 }
      }
      return count
    }
    if !range.isEmpty, range.lowerBound > 0 {
      // Only white space stands before it.
      offset = units(0..<range.lowerBound)
      let collapse = textTraits[style.text.index].collapse
      if collapse == .preserve || collapse == .breakSpaces {
        appendText(
          bytes.extracting(..<range.lowerBound), to: inlineContext(), node, style, offset: 0, isAtomic: isAtomic)
      }
    }
    letterBox(pending, bytes.extracting(range), node, offset: offset, isAtomic: isAtomic)
    offset += units(range)
    if range.upperBound < bytes.count {
      appendText(
        bytes.extracting(range.upperBound...), to: inlineContext(), node, style, offset: offset, isAtomic: isAtomic)
    }
    return true
  }

  private mutating func letterBox(
    _ pending: PendingFirstLetter, _ bytes: Span<UInt8>, _ node: NodeID, offset: Int, isAtomic: Bool
  ) {
    var style = pending.style
    let traits = boxTraits[style.box.index]
    let savedDecorations = openBoxes.decorations
    if traits.role == .float || traits.isInitialLetter {
      // It inherits from the first line, and is not in the text that the line's style is given to.
      style = tree.firstLineStyle(of: pending.node, .firstLetter) ?? style
      let flags: BoxFlags =
        traits.isInitialLetter ? [.float, .formattingContext, .initialLetter] : [.float, .formattingContext]
      let top = openBoxes.frames.count - 1
      let box: BoxID
      if openBoxes.frames[top].builder >= 0 || flags.contains(.initialLetter) {
        let builder = inlineContext()
        box = makeBox(.block, pending.node, .firstLetter, style, flags, parent: inlineParent(builder))
        openBoxes.builders[builder].mark(.float, attributes.attributes(of: style, decorations: 0), box)
      } else {
        box = makeBox(.block, pending.node, .firstLetter, style, flags, parent: openBoxes.frames[top].box)
        link(box, to: top)
      }
      noteFloat(in: boxTree.boxes[box.index].parent)
      openBoxes.decorations = 0
      decorate(style, traits, box: box)
      let savedReal = openBoxes.realFrame
      let savedLine = lineStarts.awaitsFirstLine
      lineStarts.awaitsFirstLine = false
      pushFrame(box, wrapsInline: false, style: style, node: pending.node)
      openBoxes.realFrame = openBoxes.frames.count - 1
      appendText(bytes, to: inlineContext(), node, style, offset: offset, isAtomic: isAtomic)
      closeFrame()
      if openBoxes.frames[top].builder >= 0 { keepSpace(after: box, in: openBoxes.frames[top].builder) }
      openBoxes.realFrame = savedReal
      lineStarts.awaitsFirstLine = savedLine
    } else {
      let builder = inlineContext()
      let box = makeBox(.inline, pending.node, .firstLetter, style, [], parent: inlineParent(builder))
      decorate(style, traits, box: box)
      let attribute = attributes.attributes(of: style, decorations: openBoxes.decorations)
      openBoxes.builders[builder].mark(.open, attribute, box)
      appendText(bytes, to: builder, node, style, offset: offset, isAtomic: isAtomic)
      openBoxes.builders[builder].mark(.close, attribute, box)
    }
    openBoxes.decorations = savedDecorations
  }

  /// The bytes of the first letter with the punctuation around it; nil when there is only white space.
  static func firstLetter(in bytes: Span<UInt8>) -> Range<Int>? {
    enum Class { case space, opening, punctuation, mark, letter }
    func classify(_ scalar: UInt32) -> Class {
      guard let scalar = Unicode.Scalar(scalar) else { return .letter }
      switch scalar.properties.generalCategory {
      case .spaceSeparator, .control, .lineSeparator, .paragraphSeparator: return .space
      case .openPunctuation, .dashPunctuation: return .opening
      case .closePunctuation, .initialPunctuation, .finalPunctuation, .otherPunctuation, .connectorPunctuation:
        return .punctuation
      case .nonspacingMark, .enclosingMark, .spacingMark, .format: return .mark
      default: return .letter
      }
    }
    var index = 0
    while index < bytes.count {
      let (scalar, length) = decodeScalar(bytes, index)
      if classify(scalar) != .space { break }
      index += length
    }
    let start = index
    guard start < bytes.count else { return nil }
    var end = index
    var hasLetter = false
    var clusters = GraphemeClusters.State()
    while index < bytes.count {
      let (scalar, length) = decodeScalar(bytes, index)
      let startsCluster = clusters.startsCluster(CharacterProperties(scalar))
      let kind = classify(scalar)
      if hasLetter {
        // Marks belong to the letter, and what its cluster goes on with; an opening bracket or dash after it does not.
        guard kind == .mark || kind == .punctuation || !startsCluster else { break }
      } else if kind == .letter {
        hasLetter = true
      } else if kind == .space {
        // Spaces may stand between the punctuation and the letter, those of ideographs apart.
        if scalar == 0x3000 { break }
        index += length
        continue
      }
      index += length
      end = index
    }
    return start..<end
  }
}
