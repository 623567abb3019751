import CSS

/// Kinds of break before a UTF-16 unit.
///
/// Public because nothing less is inlined into shaping's loops.
@frozen public enum BreakKind {
  /// No line may end here.
  @inlinable public static var none: UInt8 { 0 }
  /// A line may end here.
  @inlinable public static var allowed: UInt8 { 1 }
  /// A line must end here.
  @inlinable public static var mandatory: UInt8 { 2 }
  /// Allowed with a hyphen that hyphenation found.
  @inlinable public static var hyphen: UInt8 { 3 }
}

/// Line break opportunities: UAX #14, tailored by CSS.
///
/// The rules run over the text once, with what precedes a position kept in a few variables; what follows is looked at for
/// quotation marks and for prefixes of numbers only, one character ahead, so that time is linear. Scripts that write no
/// spaces between words (class SA) are then divided by a dictionary.
///
/// Outside `LineBreakTailoring.plain` the rules are those of Unicode 16, where quotation marks between ideographs take
/// the side they open or close (LB15, LB19), and a hyphen that starts a word stays with it (LB20a).
struct LineBreaker: ~Escapable {
  let units: Span<UInt16>
  let tailoring: LineBreakTailoring
  /// Characters of class SA were met.
  private(set) var needsDictionary = false

  // The class before the position.
  private var previous = LineBreakClass.bk
  private var previousIsEastAsian = false
  private var previousProperties = CharacterProperties(0x20)
  /// The class before `previous`; `.bk` at the start of the text.
  private var beforePrevious = (class: LineBreakClass.bk, isEastAsian: false)
  /// The class before a sequence of spaces that ends here.
  private var beforeSpaces = LineBreakClass.bk
  /// The sequence of spaces follows an opening quotation mark (LB15a).
  private var followsOpeningQuote = false
  /// 1 within a number, 2 after its closing bracket (LB25).
  private var number: UInt8 = 0
  private var regionalIndicators = 0
  private var previousIsZWJ = false
  private var atStart = true
  /// The address or path that was met last.
  private var address = AddressBreaks()

  @_lifetime(copy units)
  init(_ units: Span<UInt16>, tailoring: LineBreakTailoring) {
    self.units = units
    self.tailoring = tailoring
  }

  /// Fills what may happen before each unit, a `BreakKind`.
  mutating func run(into breaks: inout MutableSpan<UInt8>) {
    let count = units.count
    let isPlain = tailoring.isPlain
    let isBreakAll = tailoring.wordBreak == .breakAll
    let isKeepAll = tailoring.wordBreak == .keepAll
    var index = 0
    while index < count {
      let unit = units[index]
      if unit >= 0x4E00, unit < 0xA000, previous == .id, beforePrevious.class == .id, !previousIsZWJ, !isKeepAll {
        // Ideographs after ideographs leave everything as it is.
        let units = units
        repeat {
          breaks[index] = BreakKind.allowed
          index &+= 1
        } while index < count && units[index] &- 0x4E00 < 0x5200
        previousIsEastAsian = true
        beforePrevious.isEastAsian = true
        continue
      }
      let (scalar, length) = UTF16Text.scalar(units, at: index)
      let properties = CharacterProperties(scalar)
      if properties.lineBreak == .sa { needsDictionary = true }
      var current = tailoring.resolve(scalar, properties)
      // An apostrophe within a Western word closes nothing.
      if scalar == 0x2019, current == .cl, previous == .al { current = .qu }
      var kind = decide(current, scalar, properties, at: index, length: length)
      if !isPlain, index > 0, kind != BreakKind.mandatory {
        let last = units[index - 1]
        if tailoring.breaksEverySpace, LineBreakTailoring.isSpace(unit), LineBreakTailoring.isSpace(last) {
          kind = BreakKind.allowed
        } else if unit == 0x20 || unit == 0x09 {
          kind = BreakKind.none
        } else if last == 0x20 || last == 0x09 {
          kind =
            current == .bk || current == .cr || current == .lf || current == .nl
              || tailoring.keepsSpace(before: index, in: units) ? BreakKind.none : BreakKind.allowed
        } else if last > 0x20, last < 0x80, unit > 0x20, unit < 0x80 {
          if tailoring.strictness.isHouse && last == 0x2D
            && (unit >= 0x30 && unit <= 0x39 || beginsWord(hyphenBefore: index))
          {
            // Dates, and the numbers of books, versions and telephones; options of commands.
            kind = BreakKind.none
          } else if ASCIIBreaks.allows(last, unit, after: index > 1 ? units[index - 2] : 0)
            || tailoring.strictness.isHouse && address.allowsBreak(before: index, in: units)
          {
            kind = BreakKind.allowed
          } else if !isBreakAll {
            kind = BreakKind.none
          }
        } else if last == 0xA0 && unit > 0x20 && unit < 0x80 || unit == 0xA0 && last > 0x20 && last < 0x80 {
          kind = BreakKind.none
        } else if last == 0xAD, !tailoring.honoursSoftHyphens {
          kind = BreakKind.none
        }
        if isKeepAll, kind == BreakKind.allowed, LineBreakTailoring.keepsTogether(previousProperties, properties) {
          kind = BreakKind.none
        }
      }
      breaks[index] = kind
      if length == 2 { breaks[index + 1] = BreakKind.none }
      advance(current, scalar, properties)
      index += length
    }
  }

  /// The hyphens before `index` are those that a word begins with, such as an option of a command: `--help`.
  private func beginsWord(hyphenBefore index: Int) -> Bool {
    var start = index
    while start > 0, units[start - 1] == 0x2D { start -= 1 }
    guard start > 0 else { return true }
    // Behind a space, a quotation mark or a bracket.
    let before = units[start - 1]
    return before <= 0x22 || before == 0x27 || before == 0x28 || before == 0x5B || before == 0xA0
  }

  /// LB2 to LB31 for the position before the current character.
  private func decide(
    _ current: LineBreakClass, _ scalar: UInt32, _ properties: CharacterProperties, at index: Int, length: Int
  ) -> UInt8 {
    if atStart { return BreakKind.none }
    let previous = previous
    // The two cases that make up most text.
    if previous == .al && current == .al { return BreakKind.none }
    if previous == .id && current == .id && !previousIsZWJ { return BreakKind.allowed }
    switch previous {
    case .bk, .lf, .nl: return BreakKind.mandatory
    case .cr: return current == .lf ? BreakKind.none : BreakKind.mandatory
    default: break
    }
    switch current {
    case .bk, .cr, .lf, .nl, .sp, .zw: return BreakKind.none
    default: break
    }
    if previous == .zw || previous == .sp && beforeSpaces == .zw { return BreakKind.allowed }
    if previousIsZWJ { return BreakKind.none }
    if current == .cm || current == .zwj {
      // LB9, LB10: a mark after a space or at the start is a letter.
      return previous == .sp
        ? allowedUnless(isForbidden(.al, false, properties, at: index, length: length)) : BreakKind.none
    }
    return allowedUnless(
      isForbidden(current, properties.eastAsianWidth.isEastAsian, properties, at: index, length: length))
  }

  @inline(__always) private func allowedUnless(_ forbidden: Bool) -> UInt8 {
    forbidden ? BreakKind.none : BreakKind.allowed
  }

  /// LB11 to LB30b: whether no line may start with the current character.
  private func isForbidden(
    _ current: LineBreakClass, _ isEastAsian: Bool, _ properties: CharacterProperties, at index: Int, length: Int
  ) -> Bool {
    let previous = previous
    let isPlain = tailoring.isPlain
    // Beside an atomic inline U+00A0 alone of the characters that glue does not (CSS Text 3, section 5.1); a figure in the
    // text of a book belongs to the words it is tied to.
    if !isPlain, !tailoring.strictness.isHouse,
      previous == .cb && units[index] == 0xA0 || current == .cb && index > 0 && units[index - 1] == 0xA0
    {
      return false
    }
    if current == .wj || previous == .wj || previous == .gl { return true }
    if current == .gl, previous != .sp, previous != .ba, previous != .hy { return true }
    switch current {
    case .cl, .cp, .ex, .sy, .is: return true
    default: break
    }
    let base = previous == .sp ? beforeSpaces : previous
    if base == .op { return true }
    if isPlain {
      if base == .qu && current == .op { return true }
    } else {
      if followsOpeningQuote { return true }
      if current == .qu, properties.category == .finalPunctuation, closesQuotation(at: index + length) { return true }
    }
    if (base == .cl || base == .cp) && current == .ns { return true }
    if base == .b2 && current == .b2 || tailoring.strictness.isHouse && keepsDash(current) { return true }
    if previous == .sp { return false }
    if isPlain {
      if current == .qu || previous == .qu { return true }
    } else {
      if current == .qu {
        if properties.category != .initialPunctuation || !previousIsEastAsian { return true }
        if !isEastAsianAhead(index + length) { return true }
      }
      if previous == .qu {
        if previousProperties.category != .finalPunctuation || !isEastAsian { return true }
        if beforePrevious.class == .bk || !beforePrevious.isEastAsian { return true }
      }
    }
    if !isPlain, isHyphenAtWordStart(current) { return true }
    if current == .cb || previous == .cb {
      // A figure may be a character of its text: kana and marks keep to it as they do to any other in the house style.
      return !isPlain && current == .ns && tailoring.strictness == .house
    }
    if current == .ba || current == .hy || current == .ns || previous == .bb {
      return !tailoring.freesHyphen(units[index], after: previous)
    }
    if beforePrevious.class == .hl, previous == .hy || previous == .ba, isPlain || current != .hl { return true }
    if current == .al, units[index] == 0xB7, tailoring.keepsInterpunct { return true }
    if previous == .sy, current == .hl || tailoring.keepsSolidus { return true }
    if current == .in {
      // `loose` lets ……, ‥‥ be divided.
      return !(previous == .in && tailoring.strictness == .loose && !isPlain)
    }
    let previousIsLetter = previous == .al || previous == .hl
    let currentIsLetter = current == .al || current == .hl
    if previousIsLetter && (current == .nu || currentIsLetter) { return true }
    if previous == .nu && currentIsLetter { return true }
    let currentIsIdeograph = current == .id || current == .eb || current == .em
    let currentIsHangul =
      current.rawValue >= LineBreakClass.h2.rawValue && current.rawValue <= LineBreakClass.jv.rawValue
    let previousIsHangul =
      previous.rawValue >= LineBreakClass.h2.rawValue && previous.rawValue <= LineBreakClass.jv.rawValue
    if previous == .pr && (currentIsIdeograph || currentIsHangul) { return !tailoring.freesAffix(previousProperties) }
    if current == .po, previous == .id || previous == .eb || previous == .em || previousIsHangul || number != 0 {
      return !tailoring.freesAffix(properties)
    }
    if previous == .pr || previous == .po {
      if currentIsLetter || current == .nu { return previous == .po || !tailoring.freesAffix(previousProperties) }
      if current == .op || current == .hy { return classAhead(index + length) == .nu }
    }
    if (current == .pr || current == .po) && (previousIsLetter || number != 0) { return true }
    if current == .nu {
      // 第 and its number stay together (JLREQ, section 3.1.10).
      return previous == .hy || previous == .is && !isPlain || number == 1
        || previous == .id && units[index - 1] == 0x7B2C && !isPlain || isLowerForbidden(current, isEastAsian)
    }
    if previousIsHangul && currentIsHangul { return joinsHangul(current) }
    return isLowerForbidden(current, isEastAsian)
      || (previous == .eb && current == .em)
      || (current == .em && previousProperties.isExtendedPictographic && previousProperties.category == .unassigned)
  }

  /// A dash between two words ends a line and begins none; one that opens a speech keeps to its first word.
  @inline(__always)
  private func keepsDash(_ current: LineBreakClass) -> Bool {
    guard !tailoring.language.isEastAsian else { return false }
    if current == .b2 { return previous != .sp }
    guard previous == .b2 else { return false }
    return beforePrevious.class == .sp || beforePrevious.class == .bk
  }

  /// LB29, LB30 and LB30a.
  @inline(__always)
  private func isLowerForbidden(_ current: LineBreakClass, _ isEastAsian: Bool) -> Bool {
    switch (previous, current) {
    case (.is, .al), (.is, .hl): true
    case (.al, .op), (.hl, .op), (.nu, .op): !isEastAsian
    case (.cp, .al), (.cp, .hl), (.cp, .nu): !previousIsEastAsian
    case (.ri, .ri): regionalIndicators & 1 == 1
    default: false
    }
  }

  /// LB26.
  private func joinsHangul(_ current: LineBreakClass) -> Bool {
    switch previous {
    case .jl: current == .jl || current == .jv || current == .h2 || current == .h3
    case .jv, .h2: current == .jv || current == .jt
    default: current == .jt
    }
  }

  /// LB20a: a hyphen at the start of a word.
  @inline(__always)
  private func isHyphenAtWordStart(_ current: LineBreakClass) -> Bool {
    guard current == .al || current == .hl, previous == .hy || isHyphen else { return false }
    switch beforePrevious.class {
    case .bk, .cr, .lf, .nl, .sp, .zw, .cb, .gl: return true
    default: return false
    }
  }

  private var isHyphen = false

  /// The class of the next character that is no mark; `.bk` at the end.
  private func classAhead(_ start: Int) -> LineBreakClass {
    var index = start
    while index < units.count {
      let (scalar, length) = UTF16Text.scalar(units, at: index)
      let found = tailoring.resolve(scalar, CharacterProperties(scalar))
      if found != .cm && found != .zwj { return found }
      index += length
      if index - start > Self.lookahead { break }
    }
    return .bk
  }

  /// The character of East Asian width follows (LB19a).
  private func isEastAsianAhead(_ start: Int) -> Bool {
    var index = start
    while index < units.count {
      let (scalar, length) = UTF16Text.scalar(units, at: index)
      let properties = CharacterProperties(scalar)
      if properties.lineBreak != .cm && properties.lineBreak != .zwj { return properties.eastAsianWidth.isEastAsian }
      index += length
      if index - start > Self.lookahead { break }
    }
    return false
  }

  /// LB15b: whether what follows a final quotation mark shows that it closes.
  private func closesQuotation(at start: Int) -> Bool {
    switch classAhead(start) {
    case .sp, .gl, .wj, .cl, .qu, .cp, .ex, .is, .sy, .bk, .cr, .lf, .nl, .zw: true
    default: false
    }
  }

  /// The number of marks that are skipped to see the next character; longer sequences count as the end of the text.
  private static let lookahead = 32

  private mutating func advance(_ current: LineBreakClass, _ scalar: UInt32, _ properties: CharacterProperties) {
    previousIsZWJ = properties.lineBreak == .zwj
    if current == .cm || current == .zwj {
      switch previous {
      case .bk, .cr, .lf, .nl, .sp, .zw: break  // LB10: a letter of its own.
      default:
        if !atStart { return }
      }
      push(.al, isEastAsian: false, properties, scalar)
      number = 0
      return
    }
    if current == .sp {
      if previous != .sp { beforeSpaces = atStart ? .bk : previous }
      let keepsQuote = followsOpeningQuote
      push(.sp, isEastAsian: false, properties, scalar)
      followsOpeningQuote = keepsQuote
      number = 0
      return
    }
    switch current {
    case .nu: number = 1
    case .sy, .is: if number != 1 { number = 0 }
    case .cl, .cp: number = number == 1 ? 2 : 0
    default: number = 0
    }
    regionalIndicators = current == .ri ? regionalIndicators + 1 : 0
    let opens = current == .qu && properties.category == .initialPunctuation && opensQuotation
    push(current, isEastAsian: properties.eastAsianWidth.isEastAsian, properties, scalar)
    followsOpeningQuote = opens
  }

  /// LB15a: whether what precedes an initial quotation mark shows that it opens.
  private var opensQuotation: Bool {
    if atStart { return true }
    switch previous {
    case .bk, .cr, .lf, .nl, .op, .qu, .gl, .sp, .zw: return true
    default: return false
    }
  }

  @inline(__always)
  private mutating func push(
    _ current: LineBreakClass, isEastAsian: Bool, _ properties: CharacterProperties, _ scalar: UInt32
  ) {
    beforePrevious.class = atStart ? .bk : previous
    beforePrevious.isEastAsian = previousIsEastAsian && !atStart
    previous = current
    previousIsEastAsian = isEastAsian
    previousProperties = properties
    isHyphen = scalar == 0x2010
    followsOpeningQuote = false
    atStart = false
  }
}
