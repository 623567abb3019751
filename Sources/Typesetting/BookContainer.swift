/// The files of an EPUB that a program reads itself: out of an object store, a database, or decrypted on the way.
///
/// Its functions are called from any thread, several at once, and may block. Paths are handed to them as ``paths`` has
/// them. A file has to have the same bytes each time.
public protocol BookContainer: Sendable {
  /// The paths of all files from the book's root, with slashes, such as `META-INF/container.xml`. Asked for once.
  var paths: [String] { get }
  /// The size of a file in bytes; nil where there is none. It is told without the file's being read.
  func size(of path: String) -> Int?
  /// The bytes of a file. An error makes it a missing part of the book, which is told by ``Book/diagnostics``.
  func read(_ path: String) throws -> [UInt8]
}
