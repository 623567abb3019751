import BookOutput
import FoundationEssentials
import Platform
import Typesetting

/// Files of runs, stores and reports: each appears whole or not at all, and what is no regular file is written to in place.
package enum Files {
  package static func write(_ bytes: some Sequence<UInt8>, to path: String) throws(HarnessError) {
    do throws(BookError) {
      try OutputFiles.makeFolder(OutputFiles.folder(of: path))
      try OutputFiles.write(bytes, to: path)
    } catch {
      throw HarnessError(error)
    }
  }

  package static func write(_ text: String, to path: String) throws(HarnessError) { try write(text.utf8, to: path) }

  /// Writes a value as JSON with sorted keys.
  package static func write(json value: some Encodable, to path: String, isPretty: Bool = false) throws(HarnessError) {
    try write(json(value, isPretty: isPretty), to: path)
  }

  package static func json(_ value: some Encodable, isPretty: Bool = false) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting =
      isPretty ? [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted] : [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(value) else { return [] }
    return Array(data) + [0x0A]
  }

  package static func read(_ path: String) -> [UInt8]? {
    (try? Data(contentsOf: URL(fileURLWithPath: path))).map { Array($0) }
  }

  package static func text(_ path: String) -> String? { read(path).map { String(decoding: $0, as: UTF8.self) } }

  /// A file that the kernel makes while it is read, a piece at a time.
  static func kernelText(_ path: String) -> String {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    var text: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe Platform.read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return String(decoding: text, as: UTF8.self) }
      text += buffer[..<count]
    }
  }

  package static func read<Value: Decodable>(json path: String, as type: Value.Type) -> Value? {
    guard let data = try? Data(contentsOf: URL(fileURLWithPath: path)) else { return nil }
    return try? JSONDecoder().decode(Value.self, from: data)
  }

  /// Appends a line; lines of several processes do not mix.
  package static func append(line: [UInt8], to path: String) throws(HarnessError) {
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw HarnessError(OutputFiles.failure(path)) }
    defer { close(descriptor) }
    let bytes = line.last == 0x0A ? line : line + [0x0A]
    guard unsafe Platform.write(descriptor, bytes, bytes.count) == bytes.count else {
      throw HarnessError(OutputFiles.failure(path))
    }
  }

  package static func makeFolder(_ path: String) throws(HarnessError) {
    do throws(BookError) { try OutputFiles.makeFolder(path) } catch { throw HarnessError(error) }
  }

  package static func rename(_ from: String, to path: String) throws(HarnessError) {
    do throws(BookError) { try OutputFiles.rename(from, to: path) } catch { throw HarnessError(error) }
  }

  /// Gives a file a second name, which takes no room on the disk; a copy where that cannot be.
  static func share(_ path: String, as name: String) throws(HarnessError) {
    try makeFolder(OutputFiles.folder(of: name))
    if !link(path, as: name), let bytes = read(path) { try write(bytes, to: name) }
  }

  /// Gives a file a second name in a folder that is there, in place of a file of that name.
  ///
  /// - Returns: `false` where that cannot be, as on another disk.
  static func link(_ path: String, as name: String) -> Bool {
    let temporary = "\(name).tmp-\(getpid())"
    guard unsafe Platform.link(path, temporary) == 0 else { return false }
    guard (try? rename(temporary, to: name)) != nil else {
      remove(temporary)
      return false
    }
    return true
  }

  /// Two names are of one file.
  static func isShared(_ path: String, with other: String) -> Bool {
    guard let first = SystemFile.status(of: path), let second = SystemFile.status(of: other) else { return false }
    return first.st_dev == second.st_dev && first.st_ino == second.st_ino
  }

  package static func remove(_ path: String) { try? FileManager.default.removeItem(atPath: path) }

  /// Bytes of a file; nil when there is none.
  package static func size(_ path: String) -> Int? { SystemFile.size(of: path) }

  package static func exists(_ path: String) -> Bool { OutputFiles.exists(path) }
  package static func isFolder(_ path: String) -> Bool { OutputFiles.isFolder(path) }
  package static func join(_ folder: String, _ name: String) -> String { OutputFiles.join(folder, name) }

  /// A path that does not depend on the current folder.
  package static func absolute(_ path: String) -> String {
    path.hasPrefix("/") ? path : join(FileManager.default.currentDirectoryPath, path)
  }

  /// Folders in a folder whose names begin with a dot, without those of version control and of runs.
  static func hiddenFolders(in folder: String) -> [String] {
    let known: Set<String> = [".git", ".hg", ".svn", ".github", ".gitlab", ".snapshot"]
    return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
      .filter { $0.hasPrefix(".") && !known.contains($0) }.map { join(folder, $0) }.filter(isFolder)
  }

  /// All files below a folder in the order of their paths relative to it, without hidden ones.
  ///
  /// - Parameter isLeaf: folders to take as one; they are given, and what is in them is not.
  package static func walk(_ folder: String, isLeaf: (String) -> Bool = { _ in false }) -> [String] {
    var found: [String] = []
    func visit(_ relative: String, depth: Int) {
      let path = relative.isEmpty ? folder : join(folder, relative)
      guard depth < 32, let names = try? FileManager.default.contentsOfDirectory(atPath: path) else { return }
      for name in names.sorted() where !name.hasPrefix(".") {
        let inner = relative.isEmpty ? name : relative + "/" + name
        let whole = join(folder, inner)
        if isFolder(whole), !isLeaf(whole) { visit(inner, depth: depth + 1) } else { found.append(inner) }
      }
    }
    visit("", depth: 0)
    return found.sorted()
  }
}
