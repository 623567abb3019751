import BookOutput
import FoundationEssentials
import Platform
import Primitives
import Synchronization
import Typesetting

/// Looks up what made elements look as they do, on both sides of a comparison (snapshot harness, 6.2). The books are read in
/// child processes, by the programs that set them; what cannot be looked up is left out.
struct Inspection: Sendable {
  /// An element of a book.
  struct Place: Hashable, Codable, Sendable {
    var href: String
    var node: String
  }

  /// The input of a child.
  struct Spec: Codable, Sendable {
    var book: String
    var profile: Profile
    var fonts: FontSet
    var places: [Place]
    var output: String
  }

  let old: Reference?
  let new: Reference
  let jobs: Int

  private static let maximumPlaces = 4
  /// Seconds for one book.
  private static let limit = 10.0

  /// The elements that some changes of a page start in.
  static func places(_ sources: [RecordSource?], in href: String) -> [Place] {
    var places: [Place] = []
    for source in sources {
      guard let source, places.count < maximumPlaces else { continue }
      let place = Place(href: href, node: source.node)
      if !places.contains(place) { places.append(place) }
    }
    return places
  }

  /// - Parameter seconds: after them no other book is opened.
  /// - Returns: by unit and element what each side says of it.
  func look(
    up wanted: [UnitKey: [Place]], seconds: Double = 20
  ) -> [UnitKey: [Place: (old: ElementReport?, new: ElementReport?)]] {
    let keys = wanted.keys.sorted()
    let start = Clock.wallTime
    let found = Lock<[UnitKey: (old: [ElementReport], new: [ElementReport])]>([:])
    Parallel.forEach(keys.count, jobs: jobs) { index in
      let key = keys[index]
      guard Double(Clock.wallTime - start) / 1e9 < seconds, let places = wanted[key] else { return false }
      let reports = (
        old: old.map { self.reports(of: key, places, $0) } ?? [], new: self.reports(of: key, places, self.new)
      )
      found.withLock { $0[key] = reports }
      return true
    }
    return found.withLock { $0 }.mapValues { sides in
      var pairs: [Place: (old: ElementReport?, new: ElementReport?)] = [:]
      for report in sides.old { pairs[Place(href: report.href, node: report.node), default: (nil, nil)].old = report }
      for report in sides.new { pairs[Place(href: report.href, node: report.node), default: (nil, nil)].new = report }
      return pairs
    }
  }

  /// The reports of the program of a run.
  private func reports(of key: UnitKey, _ places: [Place], _ side: Reference) -> [ElementReport] {
    guard case .run(let run, let manifest) = side, let program = manifest.program, Files.exists(program),
      let book = manifest.books.first(where: { $0.id == key.book }), Files.exists(book.path),
      let profile = manifest.profiles.first(where: { $0.name == key.profile })
    else { return [] }
    let folder = Files.join(run.path, ".look-\(hexadecimal(UInt64(truncatingIfNeeded: Clock.wallTime)))")
    defer { Files.remove(folder) }
    let output = Files.join(folder, "elements.json")
    let path = Files.join(folder, "spec.json")
    let spec = Spec(book: book.path, profile: profile, fonts: manifest.fonts, places: places, output: output)
    do throws(HarnessError) { try Files.write(json: spec, to: path) } catch { return [] }
    var limits = book.limits
    limits.seconds = min(limits.seconds, Self.limit)
    var child = ChildProcess([program, "snapshot", "look-up", path], folder: folder, limits: limits)
    child.writable = [folder]
    child.environment = ChildProcess.environment(temporaryFolder: folder)
    guard child.run(isStopped: { Interruption.isRequested }).end == .exited(0) else { return [] }
    return Files.read(json: output, as: [ElementReport].self) ?? []
  }
}

/// The work of a child process that looks elements up.
package enum InspectionWorker {
  package static func run(specPath: String) throws(HarnessError) {
    guard let spec = Files.read(json: specPath, as: Inspection.Spec.self) else {
      throw HarnessError(64, "\(specPath): there is nothing to look up")
    }
    var settings = spec.profile.settings
    spec.fonts.apply(to: &settings)
    let book: Book
    do throws(BookError) { book = try Book(contentsOf: spec.book) } catch { throw HarnessError(error) }
    var reports: [ElementReport] = []
    let inspection = ChapterInspection(book, settings: settings)
    var hrefs: [String] = []
    for place in spec.places where !hrefs.contains(place.href) { hrefs.append(place.href) }
    for href in hrefs {
      reports += inspection.reports(on: spec.places.filter { $0.href == href }.map(\.node), in: href)
    }
    try Files.write(json: reports, to: spec.output)
  }
}
