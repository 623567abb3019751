/// Files by the hash of their content: the fonts and images of books, each kept once.
package struct BlobStore: Sendable {
  package let folder: String

  package init(_ folder: String) { self.folder = folder }

  /// The path of a blob, whether it is there or not.
  package func path(_ hash: String) -> String { Files.join(folder, hash.prefix(2) + "/" + hash.dropFirst(2)) }

  package func contains(_ hash: String) -> Bool { Files.exists(path(hash)) }

  package func read(_ hash: String) -> [UInt8]? { Files.read(path(hash)) }

  /// Keeps bytes.
  ///
  /// - Returns: their SHA-256 in hexadecimal.
  @discardableResult
  package func store(_ bytes: [UInt8]) throws(HarnessError) -> String {
    let hash = SHA256.hex(bytes)
    if !contains(hash) { try Files.write(bytes, to: path(hash)) }
    return hash
  }

  /// The hashes of all blobs, in order.
  package func hashes() -> [String] { Files.walk(folder).map { $0.filter { $0 != "/" } } }

  package func remove(_ hash: String) { Files.remove(path(hash)) }
}
