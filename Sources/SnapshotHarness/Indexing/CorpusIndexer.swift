import BookOutput
import FoundationEssentials
import Platform
import Synchronization

/// Makes `corpus.index`, or brings one up to date: only books that changed are read.
///
/// How files looked when they were read is kept beside the index, in `corpus.index.stamps`, for this machine alone.
package struct CorpusIndexer: Sendable {
  package struct Outcome: Hashable, Sendable {
    package var books = 0
    /// Books that were looked into.
    package var read = 0
    /// Books of the old index that are gone.
    package var gone = 0
    /// Books that nobody can look into: they are taken to use everything.
    package var unknown: [String] = []
    package var problems: [String] = []
  }

  private let corpus: String
  private let path: String
  /// The program that looks into books and its first arguments; the path of the spec comes behind them.
  package var worker: [String]
  package var jobs = 1
  /// Seconds that units took before.
  package var history: [UnitKey: [String: Double]] = [:]

  /// - Parameters:
  ///   - corpus: A `corpus.yaml`, a folder with one or of books, or a book.
  ///   - path: Of the index.
  package init(_ corpus: String, path: String, worker: [String]) {
    self.corpus = corpus
    self.path = Files.absolute(path)
    self.worker = worker
  }

  private var stampsPath: String { path + ".stamps" }
  /// Changes when `BookFeatures` finds others.
  private static let stampsHead = "typeset-index-stamps 3"
  private static let batch = 32

  /// A book as it was read.
  private struct Seen: Sendable {
    var content: BookContent.Known
    /// Of the files beside it.
    var besideStamp: String
    /// nil where nobody could look into it.
    var found: FoundFeatures?
  }

  package func update() throws(HarnessError) -> Outcome {
    let root = CorpusIndex.root(of: corpus)
    var seen = readStamps(root)
    BookContent.learn(seen.mapValues(\.content))
    let old = Set((CorpusIndex.lines(of: path) ?? []).compactMap { CorpusIndex.entry($0, root: root)?.0.id })
    var read = try Corpus.read([corpus])
    let stale = read.books.filter { !isCurrent(seen[$0.path], of: $0) }
    let found = try look(into: stale)
    var outcome = Outcome(books: read.books.count, read: stale.count, problems: read.problems)
    for (book, features) in zip(stale, found) {
      guard let content = BookContent.isKnown(book.path) else { continue }
      seen[book.path] = Seen(
        content: content, besideStamp: Self.stamp(of: features?.beside ?? []), found: features)
    }
    let seconds = measuredSeconds()
    var kept: [String: Seen] = [:]
    for book in read.books {
      let own = seen[book.path]
      kept[book.path] = own
      if own?.found == nil { outcome.unknown.append(book.id) }
      read.facts[book.id] = BookFacts(
        seconds: seconds[book.id] ?? Self.seconds(of: book, textBytes: own?.found?.textBytes),
        features: own?.found?.features)
    }
    outcome.gone = old.subtracting(read.books.map(\.id)).count
    let bytes = CorpusIndex.bytes(of: read, root: root)
    if Files.read(path) != bytes { try Files.write(bytes, to: path) }
    try writeStamps(kept, root)
    return outcome
  }

  private func isCurrent(_ seen: Seen?, of book: CorpusBook) -> Bool {
    guard let seen, seen.content.hash == book.hash, let found = seen.found else { return false }
    return seen.besideStamp == Self.stamp(of: found.beside)
  }

  private static func stamp(of files: [String]) -> String {
    files.isEmpty ? "" : String(FileHashes.stamp(of: files).prefix(16))
  }

  // MARK: Costs

  /// By book: what units of it took on average, where a run or a baseline tells.
  private func measuredSeconds() -> [String: Double] {
    var sums: [String: (seconds: Double, count: Double)] = [:]
    for (key, figures) in history {
      guard let wall = figures["child.wall"] else { continue }
      let sum = sums[key.book] ?? (0, 0)
      sums[key.book] = (sum.seconds + wall / 1e3, sum.count + 1)
    }
    return sums.mapValues { $0.seconds / $0.count }
  }

  /// Text costs most; what else is in a book is pictures, which are read and drawn in part.
  private static func seconds(of book: CorpusBook, textBytes: Int?) -> Double {
    guard let textBytes else { return book.guessedSeconds }
    return 0.05 + Double(textBytes) / 1.3e6 + Double(book.size) / 2e7
  }

  // MARK: Looking into books

  /// - Returns: For each book what it uses; nil where the child that looked did not live to tell.
  private func look(into books: [CorpusBook]) throws(HarnessError) -> [FoundFeatures?] {
    let results = Lock([FoundFeatures?](repeating: nil, count: books.count))
    let failure = Lock<HarnessError?>(nil)
    let folder = path + ".work-\(getpid())"
    try Files.makeFolder(folder)
    defer { Files.remove(folder) }
    Parallel.forEach((books.count + Self.batch - 1) / Self.batch, jobs: jobs) { number in
      let start = number * Self.batch
      let part = Array(books[start..<min(books.count, start + Self.batch)])
      do throws(HarnessError) {
        let found = try lookOneByOne(into: part, Files.join(folder, "\(start)"))
        results.withLock { $0.replaceSubrange(start..<start + part.count, with: found) }
        return true
      } catch {
        failure.withLock { $0 = $0 ?? error }
        return false
      }
    }
    if let error = failure.withLock({ $0 }) { throw error }
    return results.withLock { $0 }
  }

  /// Starts a child for all, and after one that died another for those behind the book that it died of.
  private func lookOneByOne(into books: [CorpusBook], _ folder: String) throws(HarnessError) -> [FoundFeatures?] {
    var found: [FoundFeatures?] = []
    while found.count < books.count {
      if Interruption.isRequested { throw HarnessError(130, "interrupted") }
      let rest = books[found.count...]
      let output = Files.join(folder, "features")
      let spec = FeatureWorker.Spec(books: rest.map(\.path), output: output)
      let specPath = Files.join(folder, "spec.json")
      try Files.write(json: spec, to: specPath)
      defer { Files.remove(folder) }
      var limits = UnitLimits()
      limits.seconds = 60 + 2 * Double(rest.count)
      var child = ChildProcess(worker + [specPath], folder: folder, limits: limits)
      child.writable = [folder]
      child.environment = ChildProcess.environment(temporaryFolder: folder)
      child.environment["SWIFT_BACKTRACE"] = "enable=no"
      let outcome = child.run(isStopped: { Interruption.isRequested })
      if case .notStarted = outcome.end { throw HarnessError(69, "\(worker[0]): it cannot be started") }
      let lines = (Files.text(output) ?? "").split(separator: "\n").map { FeatureWorker.found(in: $0) }
      found += lines.prefix(rest.count)
      if found.count < books.count, outcome.end != .interrupted { found.append(nil) }
    }
    return found
  }

  // MARK: Stamps

  private func readStamps(_ root: String) -> [String: Seen] {
    var seen: [String: Seen] = [:]
    let lines = (Files.text(stampsPath) ?? "").split(separator: "\n")
    guard lines.first == Self.stampsHead[...] else { return [:] }
    for line in lines.dropFirst() {
      let fields = line.split(separator: "\t", maxSplits: 5, omittingEmptySubsequences: false)
      guard fields.count == 6, let size = Int(fields[3]) else { continue }
      let path = CorpusIndex.unescaped(fields[0])
      seen[path.hasPrefix("/") ? path : Files.join(root, path)] = Seen(
        content: BookContent.Known(stamp: String(fields[1]), hash: String(fields[2]), size: size),
        besideStamp: String(fields[4]), found: FeatureWorker.found(in: fields[5]))
    }
    return seen
  }

  private func writeStamps(_ seen: [String: Seen], _ root: String) throws(HarnessError) {
    var text = Self.stampsHead + "\n"
    for (path, own) in seen.sorted(by: { $0.key < $1.key }) {
      let found = own.found.map { String(decoding: FeatureWorker.line(of: $0), as: UTF8.self) } ?? ""
      let content = own.content
      text += CorpusIndex.escaped(CorpusIndex.relative(path, to: root))
      text += "\t\(content.stamp)\t\(content.hash)\t\(content.size)\t\(own.besideStamp)\t\(found)\n"
    }
    try Files.write(text, to: stampsPath)
  }
}
