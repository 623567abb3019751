import Glibc
import HTTPTypes
import Typesetting

/// The files of the shelf's folder. Nothing outside it is ever named here: links are followed only while they stay inside.
struct ShelfFolder: Sendable {
  struct File: Hashable, Sendable {
    /// From the folder.
    var path: String
    var size: Int
    /// Seconds since 1970.
    var modified: Double
  }

  /// Absolute, links resolved.
  let root: String
  static var extensions: Set<String> { Book.fileExtensions }
  private static let deepest = 6
  private static let most = 20_000

  init?(_ path: String) {
    guard let root = Self.resolved(path), Self.status(root).map({ $0.st_mode & S_IFMT == S_IFDIR }) == true else {
      return nil
    }
    self.root = root
  }

  /// Books in the folder and those below it, in the order of their names; hidden ones are left out.
  func files() -> [File] {
    var found: [File] = []
    var folders = [(path: "", level: 0)]
    while let (folder, level) = folders.popLast(), found.count < Self.most {
      for name in Self.names(in: root + "/" + folder) where !name.hasPrefix(".") {
        let path = folder.isEmpty ? name : folder + "/" + name
        guard let full = resolved(path), let status = Self.status(full) else { continue }
        let isFolder = status.st_mode & S_IFMT == S_IFDIR
        if isFolder, Self.status(full + "/META-INF/container.xml") == nil {
          if level < Self.deepest { folders.append((path, level + 1)) }
          continue
        }
        guard isFolder || status.st_mode & S_IFMT == S_IFREG && Self.extensions.contains(Self.fileExtension(name))
        else {
          continue
        }
        let modified = Double(status.st_mtim.tv_sec) + Double(status.st_mtim.tv_nsec) / 1e9
        found.append(File(path: path, size: isFolder ? 0 : Int(status.st_size), modified: modified))
      }
    }
    return found.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
  }

  /// The absolute path of a file of the folder with links resolved; nil when it is not there or leads out.
  func resolved(_ path: String) -> String? {
    guard !path.utf8.contains(0), let full = Self.resolved(root + "/" + path), full.hasPrefix(root + "/") else {
      return nil
    }
    return full
  }

  // MARK: New files

  /// A plain name for an upload: the last part of what was sent, without what file systems or people trip over.
  static func sanitized(_ name: String) -> String? {
    let last = name.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last.map(String.init) ?? ""
    var clean = ""
    for scalar in last.unicodeScalars {
      let properties = scalar.properties
      switch properties.generalCategory {
      case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: continue
      default: break
      }
      clean.unicodeScalars.append("<>:\"|?*".unicodeScalars.contains(scalar) ? "-" : scalar)
    }
    let kind = fileExtension(clean)
    guard extensions.contains(kind) else { return nil }
    var stem = String(clean.dropLast(kind.count + 1))
    while let first = stem.first, first == "." || first.isWhitespace { stem.removeFirst() }
    while let last = stem.last, last == "." || last.isWhitespace { stem.removeLast() }
    // File systems take 255 bytes.
    while stem.utf8.count > 180 { stem.removeLast() }
    return (stem.isEmpty ? "book" : stem) + "." + kind
  }

  /// Gives a new file its name without ever replacing another: a number is added where the name is taken.
  ///
  /// - Returns: The name; nil when the folder takes no file.
  func place(_ temporary: String, as name: String) -> String? {
    let kind = Self.fileExtension(name)
    let stem = name.dropLast(kind.count + 1)
    for number in 1...1000 {
      let candidate = number == 1 ? name : "\(stem) (\(number)).\(kind)"
      if link(temporary, root + "/" + candidate) == 0 {
        unlink(temporary)
        return candidate
      }
      guard errno == EEXIST else { return nil }
    }
    return nil
  }

  /// In lower case; of two parts where both together say what the file is, as in `fb2.zip`.
  static func fileExtension(_ name: String) -> String {
    let parts = name.lowercased().split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count > 1, let last = parts.last else { return "" }
    let two = parts.suffix(2).joined(separator: ".")
    return parts.count > 2 && extensions.contains(two) ? two : String(last)
  }

  // MARK: The system

  private static func resolved(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }

  private static func status(_ path: String) -> stat? {
    var status = stat()
    return stat(path, &status) == 0 ? status : nil
  }

  private static func names(in folder: String) -> [String] {
    guard let handle = opendir(folder) else { return [] }
    defer { closedir(handle) }
    var names: [String] = []
    while let entry = readdir(handle) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(validatingCString: $0) }
      }
      if let name, name != ".", name != ".." { names.append(name) }
    }
    return names
  }
}
