import BookOutput
import FoundationEssentials
import Platform
import Primitives
package import Typesetting

/// The faces that pages may use beside those of books: `fonts.yaml` (snapshot harness, 3.3).
///
/// Without such a file the machine's fonts are used, and pages of two machines may differ.
package struct FontSet: Hashable, Codable, Sendable {
  package struct File: Hashable, Codable, Sendable {
    /// The Debian package it comes from; empty when it is none.
    package var debianPackage: String
    package var path: String
    /// SHA-256 in hexadecimal: the one that is wanted.
    package var hash: String
    /// That of the file as it is on this machine; nil where it cannot be read.
    package var found: String?

    enum CodingKeys: String, CodingKey {
      case debianPackage = "package"
      case path
      case hash
      case found
    }
  }

  package var files: [File]
  /// A folder that holds links to these files and nothing else; nil where the machine's fonts are used.
  package var folder: String?
  /// The fonts that stand for `serif` and so on; nil leaves the engine's choice.
  package var serif: String?
  package var sans: String?
  package var mono: String?
  /// Faults of the fonts of this machine: a line for each file that is missing or another.
  package var problems: [String] = []

  package static let system = FontSet(files: [])

  package init(files: [File]) { self.files = files }

  /// By file name: the hash of what is there, or else the one that is wanted.
  package var versions: [String: String] {
    var versions: [String: String] = [:]
    for file in files {
      versions[file.path.split(separator: "/").last.map(String.init) ?? file.path] = file.found ?? file.hash
    }
    return versions
  }

  /// Reads a file, checks the fonts it names, and gathers them in a folder below `cache`.
  ///
  /// - Returns: nil when there is no such file.
  package static func read(_ path: String, cache: String) throws(HarnessError) -> FontSet? {
    guard let file = try YAMLFile(path: path) else { return nil }
    let top = try file.mapping(file.root, allowed: ["fonts", "serif", "sans", "mono", "note"])
    guard let list = top["fonts"]?.sequence else { throw file.fault(file.root, "a list of fonts is expected") }
    var set = FontSet(files: [])
    set.serif = top["serif"]?.string
    set.sans = top["sans"]?.string
    set.mono = top["mono"]?.string
    for node in list {
      let entry = try file.mapping(
        node,
        allowed: ["package", "file", "path", "hash", "sha256", "face", "faces", "family", "note", "role", "version"])
      guard let name = (entry["file"] ?? entry["path"])?.string, name.hasPrefix("/") else {
        throw file.fault(node, "a font needs its file as an absolute path")
      }
      var hash = (entry["hash"] ?? entry["sha256"])?.string?.lowercased() ?? ""
      if hash.hasPrefix("sha256:") { hash.removeFirst(7) }
      set.files.append(File(debianPackage: entry["package"]?.string ?? "", path: name, hash: hash))
    }
    try set.check(cache: cache)
    return set
  }

  /// Hashes the files, unless that was done before and none has changed since.
  private mutating func check(cache: String) throws(HarnessError) {
    let hashes = FileHashes(Files.join(cache, "fonts.json"))
    var identity = StableHasher()
    for (index, file) in files.enumerated() {
      let origin = file.debianPackage.isEmpty ? "" : " (Debian package \(file.debianPackage))"
      guard let stamp = FileHashes.stamp(file.path) else {
        problems.append("\(file.path)\(origin): the font is missing")
        continue
      }
      guard let hash = hashes.hash(of: file.path) else {
        problems.append("\(file.path)\(origin): the font cannot be read")
        continue
      }
      files[index].found = hash
      if file.hash.isEmpty {
        files[index].hash = hash
      } else if hash != file.hash {
        problems.append(
          "\(file.path)\(origin): the font is another version: \(hash.prefix(12)), not \(file.hash.prefix(12))")
      }
      identity.combine(file.path)
      identity.combine(stamp)
    }
    // Links in a folder of a lasting name: fontconfig scans it once and keeps what it found.
    let folder = Files.join(cache, "fonts-" + hexadecimal(identity.value))
    if !Files.isFolder(folder) {
      let temporary = folder + ".tmp-\(getpid())"
      try Files.makeFolder(temporary)
      for (index, file) in files.enumerated() where Files.exists(file.path) {
        let name = file.path.split(separator: "/").last.map(String.init) ?? "font"
        let isTaken = Files.exists(Files.join(temporary, name))
        guard unsafe symlink(file.path, Files.join(temporary, isTaken ? "\(index)-\(name)" : name)) == 0 else {
          throw HarnessError(OutputFiles.failure(temporary))
        }
      }
      if unsafe Platform.rename(temporary, folder) != 0 { Files.remove(temporary) }
    }
    self.folder = folder
  }

  /// The folder in which the harness keeps files that can be made again.
  package static var defaultCache: String {
    let environment = ProcessInfo.processInfo.environment
    if let folder = environment["XDG_CACHE_HOME"], !folder.isEmpty { return Files.join(folder, "typeset") }
    if let home = environment["HOME"], !home.isEmpty { return Files.join(home, ".cache/typeset") }
    return "/tmp/typeset-cache"
  }

  package func apply(to settings: inout TypesettingSettings) {
    guard let folder else { return }
    settings.fontDirectories = [folder]
    settings.usesSystemFonts = false
    settings.serif = serif
    settings.sans = sans
    settings.mono = mono
  }
}
