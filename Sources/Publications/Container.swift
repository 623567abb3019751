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
  /// Of files that are looked for as they are asked for: the paths that have been asked for, and where each file is;
  /// nil for one that is missing.
  var asked: [String: String?] { get }
}

extension Container {
  package var asked: [String: String?] { [:] }
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
