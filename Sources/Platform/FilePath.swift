/// Paths of files, as the system resolves them.
package enum FilePath {
  /// The absolute path with all links resolved; nil where nothing is there.
  package static func resolved(_ path: String) -> String? {
    guard let found = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(found) }
    return unsafe String(cString: found)
  }

  /// The folder that a path stands in.
  package static func folder(of path: String) -> String {
    var path = Substring(path)
    while path.count > 1, path.last == "/" { path.removeLast() }
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The name of an entry of a folder.
  package static func name(of entry: UnsafeMutablePointer<dirent>) -> String {
    unsafe withUnsafeBytes(of: &entry.pointee.d_name) { raw in
      unsafe String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}
