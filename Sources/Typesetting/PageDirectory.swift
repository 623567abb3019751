import Graphics
import Primitives
import Publications

/// Starts of the pages of a book under one set of settings, as far as they have been laid out: to be saved beside the
/// book, so that it opens with its page numbers known.
///
/// With it any page of a chapter is laid out without those before it. A directory belongs to its key: the book's files, settings,
/// fonts, hyphenation patterns, the engine's build and the libraries. A typesetter takes no notice of one with another key.
public struct PageDirectory: Hashable, Sendable {
  /// The layout key of the pages; nil for a directory of an engine whose keys are not understood.
  public internal(set) var key: LayoutKey?
  /// By chapter; nil where not known.
  var chapters: [PageStarts?]

  /// Pages of a chapter; nil when they are not known.
  public func pageCount(of chapter: Int) -> Int? { chapters.indices.contains(chapter) ? chapters[chapter]?.count : nil }

  /// The index of the page that holds a place; nil when the chapter's pages are not known.
  public func page(containing locator: Locator) -> Int? {
    guard chapters.indices.contains(locator.chapter), let pages = chapters[locator.chapter]?.starts else { return nil }
    var low = 0
    var high = pages.count
    while low < high {
      let middle = (low + high) / 2
      let starts = pages[middle]
      let isBefore =
        starts < locator.position.rawValue || starts == locator.position.rawValue && locator.side != .before
      if isBefore { low = middle + 1 } else { high = middle }
    }
    return Swift.max(0, low - 1)
  }
}

extension PageDirectory: Codable {
  private enum CodingKeys: String, CodingKey { case key, chapters }

  /// Reads a directory that was saved. One whose key is of an older or newer form has no pages.
  ///
  /// - Throws: `DecodingError` for what is damaged, or no directory.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    key = try? values.decode(LayoutKey.self, forKey: .key)
    chapters = key == nil ? [] : try values.decode([PageStarts?].self, forKey: .chapters)
  }
}

/// Starts of the pages of one chapter.
struct PageStarts: Hashable, Sendable {
  /// The first place of each page (`SourcePosition`).
  let starts: [UInt64]
  /// The pages' marks (`PagedChapter.Mark.encoded`) one after the other.
  private let bytes: [UInt8]
  /// The end of each page's mark in `bytes`.
  private let ends: [UInt32]

  /// - Parameter marks: By page; empty where there is none to be saved.
  init(_ starts: [SourcePosition], marks: [[UInt8]]) {
    self.init(starts.map(\.rawValue), marks)
  }

  private init(_ starts: [UInt64], _ marks: [[UInt8]]) {
    self.starts = starts
    bytes = marks.flatMap { $0 }
    var end: UInt32 = 0
    ends = marks.map { mark in
      end += UInt32(mark.count)
      return end
    }
  }

  var count: Int { starts.count }
  /// About the memory it takes.
  var byteCount: Int { bytes.count + count * 12 }

  func mark(of page: Int) -> [UInt8] {
    guard ends.indices.contains(page) else { return [] }
    return Array(bytes[Int(page > 0 ? ends[page - 1] : 0)..<Int(ends[page])])
  }

  /// Against damage to what was saved.
  private var checksum: String {
    var hasher = StableHasher()
    for start in starts { hasher.combine(Int(truncatingIfNeeded: start)) }
    hasher.combine(bytes)
    return String(hasher.value, radix: 16)
  }
}

extension PageStarts: Codable {
  private enum CodingKeys: String, CodingKey { case starts, marks, checksum }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let marks = try values.decode([String].self, forKey: .marks).map { text in
      let digits = text.utf8.map(Self.digit)
      return stride(from: 0, to: digits.count & ~1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
    self.init(try values.decode([UInt64].self, forKey: .starts), marks)
    guard ends.count == starts.count, try values.decode(String.self, forKey: .checksum) == checksum else {
      throw DecodingError.dataCorruptedError(
        forKey: .checksum, in: values, debugDescription: "the directory is damaged")
    }
  }

  func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(starts, forKey: .starts)
    let digits = Array("0123456789abcdef".utf8)
    try values.encode(
      (0..<count).map { page in
        String(decoding: mark(of: page).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
      }, forKey: .marks)
    try values.encode(checksum, forKey: .checksum)
  }

  private static func digit(_ byte: UInt8) -> UInt8 { (byte <= 0x39 ? byte &- 0x30 : byte &- 0x57) & 15 }
}
