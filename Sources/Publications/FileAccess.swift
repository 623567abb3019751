import Platform

/// Files of a publication that is a folder.
enum FileAccess {
  /// The bytes of a file, at most `limit`.
  static func read(_ path: String, limit: Int) throws(ContainerError) -> [UInt8] {
    do throws(SystemFile.Failure) {
      return try SystemFile.contents(of: path, limit: limit)
    } catch {
      switch error {
      case .system(ENOENT), .system(ENOTDIR): throw .missing
      case .tooLarge: throw .tooLarge(limit)
      case .system, .notRegular: throw .unreadable(error.reason)
      }
    }
  }

  /// The names in a folder, sorted; of more than `limit` those that the system gives first.
  static func names(in folder: String, limit: Int = .max) -> [String] {
    guard let directory = unsafe opendir(folder) else { return [] }
    defer { unsafe closedir(directory) }
    var names: [String] = []
    while names.count < limit, let entry = unsafe readdir(directory) {
      let name = unsafe FilePath.name(of: entry)
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }
}
