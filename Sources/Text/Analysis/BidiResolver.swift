/// A Bidi_Class value (UAX #9, table 4), as ICU numbers them.
enum BidiClass: UInt8 {
  case l, r, en, es, et, an, cs, b, s, ws, on, lre, lro, al, rle, rlo, pdf, nsm, bn, fsi, lri, rli, pdi

  /// The class is white space or a control that rule L1 resets before the end of a line.
  var isReset: Bool {
    switch self {
    case .ws, .fsi, .lri, .rli, .pdi, .bn, .lre, .lro, .rle, .rlo, .pdf: true
    default: false
    }
  }

  /// A control that begins right-to-left text, whatever the text is.
  var opensRightToLeft: Bool { self == .rle || self == .rlo || self == .rli }

  /// A neutral or isolate formatting character once numbers are resolved (NI).
  var isNeutral: Bool {
    switch self {
    case .b, .s, .ws, .on, .fsi, .lri, .rli, .pdi: true
    default: false
    }
  }

  /// The strong direction that neutrals see in a character: numbers count as R (rules N0 and N1); nil for what is not
  /// strong.
  var strong: BidiClass? {
    switch self {
    case .l: .l
    case .r, .al, .en, .an: .r
    default: nil
    }
  }
}

/// Finds the embedding levels of texts (UAX #9 of Unicode 15, rules P1 to L1), keeping its memory from one to the next.
///
/// Paragraphs end at characters of class B. Characters that rule X9 removes take the level of the one before them, so that
/// they never part a run.
///
/// - Complexity: Linear in the text; pairs of brackets nest at most 63 deep.
struct BidiResolver {
  private static let highestLevel: UInt8 = 125
  private static let mostBrackets = 63

  /// An entry of the directional status stack (X1).
  private struct Status {
    var level: UInt8
    var override: BidiClass?
    var isIsolate: Bool
  }

  /// The counters of X1.
  private struct Depth {
    var overflowingIsolates = 0
    var overflowingEmbeddings = 0
    var validIsolates = 0
  }

  /// A level run (BD7) of characters that X9 keeps.
  private struct LevelRun {
    var first: Int
    var last: Int
    var level: UInt8
  }

  private struct BracketPair {
    var opening: Int
    var closing: Int
  }

  // By unit of the text. The second unit of a surrogate pair is of class BN.
  private var original: [BidiClass] = []
  private var classes: [BidiClass] = []
  /// For an isolate initiator its PDI, or the paragraph's end; for a PDI its initiator; else -1 (BD9).
  private var matches: [Int] = []
  /// For the first unit of a level run, the run's number.
  private var runNumbers: [Int32] = []

  private var stack: [Status] = []
  private var controls: [Int] = []
  private var nextControl = 0
  /// Embeddings and isolates opened by controls that stand for boxes.
  private var carried: [BidiClass] = []
  private var initiators: [Int] = []
  private var runs: [LevelRun] = []

  // By position in an isolating run sequence (BD13).
  private var sequence: [Int] = []
  private var types: [BidiClass] = []
  private var initial: [BidiClass] = []
  private var pairs: [BracketPair] = []

  /// Fills the level of each unit.
  ///
  /// - Parameter controls: The places of controls that stand for boxes, in order, each box's in pairs: what they open goes on in the
  ///   paragraphs that follow, as far as the box does (CSS Writing Modes 4, section 2.4.2).
  /// - Returns: The first paragraph's level, 0 or 1.
  mutating func resolve(
    _ units: Span<UInt16>, direction: BidiDirection, controls: [Int],
    into levels: inout MutableSpan<UInt8>
  ) -> UInt8 {
    self.controls = controls
    nextControl = 0
    carried.removeAll(keepingCapacity: true)
    classify(units)
    var result: UInt8?
    var start = 0
    while start < units.count {
      var end = start
      while end < units.count, original[end] != .b { end += 1 }
      if end < units.count {
        end += units[end] == 0x0D && end + 1 < units.count && units[end + 1] == 0x0A ? 2 : 1
      }
      matchIsolates(start, end)
      let base: UInt8 =
        switch direction {
        case .ltr: 0
        case .rtl: 1
        case .firstStrong: firstStrong(start, end) == .r ? 1 : 0
        }
      resolveParagraph(units, start, end, base: base, into: &levels)
      if result == nil { result = base }
      start = end
    }
    return result ?? (direction == .rtl ? 1 : 0)
  }

  private mutating func classify(_ units: Span<UInt16>) {
    original.removeAll(keepingCapacity: true)
    original.reserveCapacity(units.count)
    var index = 0
    while index < units.count {
      let (scalar, length) = UTF16Text.scalar(units, at: index)
      original.append(BidiClass(rawValue: CharacterProperties(scalar).bidiClass) ?? .l)
      if length == 2 { original.append(.bn) }
      index += length
    }
    classes = original
    matches = [Int](repeating: -1, count: units.count)
    runNumbers = [Int32](repeating: 0, count: units.count)
  }

  /// BD9.
  private mutating func matchIsolates(_ start: Int, _ end: Int) {
    initiators.removeAll(keepingCapacity: true)
    for index in start..<end {
      switch original[index] {
      case .fsi, .lri, .rli:
        matches[index] = end
        initiators.append(index)
      case .pdi:
        if let initiator = initiators.popLast() {
          matches[initiator] = index
          matches[index] = initiator
        }
      default: break
      }
    }
  }

  /// P2 and P3: L or R for the first strong character outside isolates, nil when there is none.
  private func firstStrong(_ start: Int, _ end: Int) -> BidiClass? {
    var index = start
    while index < end {
      switch original[index] {
      case .l: return .l
      case .r, .al: return .r
      case .fsi, .lri, .rli: index = matches[index]
      default: index += 1
      }
      if index < end, original[index] == .pdi { index += 1 }
    }
    return nil
  }

  private mutating func resolveParagraph(
    _ units: Span<UInt16>, _ start: Int, _ end: Int, base: UInt8,
    into levels: inout MutableSpan<UInt8>
  ) {
    resolveExplicit(start, end, base: base, into: &levels)
    findLevelRuns(start, end, levels)
    for number in runs.indices {
      // A run that begins with the end of an isolate continues the sequence of its initiator.
      let match = matches[runs[number].first]
      if match >= 0, match < runs[number].first { continue }
      resolveSequence(from: number, units, end, base: base, into: &levels)
    }
    var level = base
    for index in start..<end {
      if classes[index] == .bn { levels[index] = level } else { level = levels[index] }
    }
    // L1.
    var isReset = true
    for index in (start..<end).reversed() {
      let type = original[index]
      if type == .b || type == .s {
        levels[index] = base
        isReset = true
      } else if type.isReset {
        if isReset, !isTrailing(index, units) { levels[index] = base }
      } else {
        isReset = false
      }
    }
  }

  /// The unit is the second of a surrogate pair.
  private func isTrailing(_ index: Int, _ units: Span<UInt16>) -> Bool {
    units[index] & 0xFC00 == 0xDC00 && index > 0 && units[index - 1] & 0xFC00 == 0xD800
  }

  /// X1 to X8.
  private mutating func resolveExplicit(
    _ start: Int, _ end: Int, base: UInt8, into levels: inout MutableSpan<UInt8>
  ) {
    stack.removeAll(keepingCapacity: true)
    stack.append(Status(level: base, override: nil, isIsolate: false))
    var depth = Depth()
    for type in carried {
      enter(type, isRTL: type.opensRightToLeft || type == .fsi && firstStrong(start, end) == .r, &depth)
    }
    for index in start..<end {
      let type = original[index]
      var status = stack[stack.count - 1]
      switch type {
      case .rle, .lre, .rlo, .lro:
        classes[index] = .bn
        enter(type, isRTL: type.opensRightToLeft, &depth)
      case .rli, .lri, .fsi:
        levels[index] = status.level
        if let override = status.override { classes[index] = override }
        enter(
          type, isRTL: type.opensRightToLeft || type == .fsi && firstStrong(index + 1, matches[index]) == .r, &depth)
      case .pdi:
        if depth.overflowingIsolates > 0 {
          depth.overflowingIsolates -= 1
        } else if depth.validIsolates > 0 {
          depth.overflowingEmbeddings = 0
          while let last = stack.popLast(), !last.isIsolate {}
          depth.validIsolates -= 1
        }
        status = stack[stack.count - 1]
        levels[index] = status.level
        if let override = status.override { classes[index] = override }
      case .pdf:
        classes[index] = .bn
        if depth.overflowingIsolates > 0 {
        } else if depth.overflowingEmbeddings > 0 {
          depth.overflowingEmbeddings -= 1
        } else if !status.isIsolate, stack.count >= 2 {
          stack.removeLast()
        }
      case .b: levels[index] = base
      case .bn: break
      default:
        levels[index] = status.level
        if let override = status.override { classes[index] = override }
      }
      if nextControl < controls.count, controls[nextControl] == index {
        nextControl += 1
        if type == .pdf || type == .pdi { _ = carried.popLast() } else { carried.append(type) }
      }
    }
  }

  /// X2 to X5c: an embedding, override or isolate begins.
  private mutating func enter(_ type: BidiClass, isRTL: Bool, _ depth: inout Depth) {
    let outer = stack[stack.count - 1].level
    let level = isRTL ? (outer + 1) | 1 : (outer + 2) & ~1
    let isIsolate = type == .rli || type == .lri || type == .fsi
    if level <= Self.highestLevel, depth.overflowingIsolates == 0, depth.overflowingEmbeddings == 0 {
      if isIsolate { depth.validIsolates += 1 }
      stack.append(
        Status(level: level, override: type == .rlo ? .r : type == .lro ? .l : nil, isIsolate: isIsolate))
    } else if isIsolate {
      depth.overflowingIsolates += 1
    } else if depth.overflowingIsolates == 0 {
      depth.overflowingEmbeddings += 1
    }
  }

  private mutating func findLevelRuns(_ start: Int, _ end: Int, _ levels: borrowing MutableSpan<UInt8>) {
    runs.removeAll(keepingCapacity: true)
    for index in start..<end where classes[index] != .bn {
      if let last = runs.last, last.level == levels[index] {
        runs[runs.count - 1].last = index
      } else {
        runNumbers[index] = Int32(truncatingIfNeeded: runs.count)
        runs.append(LevelRun(first: index, last: index, level: levels[index]))
      }
    }
  }

  /// X10 for the isolating run sequence that begins with a level run.
  private mutating func resolveSequence(
    from first: Int, _ units: Span<UInt16>, _ end: Int, base: UInt8,
    into levels: inout MutableSpan<UInt8>
  ) {
    sequence.removeAll(keepingCapacity: true)
    types.removeAll(keepingCapacity: true)
    var number = first
    let level = runs[first].level
    var following: UInt8
    while true {
      let run = runs[number]
      for index in run.first...run.last where classes[index] != .bn {
        sequence.append(index)
        types.append(classes[index])
      }
      let match = matches[run.last]
      if match > run.last {
        following = base
        guard match < end else { break }
        number = Int(runNumbers[match])
      } else {
        following = number + 1 < runs.count ? runs[number + 1].level : base
        break
      }
    }
    let preceding = first > 0 ? runs[first - 1].level : base
    let before: BidiClass = Swift.max(preceding, level) & 1 == 1 ? .r : .l
    let after: BidiClass = Swift.max(following, level) & 1 == 1 ? .r : .l
    initial = types
    resolveWeak(before)
    resolveBrackets(units, before, embedding: level & 1 == 1 ? .r : .l)
    resolveNeutral(before, after, embedding: level & 1 == 1 ? .r : .l)
    // I1 and I2.
    for position in types.indices {
      switch types[position] {
      case .l: levels[sequence[position]] = level + (level & 1)
      case .en, .an: levels[sequence[position]] = level + 2 - (level & 1)
      default: levels[sequence[position]] = level + 1 - (level & 1)
      }
    }
  }

  /// W1 to W7.
  private mutating func resolveWeak(_ before: BidiClass) {
    var previous = before
    var strong = before
    // W1 to W3.
    for position in types.indices {
      var type = types[position]
      if type == .nsm {
        switch previous {
        case .fsi, .lri, .rli, .pdi: type = .on
        default: type = previous
        }
      }
      previous = type
      switch type {
      case .l, .r: strong = type
      case .al:
        strong = .al
        type = .r
      case .en: if strong == .al { type = .an }
      default: break
      }
      types[position] = type
    }
    // W4.
    for position in types.indices.dropFirst().dropLast() {
      let type = types[position]
      guard type == .es || type == .cs else { continue }
      let number = types[position - 1]
      if number == types[position + 1], number == .en || number == .an && type == .cs { types[position] = number }
    }
    // W5 and W6.
    var position = 0
    while position < types.count {
      switch types[position] {
      case .es, .cs: types[position] = .on
      case .et:
        var end = position
        while end < types.count, types[end] == .et { end += 1 }
        let isNumber = position > 0 && types[position - 1] == .en || end < types.count && types[end] == .en
        while position < end {
          types[position] = isNumber ? .en : .on
          position += 1
        }
        continue
      default: break
      }
      position += 1
    }
    // W7.
    strong = before
    for position in types.indices {
      switch types[position] {
      case .l, .r: strong = types[position]
      case .en: if strong == .l { types[position] = .l }
      default: break
      }
    }
  }

  /// N0.
  private mutating func resolveBrackets(
    _ units: Span<UInt16>, _ before: BidiClass, embedding: BidiClass
  ) {
    findBracketPairs(units)
    for pair in pairs {
      var found: BidiClass?
      for position in pair.opening + 1..<pair.closing {
        guard let strong = types[position].strong else { continue }
        found = strong
        if strong == embedding { break }
      }
      guard var found else { continue }
      if found != embedding {
        var position = pair.opening - 1
        while position >= 0, types[position].strong == nil { position -= 1 }
        let context = position >= 0 ? types[position].strong ?? before : before
        if context != found { found = embedding }
      }
      for bracket in [pair.opening, pair.closing] {
        types[bracket] = found
        var mark = bracket + 1
        while mark < types.count, initial[mark] == .nsm {
          types[mark] = found
          mark += 1
        }
      }
    }
  }

  /// BD16, in the order of the opening brackets.
  private mutating func findBracketPairs(_ units: Span<UInt16>) {
    pairs.removeAll(keepingCapacity: true)
    var open: [(closing: UInt32, position: Int)] = []
    for position in types.indices where types[position] == .on {
      let scalar = UTF16Text.scalar(units, at: sequence[position]).value
      let properties = CharacterProperties(scalar)
      if properties.bracketType == 1 {
        guard open.count < Self.mostBrackets else { break }
        open.append((Self.canonical(CharacterMapping.pairedBracket(scalar)), position))
      } else if properties.bracketType == 2 {
        let closing = Self.canonical(scalar)
        guard let match = open.lastIndex(where: { $0.closing == closing }) else { continue }
        pairs.append(BracketPair(opening: open[match].position, closing: position))
        open.removeSubrange(match...)
      }
    }
    pairs.sort { $0.opening < $1.opening }
  }

  /// The angle brackets that are canonically equivalent.
  private static func canonical(_ bracket: UInt32) -> UInt32 { bracket == 0x232A ? 0x3009 : bracket }

  /// N1 and N2.
  private mutating func resolveNeutral(_ before: BidiClass, _ after: BidiClass, embedding: BidiClass) {
    var position = 0
    var previous = before
    while position < types.count {
      guard types[position].isNeutral else {
        previous = types[position].strong ?? previous
        position += 1
        continue
      }
      var end = position
      while end < types.count, types[end].isNeutral { end += 1 }
      let next = end < types.count ? types[end].strong ?? after : after
      let resolved = previous == next ? previous : embedding
      while position < end {
        types[position] = resolved
        position += 1
      }
    }
  }
}
