import Text

/// The shapes of words, or of other items: text units and style to clusters and glyphs in font units.
///
/// Open addressing with linear probing, at most half full; a slot keeps the upper half of the hash beside the entry's
/// number. When the stored shapes pass a bound, all are forgotten: that costs time, never changes a shape.
final class ShapeCache {
  struct Entry {
    /// Style, script of the text before if it matters, and direction.
    var key: UInt32
    var unitStart: UInt32
    var clusterStart: UInt32
    var glyphStart: UInt32
    var script: UInt32
    var unitCount: UInt16
    var clusterCount: UInt16
    var glyphCount: UInt16
    /// The face, as the shaper numbers them.
    var face: UInt16
    /// The kerning of the word with the space before it, added to that space's advance.
    var leading: Int32
    /// Its letters are shaped as others (`Shaper.isMapped`).
    var mapsLetters: Bool
    var posture: Posture
    /// The script of the last character, and whether there is another one.
    var endScript: Script
    var isMixed: Bool
    /// Brackets are among the units: their script depends on the text before.
    var hasBrackets: Bool
    /// The value of the shaper's `hasIdeographs` behind the word.
    var hasIdeographs: Bool
  }

  let entries = GrowableBuffer<Entry>()
  /// Text offsets and glyph indices are counted from the word's start.
  let clusters = GrowableBuffer<Cluster>(capacity: 1024)
  let glyphs = GrowableBuffer<ShapedGlyph>(capacity: 1024)
  private let units = GrowableBuffer<UInt16>(capacity: 1024)
  private let slots = GrowableBuffer<UInt64>(capacity: 2048)
  private let hashes = GrowableBuffer<UInt64>()

  /// Clusters that may be kept: with their glyphs some 30 bytes each.
  private let clusterLimit: Int
  /// Longer words are shaped each time.
  static let longestWord = 48
  /// Longer items that are no words seldom come again.
  static let longestItem = 16

  init(clusterLimit: Int) {
    self.clusterLimit = clusterLimit
    slots.fill(2048, with: 0)
  }

  /// Bytes allocated.
  var byteCount: Int {
    entries.byteCount + clusters.byteCount + glyphs.byteCount + units.byteCount + slots.byteCount + hashes.byteCount
  }

  @inline(__always) static func seed(_ key: UInt32) -> UInt64 {
    UInt64(key) &* 0x9E37_79B9_7F4A_7C15 ^ 0xD6E8_FEB8_6659_FD93
  }
  @inline(__always) static func combine(_ hash: UInt64, _ unit: UInt16) -> UInt64 {
    (hash ^ UInt64(unit)) &* 0xA076_1D64_78BD_642F
  }
  @inline(__always) static func finish(_ hash: UInt64) -> UInt64 {
    let mixed = (hash ^ hash >> 32) &* 0xE703_7ED1_A0B4_28DB
    return mixed ^ mixed >> 29
  }

  /// The number of a word's entry, or -1.
  @inline(__always)
  func find(_ word: UnsafePointer<UInt16>, count: Int, key: UInt32, hash: UInt64) -> Int {
    let mask = slots.count - 1
    let tag = hash & 0xFFFF_FFFF_0000_0000
    var slot = Int(truncatingIfNeeded: hash) & mask
    while true {
      let found = slots[slot]
      if found == 0 { return -1 }
      if found & 0xFFFF_FFFF_0000_0000 == tag {
        let index = Int(found & 0xFFFF_FFFF) - 1
        let entry = unsafe entries.base + index
        if unsafe entry.pointee.key == key, unsafe Int(entry.pointee.unitCount) == count {
          let stored = unsafe units.base + Int(entry.pointee.unitStart)
          var position = 0
          while position < count, unsafe stored[position] == word[position] { position += 1 }
          if position == count { return index }
        }
      }
      slot = (slot + 1) & mask
    }
  }

  /// Adds a word that `find` did not find. The clusters' and glyphs' positions are moved to start at zero.
  ///
  /// - Parameter flags: Those that the kept clusters do not have.
  func insert(
    _ word: UnsafePointer<UInt16>, hash: UInt64, entry: Entry, clusters newClusters: UnsafePointer<Cluster>,
    glyphs newGlyphs: UnsafePointer<ShapedGlyph>, textStart: UInt32, glyphStart: UInt32,
    without flags: ClusterFlags = []
  ) {
    if clusters.count > clusterLimit { removeAll() }
    var entry = entry
    entry.unitStart = UInt32(units.count)
    entry.clusterStart = UInt32(clusters.count)
    entry.glyphStart = UInt32(glyphs.count)
    unsafe units.extend(by: Int(entry.unitCount)).initialize(from: word, count: Int(entry.unitCount))
    let target = unsafe clusters.extend(by: Int(entry.clusterCount))
    for index in 0..<Int(entry.clusterCount) {
      var cluster = unsafe newClusters[index]
      cluster.text -= textStart
      cluster.glyph -= glyphStart
      cluster.flags.subtract(flags)
      unsafe (target + index).initialize(to: cluster)
    }
    unsafe glyphs.extend(by: Int(entry.glyphCount)).initialize(from: newGlyphs, count: Int(entry.glyphCount))
    entries.append(entry)
    place(hash, UInt64(entries.count))
    hashes.append(hash)
    if entries.count * 2 > slots.count { grow() }
  }

  @inline(__always) private func place(_ hash: UInt64, _ number: UInt64) {
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: hash) & mask
    while slots[slot] != 0 { slot = (slot + 1) & mask }
    slots[slot] = hash & 0xFFFF_FFFF_0000_0000 | number
  }

  private func grow() {
    slots.fill(slots.count * 2, with: 0)
    for index in 0..<entries.count { place(hashes[index], UInt64(index + 1)) }
  }

  private func removeAll() {
    entries.removeAll()
    clusters.removeAll()
    glyphs.removeAll()
    units.removeAll()
    hashes.removeAll()
    slots.fill(slots.count, with: 0)
  }
}
