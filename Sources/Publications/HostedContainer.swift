package import Primitives

/// Files that a program reads by functions of its own.
package final class HostedContainer: Container {
  private let names: [String]
  private let index: EntryIndex
  private let sizeOfFile: @Sendable (String) -> Int?
  private let readFile: @Sendable (String) throws -> [UInt8]

  /// - Parameters:
  ///   - names: All files; functions get a name as it is here.
  ///   - size: The size of a file in bytes; nil where there is no such file.
  ///   - read: The bytes of a file.
  package init(
    _ names: [String], size: @escaping @Sendable (String) -> Int?, read: @escaping @Sendable (String) throws -> [UInt8]
  ) {
    self.names = names
    index = EntryIndex(names: names)
    sizeOfFile = size
    readFile = read
  }

  package var paths: [String] { index.paths }

  package func contains(_ path: String) -> Bool { index.find(path) != nil }

  package func size(of path: String) -> ContainerEntrySize? {
    guard let position = index.find(path), let size = sizeOfFile(names[position]), size >= 0 else { return nil }
    return ContainerEntrySize(unpacked: size, packed: size)
  }

  package func combineContents(into hasher: inout StableHasher, limit: Int) {
    for name in names.prefix(limit) {
      hasher.combine(name)
      hasher.combine(sizeOfFile(name) ?? -1)
    }
  }

  package func read(_ path: String, limit: Int) throws(ContainerError) -> ContainerEntry {
    guard let position = index.find(path) else { throw .missing }
    if let size = sizeOfFile(names[position]), size > limit { throw .tooLarge(limit) }
    let bytes: [UInt8]
    do { bytes = try readFile(names[position]) } catch { throw .unreadable("\(error)") }
    guard bytes.count <= limit else { throw .tooLarge(limit) }
    return ContainerEntry(bytes: bytes)
  }
}
