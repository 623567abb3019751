import Markup
import Platform
import Primitives
import Synchronization

/// Finds entries by path in spite of differences of spelling.
struct EntryIndex: Sendable {
  /// Normalised paths in the container's order, without those that would leave it.
  private(set) var paths: [String] = []
  private var exact: [String: Int] = [:]
  private var folded: [String: Int] = [:]
  /// A folder everything lies in, which is taken for the root.
  private(set) var prefix = ""
  private let legacy: LegacyNames?

  /// Makes an index of names as the container spells them; nil names are entries that must not be reached.
  ///
  /// - Parameter bytes: The bytes of names that are not all ASCII and of no known encoding, by the position of the entry.
  init(names: [String?], bytes: [Int: [UInt8]] = [:]) {
    var normalized: [(Int, String)] = []
    for (index, name) in names.enumerated() {
      guard let name, let path = Self.normalize(name) else { continue }
      normalized.append((index, path))
    }
    prefix = Self.commonFolder(normalized.map(\.1))
    legacy = bytes.isEmpty ? nil : LegacyNames(bytes, below: prefix.utf8.count { $0 == 0x2F })
    exact.reserveCapacity(normalized.count)
    folded.reserveCapacity(normalized.count)
    for (index, name) in normalized {
      var path = name
      if !prefix.isEmpty {
        guard name.hasPrefix(prefix) else { continue }
        path = String(name.dropFirst(prefix.count))
      }
      // Of two entries with one name the first counts.
      guard exact[path] == nil else { continue }
      paths.append(path)
      exact[path] = index
      let key = Self.fold(path)
      if folded[key] == nil { folded[key] = index }
    }
  }

  /// The position of the entry in the names given at first.
  func find(_ path: String) -> Int? {
    if let index = exact[path] { return index }
    if let index = folded[Self.fold(path)] { return index }
    return path.utf8.allSatisfy { $0 < 0x80 && $0 != 0x25 } ? nil : legacy?.find(path)
  }

  /// The name with slashes, without a leading slash or `./`; nil for folders and for names that leave the container.
  static func normalize(_ name: String) -> String? {
    if isNormal(name) { return name }
    var parts: [Substring] = []
    let slashed = String(name.map { $0 == "\\" ? "/" : $0 })
    guard !slashed.isEmpty, !slashed.hasSuffix("/") else { return nil }
    for part in slashed.split(separator: "/") {
      if part == "." { continue }
      if part == ".." { return nil }
      parts.append(part)
    }
    guard let first = parts.first, !(first.count == 2 && first.hasSuffix(":")) else { return nil }
    return parts.joined(separator: "/")
  }

  /// The name is one of those, nearly all, that stay as they are; it tells at one look at its bytes.
  private static func isNormal(_ name: String) -> Bool {
    var previous = UInt8(ascii: "/")
    for byte in name.utf8 {
      switch byte {
      case UInt8(ascii: "\\"), UInt8(ascii: ":"): return false
      case UInt8(ascii: "/"), UInt8(ascii: "."): if previous == UInt8(ascii: "/") { return false }
      default: break
      }
      previous = byte
    }
    return previous != UInt8(ascii: "/")
  }

  /// Strings compare by canonical equivalence, so the normal form needs no folding.
  static func fold(_ path: String) -> String { PercentEncoding.decoded(path).lowercased() }

  /// The one folder too many, with its slash, when `META-INF` lies in it and not at the root.
  private static func commonFolder(_ paths: [String]) -> String {
    let marker = "meta-inf/container.xml"
    var found: String?
    for path in paths where path.utf8.count >= marker.utf8.count && path.lowercased().hasSuffix(marker) {
      if path.utf8.count == marker.utf8.count { return "" }
      let folder = String(path.dropLast(marker.count))
      guard folder.hasSuffix("/") else { continue }
      if found.map({ folder.utf8.count < $0.utf8.count }) ?? true { found = folder }
    }
    return found ?? ""
  }
}

/// Names of entries in the code page of whoever packed them, which a ZIP archive does not tell (APPNOTE.TXT, appendix D).
///
/// The package's own names decide: a path that nothing else answers to is that of an entry whose name is it in some code page,
/// the first that makes it one.
private final class LegacyNames: Sendable {
  /// Unicode first, whose names may look like others; then those that the system's own tools pack in.
  private static let encodings = [
    "UTF-8", "IBM437", "IBM850", "windows-1252", "IBM866", "windows-1251", "gb18030", "Shift_JIS", "EUC-KR", "Big5",
    "IBM852", "windows-1250", "IBM737", "windows-1253", "IBM857", "windows-1254", "IBM862", "windows-1255", "IBM720",
    "windows-1256", "IBM775", "windows-1257", "windows-1258", "windows-874", "KOI8-R", "EUC-JP", "macintosh",
    "x-mac-cyrillic",
  ]

  private let names: [(position: Int, bytes: [UInt8])]
  /// Folders at the beginning of each name that are not part of its path.
  private let depth: Int
  /// By folded path, for each encoding in order; made when first asked for.
  private let tables = Lock<[[String: Int]]?>(nil)

  init(_ names: [Int: [UInt8]], below depth: Int) {
    self.names = names.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    self.depth = depth
  }

  func find(_ path: String) -> Int? {
    tables.withLock { tables in
      let known = tables ?? makeTables()
      tables = known
      let key = EntryIndex.fold(path)
      return known.lazy.compactMap { $0[key] }.first
    }
  }

  private func makeTables() -> [[String: Int]] {
    // No name has a line end; decoded all at once, since opening a decoder takes longer.
    let lines = Array(names.map(\.bytes).joined(separator: [0x0A] as [UInt8]))
    var tables = Self.encodings.map { encoding -> [String: Int] in
      guard let decoded = encoding == "UTF-8" ? (lines, 0) : TextDecoder.decode(lines[...], from: encoding) else {
        return [:]
      }
      return table(decoded.0.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init))
    }
    // URLs may have escapes of the very bytes, which are not resolved where they are not UTF-8.
    tables.append(table(names.map { Self.escaped($0.bytes) }))
    return tables
  }

  private func table(_ decoded: [[UInt8]]) -> [String: Int] {
    guard decoded.count == names.count else { return [:] }
    var table: [String: Int] = [:]
    for (name, text) in zip(names, decoded) {
      guard let text = String(validating: text, as: UTF8.self), !text.unicodeScalars.contains("\u{FFFD}"),
        let path = EntryIndex.normalize(text)
      else { continue }
      let key = EntryIndex.fold(path.split(separator: "/").dropFirst(depth).joined(separator: "/"))
      if table[key] == nil { table[key] = name.position }
    }
    return table
  }

  private static func escaped(_ bytes: [UInt8]) -> [UInt8] {
    let digits = Array("0123456789ABCDEF".utf8)
    return bytes.flatMap { $0 < 0x80 ? [$0] : [0x25, digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
  }
}
