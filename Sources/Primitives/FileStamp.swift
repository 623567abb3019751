import Platform

/// A file or folder, by its size and the time of its last change.
struct FileStamp: Equatable {
  var path: String
  /// In bytes. Like the times it is zero where there is nothing at the path; only the lowest 32 bits of each count.
  var size = 0
  /// Since 1970.
  var seconds = 0
  var nanoseconds = 0
}

extension FileStamp {
  /// What is at a path now.
  init(of path: String) {
    self.path = path
    var status = stat()
    guard stat(path, &status) == 0 else { return }
    size = Int(UInt32(truncatingIfNeeded: status.st_size))
    seconds = Int(UInt32(truncatingIfNeeded: status.st_mtim.tv_sec))
    nanoseconds = Int(UInt32(truncatingIfNeeded: status.st_mtim.tv_nsec))
  }

  /// Changes of the last two seconds may be followed by others at what a coarse clock takes for the same time.
  var isSettled: Bool { seconds + 2 < time(nil) }
}
