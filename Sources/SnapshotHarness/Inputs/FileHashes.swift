import Platform
import Synchronization

/// The SHA-256 of files, each of which is read once for as long as it does not change: fonts and libraries are large and many.
final class FileHashes: Sendable {
  private let path: String
  /// By path and stamp.
  private let known: Lock<[String: String]>

  /// - Parameter path: where the hashes are kept for the next process.
  init(_ path: String) {
    self.path = path
    known = Lock(Files.read(json: path, as: [String: String].self) ?? [:])
  }

  /// In hexadecimal; nil for a file that cannot be read.
  func hash(of file: String) -> String? {
    guard let stamp = Self.stamp(file) else { return nil }
    let key = "\(file) \(stamp)"
    return known.withLock { known in
      if let hash = known[key] { return hash }
      guard let bytes = Files.read(file) else { return nil }
      let hash = SHA256.hex(bytes)
      known[key] = hash
      // A list that cannot be kept is made again.
      try? Files.write(json: known, to: path)
      return hash
    }
  }

  /// Size, place and times of a file's last changes; nil when it is missing. The time of its status tells a file whose time of
  /// content was put back.
  static func stamp(_ path: String) -> String? {
    guard let status = SystemFile.status(of: path) else { return nil }
    return
      "\(status.st_size) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec) \(status.st_ctim.tv_sec).\(status.st_ctim.tv_nsec) \(status.st_ino)"
  }

  /// The digest of names and stamps of files.
  ///
  /// - Parameter folder: What names start from; nil for paths.
  static func stamp(of names: [String], in folder: String? = nil) -> String {
    let list = names.map { name in "\(name) \(stamp(folder.map { Files.join($0, name) } ?? name) ?? "")\n" }
    return SHA256.hex(Array(list.joined().utf8))
  }
}

/// The shared libraries that a unit was set with: FreeType, HarfBuzz, ICU, the decoders of images and what these load. What pages
/// look like depends on their code, whatever version they say they are.
enum LoadedLibraries {
  private static let hashes = FileHashes(Files.join(FontSet.defaultCache, "libraries.json"))

  /// The files of all libraries that this process has loaded by now, in order.
  static var paths: [String] {
    var paths: Set<Substring> = []
    for line in Files.kernelText("/proc/self/maps").split(separator: "\n") {
      guard let slash = line.firstIndex(of: "/") else { continue }
      let path = line[slash...]
      if path.hasSuffix(".so") || path.contains(".so.") { paths.insert(path) }
    }
    return paths.map(String.init).sorted()
  }

  /// Digits of a hash that each unit keeps of each of its many libraries: a change is to be seen, and nobody to be kept
  /// out.
  private static let digits = 16

  /// Of libraries, by path: the first digits.
  static func libraryHashes(of paths: [String]) -> [String: String] {
    hashes(of: paths).mapValues { String($0.prefix(digits)) }
  }

  /// By path; empty for those that cannot be read.
  static func hashes(of paths: [String]) -> [String: String] {
    var found: [String: String] = [:]
    for path in paths { found[path] = hashes.hash(of: path) ?? "" }
    return found
  }

  /// All files are still what they were, as far as the digits of their hashes tell.
  static func areThere(_ files: [String: String]) -> Bool {
    files.allSatisfy { path, known in
      let hash = hashes.hash(of: path) ?? ""
      return hash == known || !known.isEmpty && hash.hasPrefix(known)
    }
  }
}
