import Fonts

/// The bytes of a layout table, read with bounds checks: what HarfBuzz's interface does not tell.
struct OpenTypeTable: ~Copyable {
  private let blob: HarfBuzzBlob
  private let extensionType: Int

  init(_ name: StaticString, of face: FontFace) {
    blob = face.hbFace.table(HarfBuzzTag.make(name))
    extensionType = HarfBuzzTag.make(name) == HarfBuzzTag.gsub ? 7 : 9
  }

  var count: Int { blob.count }

  func half(_ offset: Int) -> Int { Int(blob.half(offset)) }
  private func word(_ offset: Int) -> Int { Int(blob.word(offset)) }

  /// Lookups change with the axes of a variable face.
  var hasFeatureVariations: Bool { count >= 14 && half(2) >= 1 && word(10) != 0 }

  private func offset(of lookup: UInt32) -> Int {
    let list = half(8)
    guard list > 0, Int(lookup) < half(list) else { return -1 }
    return list + half(list + 2 + 2 * Int(lookup))
  }

  /// The type and offset of each subtable, behind extensions (GSUB type 7, GPOS type 9).
  func subtables(of lookup: UInt32) -> [(type: Int, offset: Int)] {
    let start = offset(of: lookup)
    guard start >= 0 else { return [] }
    let type = half(start)
    return (0..<half(start + 4)).map { index in
      let subtable = start + half(start + 6 + 2 * index)
      let isExtension = type == extensionType && half(subtable) == 1
      return isExtension ? (half(subtable + 2), subtable + word(subtable + 4)) : (type, subtable)
    }
  }

  /// The type of a lookup's subtables; 0 when they are of several types or there are none.
  func type(of lookup: UInt32) -> Int {
    let all = subtables(of: lookup)
    guard let first = all.first, all.allSatisfy({ $0.type == first.type }) else { return 0 }
    return first.type
  }

  /// The glyphs that a lookup of single substitutions (GSUB type 1) puts in the place of those of a set.
  func singleSubstitutes(of lookup: UInt32, among set: borrowing HarfBuzzSet) -> [UInt32: UInt32] {
    var substitutes: [UInt32: UInt32] = [:]
    for (_, start) in subtables(of: lookup) {
      let format = half(start)
      let glyphs = coverage(start + half(start + 2))
      for index in glyphs.indices where set.contains(glyphs[index]) && substitutes[glyphs[index]] == nil {
        if format == 1 {
          substitutes[glyphs[index]] = (glyphs[index] + UInt32(half(start + 4))) & 0xFFFF
        } else if format == 2, index < half(start + 4) {
          substitutes[glyphs[index]] = UInt32(half(start + 6 + 2 * index))
        }
      }
    }
    return substitutes
  }

  /// Calls `body` with each ligature's first glyph and the others (GSUB type 4).
  ///
  /// - Returns: `true` if all were visited; a table that claims absurdly many is left.
  func forEachLigature(of lookup: UInt32, _ body: (UInt32, [UInt32]) -> Void) -> Bool {
    var budget = 200_000
    for (_, start) in subtables(of: lookup) {
      let firsts = coverage(start + half(start + 2))
      for index in 0..<half(start + 4) where index < firsts.count {
        let set = start + half(start + 6 + 2 * index)
        for number in 0..<half(set) {
          budget -= 1
          guard budget > 0 else { return false }
          let ligature = set + half(set + 2 + 2 * number)
          let parts = Swift.max(1, half(ligature + 2))
          guard ligature + 4 + 2 * (parts - 1) <= count else { continue }
          body(firsts[index], (0..<parts - 1).map { UInt32(half(ligature + 4 + 2 * $0)) })
        }
      }
    }
    return true
  }

  /// The glyphs of a Coverage table in its order.
  func coverage(_ start: Int) -> [UInt32] {
    var glyphs: [UInt32] = []
    let count = half(start + 2)
    switch half(start) {
    case 1: for index in 0..<count { glyphs.append(UInt32(half(start + 4 + 2 * index))) }
    case 2:
      for index in 0..<count {
        let range = start + 4 + 6 * index
        let first = half(range)
        let last = half(range + 2)
        guard first <= last, glyphs.count + last - first < 65536 else { continue }
        for glyph in first...last { glyphs.append(UInt32(glyph)) }
      }
    default: break
    }
    return glyphs
  }

  /// The lookup ignores base glyphs or ligatures, so that what it joins need not be neighbours.
  func skipsNeighbours(_ lookup: UInt32) -> Bool {
    let start = offset(of: lookup)
    return start < 0 || half(start + 2) & 0x06 != 0
  }

  /// The pair lookup (GPOS type 2) only changes advances of first glyphs, and skips nothing but marks.
  func isAdvanceOnly(_ lookup: UInt32) -> Bool {
    !skipsNeighbours(lookup)
      && subtables(of: lookup).allSatisfy { _, subtable in
        half(subtable + 4) & ~0x44 == 0 && half(subtable + 6) == 0
      }
  }

  /// Adds the glyphs of an old `kern` table whose subtables are lists of pairs; false for any other.
  func collectKerning(into pairs: borrowing HarfBuzzSet) -> Bool {
    guard half(0) == 0 else { return false }
    var offset = 4
    for _ in 0..<half(2) {
      let coverage = half(offset + 4)
      // Horizontal kerning values of format 0.
      guard coverage >> 8 == 0, coverage & 0x06 == 0 else { return false }
      let count = half(offset + 6)
      guard offset + 14 + 6 * count <= count else { return false }
      for pair in 0..<count {
        pairs.insert(UInt32(half(offset + 14 + 6 * pair)))
        pairs.insert(UInt32(half(offset + 16 + 6 * pair)))
      }
      // A long subtable's length overflows its field: the number of pairs tells.
      offset += Swift.max(half(offset + 2), 14 + 6 * count)
    }
    return true
  }
}

// MARK: Contextual substitutions

extension OpenTypeTable {
  /// The triggers of a contextual substitution in a text of certain glyphs: all that must be there for it to apply.
  struct Triggers {
    /// Glyphs that need nothing beside them.
    var singles: [UInt32] = []
    /// A rule is for all glyphs without a class.
    var namesOthers = false
    /// Positions a rule asks for are looked up, and pairs made, at most so often.
    var budget = 300_000
  }

  /// The triggers of a contextual lookup (GSUB types 5 and 6) in texts of the glyphs in `set`; nil when there are too many
  /// to tell, or the table is not understood.
  ///
  /// - Parameter pairs: Glyphs that stand next to each other in one of these texts are added, first one in the upper half.
  func contextTriggers(
    of lookup: UInt32, among set: borrowing HarfBuzzSet, addingPairsTo pairs: inout Set<UInt32>
  ) -> Triggers? {
    var triggers = Triggers()
    for (type, start) in subtables(of: lookup) {
      let isChained = type == 6
      let isUnderstood =
        switch half(start) {
        case 1: glyphRules(start, isChained, set, &triggers, &pairs)
        case 2: classRules(start, isChained, set, &triggers, &pairs)
        case 3: coverageRule(start, isChained, set, &triggers, &pairs)
        default: false
        }
      guard isUnderstood, triggers.budget > 0 else { return nil }
    }
    return triggers
  }

  /// A rule as the glyphs that may stand at each position; backtrack counts away from the first input glyph.
  private struct Rule {
    var backtrack: [[UInt32]] = []
    var input: [[UInt32]] = []
    var lookahead: [[UInt32]] = []
  }

  /// Adds what a rule needs; nothing when a position of it cannot be filled.
  private func add(_ rule: Rule, to triggers: inout Triggers, _ pairs: inout Set<UInt32>) {
    guard let first = rule.input.first, !first.isEmpty, rule.input.allSatisfy({ !$0.isEmpty }),
      rule.backtrack.allSatisfy({ !$0.isEmpty }), rule.lookahead.allSatisfy({ !$0.isEmpty })
    else { return }
    let left: [UInt32]
    let right: [UInt32]
    if rule.input.count > 1 {
      (left, right) = (first, rule.input[1])
    } else if let next = rule.lookahead.first {
      (left, right) = (first, next)
    } else if let last = rule.backtrack.first {
      (left, right) = (last, first)
    } else {
      triggers.singles += first
      return
    }
    triggers.budget -= left.count * right.count
    guard triggers.budget > 0 else { return }
    for one in left { for other in right { pairs.insert(one << 16 | other) } }
  }

  /// The glyphs of a Coverage table that are in `set`.
  private func covered(_ offset: Int, _ set: borrowing HarfBuzzSet) -> [UInt32] {
    coverage(offset).filter { set.contains($0) }
  }

  private func coverageRule(
    _ start: Int, _ isChained: Bool, _ set: borrowing HarfBuzzSet, _ triggers: inout Triggers,
    _ pairs: inout Set<UInt32>
  ) -> Bool {
    var rule = Rule()
    var offset = start + 2
    // Of a rule with a position that no glyph can fill the others do not matter. Those for syllables of Hangul have ten thousand.
    var canBeFilled = true
    func read(_ count: Int, _ offset: inout Int) -> [[UInt32]]? {
      guard count <= 64, offset + 2 * count <= self.count else { return nil }
      var result: [[UInt32]] = []
      for _ in 0..<count {
        let glyphs = canBeFilled ? covered(start + half(offset), set) : []
        if glyphs.isEmpty { canBeFilled = false }
        result.append(glyphs)
        offset += 2
      }
      return result
    }
    if isChained {
      for part in 0..<3 {
        let count = half(offset)
        offset += 2
        guard let read = read(count, &offset) else { return false }
        switch part {
        case 0: rule.backtrack = read
        case 1: rule.input = read
        default: rule.lookahead = read
        }
      }
    } else {
      let count = half(offset)
      offset += 4
      guard let read = read(count, &offset) else { return false }
      rule.input = read
    }
    triggers.budget -= 1
    add(rule, to: &triggers, &pairs)
    return true
  }

  /// The numbers a rule of format 1 or 2 lists, by part; the first input glyph is known from elsewhere.
  private func ruleNumbers(_ start: Int, _ isChained: Bool) -> (backtrack: [Int], input: [Int], lookahead: [Int])? {
    var offset = start
    func read(_ count: Int) -> [Int]? {
      guard count >= 0, count <= 64, offset + 2 * count <= self.count else { return nil }
      defer { offset += 2 * count }
      return (0..<count).map { half(offset + 2 * $0) }
    }
    if isChained {
      var parts: [[Int]] = []
      for part in 0..<3 {
        let count = half(offset) - (part == 1 ? 1 : 0)
        offset += 2
        guard let numbers = read(count) else { return nil }
        parts.append(numbers)
      }
      return (parts[0], parts[1], parts[2])
    }
    let count = half(offset) - 1
    offset += 4
    guard let numbers = read(count) else { return nil }
    return ([], numbers, [])
  }

  private func glyphRules(
    _ start: Int, _ isChained: Bool, _ set: borrowing HarfBuzzSet, _ triggers: inout Triggers,
    _ pairs: inout Set<UInt32>
  ) -> Bool {
    let firsts = coverage(start + half(start + 2))
    for index in 0..<half(start + 4) where index < firsts.count && set.contains(firsts[index]) {
      let ruleSet = start + half(start + 6 + 2 * index)
      guard ruleSet > start else { continue }
      for number in 0..<half(ruleSet) {
        triggers.budget -= 1
        guard triggers.budget > 0, let numbers = ruleNumbers(ruleSet + half(ruleSet + 2 + 2 * number), isChained) else {
          return false
        }
        func glyphs(_ numbers: [Int]) -> [[UInt32]] {
          numbers.map { set.contains(UInt32($0)) ? [UInt32($0)] : [] }
        }
        add(
          Rule(
            backtrack: glyphs(numbers.backtrack), input: [[firsts[index]]] + glyphs(numbers.input),
            lookahead: glyphs(numbers.lookahead)), to: &triggers, &pairs)
      }
    }
    return true
  }

  /// The glyphs of `set` in each class of a ClassDef table; those it does not name are of class 0.
  private func classes(_ start: Int, _ set: borrowing HarfBuzzSet) -> [Int: [UInt32]] {
    let glyphs = set.elements
    // The class of each of these, as later ranges say it.
    var numbers = [UInt16](repeating: 0, count: glyphs.count)
    func assign(_ first: UInt32, _ last: UInt32, _ number: (UInt32) -> Int) {
      var place = glyphs.firstPlace(notBelow: first)
      while place < glyphs.count, glyphs[place] <= last {
        numbers[place] = UInt16(truncatingIfNeeded: number(glyphs[place]))
        place += 1
      }
    }
    if half(start) == 1 {
      let first = UInt32(half(start + 2))
      let count = UInt32(half(start + 4))
      if count > 0 { assign(first, first + count - 1) { half(start + 6 + 2 * Int($0 - first)) } }
    } else if half(start) == 2 {
      for index in 0..<half(start + 2) {
        let range = start + 4 + 6 * index
        let number = half(range + 4)
        assign(UInt32(half(range)), UInt32(half(range + 2))) { _ in number }
      }
    }
    var result: [Int: [UInt32]] = [:]
    var members = [[UInt32]](repeating: [], count: Int(numbers.max() ?? 0) + 1)
    for place in glyphs.indices { members[Int(numbers[place])].append(glyphs[place]) }
    for (number, glyphs) in members.enumerated() where !glyphs.isEmpty { result[number] = glyphs }
    return result
  }

  private func classRules(
    _ start: Int, _ isChained: Bool, _ set: borrowing HarfBuzzSet, _ triggers: inout Triggers,
    _ pairs: inout Set<UInt32>
  ) -> Bool {
    let firsts = Set(covered(start + half(start + 2), set))
    let inputStart = start + half(start + (isChained ? 6 : 4))
    let input = classes(inputStart, set)
    let backtrackStart = start + half(start + 4)
    let lookaheadStart = start + half(start + 8)
    let backtrack = !isChained || backtrackStart == inputStart ? input : classes(backtrackStart, set)
    let lookahead = !isChained || lookaheadStart == inputStart ? input : classes(lookaheadStart, set)
    let table = start + (isChained ? 10 : 6)
    for index in 0..<half(table) where half(table + 2 + 2 * index) != 0 {
      let first = (input[index] ?? []).filter(firsts.contains)
      guard !first.isEmpty else { continue }
      let ruleSet = start + half(table + 2 + 2 * index)
      for number in 0..<half(ruleSet) {
        triggers.budget -= 1
        guard triggers.budget > 0, let numbers = ruleNumbers(ruleSet + half(ruleSet + 2 + 2 * number), isChained) else {
          return false
        }
        if numbers.backtrack.contains(0) || numbers.input.contains(0) || numbers.lookahead.contains(0) {
          triggers.namesOthers = true
        }
        add(
          Rule(
            backtrack: numbers.backtrack.map { backtrack[$0] ?? [] },
            input: [first] + numbers.input.map { input[$0] ?? [] },
            lookahead: numbers.lookahead.map { lookahead[$0] ?? [] }), to: &triggers, &pairs)
      }
    }
    return true
  }
}
