import Primitives

/// The settings that decide which lookups are on: tags of OpenType.
struct CoverageKey: Hashable, Sendable {
  var script: UInt32
  var language: String?
  var features: [UInt32]
}

/// The glyphs of a face that some lookup has as its input or context: the union of the coverage of all lookups that a script, a
/// language and features turn on (OpenType, Layout common table formats).
///
/// A glyph outside of it keeps its nominal form and advance, and no lookup reaches across it: a run may be cut there.
package struct LookupCoverage: Hashable, Sendable {
  /// The space glyph stands in no lookup.
  package private(set) var excludesSpace = false
  /// No glyph of U+4E00 to U+9FFF stands in a lookup: the nominal glyph and its advance are the shape.
  package private(set) var excludesIdeographs = false
  /// A bit for each glyph that some lookup has; empty when nothing could be proved.
  private var covered: [UInt64] = []

  /// The glyph stands in no lookup: its nominal form and advance are its shape, and neighbours do not interact across it.
  @inline(__always)
  package func excludes(_ glyph: UInt16) -> Bool {
    let word = Int(glyph >> 6)
    return word < covered.count && covered[word] >> UInt64(glyph & 63) & 1 == 0
  }

  /// The features that HarfBuzz turns on by itself in horizontal text.
  private static let defaults: Set<UInt32> = Set(
    [
      "rvrn", "ccmp", "locl", "rlig", "calt", "clig", "liga", "rclt", "kern", "mark", "mkmk", "curs", "dist", "abvm",
      "blwm", "ltra", "ltrm", "rtla", "rtlm", "Harf", "HARF", "Buzz", "BUZZ",
    ].map(UInt32.init(tag:)))
  /// Those of the complex shapers: Arabic joining, Indic and South-East Asian syllables, Hangul.
  private static let complex: Set<UInt32> = Set(
    [
      "isol", "init", "medi", "med2", "fina", "fin2", "fin3", "mset", "stch", "nukt", "akhn", "rphf", "rkrf", "pref",
      "blwf", "abvf", "half", "pstf", "vatu", "cjct", "cfar", "pres", "abvs", "blws", "psts", "haln", "ljmo", "vjmo",
      "tjmo",
    ].map(UInt32.init(tag:)))

  init(face: FontFace, key: CoverageKey) {
    let hbFace = face.hbFace
    // Apple's tables have state machines that no set of glyphs describes.
    if hbFace.table("morx").count > 0 || hbFace.table("kerx").count > 0 { return }
    let set = HarfBuzzSet()
    let active = Self.defaults.union(Self.complex).union(key.features)
    var hasPositionedKerning = false
    for table in ["GSUB", "GPOS"].map(UInt32.init(tag:)) {
      Self.collect(face: face, table: table, key: key, active: active, into: set, kerning: &hasPositionedKerning)
    }
    if !hasPositionedKerning {
      let kern = hbFace.table("kern")
      if kern.count > 0, !Self.collectPairs(of: kern, into: set) { return }
    }
    var bits = [UInt64](repeating: 0, count: (Swift.min(face.glyphCount, 65536) + 63) / 64)
    for glyph in set.elements {
      let word = Int(glyph >> 6)
      guard word < bits.count else { break }
      bits[word] |= 1 &<< UInt64(glyph & 63)
    }
    covered = bits
    excludesSpace = excludes(face.glyph(0x20))
    excludesIdeographs = Self(covered: bits).excludesIdeographs(of: face)
  }

  private init(covered: [UInt64]) { self.covered = covered }

  private func excludesIdeographs(of face: FontFace) -> Bool {
    for scalar in UInt32(0x4E00)...0x9FFF {
      let glyph = face.glyph(scalar)
      guard glyph == 0 || excludes(glyph) else { return false }
    }
    return true
  }

  private static func collect(
    face: FontFace, table: UInt32, key: CoverageKey, active: Set<UInt32>, into touched: borrowing HarfBuzzSet,
    kerning: inout Bool
  ) {
    let selected = FontLookups(
      of: face.hbFace, in: table, script: key.script, language: key.language, features: active)
    if selected.hasKerning { kerning = true }
    for lookup in selected.indices { face.glyphs(ofLookup: lookup, in: table).add(to: touched) }
  }

  /// Adds the glyphs of the old `kern` table's pairs; `false` when there are subtables of other forms than 0.
  private static func collectPairs(of kern: HarfBuzzBlob, into set: borrowing HarfBuzzSet) -> Bool {
    guard kern.half(0) == 0 else { return false }
    var offset = 4
    for _ in 0..<kern.half(2) {
      let length = Int(kern.half(offset + 2))
      guard length > 0, kern.half(offset + 4) >> 8 == 0 else { return false }
      for pair in 0..<Int(kern.half(offset + 6)) {
        let record = offset + 14 + pair * 6
        guard record + 4 <= kern.count else { return false }
        set.insert(UInt32(kern.half(record)))
        set.insert(UInt32(kern.half(record + 2)))
      }
      offset += length
    }
    return true
  }
}
