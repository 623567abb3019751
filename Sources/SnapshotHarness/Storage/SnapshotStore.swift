import FoundationEssentials
import Platform
import Typesetting

/// `baseline.json` of a store: what all its units were made with. It changes only when one of these does.
package struct BaselineHeader: Hashable, Codable, Sendable {
  package static let currentSchema = 1

  package var schema = BaselineHeader.currentSchema
  package var versions: RunVersions
  /// The profiles that the units were set under: pixels are made at their scale.
  package var profiles: [Profile]
}

/// A baseline that lasts (snapshot harness, 3.5): small texts fit for Git, and beside them frames of pages and blobs that
/// need not be kept there.
///
/// - `baseline.json` and `units/PROFILE/BOOK.txt`: what a unit is, and a line of hashes for each page;
/// - `units.txt`: which units there are, so that one that is lost is missed;
/// - `pages/PROFILE/BOOK/*.zst`: display lists and records by hash, each page once however many revisions have it;
/// - `pages/faces.json`: where this machine has the installed faces that pages are drawn with;
/// - `blobs/`: fonts and images of books;
/// - `history.ndjson`: time, memory and counters of each revision;
/// - `variants/NAME/`: units that are otherwise on another system.
package struct SnapshotStore: Sendable {
  /// The folder of its texts.
  package let path: String
  /// The name of the variant that it is; nil for a baseline that falls back to no other.
  package let variant: String?
  /// The folder of the baseline, which has the page data of its variants too.
  package let root: String

  /// Opens the folder of a baseline, or that of a variant in it.
  package init(_ path: String) {
    self.path = Files.absolute(path)
    let parts = Self.parts(of: self.path)
    variant = parts?.variant
    root = parts?.root ?? self.path
  }

  /// The baseline that a variant falls back to.
  private var base: SnapshotStore? { variant == nil ? nil : SnapshotStore(root) }

  package var headerPath: String { Files.join(path, "baseline.json") }
  package var historyPath: String { Files.join(path, "history.ndjson") }
  package var blobs: BlobStore { BlobStore(Files.join(root, "blobs")) }
  private var listPath: String { Files.join(path, GitMerging.unitList) }
  private var facePlacesPath: String { Files.join(root, "pages/faces.json") }

  package static func isStore(_ path: String) -> Bool { Files.exists(SnapshotStore(path).headerPath) }

  package func header() throws(HarnessError) -> BaselineHeader {
    guard Files.exists(headerPath) else { throw HarnessError.missing("\(path): there is no baseline") }
    guard var header = Files.read(json: headerPath, as: BaselineHeader.self),
      header.schema == BaselineHeader.currentSchema
    else { throw HarnessError.invalid("\(headerPath): the baseline cannot be read") }
    let own = Set(header.profiles.map(\.name))
    header.profiles += try base?.header().profiles.filter { !own.contains($0.name) } ?? []
    return header
  }

  private func unitPath(_ key: UnitKey) -> String { Files.join(path, "units/\(key.profile)/\(key.book).txt") }
  private func pagesFolder(_ key: UnitKey) -> String { Files.join(root, "pages/\(key.profile)/\(key.book)") }

  /// The units it knows, those of the baseline that a variant falls back to among them, in order.
  package func units() -> [UnitKey] {
    guard let base else { return ownUnits() }
    return Set(base.units()).union(ownUnits()).sorted()
  }

  /// The units whose texts are its own.
  package func ownUnits() -> [UnitKey] {
    Files.walk(Files.join(path, "units")).compactMap { name in
      guard name.hasSuffix(".txt"), let slash = name.firstIndex(of: "/") else { return nil }
      return UnitKey(
        book: String(name[name.index(after: slash)...].dropLast(4)), profile: String(name[..<slash]))
    }.sorted()
  }

  /// The units that it is to have, whether they are there or not; nil where an older form does not tell.
  package func listedUnits() -> Set<UnitKey>? {
    guard let base else { return ownListedUnits() }
    return base.listedUnits().map { $0.union(ownListedUnits() ?? []) }
  }

  private func ownListedUnits() -> Set<UnitKey>? {
    Files.text(listPath).map { text in
      Set(
        text.split(separator: "\n").compactMap { line in
          line.firstIndex(of: "/").map { slash in
            UnitKey(book: String(line[line.index(after: slash)...]), profile: String(line[..<slash]))
          }
        })
    }
  }

  /// Writes which units there are to be, each a line, so that branches are merged by joining their lines.
  private func list(adding added: [UnitKey] = [], removing removed: [UnitKey] = []) throws(HarnessError) {
    let listed = (ownListedUnits() ?? Set(ownUnits())).union(added).subtracting(removed)
    let text = listed.map { "\($0.profile)/\($0.book)\n" }.sorted().joined()
    if Files.text(listPath) != text { try Files.write(text, to: listPath) }
  }

  /// A digest of what the baseline is made with and which units it has. Units themselves are known by their identities.
  package var state: String {
    SHA256.hex((Files.read(headerPath) ?? []) + (Files.read(listPath) ?? []) + Array((base?.state ?? "").utf8))
  }

  // MARK: Units as text

  /// What tells how a unit is to be: this, or the baseline that it falls back to.
  package func judge(of key: UnitKey) -> SnapshotStore {
    guard let base, !Files.exists(unitPath(key)) else { return self }
    return base
  }

  private func read(_ key: UnitKey) -> (file: UnitFile, hashes: [UInt8])? {
    Files.read(judge(of: key).unitPath(key)).flatMap { try? UnitText.parse($0).get() }
  }

  /// A unit as it was recorded, and the bytes of its hashes; nil where there is none. Fails for one that was emptied, cut, or
  /// merged with conflicts, and names the file.
  func verified(_ key: UnitKey) throws(HarnessError) -> (file: UnitFile, hashes: [UInt8])? {
    let path = judge(of: key).unitPath(key)
    guard Files.exists(path) else { return nil }
    guard let bytes = Files.read(path) else { throw HarnessError.invalid("\(path): it cannot be read") }
    switch UnitText.parse(bytes) {
    case .failure(let fault): throw HarnessError.invalid("\(path): \(fault.reason)")
    case .success(let unit):
      guard unit.file.result.key == key else {
        throw HarnessError.invalid("\(path): it is of another unit, \(unit.file.result.key)")
      }
      return unit
    }
  }

  /// The identity of a unit of the baseline; nil where there is none.
  package func identity(_ key: UnitKey) throws(HarnessError) -> String? {
    try verified(key).map { UnitText.identity($0.file, hashes: $0.hashes) }
  }

  /// Fails when a file of the baseline is not what was recorded, and names the first such file.
  ///
  /// - Returns: The number of units of the form that had no digests yet.
  @discardableResult
  package func check() throws(HarnessError) -> Int {
    var faults: [String] = []
    var unsealed = try base?.check() ?? 0
    let units = ownUnits()
    for key in (ownListedUnits() ?? []).subtracting(units).sorted() {
      faults.append(
        "\(unitPath(key)): \(GitMerging.unitList) lists it, and it is not there; "
          + "typeset snapshot record makes the baseline anew"
      )
    }
    for key in units {
      do throws(HarnessError) {
        if let unit = try verified(key), unit.file.schema < UnitText.currentSchema { unsealed += 1 }
      } catch {
        faults.append(error.description)
      }
    }
    guard let first = faults.first else { return unsealed }
    throw HarnessError.invalid(
      faults.count == 1 ? first : "\(first); and \(faults.count - 1) more files of the baseline")
  }

  /// Memory and counters by unit, as they were recorded: of some units, or all.
  func figures(of units: [UnitKey]? = nil) -> [UnitKey: [String: Double]] {
    var figures: [UnitKey: [String: Double]] = [:]
    for key in units ?? self.units() { figures[key] = read(key)?.file.result.statistics }
    return figures
  }

  /// Takes over the memory and the counters of units that are the baseline's otherwise.
  func recordFigures(_ units: Set<UnitKey>, of run: RunFolder) throws(HarnessError) {
    if units.isEmpty { return }
    for key in units.sorted() {
      guard var unit = try verified(key), let new = run.unitFile(key) else { continue }
      unit.file.result.statistics = BaselineFigures.kept(of: new.result.statistics, over: [:])
      try Files.write(UnitText.text(unit.file, PageHashFile.pages(unit.hashes) ?? []), to: unitPath(key))
    }
    try list(adding: Array(units))
    try dropEqual(Array(units))
  }

  // MARK: What a variant has in common with its baseline

  /// Takes units out of a variant, or out of all variants of a baseline, that are what the baseline says.
  private func dropEqual(_ units: [UnitKey]) throws(HarnessError) {
    for store in variant == nil ? family.dropFirst() : [self] {
      guard let base = store.base else { continue }
      var equal: [UnitKey] = []
      for key in units where Files.exists(store.unitPath(key)) {
        if let own = store.read(key), let unit = base.read(key), Self.isEqual(own, unit) { equal.append(key) }
      }
      try store.removeOwn(equal)
    }
  }

  /// A unit of a variant tells nothing that its baseline does not: of pages, results, or of memory and counters beyond
  /// noise.
  private static func isEqual(
    _ unit: (file: UnitFile, hashes: [UInt8]), _ base: (file: UnitFile, hashes: [UInt8])
  ) -> Bool {
    let figures = base.file.result.statistics
    return UnitText.identity(unit.file, hashes: unit.hashes) == UnitText.identity(base.file, hashes: base.hashes)
      && BaselineFigures.kept(of: unit.file.result.statistics, over: figures) == figures
  }

  private func removeOwn(_ units: [UnitKey]) throws(HarnessError) {
    if units.isEmpty { return }
    for key in units { Files.remove(unitPath(key)) }
    try list(removing: units)
  }

  /// Gives a unit of its own a new name, unless there is one of that name.
  func rename(_ old: UnitKey, to new: UnitKey) throws(HarnessError) {
    guard Files.exists(unitPath(old)), !Files.exists(unitPath(new)), var unit = try verified(old) else { return }
    unit.file.result.key = new
    try Files.write(UnitText.text(unit.file, PageHashFile.pages(unit.hashes) ?? []), to: unitPath(new))
    for name in Files.walk(pagesFolder(old)) {
      try Files.share(Files.join(pagesFolder(old), name), as: Files.join(pagesFolder(new), name))
    }
    try list(adding: [new])
  }

  /// By the key of a face: the file that this machine has it in.
  private func facePlaces() -> [String: String] { Files.read(json: facePlacesPath, as: [String: String].self) ?? [:] }

  package func unitFile(_ key: UnitKey) -> UnitFile? { read(key)?.file }

  package func source(_ key: UnitKey, profile: Profile? = nil) -> StoredUnit? {
    guard let known = read(key) else { return nil }
    var file = known.file
    let places = facePlaces()
    for index in file.faces.indices { file.faces[index].path = places[file.faces[index].key] }
    return StoredUnit(
      file: file, profile: profile, hashes: known.hashes, blobs: blobs, frames: packs(of: key))
  }

  /// The page data of a unit.
  func packs(of key: UnitKey) -> FrameSource {
    let folder = pagesFolder(key)
    return FrameSource(folder: folder, names: Files.walk(folder))
  }

  // MARK: Recording

  /// Makes units of a run the baseline. A unit that is equal to what is there changes no byte of its text; a variant
  /// keeps none that is equal to its baseline's.
  ///
  /// - Parameters:
  ///   - keepsPages: `true` if display lists and records are kept beside the hashes.
  ///   - accepted: units whose memory and counters are taken over as they are.
  /// - Returns: the units whose text is new or another.
  @discardableResult
  package func record(
    _ units: [UnitKey], of run: RunFolder, manifest: RunManifest, keepsPages: Bool = true,
    figures accepted: Set<UnitKey> = []
  ) throws(HarnessError) -> [UnitKey] {
    if units.isEmpty { return [] }
    try Files.makeFolder(path)
    var changed: [UnitKey] = []
    let before = variant == nil ? [] : Set(ownUnits())
    let knownPlaces = facePlaces()
    var places = knownPlaces
    for key in units {
      guard try run.verified(key) != nil, let unit = run.source(key) else {
        throw HarnessError(69, "\(key): the run does not have it")
      }
      var file = unit.file
      file.book = file.book ?? manifest.books.first { $0.id == key.book }?.hash
      if keepsPages {
        try keepPages(of: unit, key, from: run)
        for face in file.faces { if let place = face.path { places[face.key] = place } }
      }
      let known = accepted.contains(key) ? [:] : read(key)?.file.result.statistics ?? [:]
      file.result.statistics = BaselineFigures.kept(of: file.result.statistics, over: known)
      file.result.pages = []
      // The place that a failure had reached is another one each time.
      file.result.failure?.reached = nil
      let text = UnitText.text(file, unit.result.pages)
      guard Files.read(unitPath(key)) != text else { continue }
      try Files.write(text, to: unitPath(key))
      changed.append(key)
    }
    try list(adding: units)
    try dropEqual(units)
    if variant != nil { changed.removeAll { !before.contains($0) && !Files.exists(unitPath($0)) } }
    if places != knownPlaces { try Files.write(json: places, to: facePlacesPath) }
    var versions = manifest.versions
    versions.engine = versions.engine.split(separator: " ").first.map(String.init) ?? ""
    let header = BaselineHeader(versions: versions, profiles: manifest.profiles)
    let bytes = Files.json(header, isPretty: true)
    if Files.read(headerPath) != bytes { try Files.write(bytes, to: headerPath) }
    let ignored = Files.join(path, ".gitignore")
    let names = variant == nil ? ["pages/", "blobs/", "history.ndjson"] : ["history.ndjson"]
    if !Files.exists(ignored) { try Files.write(names.map { "/\($0)\n" }.joined(), to: ignored) }
    GitMerging.attribute(store: path)
    return changed
  }

  private func keepPages(of unit: StoredUnit, _ key: UnitKey, from run: RunFolder) throws(HarnessError) {
    let known = packs(of: key)
    for kind in FrameKind.allCases {
      var writer = FramePack.Writer()
      for page in unit.result.pages.indices {
        guard let frameKey = unit.key(kind, of: page + 1), !known.contains(kind, frameKey),
          let frame = unit.frame(kind, frameKey)
        else { continue }
        writer.append(frame: frame, key: frameKey)
      }
      if writer.isEmpty { continue }
      let bytes = writer.file()
      let place = Files.join(pagesFolder(key), kind.name(of: bytes))
      // The run has a pack of its own of what is new here.
      let own = run.packs(of: unit.file).paths(kind).first {
        Files.size($0) == bytes.count && Files.read($0) == bytes
      }
      if let own { try Files.share(own, as: place) } else { try Files.write(bytes, to: place) }
    }
    for hash in unit.file.blobHashes where !blobs.contains(hash) && run.blobs.contains(hash) {
      try Files.share(run.blobs.path(hash), as: blobs.path(hash))
    }
  }

  /// All pages of a unit can be shown.
  package func hasPages(_ key: UnitKey) -> Bool {
    guard let unit = source(key) else { return false }
    return unit.result.pages.allSatisfy(unit.hasPage)
  }

  /// Keeps the pages of a run that are those of the baseline, whose text stays as it is.
  ///
  /// - Returns: The number of pages of the unit that can be shown then, and of all.
  package func restorePages(of key: UnitKey, from run: RunFolder) throws(HarnessError) -> (there: Int, all: Int) {
    guard let known = source(key) else { return (0, 0) }
    if let unit = run.source(key), unit.result.pages.contains(where: { known.result.pages.contains($0) }) {
      try keepPages(of: unit, key, from: run)
      var places = facePlaces()
      for face in unit.file.faces { if let place = face.path { places[face.key] = place } }
      try Files.write(json: places, to: facePlacesPath)
    }
    guard let unit = source(key) else { return (0, 0) }
    let there = unit.result.pages.count(where: unit.hasPage)
    return (there, unit.result.pages.count)
  }

  /// Takes units out that the corpus no longer has. One corpus is set on all systems: they leave the baseline and its
  /// variants.
  package func forget(_ units: [UnitKey]) throws(HarnessError) {
    for store in family { try store.removeOwn(units) }
  }

  // MARK: Collecting garbage

  package struct Collected: Hashable, Sendable {
    package var pages = 0
    package var blobs = 0
    package var bytes = 0
  }

  /// Drops pages and blobs that no unit names.
  ///
  /// - Parameter kept: texts of units of other baselines, such as those of older revisions, whose pages stay.
  package func collect(keeping kept: [[UInt8]] = []) throws(HarnessError) -> Collected {
    var collected = Collected()
    var hashes = Set<UInt64>()
    var blobNames = Set<String>()
    func take(_ file: UnitFile, _ lines: [UInt8]) {
      for page in PageHashFile.pages(lines) ?? [] {
        hashes.insert(page.display)
        hashes.insert(page.record)
        hashes.insert(page.pdf)
      }
      if let beyond = file.beyond.flatMap({ UInt64($0, radix: 16) }) { hashes.insert(beyond) }
      blobNames.formUnion(file.blobHashes)
    }
    // Pages of a unit that cannot be read must not be taken for waste.
    for store in family {
      for key in store.ownUnits() { if let (file, lines) = try store.verified(key) { take(file, lines) } }
    }
    for text in kept { if let (file, lines) = try? UnitText.parse(text).get() { take(file, lines) } }
    let folder = Files.join(root, "pages")
    for name in Files.walk(folder) where name.hasSuffix(".zst") {
      let place = Files.join(folder, name)
      guard let pack = FramePack(path: place) else { continue }
      let waste = pack.places.filter { !hashes.contains($0.key) }
      if waste.isEmpty { continue }
      collected.pages += waste.count
      collected.bytes += waste.values.reduce(0) { $0 + $1.length }
      if let rest = pack.file(of: hashes) { try Files.write(rest, to: place) } else { Files.remove(place) }
    }
    for hash in blobs.hashes() where !blobNames.contains(hash) {
      collected.bytes += blobs.read(hash)?.count ?? 0
      collected.blobs += 1
      blobs.remove(hash)
    }
    return collected
  }
}
