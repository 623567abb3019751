import BookOutput
import FoundationEssentials
import Platform
import Primitives
import Typesetting

/// `manifest.json` of a run: its inputs and what it was made with.
package struct RunManifest: Hashable, Codable, Sendable {
  package static let currentSchema = 1

  package var schema = RunManifest.currentSchema
  package var corpus: [String]
  package var books: [CorpusBook]
  package var profiles: [Profile]
  package var fonts: FontSet
  package var versions: RunVersions
  /// Of the program that renders.
  package var binary: String
  /// The path of that program; nil in runs of another machine that do not tell.
  package var program: String?
  /// The machine, since times are compared with those of the same kind alone: processor and number of cores.
  package var host: String
  /// The units of the run, or of the part that this is, in order.
  package var units: [UnitKey]
  /// nil for a whole run.
  package var part: RunPart?
  /// What the corpus has beside `units`; nil where that is not known.
  package var left: LeftOut?
  /// The pixels of all pages are hashed, and not of a sample alone; nil is no.
  package var drawsAllPages: Bool?
  /// The revision of the engine, where it is known.
  package var revision: String
  /// Options of the command line that the run's inputs depend on, for whoever wants to repeat it.
  package var options: [String]?
  /// The file of decisions on the run where it is not the corpus's.
  package var decisions: String?

  /// The units of the corpus that were not chosen: what a baseline has beside these and `units` is gone from the
  /// corpus. Of a part, its share of them. nil where that is not known.
  package var others: [UnitKey]? {
    get { left?.others }
    set { left = newValue.map { LeftOut(others: $0, blocked: left?.blocked ?? []) } }
  }

  /// The machine's processor and cores.
  package static var hostClass: String {
    let information = Files.text("/proc/cpuinfo") ?? ""
    let line = information.split(separator: "\n").first { $0.hasPrefix("model name") }
    let name = line.flatMap { $0.split(separator: ":").last }?.split(separator: " ").joined(separator: " ") ?? "unknown"
    return "\(name), \(sysconf(Int32(_SC_NPROCESSORS_ONLN))) cores"
  }
}

/// What a run leaves out of its corpus.
package struct LeftOut: Hashable, Codable, Sendable {
  package var others: [UnitKey]
  /// Why some of them are.
  package var blocked: [BlockedBook]
}

/// A run on disk (snapshot harness, 3.4). Every file in it appears whole or not at all.
package struct RunFolder: Sendable {
  package let path: String

  package init(_ path: String) { self.path = Files.absolute(path) }

  package var manifestPath: String { Files.join(path, "manifest.json") }
  package var comparisonPath: String { Files.join(path, "comparison.json") }
  package var summaryPath: String { Files.join(path, "summary.json") }
  /// Least and median times and memory of a run that judged them.
  package var performancePath: String { Files.join(path, "performance.json") }
  /// What a part hands on that was compared where it was rendered.
  package var differencesPath: String { Files.join(path, Self.differencesName) }
  package static let differencesName = "part.differences"
  package var reportPath: String { Files.join(path, "report.html") }
  package var eventsPath: String { Files.join(path, "run.ndjson") }
  package var blobs: BlobStore { BlobStore(Files.join(path, "blobs")) }

  package func unitPath(_ key: UnitKey) -> String { Files.join(path, "books/\(key.book)/\(key.profile)") }

  /// Takes the folder for a run that begins: another process is not at work in it, and nothing in it tells of the run
  /// before, whatever becomes of this one. A folder without a run is left alone.
  package func begin() throws(HarnessError) {
    guard Files.exists(manifestPath) else { return }
    try FolderLock.hold(run: path)
    clearResults()
  }

  /// Keeps a folder `.snapshot` that the run lies in out of Git.
  func hideFromGit() {
    let folder = OutputFiles.folder(of: path)
    let ignored = Files.join(folder, ".gitignore")
    guard folder.split(separator: "/").last == ".snapshot", !Files.exists(ignored) else { return }
    // A run does not fail for it.
    try? Files.write("*\n", to: ignored)
  }

  /// Removes what was said of the run: its comparison and everything made from that.
  func clearResults() {
    for result in [comparisonPath, summaryPath, performancePath, reportPath, differencesPath] { Files.remove(result) }
  }

  package static func isRun(_ path: String) -> Bool { Files.exists(RunFolder(path).manifestPath) }

  package func manifest() throws(HarnessError) -> RunManifest {
    guard Files.exists(manifestPath) else { throw HarnessError.missing("\(path): there is no run") }
    guard let manifest = Files.read(json: manifestPath, as: RunManifest.self),
      manifest.schema == RunManifest.currentSchema
    else { throw HarnessError.invalid("\(manifestPath): the manifest cannot be read") }
    return manifest
  }

  /// A unit whose files are all what was written, and the bytes of its hashes; nil while it has not been set. Fails for one
  /// that is damaged, and names the file.
  ///
  /// - Parameter includesPages: `true` if the frames of its pages are looked at too.
  func verified(
    _ key: UnitKey, includesPages: Bool = false
  ) throws(HarnessError) -> (file: UnitFile, hashes: [UInt8])? {
    let folder = unitPath(key)
    let path = Files.join(folder, UnitFile.resultName)
    guard Files.exists(path) else { return nil }
    let again = "; typeset snapshot render --no-cache sets the book again"
    guard let file = unitFile(key), file.result.key == key else {
      throw HarnessError.invalid("\(path): it is empty, cut or damaged\(again)")
    }
    guard let contents = file.contents, let seal = contents[UnitFile.pagesName] else {
      throw HarnessError.invalid("\(path): an older typeset wrote it, without the digests of its files\(again)")
    }
    let hashes = hashBytes(key)
    if let fault = seal.fault(of: hashes) ?? (PageHashFile.pages(hashes) == nil ? "it is damaged" : nil) {
      throw HarnessError.invalid("\(Files.join(folder, UnitFile.pagesName)): \(fault)\(again)")
    }
    for (name, seal) in contents.sorted(by: { $0.key < $1.key }) where seal.sha256 == nil {
      let path = Files.join(folder, name)
      let size = Files.size(path)
      if size != seal.bytes {
        throw HarnessError.invalid(
          "\(path): it is \(size.map { $0 < seal.bytes ? "cut" : "longer than what was written" } ?? "missing")\(again)"
        )
      }
      if includesPages, FramePack(path: path) == nil {
        throw HarnessError.invalid("\(path): it is damaged\(again)")
      }
    }
    return (file, PageHashFile.pages(hashes).map(PageHashFile.text) ?? hashes)
  }

  /// The identity of a unit; nil while it has not been set.
  func identity(_ key: UnitKey) throws(HarnessError) -> String? {
    try verified(key).map { UnitText.identity($0.file, hashes: $0.hashes) }
  }

  /// The file kept of a unit; nil while it has not been set. Of one that was found equal on another machine it has
  /// the result alone.
  package func unitFile(_ key: UnitKey) -> UnitFile? {
    Files.read(json: Files.join(unitPath(key), UnitFile.resultName), as: UnitFile.self)
      ?? UnitRows.of(self)?.row(key)?.file
  }

  /// The number of pages of a unit; 0 for one that is not there.
  func pageCount(of key: UnitKey) -> Int {
    let bytes = hashBytes(key)
    return bytes.isEmpty ? UnitRows.of(self)?.row(key)?.pages ?? 0 : bytes.count / PageHashFile.lineLength
  }

  /// The unit as the comparison reads it; nil while it has not been set.
  package func source(_ key: UnitKey) -> StoredUnit? {
    guard let file = unitFile(key) else { return nil }
    return StoredUnit(
      file: file, profile: nil, hashes: hashBytes(key), blobs: blobs, frames: packs(of: file))
  }

  /// The page data of a unit. Those that lie in a cache are brought when they are first asked for.
  func packs(of file: UnitFile) -> FrameSource {
    let key = file.result.key
    let folder = unitPath(key)
    func names(_ file: UnitFile) -> [String] { file.contents?.keys.sorted() ?? FrameKind.allCases.map(\.name) }
    guard file.isWithoutPages else { return FrameSource(folder: folder, names: names(file)) }
    return FrameSource { kind in
      _ = completePages(of: [key])
      return (unitFile(key).map(names) ?? []).filter(kind.isName).map { Files.join(folder, $0) }
    }
  }

  /// The bytes of `pages.hashes`: equal ones are equal units (level A).
  package func hashBytes(_ key: UnitKey) -> [UInt8] {
    Files.read(Files.join(unitPath(key), UnitFile.pagesName)) ?? []
  }

  /// Adds a line to the run's events.
  package func log(_ event: RunEvent) { try? Files.append(line: Files.json(event), to: eventsPath) }
}

/// A line of `run.ndjson`.
package struct RunEvent: Hashable, Codable, Sendable {
  package var event: String
  /// Milliseconds since 1970.
  package var time: Int
  package var book: String?
  package var profile: String?
  package var outcome: UnitOutcome?
  package var pages: Int?
  package var wall: Double?
  package var note: String?

  package init(
    _ event: String, key: UnitKey? = nil, outcome: UnitOutcome? = nil, pages: Int? = nil, wall: Double? = nil,
    note: String? = nil
  ) {
    var now = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &now)
    self.event = event
    time = now.tv_sec * 1000 + now.tv_nsec / 1_000_000
    book = key?.book
    profile = key?.profile
    self.outcome = outcome
    self.pages = pages
    self.wall = wall
    self.note = note
  }
}
