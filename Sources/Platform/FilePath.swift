/// Paths of files, as the system resolves them.
package enum FilePath {
  /// The absolute path with all links resolved; nil where nothing is there.
  package static func resolved(_ path: String) -> String? {
    guard let found = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(found) }
    return unsafe String(cString: found)
  }
}
