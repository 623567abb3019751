import FoundationEssentials

/// What became of a page of a baseline, by the history of the Git repository that holds it.
package enum PageHistory {
  /// A revision that made the page another one.
  package struct Entry: Hashable, Codable, Sendable {
    package var profile: String
    /// Empty for what is not committed yet.
    package var revision: String
    /// `yyyy-mm-dd`.
    package var date: String
    /// Who decided, or else who committed.
    package var by: String
    /// Of the decision that moved the baseline, or else the title of the commit.
    package var reason: String
    /// What was decided on; empty where the page was recorded.
    package var summary: String
    /// `new`, `changed`, or `gone` where the book has fewer pages since.
    package var change: String
    /// Pages of the book.
    package var pages: Int
  }

  /// The changes of a page, the oldest first. Fails with 66 where the baseline has no such book, or no history.
  ///
  /// - Parameter page: from 1; of the number that it has each time.
  package static func entries(
    of book: String, page: Int, profile: String?, in store: SnapshotStore, decisions: Decisions
  ) throws(HarnessError) -> [Entry] {
    let units = store.units().filter { $0.book == book && (profile == nil || $0.profile == profile) }
    guard !units.isEmpty else { throw HarnessError.missing("\(store.path): there is no baseline of \(book)") }
    var entries: [Entry] = []
    for unit in units { entries += try self.entries(of: unit, page, store, decisions) }
    guard !entries.isEmpty else { throw HarnessError.missing("\(book): there never was a page \(page)") }
    return entries
  }

  private static func entries(
    of unit: UnitKey, _ page: Int, _ store: SnapshotStore, _ decisions: Decisions
  ) throws(HarnessError) -> [Entry] {
    let store = store.judge(of: unit)
    let name = "units/\(unit.profile)/\(unit.book).txt"
    let format = "--format=%H%x09%as%x09%an%x09%s"
    let log = try Git.run(["log", format, "--", name], in: store.path)
    var versions = try log.split(separator: "\n").reversed().map { line throws(HarnessError) in
      let fields = line.split(separator: "\t", maxSplits: 3, omittingEmptySubsequences: false).map(String.init)
      // A revision that took the book out has no file.
      let bytes = (try? Git.bytes(["show", "\(fields[0]):./\(name)"], in: store.path)) ?? []
      return (fields: fields, bytes: bytes)
    }
    let now = Files.read(Files.join(store.path, name)) ?? []
    if now != versions.last?.bytes { versions.append((["", "", "", "not committed yet"], now)) }
    var entries: [Entry] = []
    var last: (hashes: PageHashes?, identity: String) = (nil, "")
    for (fields, bytes) in versions {
      guard case .success(let parsed) = UnitText.parse(bytes) else { continue }
      let pages = PageHashFile.pages(parsed.hashes) ?? []
      let hashes = pages.indices.contains(page - 1) ? pages[page - 1] : nil
      let identity = UnitText.identity(parsed.file, hashes: parsed.hashes)
      defer { last = (hashes, identity) }
      if hashes == last.hashes { continue }
      let decision = decisions.list.last {
        $0.moved?[Decisions.movable(unit, in: store.variant)] == Decisions.move(from: last.identity, to: identity)
      }
      entries.append(
        Entry(
          profile: unit.profile, revision: String(fields[0].prefix(12)), date: decision?.date ?? fields[1],
          by: decision?.by ?? fields[2], reason: decision?.reason ?? fields[3], summary: decision?.summary ?? "",
          change: hashes == nil ? "gone" : last.hashes == nil ? "new" : "changed", pages: pages.count))
    }
    return entries
  }
}
