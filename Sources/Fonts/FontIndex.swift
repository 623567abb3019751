import Primitives

/// The installed faces as one block of bytes, mapped from a file or made in memory: nothing of it is decoded before it is
/// looked at, so that the cost of a first page does not grow with the number of faces.
///
/// The block begins with `headerCount` words: magic number, version, length in bytes, flags, then for each `Section` the
/// offset and the number of its records. All numbers are 32-bit words in the machine's byte order; a text is its offset and
/// its length in UTF-8. Every look-up is checked against the block's end, so that a damaged file gives no face or a wrong
/// one, never a crash.
///
/// Immutable, so an index is shared between threads.
final class FontIndex: Sendable {
  static let magic: UInt32 = 0x5446_4E58
  static let version: UInt32 = 1
  static let headerCount = 4 + Section.allCases.count * 2

  /// The tables of the block. Tables by name are sorted by the bytes of their names.
  enum Section: Int, CaseIterable {
    /// Records of `FaceField`.
    case faces
    /// By folded family name: a range of `members`.
    case families
    /// Positions of faces.
    case members
    /// Positions in `families`: each face's first family, text faces before others, then by name.
    case familyOrder
    /// By folded full or PostScript name: the first face that has it.
    case faceNames
    /// Records of path, face index and number of a variable font's named instances.
    case instances
    /// By folded full or PostScript name: the first of `instances` that has it.
    case instanceNames
    /// By family name that the configuration's rules name: a range of `answers`. The name of no letters stands for all others.
    case aliases
    /// By generic family: the family that the configuration prefers, a range of `answers`.
    case preferred
    /// Texts.
    case answers
    /// Pages of 256 characters: high bits of the character, position in `leaves`.
    case pages
    /// Bits of 256 characters in eight words.
    case leaves
    /// Path, size, seconds and nanoseconds of the last change; zero where there was nothing.
    case stamps
    /// Of `stamps`, those of the configuration's files.
    case configurationFiles
    /// The bytes of all texts.
    case texts

    /// Words of a record.
    var width: Int {
      switch self {
      case .faces: FaceField.allCases.count
      case .families, .aliases, .preferred: 4
      case .members, .familyOrder, .configurationFiles: 1
      case .faceNames, .instanceNames: 3
      case .instances: 4
      case .stamps: 5
      case .answers, .pages: 2
      case .leaves: 8
      case .texts: 0
      }
    }
  }

  /// The words of a face's record.
  enum FaceField: Int, CaseIterable {
    case path, pathLength, faceIndex, familyName, familyNameLength, styleName, styleNameLength
    case weights, slant, narrowest, widest, flags, firstPage, pageCount, firstFamily, firstFamilyLength
  }

  /// Properties of a face, as bits of its `flags`.
  struct FaceFlags: OptionSet {
    let rawValue: UInt32
    static let variable = Self(rawValue: 1)
    static let color = Self(rawValue: 2)
    static let cjk = Self(rawValue: 4)
  }

  /// Properties of the whole index, as bits of its flags.
  struct Flags: OptionSet {
    let rawValue: UInt32
    /// A rule of the configuration looks at parts of family names: which names it means cannot be listed.
    static let matchesPartsOfNames = Self(rawValue: 1)
  }

  private let blob: HarfBuzzBlob

  /// Takes the bytes that a `FontIndexWriter` made.
  init(_ made: [UInt8]) {
    let copied = HarfBuzzBlob(made)
    blob = Self.isIndex(copied) ? copied : HarfBuzzBlob([])
  }

  /// Maps a file.
  ///
  /// - Returns: nil where there is none, or it is no index of this version.
  init?(path: String) {
    guard let blob = HarfBuzzBlob(path: path), Self.isIndex(blob) else { return nil }
    self.blob = blob
  }

  /// The header is that of an index.
  private static func isIndex(_ blob: HarfBuzzBlob) -> Bool {
    guard blob.count >= headerCount * 4 else { return false }
    return (0..<3).map { blob.nativeWord($0 * 4) } == [magic, version, UInt32(blob.count)]
  }

  // MARK: Words, texts, tables

  private func word(_ offset: Int) -> UInt32 {
    blob.nativeWord(offset)
  }

  private func offset(_ section: Section) -> Int { Int(word((4 + section.rawValue * 2) * 4)) }

  /// The number of records of a section, at most as many as the block has room for.
  func count(_ section: Section) -> Int {
    let room = Swift.max(0, blob.count - offset(section)) / Swift.max(1, section.width * 4)
    return Swift.min(Int(word((5 + section.rawValue * 2) * 4)), room)
  }

  func word(_ section: Section, _ record: Int, _ field: Int = 0) -> Int {
    Int(word(offset(section) + (record * section.width + field) * 4))
  }

  private func textRange(_ section: Section, _ record: Int, _ field: Int) -> Range<Int> {
    let start = offset(.texts) + word(section, record, field)
    let end = start + word(section, record, field + 1)
    return start >= 0 && end <= blob.count ? start..<end : 0..<0
  }

  /// The text whose offset and length are the words `field` and `field + 1` of a record.
  func text(_ section: Section, _ record: Int, _ field: Int = 0) -> String {
    let blob = blob
    return String(decoding: blob.bytes.extracting(textRange(section, record, field)))
  }

  /// The record of a name in a table by name.
  ///
  /// - Complexity: O(log n).
  func record(named name: String, in section: Section) -> Int? {
    let wanted = name.utf8Span.span
    var (low, high) = (0, count(section))
    while low < high {
      let middle = (low + high) / 2
      if order(textRange(section, middle, 0), wanted) < 0 { low = middle + 1 } else { high = middle }
    }
    guard low < count(section), order(textRange(section, low, 0), wanted) == 0 else { return nil }
    return low
  }

  /// Less than 0 where a text comes before another by its bytes, 0 where they are equal.
  private func order(_ range: Range<Int>, _ other: Span<UInt8>) -> Int {
    let blob = blob
    let text = blob.bytes.extracting(range)
    for index in 0..<Swift.min(text.count, other.count) where text[index] != other[index] {
      return Int(text[index]) - Int(other[index])
    }
    return text.count - other.count
  }

  /// The range of another section that a record's words `field` and `field + 1` give.
  private func range(_ section: Section, _ record: Int, _ field: Int, of other: Section) -> Range<Int> {
    let total = count(other)
    let start = Swift.min(word(section, record, field), total)
    return start..<Swift.min(start + word(section, record, field + 1), total)
  }

  // MARK: Faces

  var flags: Flags { Flags(rawValue: word(12)) }

  var faceCount: Int { count(.faces) }

  /// All faces in the order of path and index; none is decoded before it is asked for.
  var faces: LazyMapSequence<Range<Int>, InstalledFace> { (0..<faceCount).lazy.map(face) }

  /// A face by its position in `faces`.
  func face(_ position: Int) -> InstalledFace { InstalledFace(position, of: self) }

  func field(_ field: FaceField, of position: Int) -> Int { word(.faces, position, field.rawValue) }

  /// The positions of the faces of a family, by its folded name; empty where it is not installed.
  func members(ofFamily folded: String) -> [Int] {
    guard let record = record(named: folded, in: .families) else { return [] }
    return range(.families, record, 2, of: .members).map { word(.members, $0) }.filter { $0 < faceCount }
  }

  func hasFamily(_ folded: String) -> Bool { record(named: folded, in: .families) != nil }

  /// All families: text faces before others, then by name.
  var familyOrder: [String] { (0..<count(.familyOrder)).map { text(.families, word(.familyOrder, $0)) } }

  /// The first face with a folded full or PostScript name.
  func position(named folded: String) -> Int? {
    record(named: folded, in: .faceNames).map { word(.faceNames, $0, 2) }.flatMap { $0 < faceCount ? $0 : nil }
  }

  /// The first named instance with a folded full or PostScript name.
  func instance(named folded: String) -> NamedInstance? {
    record(named: folded, in: .instanceNames).map { instance(word(.instanceNames, $0, 2)) }
  }

  var instances: [NamedInstance] { (0..<count(.instances)).map(instance) }

  private func instance(_ record: Int) -> NamedInstance {
    NamedInstance(
      path: text(.instances, record), faceIndex: word(.instances, record, 2), number: word(.instances, record, 3))
  }

  /// - Complexity: O(log n) in the pages of 256 characters of the face.
  func covers(_ scalar: UInt32, position: Int) -> Bool {
    let total = count(.pages)
    var low = Swift.min(field(.firstPage, of: position), total)
    var high = Swift.min(low + field(.pageCount, of: position), total)
    let page = Int(scalar >> 8)
    while low < high {
      let middle = (low + high) / 2
      let found = word(.pages, middle)
      if found == page {
        let bits = word(.leaves, word(.pages, middle, 1), Int(scalar >> 5 & 7))
        return bits >> Int(scalar & 31) & 1 != 0
      }
      if found < page { low = middle + 1 } else { high = middle }
    }
    return false
  }

  // MARK: Answers of the configuration

  /// The families that the configuration declares to be the same as, or to replace, a folded family name: the answer kept
  /// for the name, with its blanks or without, or for any name that no rule mentions.
  ///
  /// - Returns: nil where only the configuration itself can tell.
  func aliases(of folded: String) -> [String]? {
    let known = record(named: folded, in: .aliases) ?? record(named: folded.filter { $0 != " " }, in: .aliases)
    if let known { return aliases(known) }
    return flags.contains(.matchesPartsOfNames) ? nil : record(named: "", in: .aliases).map(aliases)
  }

  private func aliases(_ record: Int) -> [String] {
    range(.aliases, record, 2, of: .answers).map { text(.answers, $0) }
  }

  /// The family that the configuration prefers for a generic one; nil where it was not kept.
  func preferredFamily(for generic: String) -> String?? {
    guard let record = record(named: generic, in: .preferred) else { return nil }
    return .some(range(.preferred, record, 2, of: .answers).first.map { text(.answers, $0) })
  }

  // MARK: Freshness

  /// The files and folders that the index was made from are as they were then.
  var isFresh: Bool {
    (0..<count(.stamps)).allSatisfy { record in
      let now = Self.words(of: FileStamp(of: text(.stamps, record)))
      return (0..<now.count).allSatisfy { word(.stamps, record, 2 + $0) == Int(now[$0]) }
    }
  }

  /// A stamp as its record has it: the lowest 32 bits of each number.
  static func words(of stamp: FileStamp?) -> [UInt32] {
    guard let stamp else { return [0, 0, 0] }
    return [stamp.size, stamp.seconds, stamp.nanoseconds].map { UInt32(truncatingIfNeeded: $0) }
  }

  /// The paths of the configuration's files.
  var configurationFiles: [String] {
    (0..<count(.configurationFiles)).map { text(.stamps, word(.configurationFiles, $0)) }
  }
}
