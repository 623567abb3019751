import Platform
import Primitives

/// The patterns of a language and what belongs to them as one block of bytes, mapped from a file or made in memory.
///
/// The block begins with a magic number, its version, its length in bytes and a hash of all that follows. Arrays come one
/// behind the other, each with its count before it, at offsets that are multiples of 16. A block whose hash is another is none.
@safe final class PatternIndex: Sendable {
  static let magic: UInt64 = 0x5041_5454_4552_4E31
  /// Words of 8 bytes.
  static let headerCount = 4
  static let alignment = 16

  /// `PatternTrie.Replacement` of a pattern, with the number of the letters in another array; -1 for none.
  struct Replacement: BitwiseCopyable {
    var pattern: UInt32
    var distanceFromEnd: Int32
    var length: Int32
    var letterCount: Int32
  }

  /// An array in an index, by the place of its first byte.
  struct Table<Element: BitwiseCopyable>: Sendable {
    fileprivate let start: Int
    fileprivate let count: Int
  }

  private nonisolated(unsafe) let bytes: UnsafeRawBufferPointer
  private let isMapped: Bool

  var byteCount: Int { unsafe bytes.count }

  /// Takes bytes that a `PatternIndexWriter` made.
  init(_ made: [UInt8]) {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: made.count, alignment: Self.alignment)
    unsafe memory.copyBytes(from: made)
    unsafe bytes = UnsafeRawBufferPointer(memory)
    isMapped = false
  }

  /// Maps a file.
  ///
  /// - Returns: nil where there is none, or it is damaged.
  init?(path: String) {
    guard let (file, count) = try? SystemFile.openRegular(path) else { return nil }
    defer { close(file) }
    guard count > Self.headerCount * 8 else { return nil }
    // All of it is read at once, for its hash.
    guard let start = unsafe mmap(nil, count, PROT_READ, MAP_PRIVATE | Int32(MAP_POPULATE), file, 0),
      unsafe start != MAP_FAILED
    else { return nil }
    unsafe bytes = UnsafeRawBufferPointer(start: start, count: count)
    isMapped = true
    guard Self.isWhole(span(of: Table(start: 0, count: count))) else { return nil }
  }

  deinit {
    if isMapped {
      unsafe munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count)
    } else {
      unsafe bytes.deallocate()
    }
  }

  private static func isWhole(_ bytes: Span<UInt8>) -> Bool {
    (0..<headerCount).map { bytes.littleEndian(at: $0 * 8, as: UInt64.self) } == header(of: bytes)
  }

  /// The header that a block of bytes has to have.
  static func header(of bytes: Span<UInt8>) -> [UInt64] {
    var hasher = StableHasher()
    hasher.combine(bytes.extracting((headerCount * 8)...))
    return [magic, UInt64(bytes.count), hasher.value, 0]
  }

  /// The elements of one of its arrays.
  @inline(__always) @_lifetime(borrow self)
  func span<Element>(of table: Table<Element>) -> Span<Element> {
    let end = table.start + table.count * MemoryLayout<Element>.stride
    precondition(unsafe table.count >= 0 && end <= bytes.count, "the index has no such array")
    let array = unsafe UnsafeRawBufferPointer(rebasing: bytes[table.start..<end]).assumingMemoryBound(to: Element.self)
    return unsafe _overrideLifetime(array.span, borrowing: self)
  }
}

/// Reads the arrays of an index one after the other.
struct PatternIndexReader {
  let index: PatternIndex
  private var at = PatternIndex.headerCount * 8

  init(_ index: PatternIndex) { self.index = index }

  /// The place of the next array.
  mutating func table<Element: BitwiseCopyable>(_: Element.Type) -> PatternIndex.Table<Element> {
    let count = index.span(of: PatternIndex.Table<Int>(start: at, count: 1))[0]
    let table = PatternIndex.Table<Element>(start: at + PatternIndex.alignment, count: count)
    let end = table.start + count * MemoryLayout<Element>.stride
    at = (end + PatternIndex.alignment - 1) & -PatternIndex.alignment
    return table
  }

  /// The next array.
  mutating func array<Element: BitwiseCopyable>(_: Element.Type) -> [Element] {
    let table = table(Element.self)
    return Array(index.span(of: table))
  }
}

/// Writes the bytes of a `PatternIndex`.
struct PatternIndexWriter {
  private var bytes = [UInt8](repeating: 0, count: PatternIndex.headerCount * 8)

  mutating func append<Element: BitwiseCopyable>(_ values: [Element]) {
    bytes.append(littleEndian: values.count)
    pad()
    unsafe values.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
    pad()
  }

  private mutating func pad() {
    bytes.append(contentsOf: repeatElement(0, count: -bytes.count & (PatternIndex.alignment - 1)))
  }

  /// All that was appended, behind the header.
  consuming func finish() -> [UInt8] {
    for (index, word) in PatternIndex.header(of: bytes.span).enumerated() {
      bytes.write(littleEndian: word, at: index * 8)
    }
    return bytes
  }
}
