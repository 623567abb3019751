import Platform
package import Primitives
import Synchronization

/// An unpacked publication, or the folder a single page stands in.
///
/// Files are looked for when they are asked for, since the folder may hold far more than the book. Links are followed
/// only while they stay inside.
package final class DirectoryContainer: Container {
  private let root: String
  private let found = Lock<[String: String?]>([:])

  /// - Parameter folder: an existing folder.
  package init?(folder: String) {
    guard let root = FilePath.resolved(folder) else { return nil }
    self.root = root
  }

  /// The files of the folder and of those at most two levels below it, the nearest first, as far as looking at so many names
  /// tells: an unpacked book is looked for in it, and any folder may be named.
  package var paths: [String] { paths(levels: 2, names: 10_000) }

  /// The files of the folder and of those at most so many levels below it, the nearest first; so many names are looked at.
  private func paths(levels: Int, names limit: Int) -> [String] {
    var paths: [String] = []
    var folders = [(path: "", level: 0)]
    var left = limit
    var next = 0
    while next < folders.count, left > 0 {
      let (folder, level) = folders[next]
      next += 1
      let names = FileAccess.names(in: root + "/" + folder, limit: left)
      left -= names.count
      for name in names {
        let path = folder.isEmpty ? name : folder + "/" + name
        guard let inside = inside(path) else { continue }
        switch SystemFile.kind(of: inside) {
        case .file: paths.append(path)
        case .folder where level < levels: folders.append((path, level + 1))
        default: break
        }
      }
    }
    return paths
  }

  package func contains(_ path: String) -> Bool { locate(path) != nil }

  package var asked: [String: String?] { found.withLock { $0 } }

  package func size(of path: String) -> ContainerEntrySize? {
    locate(path).flatMap { SystemFile.size(of: $0) }.map { ContainerEntrySize(unpacked: $0, packed: $0) }
  }

  package func combineContents(into hasher: inout StableHasher, limit: Int) {
    for path in paths(levels: 8, names: limit) {
      hasher.combine(path)
      inside(path).flatMap(FileStamp.init)?.hash(into: &hasher)
    }
  }

  package func read(_ path: String, limit: Int) throws(ContainerError) -> ContainerEntry {
    guard let file = locate(path) else { throw .missing }
    return ContainerEntry(bytes: try FileAccess.read(file, limit: limit))
  }

  /// The absolute path of a file, nil when there is none inside the folder.
  private func locate(_ path: String) -> String? {
    if let known = found.withLock({ $0[path] }) { return known }
    let file = search(path)
    found.withLock { $0[path] = .some(file) }
    return file
  }

  private func search(_ path: String) -> String? {
    guard !path.utf8.contains(0), let path = EntryIndex.normalize(path) else { return nil }
    if let file = inside(path), SystemFile.kind(of: file) == .file { return file }
    var current = ""
    for part in path.split(separator: "/") {
      let next = current.isEmpty ? String(part) : current + "/" + part
      if let file = inside(next), SystemFile.kind(of: file) != nil {
        current = next
        continue
      }
      let wanted = PercentEncoding.decoded(String(part)).lowercased()
      let match = FileAccess.names(in: root + "/" + current).first {
        PercentEncoding.decoded($0).lowercased() == wanted
      }
      guard let match else { return nil }
      current = current.isEmpty ? match : current + "/" + match
    }
    guard let file = inside(current), SystemFile.kind(of: file) == .file else { return nil }
    return file
  }

  /// The absolute path, links resolved, if it lies in the folder.
  private func inside(_ path: String) -> String? {
    guard let file = FilePath.resolved(root + "/" + path) else { return nil }
    return file.hasPrefix(root == "/" ? root : root + "/") ? file : nil
  }
}
