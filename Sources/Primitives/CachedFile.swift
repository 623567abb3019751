import Platform

/// A file of what takes long to make, kept between runs in the user's cache folder (XDG Base Directory Specification):
/// `typeset/<kind>-….index`.
///
/// Its name says what it was made from. It is written beside its place and renamed, so that a reader sees it whole and of two
/// writers the last wins. Where the folder cannot be written, nothing is kept.
package struct CachedFile: Sendable {
  private let folder: String?
  private let kind: String
  private let name: String
  /// nil where nothing is kept.
  package var path: String? { folder.map { $0 + "/" + name } }

  /// - Parameters:
  ///   - kind: The first word of the name.
  ///   - key: Has seen all that decides what is in the file.
  ///   - folder: Where files are kept; nil for nowhere.
  package init(kind: String, key: StableHasher, folder: String?) {
    self.folder = folder
    self.kind = kind
    name = "\(kind)-\(String(key.value, radix: 16)).index"
  }

  /// A file in the user's folder.
  package init(kind: String, key: StableHasher) { self.init(kind: kind, key: key, folder: Self.userFolder) }

  /// Keeps bytes, unless something they were made from has changed a moment ago.
  ///
  /// - Parameter stamps: Of the files and folders they were made from; nil where there was nothing.
  package func save(_ bytes: [UInt8], madeFrom stamps: [FileStamp?]) {
    guard let folder, let path, stamps.allSatisfy(Self.isSettled) else { return }
    unsafe mkdir(FilePath.folder(of: folder), 0o700)
    unsafe mkdir(folder, 0o700)
    removeOldFiles(in: folder)
    let draft = path + ".\(getpid())"
    let file = unsafe open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { return }
    var written = 0
    unsafe bytes.withUnsafeBytes { raw in
      while written < raw.count {
        let count = unsafe write(file, raw.baseAddress.map { unsafe $0 + written }, raw.count - written)
        guard count > 0 else { return }
        written += count
      }
    }
    if unsafe close(file) != 0 || written < bytes.count || rename(draft, path) != 0 { unsafe unlink(draft) }
  }

  /// Changes of the last two seconds may be followed by others at what a coarse clock takes for the same time.
  private static func isSettled(_ stamp: FileStamp?) -> Bool { stamp.map { $0.seconds + 2 < time(nil) } ?? true }

  /// Files of this kind that have not been made anew for a month.
  private func removeOldFiles(in folder: String) {
    guard let listing = unsafe opendir(folder) else { return }
    defer { unsafe closedir(listing) }
    while let entry = unsafe readdir(listing) {
      let name = unsafe FilePath.name(of: entry)
      guard name.hasPrefix(kind + "-"), name.contains(".index") else { continue }
      let path = folder + "/" + name
      if let stamp = FileStamp(of: path), stamp.seconds + 30 * 24 * 3600 < time(nil) { unsafe unlink(path) }
    }
  }

  private static var userFolder: String? {
    if let cache = Environment.value(of: "XDG_CACHE_HOME"), cache.hasPrefix("/") { return cache + "/typeset" }
    return Environment.value(of: "HOME").flatMap { $0.hasPrefix("/") ? $0 + "/.cache/typeset" : nil }
  }
}
