import Platform
import Primitives

/// The place of an index between runs: a file for each font configuration in the user's cache folder (XDG Base Directory
/// Specification), `typeset/fonts-….index`.
///
/// A file counts as long as nothing it was made from has changed. It is written beside its place and renamed, so that a
/// reader sees it whole and of two writers the last wins. Where the folder cannot be written, indexes live in memory only.
struct FontIndexStore {
  private let folder: String?
  private let name: String
  private var path: String? { folder.map { $0 + "/" + name } }

  /// - Parameters:
  ///   - directories: The folders named by the reader.
  ///   - usesSystemFonts: `true` if the machine's configuration counts.
  ///   - folder: Where indexes are kept; nil for nowhere.
  init(directories: [String], usesSystemFonts: Bool, folder: String? = Self.userFolder) {
    self.folder = folder
    var hasher = StableHasher()
    // Answers depend on this module's code and on the places where fontconfig looks, beside the files.
    hasher.combine(EngineBuild.digest)
    hasher.combine(usesSystemFonts)
    for directory in directories { hasher.combine(directory) }
    for name in Self.environment { hasher.combine(Self.value(of: name) ?? "") }
    name = "fonts-\(String(hasher.value, radix: 16)).index"
  }

  /// The index kept, if it is fresh.
  func load() -> FontIndex? {
    guard let path, let index = FontIndex(path: path) else { return nil }
    return index.isFresh ? index : nil
  }

  /// Keeps an index, unless something it was made from has changed a moment ago.
  func save(_ bytes: [UInt8], madeFrom stamps: [StampedPath]) {
    guard let folder, let path, stamps.allSatisfy(Self.isSettled) else { return }
    unsafe mkdir(Self.parent(folder), 0o700)
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
  private static func isSettled(_ path: StampedPath) -> Bool { path.stamp.map { $0.seconds + 2 < time(nil) } ?? true }

  /// Indexes of configurations, and of builds of this module, that have not been made anew for a month.
  private func removeOldFiles(in folder: String) {
    guard let listing = unsafe opendir(folder) else { return }
    defer { unsafe closedir(listing) }
    while let entry = unsafe readdir(listing) {
      let name = unsafe Self.name(of: entry)
      guard name.hasPrefix("fonts-"), name.contains(".index") else { continue }
      let path = folder + "/" + name
      if let stamp = FileStamp(of: path), stamp.seconds + 30 * 24 * 3600 < time(nil) { unsafe unlink(path) }
    }
  }

  // MARK: Sources of an index

  /// The files and folders whose change makes the answers of a configuration others.
  static func stamps(of configuration: FontConfiguration, directories: [String], usesSystemFonts: Bool) -> [StampedPath]
  {
    var paths: [String] = []
    if usesSystemFonts {
      let files = configuration.files
      paths += files + files.map(parent) + places + configuration.fontFolders
    }
    for directory in directories { addFolders(below: directory, depth: 0, to: &paths) }
    var known = Set<String>()
    return paths.filter { known.insert($0).inserted }.map(StampedPath.init)
  }

  /// Folders where fontconfig would find rules and faces of the user, if there were any.
  private static var places: [String] {
    let home = value(of: "HOME") ?? ""
    let configuration = value(of: "XDG_CONFIG_HOME") ?? home + "/.config"
    let data = value(of: "XDG_DATA_HOME") ?? home + "/.local/share"
    return [
      configuration + "/fontconfig", configuration + "/fontconfig/fonts.conf", configuration + "/fontconfig/conf.d",
      home + "/.fonts.conf", home + "/.fonts.conf.d", home + "/.fonts", data + "/fonts", "/etc/fonts",
      "/etc/fonts/conf.d", "/etc/fonts/local.conf",
    ]
  }

  /// The environment names the configuration to use.
  static var namesConfiguration: Bool { value(of: "FONTCONFIG_FILE") != nil }

  /// Variables by which fontconfig finds its files.
  private static let environment = [
    "FONTCONFIG_FILE", "FONTCONFIG_PATH", "FONTCONFIG_SYSROOT", "HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME",
    "XDG_DATA_DIRS",
  ]

  static var userFolder: String? {
    if let cache = value(of: "XDG_CACHE_HOME"), cache.hasPrefix("/") { return cache + "/typeset" }
    return value(of: "HOME").flatMap { $0.hasPrefix("/") ? $0 + "/.cache/typeset" : nil }
  }

  private static func value(of name: String) -> String? {
    unsafe getenv(name).map { unsafe String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  private static func parent(_ path: String) -> String {
    path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
  }

  private static func addFolders(below folder: String, depth: Int, to paths: inout [String]) {
    paths.append(folder)
    guard depth < 16, let listing = unsafe opendir(folder) else { return }
    defer { unsafe closedir(listing) }
    var names: [String] = []
    while let entry = unsafe readdir(listing) {
      guard
        unsafe entry.pointee.d_type == DT_DIR || entry.pointee.d_type == DT_UNKNOWN || entry.pointee.d_type == DT_LNK
      else {
        continue
      }
      let name = unsafe name(of: entry)
      if !name.hasPrefix(".") { names.append(name) }
    }
    for name in names.sorted() {
      var status = stat()
      let path = folder + "/" + name
      if unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
        addFolders(below: path, depth: depth + 1, to: &paths)
      }
    }
  }

  private static func name(of entry: UnsafeMutablePointer<dirent>) -> String {
    unsafe withUnsafeBytes(of: &entry.pointee.d_name) { raw in
      unsafe String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}
