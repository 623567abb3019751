import Platform

/// Size and time of the last change of a file or folder, by which it is known without being read.
package struct FileStamp: Hashable, StableHashable, Sendable {
  /// In bytes.
  package var size: Int
  /// Since 1970.
  package var seconds: Int
  package var nanoseconds: Int

  /// The stamp of the file at a path, links followed; nil where there is none.
  package init?(of path: String) {
    guard let status = SystemFile.status(of: path) else { return nil }
    size = Int(status.st_size)
    seconds = status.st_mtim.tv_sec
    nanoseconds = status.st_mtim.tv_nsec
  }

  package func hash(into hasher: inout StableHasher) {
    for number in [size, seconds, nanoseconds] { hasher.combine(number) }
  }
}
