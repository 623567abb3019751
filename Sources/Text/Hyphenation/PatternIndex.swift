import Platform
import Primitives

/// The patterns of a language and what belongs to them as one block of bytes, mapped from a file or made in memory.
///
/// The block begins with a magic number, its version, its length in bytes and a hash of all that follows. Arrays come one
/// behind the other, each with its count before it, at offsets that are multiples of 16. A block whose hash is another is none.
@safe final class PatternIndex: @unchecked Sendable {
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

  private let bytes: UnsafeRawBufferPointer
  private let isMapped: Bool
  /// Where the next array begins, while they are read.
  private var at = 0

  var byteCount: Int { unsafe bytes.count }

  /// Takes bytes that a `PatternIndexWriter` made.
  init(_ made: [UInt8]) {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: made.count, alignment: Self.alignment)
    unsafe memory.copyBytes(from: made)
    unsafe bytes = UnsafeRawBufferPointer(memory)
    isMapped = false
    at = Self.headerCount * 8
  }

  /// Maps a file.
  ///
  /// - Returns: nil where there is none, or it is damaged.
  init?(path: String) {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    guard unsafe fstat(file, &status) == 0, status.st_size > Self.headerCount * 8 else { return nil }
    let count = Int(status.st_size)
    // All of it is read at once, for its hash.
    guard let start = unsafe mmap(nil, count, PROT_READ, MAP_PRIVATE | Int32(MAP_POPULATE), file, 0),
      unsafe start != MAP_FAILED
    else { return nil }
    unsafe bytes = UnsafeRawBufferPointer(start: start, count: count)
    isMapped = true
    at = Self.headerCount * 8
    guard unsafe Self.isWhole(bytes) else { return nil }
  }

  deinit {
    if isMapped {
      unsafe munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count)
    } else {
      unsafe bytes.deallocate()
    }
  }

  private static func isWhole(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let head = (0..<headerCount).map { unsafe bytes.load(fromByteOffset: $0 * 8, as: UInt64.self) }
    return unsafe head == header(of: bytes)
  }

  /// The header that a block of bytes has to have.
  static func header(of bytes: UnsafeRawBufferPointer) -> [UInt64] {
    var hasher = StableHasher()
    unsafe hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: bytes[(headerCount * 8)...]))
    return [magic, UInt64(bytes.count), hasher.value, 0]
  }

  /// The next array, which is kept as long as the index.
  func next<Element: BitwiseCopyable>(_: Element.Type) -> UnsafeBufferPointer<Element> {
    let count = unsafe bytes.load(fromByteOffset: at, as: Int.self)
    let start = at + Self.alignment
    let end = start + count * MemoryLayout<Element>.stride
    at = (end + Self.alignment - 1) & -Self.alignment
    let array = unsafe UnsafeRawBufferPointer(rebasing: bytes[start..<end])
    return unsafe array.assumingMemoryBound(to: Element.self)
  }
}

/// Writes the bytes of a `PatternIndex`.
struct PatternIndexWriter {
  private var bytes = [UInt8](repeating: 0, count: PatternIndex.headerCount * 8)

  mutating func append<Element: BitwiseCopyable>(_ values: UnsafeBufferPointer<Element>) {
    unsafe withUnsafeBytes(of: values.count) { unsafe bytes.append(contentsOf: $0) }
    pad()
    unsafe bytes.append(contentsOf: UnsafeRawBufferPointer(values))
    pad()
  }

  mutating func append<Element: BitwiseCopyable>(_ values: [Element]) {
    unsafe values.withUnsafeBufferPointer { unsafe append($0) }
  }

  private mutating func pad() {
    bytes.append(contentsOf: repeatElement(0, count: -bytes.count & (PatternIndex.alignment - 1)))
  }

  /// All that was appended, behind the header.
  consuming func finish() -> [UInt8] {
    let header = unsafe bytes.withUnsafeBytes { unsafe PatternIndex.header(of: $0) }
    unsafe bytes.withUnsafeMutableBytes { unsafe $0.copyBytes(from: header.withUnsafeBytes { unsafe Array($0) }) }
    return bytes
  }
}
