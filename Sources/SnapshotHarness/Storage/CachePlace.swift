import BookOutput
import FoundationEssentials

/// Where the results of units are shared: a folder, and a remote of rclone that it is a part of.
package struct CachePlace: Hashable, Codable, Sendable {
  package var folder: String
  /// `name:path`, as rclone's configuration knows it; nil where the folder is all there is.
  package var remote: String?

  package init(folder: String, remote: String? = nil) throws(HarnessError) {
    self.folder = Files.absolute(folder)
    self.remote = remote
    guard let remote else { return }
    // Everybody on the machine sees the arguments of a process.
    guard !remote.isEmpty, !remote.hasPrefix("-"), !remote.hasPrefix(":"),
      remote.prefix(while: { $0 != ":" && $0 != "/" }).allSatisfy({ $0.isLetter || $0.isNumber || "_-+. ".contains($0) }
      )
    else {
      throw HarnessError(
        64,
        "--cache-remote takes a remote by its name in rclone's configuration, as s3:books; credentials belong in it"
      )
    }
  }

  /// Brings objects into the folder; those that the remote does not have stay away. Nothing is asked of it for none.
  ///
  /// - Parameter names: places of objects below the folder.
  /// - Returns: What went wrong, in a line; nil for nothing.
  func fetch(_ names: [String]) -> String? {
    let missing = names.filter { !Files.exists(Files.join(folder, $0)) }
    return remote.flatMap { copy(missing, from: $0, to: folder) }.map { "nothing is fetched from the cache: \($0)" }
  }

  /// Takes objects from the folder to the remote: data of pages first, so that nobody finds a unit without them.
  func send(_ names: [String]) -> String? {
    guard let remote else { return nil }
    for kind in [UnitCache.Kind.pages, .units] {
      if let fault = copy(names.filter { $0.hasPrefix(kind.rawValue + "/") }, from: folder, to: remote) {
        return "nothing is taken to the cache's remote: \(fault)"
      }
    }
    return nil
  }

  private func copy(_ names: [String], from: String, to: String) -> String? {
    if names.isEmpty { return nil }
    let list = Files.join(FileManager.default.temporaryDirectory.path, "typeset-\(UInt64.random(in: 0...UInt64.max))")
    do throws(HarnessError) {
      try Files.makeFolder(folder)
      try Files.write(names.map { $0 + "\n" }.joined(), to: list)
    } catch {
      return error.description
    }
    defer { Files.remove(list) }
    var limits = UnitLimits()
    limits.seconds = 6 * 3600
    limits.memory = 8 << 30
    limits.openFiles = 4096
    var child = ChildProcess(
      ["/usr/bin/env", "rclone", "copy", "--files-from", list, "--no-traverse", from, to],
      folder: FileManager.default.currentDirectoryPath, limits: limits)
    // All that its configuration may depend on.
    child.environment = ProcessInfo.processInfo.environment
    child.refusesNetwork = false
    // What it says is not repeated: there may be addresses with keys in it.
    switch child.run(isStopped: { Interruption.isRequested }).end {
    case .exited(0): return nil
    case .exited(127): return "rclone is not installed"
    case .exited(let code): return "rclone ends with exit code \(code)"
    case .interrupted: return "interrupted"
    default: return "rclone does not come to an end"
    }
  }
}

extension RunFolder {
  var cachePath: String { Files.join(path, "cache.json") }

  /// The cache that has the pages of its units where they are not here.
  var cachePlace: CachePlace? { Files.read(json: cachePath, as: CachePlace.self) }

  /// Units may have been found by their hashes, and their pages lie in a cache.
  package var mayLackPages: Bool { Files.exists(cachePath) }

  /// Brings the data of pages of units that were found by their hashes.
  ///
  /// - Returns: Those that cannot be had.
  package func completePages(of units: [UnitKey]) -> [UnitKey] {
    let files = units.compactMap { unitFile($0) }.filter(\.isWithoutPages)
    guard !files.isEmpty, let place = cachePlace else { return files.map(\.result.key) }
    _ = place.fetch(files.map { UnitCache.name(.pages, $0.cacheKey) })
    let cache = UnitCache(place.folder)
    return files.filter { !cache.restorePages(of: $0, in: self) }.map(\.result.key)
  }
}
