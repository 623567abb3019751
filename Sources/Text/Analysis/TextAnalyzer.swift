import CSS
import CUnicode

/// Finds boundaries and levels in text. Holds ICU's iterators, opened once for each kind, and scratch memory; belongs to
/// one thread.
@safe package final class TextAnalyzer {
  private var bidi = BidiResolver()
  private var dictionary: OpaquePointer?
  private var words: OpaquePointer?
  /// The number of stretches of text that a dictionary divided.
  package private(set) var dictionaryRuns = 0

  package init() {}

  deinit {
    unsafe cu_breaker_close(dictionary)
    unsafe cu_breaker_close(words)
  }

  /// Fills the embedding level of each unit (UAX #9, rules P1 to L1).
  ///
  /// - Parameter controls: The places of controls that stand for boxes, in order: what they open goes on in the paragraphs that
  ///   follow.
  /// - Returns: The first paragraph's level, 0 or 1.
  package func bidiLevels(
    _ units: UnsafeBufferPointer<UInt16>, direction: BidiDirection, controls: [Int] = [],
    into levels: UnsafeMutablePointer<UInt8>
  ) -> UInt8 {
    unsafe bidi.resolve(units, direction: direction, controls: controls, into: levels)
  }

  /// Fills what may happen before each unit, a `BreakKind`.
  package func lineBreaks(
    _ units: UnsafeBufferPointer<UInt16>, tailoring: LineBreakTailoring, into breaks: UnsafeMutablePointer<UInt8>
  ) {
    guard !units.isEmpty else { return }
    var breaker = unsafe LineBreaker(units, tailoring: tailoring, breaks: breaks)
    breaker.run()
    if breaker.needsDictionary, !tailoring.isPlain, tailoring.wordBreak != .breakAll {
      unsafe divideByDictionary(units, breaks: breaks)
    }
    if tailoring.strictness == .anywhere {
      unsafe GraphemeClusters.forEachBoundary(in: units) {
        if $0 > 0, unsafe breaks[$0] == BreakKind.none { unsafe breaks[$0] = BreakKind.allowed }
      }
    }
  }

  /// Word boundaries in stretches of scripts that write no spaces (LB1, class SA).
  private func divideByDictionary(_ units: UnsafeBufferPointer<UInt16>, breaks: UnsafeMutablePointer<UInt8>) {
    if unsafe dictionary == nil { unsafe dictionary = cu_breaker_open(Int32(CU_BREAK_LINES), "") }
    guard let dictionary = unsafe dictionary else { return }
    var index = 0
    while index < units.count {
      guard unsafe CharacterProperties(UInt32(units[index])).lineBreak == .sa else {
        index += 1
        continue
      }
      let start = index
      while index < units.count, index - start < Self.longestDictionaryRun {
        let (scalar, length) = unsafe UTF16Text.scalar(units, at: index)
        let properties = CharacterProperties(scalar)
        guard properties.lineBreak == .sa || properties.category.isMark else { break }
        index += length
      }
      dictionaryRuns += 1
      let run = unsafe UnsafeBufferPointer(rebasing: units[start..<index])
      guard unsafe cu_breaker_set_text(dictionary, run.baseAddress, Int32(run.count)) != 0 else { continue }
      while true {
        let boundary = unsafe cu_breaker_next(dictionary)
        if boundary < 0 || Int(boundary) >= run.count { break }
        if boundary > 0, unsafe !Self.closesSyllable(run[Int(boundary)...]) {
          unsafe breaks[start + Int(boundary)] = BreakKind.allowed
        }
      }
      index = Swift.max(index, start + 1)
    }
  }

  /// The text starts with a Burmese consonant that ends the syllable before it: one with a killer, or above another
  /// one. Words that the dictionary lacks are cut before them.
  private static func closesSyllable(_ text: Slice<UnsafeBufferPointer<UInt16>>) -> Bool {
    guard let first = unsafe text.first, 0x1000...0x1021 ~= first else { return false }
    var marks = unsafe text.dropFirst()
    // The dot below is typed before the killer or after it.
    if unsafe marks.first == 0x1037 { unsafe marks = marks.dropFirst() }
    return unsafe marks.first == 0x103A || marks.first == 0x1039
  }

  /// Dictionary search is bounded to stretches of this many units.
  private static let longestDictionaryRun = 16384

  /// Calls `body` with each segment between word boundaries (UAX #29, section 4) and whether it holds letters, numbers,
  /// kana or ideographs.
  package func forEachWord(in units: UnsafeBufferPointer<UInt16>, _ body: (Range<Int>, Bool) -> Void) {
    if unsafe words == nil { unsafe words = cu_breaker_open(Int32(CU_BREAK_WORDS), "") }
    guard let words = unsafe words, !units.isEmpty, units.count <= Int(Int32.max),
      unsafe cu_breaker_set_text(words, units.baseAddress, Int32(units.count)) != 0
    else { return }
    var start = 0
    while true {
      let end = unsafe Int(cu_breaker_next(words))
      guard end > start else { break }
      // ICU's statuses below 100 are spaces and punctuation.
      unsafe body(start..<end, cu_breaker_status(words) >= 100)
      start = end
    }
  }
}
