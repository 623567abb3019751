import Primitives

/// The names selectors ask for: bytes to ids in order of appearance, and each name's lower-case form.
struct NameTable: Sendable {
  /// The id of each name in ASCII lower case; its own where it is that already.
  private(set) var folded: [UInt32] = []
  private var ranges: [Range<UInt32>] = []
  private var bytes: [UInt8] = []
  private var positions = OpenTable()

  var count: Int { ranges.count }

  func name(_ id: UInt32) -> String {
    let range = ranges[Int(id)]
    return String(decoding: bytes[Int(range.lowerBound)..<Int(range.upperBound)], as: UTF8.self)
  }

  func lookup(_ name: ArraySlice<UInt8>) -> UInt32? { lookup(name, hash: Self.hash(name)) }

  private func lookup(_ name: ArraySlice<UInt8>, hash: UInt64) -> UInt32? {
    positions.position(of: hash) { equals(UInt32($0), name) }.map { UInt32($0) }
  }

  mutating func intern(_ name: ArraySlice<UInt8>) -> UInt32 {
    let hash = Self.hash(name)
    if let known = lookup(name, hash: hash) { return known }
    let id = UInt32(ranges.count)
    let start = UInt32(bytes.count)
    bytes += name
    ranges.append(start..<UInt32(bytes.count))
    folded.append(id)
    positions.append(hash)
    if name.contains(where: Self.isUpper) {
      let lowered = name.map { Self.isUpper($0) ? $0 | 0x20 : $0 }
      folded[Int(id)] = intern(lowered[...])
    }
    return id
  }

  private func equals(_ id: UInt32, _ name: ArraySlice<UInt8>) -> Bool {
    let range = ranges[Int(id)]
    guard range.count == name.count else { return false }
    var index = Int(range.lowerBound)
    for byte in name {
      if bytes[index] != byte { return false }
      index += 1
    }
    return true
  }

  static func isUpper(_ byte: UInt8) -> Bool { byte &- 0x41 < 26 }

  private static func hash(_ name: ArraySlice<UInt8>) -> UInt64 {
    OpenTable.hash(name.span)
  }
}

/// A set of names, 256 bits: what it lacks is not there, what it has may be.
struct NameFilter: Hashable, Sendable {
  private var a: UInt64 = 0
  private var b: UInt64 = 0
  private var c: UInt64 = 0
  private var d: UInt64 = 0

  mutating func insert(id: UInt32) { set(id &* 3) }
  mutating func insert(className: UInt32) { set(className &* 3 &+ 1) }
  mutating func insert(type: UInt32) { set(type &* 3 &+ 2) }

  private mutating func set(_ key: UInt32) {
    let hash = (key &* 0x9E37_79B1) >> 24
    let bit: UInt64 = 1 << UInt64(hash & 63)
    switch hash >> 6 {
    case 0: a |= bit
    case 1: b |= bit
    case 2: c |= bit
    default: d |= bit
    }
  }
  @inline(__always)
  func isSubset(of other: NameFilter) -> Bool {
    (a & ~other.a) | (b & ~other.b) | (c & ~other.c) | (d & ~other.d) == 0
  }
}

/// Entries grouped by name, in one array.
struct NameBuckets: Sendable {
  private var starts: [UInt32] = []
  private(set) var entries: [RuleSet.Entry] = []

  init() {}
  init(_ keyed: some Sequence<(UInt32, RuleSet.Entry)>, nameCount: Int) {
    starts = [UInt32](repeating: 0, count: nameCount + 1)
    var total = 0
    for (name, _) in keyed {
      starts[Int(name) + 1] += 1
      total += 1
    }
    for index in 0..<nameCount { starts[index + 1] += starts[index] }
    entries = [RuleSet.Entry](
      repeating: RuleSet.Entry(ancestors: NameFilter(), key: 0, complex: 0, isPlain: false, isLocal: false),
      count: total)
    var next = starts
    for (name, entry) in keyed {
      entries[Int(next[Int(name)])] = entry
      next[Int(name)] += 1
    }
  }

  /// The range of the entries of a name in `entries`.
  subscript(name: UInt32) -> Range<Int> { Int(starts[Int(name)])..<Int(starts[Int(name) + 1]) }
}
