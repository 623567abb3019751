import BookOutput
import FoundationEssentials
import Platform
import Primitives
import Typesetting

/// A file of zstd frames with their keys: what a unit keeps of its pages, and what a store has gathered of them.
///
/// The frames stand one after the other, so that the file as a whole is zstd too; the last one is a
/// skippable frame with the index: key, offset and length of each, little endian, and their number at the very end.
struct FramePack: Sendable {
  private static let skippable: UInt32 = 0x184D_2A5C
  private static let entrySize = 20

  struct Place: Hashable, Sendable {
    var offset: Int
    var length: Int
  }

  private let data: Data
  let places: [UInt64: Place]

  /// Opens a file; nil when there is none, or it is no whole pack.
  init?(path: String) {
    guard let data = try? Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe) else { return nil }
    guard let read = Self.places(in: data.span) else { return nil }
    self.data = data
    places = read
  }

  /// Where the frames are by the index at the end; nil where there is none.
  private static func places(in bytes: Span<UInt8>) -> [UInt64: Place]? {
    guard bytes.count >= 12 else { return nil }
    let count = Int(bytes.littleEndian(at: bytes.count - 4, as: UInt32.self))
    let start = bytes.count - 4 - count * entrySize
    guard start >= 8, bytes.littleEndian(at: start - 8, as: UInt32.self) == skippable else { return nil }
    var places: [UInt64: Place] = [:]
    places.reserveCapacity(count)
    for index in 0..<count {
      let at = start + index * entrySize
      let offset = bytes.littleEndian(at: at + 8, as: UInt64.self)
      let length = Int(bytes.littleEndian(at: at + 16, as: UInt32.self))
      guard offset <= UInt64(start), Int(offset) + length <= start else { return nil }
      places[bytes.littleEndian(at: at, as: UInt64.self)] = Place(offset: Int(offset), length: length)
    }
    return places
  }

  /// The frame of a key as it stands in the file.
  func frame(_ key: UInt64) -> [UInt8]? {
    guard let place = places[key] else { return nil }
    return Array(data.span.extracting(place.offset..<place.offset + place.length))
  }

  /// The content of a frame; nil when there is none, or it is not what its key is the hash of.
  func content(_ kind: FrameKind, _ key: UInt64) -> [UInt8]? {
    guard let place = places[key] else { return nil }
    let frame = data.span.extracting(place.offset..<place.offset + place.length)
    let content = Zstd.decompress(frame, dictionary: kind.dictionary)
    guard let content else { return nil }
    // In older forms records had keys as display lists have.
    let isWhole = kind.key(of: content) == key || kind == .record && FrameKind.display.key(of: content) == key
    return isWhole ? content : nil
  }

  /// A pack with some of the frames, in the order in which they stand here; nil for none.
  func file(of keys: Set<UInt64>) -> [UInt8]? {
    let kept = places.filter { keys.contains($0.key) }.sorted { $0.value.offset < $1.value.offset }
    if kept.isEmpty { return nil }
    var writer = Writer()
    for (key, _) in kept { if let frame = frame(key) { writer.append(frame: frame, key: key) } }
    return writer.file()
  }

  /// The skippable frame with the index.
  private static func index(_ entries: [(key: UInt64, place: Place)]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(littleEndian: skippable)
    bytes.append(littleEndian: UInt32(entries.count * entrySize + 4))
    for entry in entries {
      bytes.append(littleEndian: entry.key)
      bytes.append(littleEndian: UInt64(entry.place.offset))
      bytes.append(littleEndian: UInt32(entry.place.length))
    }
    bytes.append(littleEndian: UInt32(entries.count))
    return bytes
  }

  /// Makes a pack in memory; equal keys are stored once.
  struct Writer {
    private var bytes: [UInt8] = []
    private var entries: [(key: UInt64, place: Place)] = []
    private var known: Set<UInt64> = []

    var isEmpty: Bool { entries.isEmpty }

    /// - Parameter frame: one zstd frame.
    mutating func append(frame: [UInt8], key: UInt64) {
      guard known.insert(key).inserted else { return }
      entries.append((key, Place(offset: bytes.count, length: frame.count)))
      bytes += frame
    }

    /// The whole file.
    func file() -> [UInt8] { bytes + FramePack.index(entries) }
  }

  /// Makes a pack in a file that grows; equal keys are stored once.
  struct Stream {
    private let path: String
    private let descriptor: Int32
    private var offset = 0
    private var entries: [(key: UInt64, place: Place)] = []
    private var known: Set<UInt64> = []

    init(path: String) throws(HarnessError) {
      self.path = path
      descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
      guard descriptor >= 0 else { throw HarnessError(OutputFiles.failure(path)) }
    }

    /// - Parameter sealed: the key in eight bytes, and a frame.
    /// - Returns: the key.
    mutating func append(sealed: [UInt8]) throws(HarnessError) -> UInt64 {
      let key = sealed.span.littleEndian(at: 0, as: UInt64.self)
      guard known.insert(key).inserted else { return key }
      try write(sealed[8...])
      entries.append((key, Place(offset: offset, length: sealed.count - 8)))
      offset += sealed.count - 8
      return key
    }

    mutating func finish() throws(HarnessError) {
      try write(FramePack.index(entries)[...])
      if close(descriptor) != 0 { throw HarnessError(OutputFiles.failure(path)) }
    }

    private func write(_ bytes: ArraySlice<UInt8>) throws(HarnessError) {
      let error = unsafe bytes.withUnsafeBytes { unsafe OutputFiles.write($0, to: descriptor) }
      if error != 0 { throw HarnessError(OutputFiles.failure(path, error)) }
    }
  }

  /// Gives a pack that was left without an index one of the frames that are whole.
  ///
  /// - Returns: the keys of its frames.
  static func repair(_ path: String, _ kind: FrameKind) -> Set<UInt64> {
    if let pack = FramePack(path: path) { return Set(pack.places.keys) }
    guard let bytes = Files.read(path) else { return [] }
    var entries: [(key: UInt64, place: Place)] = []
    var end = 0
    Zstd.forEachFrame(in: bytes, dictionary: kind.dictionary) { content, place in
      entries.append((kind.key(of: content), Place(offset: place.lowerBound, length: place.count)))
      end = place.upperBound
    }
    guard (try? Files.write(bytes[..<end] + index(entries), to: path)) != nil else { return [] }
    return Set(entries.map(\.key))
  }
}
