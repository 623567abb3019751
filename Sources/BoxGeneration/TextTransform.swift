import CSS
import Primitives
import Text

extension InlineBuilder {
  /// A stretch that a transform made longer or shorter, in the units before and after.
  private struct Edit {
    var old: Range<Int>
    var new: Range<Int>
  }

  /// Applies `text-transform` to the units from `start` on (CSS Text 3, section 2.1), word by word, so that source
  /// spans stay one to one wherever a word keeps its length.
  mutating func transform(from start: Int, _ transform: TextTransform, language: String) {
    guard count > start else { return }
    if transform.letterCase != .none { mapCase(from: start, transform.letterCase, language: language) }
    if transform.fullWidth || transform.fullSizeKana {
      for index in start..<count {
        if transform.fullSizeKana { units[index] = Self.fullSizeKana(units[index]) }
        if transform.fullWidth { units[index] = Self.fullWidth(units[index]) }
      }
    }
  }

  private mutating func mapCase(from start: Int, _ letterCase: TextTransformCase, language: String) {
    let (result, edits) = mapped(from: start, letterCase, language: language)
    if !edits.isEmpty { apply(edits, from: start) }
    setCount(start)
    append(result)
  }

  private func mapped(
    from start: Int, _ letterCase: TextTransformCase, language: String
  ) -> (units: [UInt16], edits: [Edit]) {
    let buffer = units.span.extracting(first: count)
    var result: [UInt16] = []
    result.reserveCapacity(count - start + 8)
    var edits: [Edit] = []
    var index = start
    var continuesWord = false
    if letterCase == .capitalize, let before = scalar(before: start), let scalar = Unicode.Scalar(before) {
      continuesWord =
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil || before == 0x27 || before == 0x2019
    }
    while index < count {
      var end = index
      while end < count, !Self.endsWord(buffer[end]) { end += 1 }
      if end > index {
        let newStart = start + result.count
        let piece = buffer.extracting(index..<end)
        switch letterCase {
        case .uppercase: CaseMapping.map(piece, to: .upper, language: language, into: &result)
        case .lowercase: CaseMapping.map(piece, to: .lower, language: language, into: &result)
        case .capitalize:
          CaseMapping.capitalize(piece, language: language, continuesWord: continuesWord, into: &result)
        case .none: result.append(contentsOf: units[index..<end])
        }
        let newEnd = start + result.count
        if newEnd - newStart != end - index { edits.append(Edit(old: index..<end, new: newStart..<newEnd)) }
      }
      continuesWord = false
      if end < count {
        result.append(buffer[end])
        end += 1
      }
      index = end
    }
    return (result, edits)
  }

  private mutating func apply(_ edits: [Edit], from start: Int) {
    // An end inside a word that changed its length moves to the end of that word.
    var edit = 0
    var shift = 0
    var firstRun = runs.count
    while firstRun > 0, Int(runs[firstRun - 1].end) > start { firstRun -= 1 }
    for index in firstRun..<runs.count {
      let end = Int(runs[index].end)
      while edit < edits.count, edits[edit].old.upperBound <= end {
        shift = edits[edit].new.upperBound - edits[edit].old.upperBound
        edit += 1
      }
      let isInside = edit < edits.count && edits[edit].old.lowerBound < end
      shiftRunEnd(index, to: isInside ? edits[edit].new.upperBound : end + shift)
    }

    // Only the span that `start` lies in and those behind it change.
    var firstSpan = spans.count
    while firstSpan > 0, Int(spans[firstSpan - 1].start) > start { firstSpan -= 1 }
    firstSpan = max(0, firstSpan - 1)
    var remade: [SourceSpan] = []
    remade.reserveCapacity(spans.count - firstSpan + edits.count * 2)
    edit = 0
    shift = 0
    for index in firstSpan..<spans.count {
      let span = spans[index]
      let spanEnd = index + 1 < spans.count ? Int(spans[index + 1].start) : count
      guard spanEnd > start else {
        remade.append(span)
        continue
      }
      var moved = span
      while edit < edits.count, edits[edit].old.upperBound <= Int(span.start) {
        shift = edits[edit].new.upperBound - edits[edit].old.upperBound
        edit += 1
      }
      if edit < edits.count, edits[edit].old.lowerBound < Int(span.start) {
        // The word began in the span before: what follows it belongs here.
        shift = edits[edit].new.upperBound - edits[edit].old.upperBound
        let end = edits[edit].old.upperBound
        let newEnd = edits[edit].new.upperBound
        edit += 1
        if end >= spanEnd { continue }
        if !span.isAtomic { moved.sourceOffset += UInt32(end - Int(span.start)) }
        moved.start = UInt32(newEnd)
        remade.append(moved)
      } else {
        moved.start = UInt32(Int(span.start) + shift)
        remade.append(moved)
      }
      if span.isAtomic { continue }
      while edit < edits.count, edits[edit].old.lowerBound < spanEnd {
        let change = edits[edit]
        let source = Int(span.sourceOffset) + change.old.lowerBound - Int(span.start)
        if let last = remade.last, Int(last.start) == change.new.lowerBound { remade.removeLast() }
        remade.append(
          SourceSpan(
            start: UInt32(change.new.lowerBound), node: span.node, sourceOffset: UInt32(source), isAtomic: true))
        if change.old.upperBound < spanEnd {
          remade.append(
            SourceSpan(
              start: UInt32(change.new.upperBound), node: span.node, sourceOffset: UInt32(source + change.old.count)))
        }
        if change.old.upperBound > spanEnd { break }
        shift = change.new.upperBound - change.old.upperBound
        edit += 1
      }
    }
    replaceSpans(from: firstSpan, with: remade)
  }

  private static func endsWord(_ unit: UInt16) -> Bool {
    unit == 0x20 || unit == 0x0A || unit == 0x09 || unit == 0xA0 || unit == 0x3000 || unit == 0x2028 || unit == 0xFFFC
  }

  /// `full-width`: the full-width form of a narrow character (Unicode, Decomposition_Type Wide).
  private static func fullWidth(_ unit: UInt16) -> UInt16 {
    switch unit {
    case 0x20: 0x3000
    case 0x21...0x7E: unit + 0xFEE0
    case 0xA2: 0xFFE0
    case 0xA3: 0xFFE1
    case 0xAC: 0xFFE2
    case 0xAF: 0xFFE3
    case 0xA6: 0xFFE4
    case 0xA5: 0xFFE5
    case 0x20A9: 0xFFE6
    default: unit
    }
  }

  /// `full-size-kana` (CSS Text 3, appendix G).
  private static func fullSizeKana(_ unit: UInt16) -> UInt16 {
    switch unit {
    case 0x3041, 0x3043, 0x3045, 0x3047, 0x3049, 0x3063, 0x3083, 0x3085, 0x3087, 0x308E: unit + 1
    case 0x30A1, 0x30A3, 0x30A5, 0x30A7, 0x30A9, 0x30C3, 0x30E3, 0x30E5, 0x30E7, 0x30EE: unit + 1
    case 0x3095: 0x304B
    case 0x3096: 0x3051
    case 0x30F5: 0x30AB
    case 0x30F6: 0x30B1
    default: unit
    }
  }
}
