package import Primitives

/// The container of a publication's files: an archive or a folder (EPUB 3.3, section 4).
///
/// Paths are relative to the container's root, separated by slashes, with percent escapes resolved. They are found also
/// where case, escapes, backslashes or the normal form of Unicode differ. Nothing outside the container can be reached.
package protocol Container: Sendable {
  /// The paths of all files, in the container's order.
  var paths: [String] { get }
  /// The container has a file of this path.
  func contains(_ path: String) -> Bool
  /// The size of a file by the container's directory, nothing read; nil when there is none.
  func size(of path: String) -> ContainerEntrySize?
  /// Folds in the names of all files and what tells other contents from these without reading them.
  ///
  /// - Parameter limit: Files to look at, where the container may hold far more than the book.
  func combineContents(into hasher: inout StableHasher, limit: Int)
  /// The bytes of a file, at most `limit`.
  func read(_ path: String, limit: Int) throws(ContainerError) -> ContainerEntry
}

/// The bytes of a file in a container.
package struct ContainerEntry: Sendable {
  package var bytes: [UInt8]
  /// The damage of bytes that could be read all the same; nil when there is none.
  package var damage: String?

  package init(bytes: [UInt8], damage: String? = nil) {
    self.bytes = bytes
    self.damage = damage
  }
}

/// Bytes of a file in a container.
package struct ContainerEntrySize: Hashable, Sendable {
  package var unpacked: Int
  /// As it lies in the archive; the same where it is not packed.
  package var packed: Int
}

/// The reason that a file in a container cannot be read.
package enum ContainerError: Error, Hashable, Sendable {
  case missing
  /// Encrypted with a password.
  case encrypted
  case unreadable(String)
  /// It unpacks to more than this many bytes.
  case tooLarge(Int)

  /// The reason as a clause.
  package var reason: String {
    switch self {
    case .missing: "the file is not in the book"
    case .encrypted: "the file is encrypted with a password"
    case .unreadable(let reason): reason
    case .tooLarge(let limit): "the file unpacks to more than the limit of \(limit) bytes"
    }
  }
}

/// Finds entries by path in spite of differences of spelling.
struct EntryIndex: Sendable {
  /// Normalised paths in the container's order, without those that would leave it.
  private(set) var paths: [String] = []
  private var exact: [String: Int] = [:]
  private var folded: [String: Int] = [:]
  /// A folder everything lies in, which is taken for the root.
  private(set) var prefix = ""

  /// Makes an index of names as the container spells them; nil names are entries that must not be reached.
  init(names: [String?]) {
    var normalized: [(Int, String)] = []
    for (index, name) in names.enumerated() {
      guard let name, let path = Self.normalize(name) else { continue }
      normalized.append((index, path))
    }
    prefix = Self.commonFolder(normalized.map(\.1))
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
    return folded[Self.fold(path)]
  }

  /// The name with slashes, without a leading `./`; nil for folders and for names that leave the container.
  static func normalize(_ name: String) -> String? {
    if isNormal(name) { return name }
    var parts: [Substring] = []
    let slashed = String(name.map { $0 == "\\" ? "/" : $0 })
    guard !slashed.isEmpty, !slashed.hasPrefix("/"), !slashed.hasSuffix("/") else { return nil }
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
  private static func fold(_ path: String) -> String { ResourcePath.removingPercentEscapes(path).lowercased() }

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
