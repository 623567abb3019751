import Primitives

/// Computed styles by what they were made of: parent style, custom properties, matched rules, hints and style attribute.
///
/// Keys are runs of words in one array.
struct StyleCache {
  private struct Entry {
    var start: UInt32
    var count: UInt32
    var style: ComputedStyle
    var custom: UInt32
  }
  private var words: [UInt32] = []
  private var entries: [Entry] = []
  private var positions = OpenTable(slotCount: 256)
  private var key: [UInt32] = []
  private var keyHash: UInt64 = 0
  private(set) var hits = 0
  var count: Int { entries.count }

  mutating func beginKey() { key.removeAll(keepingCapacity: true) }
  mutating func append(_ word: UInt32) { key.append(word) }
  mutating func append(_ style: ComputedStyle) {
    key.append(style.font.rawValue)
    key.append(style.text.rawValue)
    key.append(style.paragraph.rawValue)
    key.append(style.list.rawValue)
    key.append(style.box.rawValue)
    key.append(style.border.rawValue)
    key.append(style.background.rawValue)
    key.append(style.page.rawValue)
  }

  private static func hash(_ key: Span<UInt32>) -> UInt64 {
    var hasher = StableHasher()
    // Two words at a time.
    var index = 1
    while index < key.count {
      hasher.combine(UInt64(key[index - 1]) << 32 | UInt64(key[index]))
      index += 2
    }
    if index == key.count { hasher.combine(key[index - 1]) }
    return hasher.value
  }

  /// The style made for the key, and its custom properties.
  mutating func lookup() -> (ComputedStyle, UInt32)? {
    keyHash = Self.hash(key.span)
    let known = positions.position(of: keyHash) {
      Int(entries[$0].count) == key.count && isKey(at: Int(entries[$0].start))
    }
    guard let known else { return nil }
    hits += 1
    return (entries[known].style, entries[known].custom)
  }
  private func isKey(at start: Int) -> Bool {
    for offset in 0..<key.count where words[start + offset] != key[offset] { return false }
    return true
  }

  /// Keeps a style under the key that was last looked up.
  mutating func insert(_ style: ComputedStyle, _ custom: UInt32) {
    entries.append(Entry(start: UInt32(words.count), count: UInt32(key.count), style: style, custom: custom))
    words += key
    positions.append(keyHash)
  }
}
