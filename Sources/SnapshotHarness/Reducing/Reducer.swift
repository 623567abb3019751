import BookOutput
import Platform
import Primitives
import Synchronization
import Typesetting

/// The behaviour that a small case has to show for it to stand for the book (snapshot harness, 2).
package enum ReductionGoal: Hashable, Sendable {
  /// A change of this class, or with this signature where it must be the very same.
  case change(ChangeClass, signature: String?)
  /// The new side fails like this, and the old one does not fail so.
  case failure(UnitOutcome, name: String)
}

/// The progress of a reduction.
package struct ReductionProgress: Hashable, Sendable {
  package var tries: Int
  package var bytes: Int
  package var firstBytes: Int
  /// Share of the time that is used up.
  package var fraction: Double
}

/// The result of a reduction.
package struct Reduction: Sendable {
  /// The path by which a corpus names the case.
  package var path: String
  /// The behaviour that it guards, in words.
  package var summary: String
  package var tries: Int
  package var bookBytes: Int
  package var bytes: Int
  /// Nothing more can be left out; otherwise time was over.
  package var isMinimal: Bool
}

/// Makes a book small that differs between two engines or settings, or that fails (delta debugging: parts are left out as
/// long as what is left shows the same).
package struct Reducer {
  /// Two ways to set the book; where there is no old one, the new one is to fail.
  package struct Sides: Sendable {
    package var old: Session?
    package var new: Session

    package init(old: Session?, new: Session) {
      self.old = old
      self.new = new
    }
  }

  private let sides: Sides
  /// The program that reads the book for this one.
  private let reader: [String]
  private let book: CorpusBook
  private let folder: String
  private let deadline: UInt64
  private let budget: Double
  private let start = Clock.wallTime
  private let progress: (ReductionProgress) -> Void
  private let settings: ComparisonSettings
  private var goal: ReductionGoal?
  private var summary = ""
  private var tries = 0
  private var firstBytes = 0
  /// Hashes of cases that were tried and showed nothing.
  private var failed: Set<UInt64> = []

  /// - Parameters:
  ///   - sides: sessions of one unit each, the same book in both.
  ///   - reader: the program that reads the book for this one, with its first arguments.
  ///   - folder: for cases and runs while it works; it is removed.
  ///   - seconds: after which the smallest case so far is taken.
  package init(
    _ sides: Sides, reader: [String] = [ProgramFile.own, "snapshot", "extract"], folder: String, seconds: Double,
    progress: @escaping (ReductionProgress) -> Void = { _ in }
  ) throws(HarnessError) {
    self.sides = sides
    self.reader = reader
    guard let key = sides.new.units.first, let book = sides.new.manifest.books.first(where: { $0.id == key.book })
    else {
      throw HarnessError(66, "there is no book to reduce")
    }
    self.book = book
    self.folder = Files.absolute(folder)
    self.progress = progress
    budget = seconds
    deadline = start &+ UInt64(seconds * 1e9)
    var settings = ComparisonSettings()
    settings.scale = sides.new.manifest.profiles.first { $0.name == key.profile }?.scale ?? 1
    self.settings = settings
  }

  private var isOver: Bool { Clock.wallTime >= deadline || sides.new.pool.isStopped() }

  // MARK: Behaviour to be shown

  /// Both sides of a book.
  private struct Outcome {
    var old: UnitResult?
    var new: UnitResult
    var comparison: UnitComparison?
  }

  private func render(_ path: String) throws(HarnessError) -> Outcome? {
    var moved = book
    moved.path = path
    let candidate = moved
    let error = Lock<HarnessError?>(nil)
    let sessions = [sides.old, sides.new]
    @Sendable func work(_ side: Int) {
      guard var session = sessions[side], let key = session.units.first else { return }
      session.manifest.books = [candidate]
      session.pool.ignoresCache = true
      // A stack takes longer than many a try.
      session.pool.environment["SWIFT_BACKTRACE"] = "enable=no"
      do throws(HarnessError) {
        try WorkerPool.render([key], of: session.manifest, into: session.run, session.pool)
      } catch let failure {
        error.withLock { $0 = failure }
      }
    }
    let other = sides.old == nil ? nil : Worker.start { work(0) }
    work(1)
    if let other { other.join() } else if sides.old != nil { work(0) }
    if let error = error.withLock({ $0 }) {
      if error.code == 130 { return nil }
      throw error
    }
    guard let key = sides.new.units.first, let new = sides.new.run.source(key) else { return nil }
    guard let side = sides.old, let oldKey = side.units.first else { return Outcome(new: new.result) }
    guard let old = side.run.source(oldKey) else { return nil }
    return Outcome(
      old: old.result, new: new.result, comparison: UnitDiff.compare(old, new, settings: settings).comparison)
  }

  /// Finds out what the book shows.
  ///
  /// - Parameters:
  ///   - page: of the new side, for a change on it; nil takes the first page that changed.
  ///   - kind: nil takes the gravest change.
  private mutating func findGoal(
    page: Int?, kind: ChangeClass?, isExact: Bool
  ) throws(HarnessError) -> (chapter: String, page: Int?) {
    guard let outcome = try render(book.path) else { throw HarnessError(130, "interrupted") }
    if !outcome.new.outcome.isSuccess {
      let name = Self.name(outcome.new)
      if let old = outcome.old, old.outcome == outcome.new.outcome, Self.name(old) == name {
        throw HarnessError(66, "\(book.id) fails in the same way on both sides: \(name)")
      }
      goal = .failure(outcome.new.outcome, name: name)
      summary = "\(outcome.new.outcome.rawValue): \(name)"
      return (outcome.new.failure?.chapter ?? "", nil)
    }
    guard let comparison = outcome.comparison else { throw HarnessError(66, "\(book.id) does not fail") }
    if outcome.old?.outcome.isSuccess == false { throw HarnessError(66, "\(book.id) fails on the old side alone") }
    var pages = comparison.pages
    if let page {
      // A page that only follows from another has that for its cause.
      let cause = pages.last { ($0.newPage ?? $0.oldPage ?? 0) <= page && ($0.newPage == page || $0.consequences > 0) }
      let own = pages.filter { $0.newPage == page || $0.newPage == nil && $0.oldPage == page }
      pages = own.isEmpty ? cause.map { [$0] } ?? [] : own
    }
    for change in pages.flatMap(\.changes) where kind == nil || change.kind == kind {
      guard let place = pages.first(where: { $0.changes.contains(change) }) else { continue }
      goal = .change(change.kind, signature: isExact ? change.signature : nil)
      summary = change.summary
      return (place.href, place.newPage ?? place.oldPage)
    }
    throw HarnessError(
      66,
      "\(book.id): " + (page.map { "page \($0) " } ?? "it ") + "shows no change"
        + (kind.map { " of the class \($0.rawValue)" } ?? ""))
  }

  /// The name by which failures are told apart: the place and the signal, not the message, which may name what gets left out.
  private static func name(_ result: UnitResult) -> String {
    guard let failure = result.failure else { return "" }
    return [failure.phase, failure.signal == 0 ? "" : "signal \(failure.signal)"].filter { !$0.isEmpty }
      .joined(separator: ", ")
  }

  private func shows(_ outcome: Outcome) -> Bool {
    switch goal {
    case .change(let kind, let signature):
      guard outcome.new.outcome.isSuccess, outcome.old?.outcome.isSuccess == true, let comparison = outcome.comparison
      else { return false }
      return comparison.pages.contains { page in
        page.changes.contains { $0.kind == kind && (signature == nil || signature == $0.signature) }
      }
    case .failure(let kind, let name):
      return outcome.new.outcome == kind && Self.name(outcome.new) == name
        && outcome.old.map { $0.outcome != kind || Self.name($0) != name } ?? true
    case nil: return false
    }
  }

  /// A case shows what the book does.
  private mutating func shows(_ candidate: ReductionCase) throws(HarnessError) -> Bool {
    var hasher = StableHasher()
    for file in candidate.contents() {
      hasher.combine(file.name)
      hasher.combine(file.bytes)
    }
    if failed.contains(hasher.value) { return false }
    tries += 1
    let place = Files.join(folder, "case")
    Files.remove(place)
    let path = try candidate.write(into: place)
    guard let outcome = try render(path) else { return false }
    if shows(outcome) { return true }
    failed.insert(hasher.value)
    return false
  }

  // MARK: Making it small

  /// Writes the smallest case that is found in time to `out`: a folder, or a file where one file is all there is.
  package mutating func run(
    page: Int? = nil, kind: ChangeClass? = nil, isExact: Bool = false, out: String
  ) throws(HarnessError) -> Reduction {
    defer { Files.remove(folder) }
    let (chapter, _) = try findGoal(page: page, kind: kind, isExact: isExact)
    firstBytes = book.size
    tell(book.size)
    guard var best = try firstCase(chapter) else {
      throw HarnessError(
        66,
        isOver
          ? "\(book.id): time was over before a first case was found" : "\(book.id): no part of it shows the same alone"
      )
    }
    var isMinimal = false
    while !isOver, !isMinimal {
      let before = best.size
      var depth = 0
      // Every part that is removed makes the rest less deep.
      while depth <= best.depth, !isOver {
        for group in best.parts(depth: depth) { try minimize(group, &best) }
        depth += 1
      }
      for index in best.fineParts.indices where !isOver {
        let groups = best.fineParts
        if index < groups.count { try minimize(groups[index], &best) }
        best.settle()
      }
      isMinimal = !isOver && best.size >= before
    }
    return try write(best, to: out, isMinimal: isMinimal)
  }

  /// The smallest form that shows what the book does and is of its kind: a page, a package with one chapter that is taken apart,
  /// the whole package; or, for a text and where nobody can read it, its lines.
  private mutating func firstCase(_ chapter: String) throws(HarnessError) -> ReductionCase? {
    let source = BookExtraction(worker: reader, book: book, folder: folder)
    let outline = try source.outline()
    if let fault = outline?.fault { throw HarnessError(65, "\(book.id): \(fault)") }
    guard let outline, !outline.isText else { return try firstLines() }
    var whole: ReductionCase?
    var index = outline.spine.count == 1 ? 0 : outline.spine.firstIndex(of: chapter)
    if index == nil, var package = try source.part(.package(chapter: nil)), try shows(package) {
      // Nobody knows where it happens: the chapters that it does not need tell.
      for group in package.parts(depth: 0).prefix(1) { try minimize(group, &package) }
      whole = package
      index = package.onlyChapter.flatMap { outline.spine.firstIndex(of: $0) }
    }
    // A page stays what it is, and becomes the other only where it does not show the same.
    let isHTML = !book.path.lowercased().hasSuffix(".xhtml")
    for isHTML in outline.isPackage ? [] : [isHTML, !isHTML] {
      guard let index, !isOver, let page = try source.part(.page(index, isHTML: isHTML)) else { continue }
      if try shows(page) { return page }
    }
    // A case that is due to the package, or to a page that cannot be written anew, stays a package.
    for chapter in index == nil ? [] : whole == nil ? [index, nil] : [index] {
      guard !isOver, var package = try source.part(.package(chapter: chapter)) else { continue }
      if try shows(package) {
        if chapter == nil, let index { package.takePieces(of: outline.spine[index]) }
        return package
      }
    }
    if var whole {
      if let index { whole.takePieces(of: outline.spine[index]) }
      return whole
    }
    return try firstLines()
  }

  /// The lines of a file that is a page or a text.
  private mutating func firstLines() throws(HarnessError) -> ReductionCase? {
    let name = book.path.split(separator: "/").last ?? ""
    let ending = name.split(separator: ".").last.map { $0.lowercased() } ?? ""
    guard !Files.isFolder(book.path), ["txt", "html", "htm", "xhtml", "xht"].contains(ending),
      let bytes = Files.read(book.path)
    else { return nil }
    let lines = ReductionCase(lines: bytes, ending: ending)
    return try shows(lines) ? lines : nil
  }

  /// Leaves out as many of `parts` as can be: halves, quarters, and so on down to single ones.
  private mutating func minimize(_ parts: [ReductionCase.Part], _ best: inout ReductionCase) throws(HarnessError) {
    var left = parts
    var length = left.count
    while length >= 1, !left.isEmpty, !isOver {
      // From the end, so that what comes first, and is looked at first, stays.
      var end = left.count
      while end > 0, !isOver {
        let chunk = max(0, end - length)..<end
        var candidate = best
        for part in left[chunk] { candidate.remove(part) }
        if try shows(candidate) {
          best = candidate
          left.removeSubrange(chunk)
        }
        tell(best.size)
        end = chunk.lowerBound
      }
      length = min(length, left.count) / 2
    }
  }

  private func tell(_ bytes: Int) {
    progress(
      ReductionProgress(
        tries: tries, bytes: bytes, firstBytes: firstBytes,
        fraction: min(1, Double(Clock.wallTime - start) / 1e9 / max(budget, 1e-3))))
  }

  private func write(_ best: ReductionCase, to out: String, isMinimal: Bool) throws(HarnessError) -> Reduction {
    let comment = "Guards: \(summary)"
    let contents = best.contents(comment: comment)
    let out = Files.absolute(out)
    let path: String
    if best.form == .package, !Files.isFolder(book.path), !Files.isFolder(out) {
      path = out.hasSuffix(".epub") ? out : out + ".epub"
      try Files.write(StoredArchive.bytes(contents), to: path)
    } else if contents.count == 1, !Files.isFolder(out) {
      // A single file is called what was asked for, with the ending of its kind.
      let ending = contents[0].name.split(separator: ".").last.map { "." + $0 } ?? ""
      path = out.hasSuffix(ending) ? out : out + ending
      try Files.write(contents[0].bytes, to: path)
    } else {
      path = try best.write(into: out, comment: comment)
    }
    return Reduction(
      path: path, summary: summary, tries: tries, bookBytes: book.size,
      bytes: contents.reduce(0) { $0 + $1.bytes.count },
      isMinimal: isMinimal)
  }
}
