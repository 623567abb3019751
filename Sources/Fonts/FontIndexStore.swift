import Platform
import Primitives

/// The place of an index between runs: a file for each font configuration, which counts as long as nothing it was made from
/// has changed. Where none can be kept, indexes live in memory only.
struct FontIndexStore {
  private let file: CachedFile

  /// - Parameters:
  ///   - directories: The folders named by the reader.
  ///   - usesSystemFonts: `true` if the machine's configuration counts.
  init(directories: [String], usesSystemFonts: Bool) {
    file = CachedFile(kind: Self.kind, key: Self.key(directories, usesSystemFonts))
  }

  /// - Parameter folder: Where indexes are kept; nil for nowhere.
  init(directories: [String], usesSystemFonts: Bool, folder: String?) {
    file = CachedFile(kind: Self.kind, key: Self.key(directories, usesSystemFonts), folder: folder)
  }

  private static let kind = "fonts"

  private static func key(_ directories: [String], _ usesSystemFonts: Bool) -> StableHasher {
    var hasher = StableHasher()
    // Answers depend on this module's code and on the places where fontconfig looks, beside the files.
    hasher.combine(EngineBuild.digest)
    hasher.combine(usesSystemFonts)
    for directory in directories { hasher.combine(directory) }
    for name in Self.environment { hasher.combine(Environment.value(of: name) ?? "") }
    return hasher
  }

  /// The index kept, if it is fresh.
  func load() -> FontIndex? {
    guard let path = file.path, let index = FontIndex(path: path) else { return nil }
    return index.isFresh ? index : nil
  }

  /// Keeps an index, unless something it was made from has changed a moment ago.
  func save(_ bytes: [UInt8], madeFrom stamps: [StampedPath]) {
    file.save(bytes, madeFrom: stamps.map(\.stamp))
  }

  // MARK: Sources of an index

  /// The files and folders whose change makes the answers of a configuration others.
  static func stamps(of configuration: FontConfiguration, directories: [String], usesSystemFonts: Bool) -> [StampedPath]
  {
    var paths: [String] = []
    if usesSystemFonts {
      let files = configuration.files
      paths += files + files.map(FilePath.folder) + places + configuration.fontFolders
    }
    for directory in directories { addFolders(below: directory, depth: 0, to: &paths) }
    var known = Set<String>()
    return paths.filter { known.insert($0).inserted }.map(StampedPath.init)
  }

  /// Folders where fontconfig would find rules and faces of the user, if there were any.
  private static var places: [String] {
    let home = Environment.value(of: "HOME") ?? ""
    let configuration = Environment.value(of: "XDG_CONFIG_HOME") ?? home + "/.config"
    let data = Environment.value(of: "XDG_DATA_HOME") ?? home + "/.local/share"
    return [
      configuration + "/fontconfig", configuration + "/fontconfig/fonts.conf", configuration + "/fontconfig/conf.d",
      home + "/.fonts.conf", home + "/.fonts.conf.d", home + "/.fonts", data + "/fonts", "/etc/fonts",
      "/etc/fonts/conf.d", "/etc/fonts/local.conf",
    ]
  }

  /// The environment names the configuration to use.
  static var namesConfiguration: Bool { Environment.value(of: "FONTCONFIG_FILE") != nil }

  /// Variables by which fontconfig finds its files.
  private static let environment = [
    "FONTCONFIG_FILE", "FONTCONFIG_PATH", "FONTCONFIG_SYSROOT", "HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME",
    "XDG_DATA_DIRS",
  ]

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
      let name = unsafe FilePath.name(of: entry)
      if !name.hasPrefix(".") { names.append(name) }
    }
    for name in names.sorted() {
      let path = folder + "/" + name
      if SystemFile.kind(of: path) == .folder { addFolders(below: path, depth: depth + 1, to: &paths) }
    }
  }
}
