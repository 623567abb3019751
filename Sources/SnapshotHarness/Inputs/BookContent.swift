import FoundationEssentials
import Platform
import Synchronization

/// The content of books by its hash. Each is read once for as long as it does not change.
package enum BookContent {
  struct Known: Hashable, Sendable {
    /// Of the file, or of all files of a folder (`stamp`).
    var stamp: String
    /// SHA-256 in hexadecimal: of a file's bytes, or of the names and hashes of a folder's files.
    var hash: String
    /// Bytes.
    var size: Int
  }

  /// By path.
  private static let known = Lock<[String: Known]>([:])

  /// The hash and the size of a book as it is now; nil for one that cannot be read.
  static func hash(_ path: String) -> (hash: String, size: Int)? {
    guard let stamp = stamp(path) else { return nil }
    if let known = known.withLock({ $0[path] }), known.stamp == stamp { return (known.hash, known.size) }
    guard let found = read(path) else { return nil }
    known.withLock { $0[path] = Known(stamp: stamp, hash: found.hash, size: found.size) }
    return found
  }

  /// Takes over what another process has read: books whose stamps are still the same are not read again.
  static func learn(_ books: [String: Known]) { known.withLock { $0.merge(books) { _, new in new } } }

  static func isKnown(_ path: String) -> Known? { known.withLock { $0[path] } }

  /// Size, place and times of a file, or the names and those of all files of a folder; nil where there is none.
  static func stamp(_ path: String) -> String? {
    Files.isFolder(path) ? FileHashes.stamp(of: Files.walk(path), in: path) : FileHashes.stamp(path)
  }

  private static func read(_ path: String) -> (hash: String, size: Int)? {
    guard Files.isFolder(path) else {
      guard let data = try? Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe) else { return nil }
      var hasher = SHA256()
      hasher.update(data.span)
      return (hasher.hex(), data.count)
    }
    var list = ""
    var total = 0
    for name in Files.walk(path) {
      guard let bytes = Files.read(Files.join(path, name)) else { return nil }
      list += "\(SHA256.hex(bytes)) \(name)\n"
      total += bytes.count
    }
    return (SHA256.hex(Array(list.utf8)), total)
  }
}

extension CorpusBook {
  /// Fails where the book is not what a run or an index says of it.
  func check() throws(HarnessError) {
    guard let now = BookContent.hash(path) else { throw HarnessError.missing("\(path): the book cannot be read") }
    guard now.hash == hash else {
      throw HarnessError.invalid(
        "\(path): the book is another than the one that was listed; typeset snapshot index brings an index up to date")
    }
  }
}
