import FoundationEssentials

/// The files of a unit of a run in one piece: packs of pages, fonts and images, and where it is the whole unit its
/// result and hashes.
enum UnitArchive {
  /// A file whose bytes follow the list of all, in order.
  private struct Entry: Codable {
    var name: String
    /// Bytes as they are kept.
    var bytes: Int
    /// They are compressed once more than the file is.
    var isFrame: Bool
  }

  private static let blobPrefix = "blobs/"

  /// - Parameters:
  ///   - isWhole: `true` if the unit's result and hashes are in it, too.
  ///   - known: blobs that are left out.
  /// - Returns: nil where a file cannot be read.
  static func bytes(
    of file: UnitFile, in run: RunFolder, isWhole: Bool, without known: Set<String> = []
  ) -> [UInt8]? {
    var entries: [Entry] = []
    var body: [UInt8] = []
    func add(_ name: String, _ bytes: [UInt8]?, compresses: Bool) -> Bool {
      guard let bytes else { return false }
      let frame = compresses ? Zstd.compress(bytes) : bytes
      let isFrame = compresses && frame.count < bytes.count
      entries.append(Entry(name: name, bytes: isFrame ? frame.count : bytes.count, isFrame: isFrame))
      body += isFrame ? frame : bytes
      return true
    }
    let folder = run.unitPath(file.result.key)
    var names = (file.contents ?? [:]).keys.filter { $0 != UnitFile.pagesName }.sorted()
    // The result comes last, so that what is cut never looks whole.
    if isWhole { names += [UnitFile.pagesName, UnitFile.resultName] }
    for hash in Set(file.blobHashes).subtracting(known).sorted() {
      guard add(blobPrefix + hash, run.blobs.read(hash), compresses: true) else { return nil }
    }
    for name in names {
      let isPack = FrameKind.allCases.contains { $0.isName(name) }
      guard add(name, Files.read(Files.join(folder, name)), compresses: !isPack) else { return nil }
    }
    return Files.json(entries) + body
  }

  /// Gives the files to a unit of a run.
  ///
  /// - Returns: By name, the packs that it has now; nil where the archive is damaged.
  static func unpack(_ archive: [UInt8], as key: UnitKey, into run: RunFolder) throws(HarnessError) -> [String:
    FileSeal]?
  {
    guard let end = archive.firstIndex(of: 0x0A),
      let entries = try? JSONDecoder().decode([Entry].self, from: Data(archive[..<end]))
    else { return nil }
    var packs: [String: FileSeal] = [:]
    var rest = archive[(end + 1)...]
    let folder = run.unitPath(key)
    for entry in entries {
      guard entry.bytes >= 0, rest.count >= entry.bytes else { return nil }
      let kept = Array(rest.prefix(entry.bytes))
      rest = rest.dropFirst(entry.bytes)
      guard let bytes = entry.isFrame ? Zstd.decompress(kept.span) : kept else {
        return nil
      }
      if entry.name.hasPrefix(blobPrefix) {
        guard SHA256.hex(bytes) == entry.name.dropFirst(blobPrefix.count) else { return nil }
        try run.blobs.store(bytes)
        continue
      }
      let isPack = FrameKind.allCases.contains { $0.isName(entry.name) }
      // Names of other places are nobody's to choose.
      guard isPack || [UnitFile.pagesName, UnitFile.resultName].contains(entry.name) else { return nil }
      try Files.write(bytes, to: Files.join(folder, entry.name))
      if isPack { packs[entry.name] = FileSeal(bytes: bytes.count) }
    }
    return packs
  }
}
