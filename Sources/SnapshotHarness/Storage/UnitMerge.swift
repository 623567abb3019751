import FoundationEssentials
import Primitives

/// Joins what two branches made of a unit of the baseline: page by page, what only one of them changed is its version; where both
/// did, and otherwise, ours stays. Every page of the result is one that a branch has accepted in its place, so what neither has
/// is a difference in the next run.
package enum UnitMerge {
  /// - Parameter base: the unit that both come from; empty where there was none.
  /// - Returns: the unit as text; nil where a side is damaged, or where a merge would leave nothing of one.
  package static func merge(base: [UInt8], ours: [UInt8], theirs: [UInt8]) -> [UInt8]? {
    guard case .success(let our) = UnitText.parse(ours), case .success(let their) = UnitText.parse(theirs),
      our.file.result.key == their.file.result.key, our.file.comparesRecords == their.file.comparesRecords
    else { return nil }
    guard case .success(let old) = UnitText.parse(base) else { return ours == theirs ? ours : nil }
    var file = our.file
    file.book = choose(old.file.book, our.file.book, their.file.book)
    file.beyond = choose(old.file.beyond, our.file.beyond, their.file.beyond)
    file.result = choose(old.file.result, our.file.result, their.file.result)
    for face in their.file.faces where !file.faces.contains(where: { $0.key == face.key }) { file.faces.append(face) }
    for image in their.file.images where !file.images.contains(image) { file.images.append(image) }
    let (before, mine, other) = (pages(old.hashes), pages(our.hashes), pages(their.hashes))
    let merged = join(before, mine, other)
    // Pixels are of pages, and go with them.
    let pixels = our.file.pixels(of: mine).merging(their.file.pixels(of: other)) { ours, _ in ours }
    file.pixels = merged.enumerated().compactMap { index, page in
      pixels[page.display].map { DrawnPage(page: index + 1, pixels: $0.pixels) }
    }
    return UnitText.text(file, merged)
  }

  /// Joins what two branches made of `baseline.json`: by library, font and profile, what only one of them changed is its
  /// version; otherwise ours stays. nil where a side is damaged.
  package static func mergeHeader(base: [UInt8], ours: [UInt8], theirs: [UInt8]) -> [UInt8]? {
    func read(_ bytes: [UInt8]) -> BaselineHeader? { try? JSONDecoder().decode(BaselineHeader.self, from: Data(bytes)) }
    guard let our = read(ours), let their = read(theirs), our.schema == their.schema else { return nil }
    let old = read(base) ?? BaselineHeader(versions: RunVersions(engine: ""), profiles: [])
    func named(_ profiles: [Profile]) -> [String: Profile] {
      Dictionary(profiles.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }
    var header = our
    header.versions.engine = choose(old.versions.engine, our.versions.engine, their.versions.engine)
    header.versions.libraries = choose(old.versions.libraries, our.versions.libraries, their.versions.libraries)
    header.versions.fonts = choose(old.versions.fonts, our.versions.fonts, their.versions.fonts)
    let profiles = choose(named(old.profiles), named(our.profiles), named(their.profiles))
    let order =
      our.profiles.map(\.name)
      + their.profiles.map(\.name).filter { name in !our.profiles.contains { $0.name == name } }
    header.profiles = order.compactMap { profiles[$0] }
    return Files.json(header, isPretty: true)
  }

  /// Entry by entry.
  private static func choose<Value: Equatable>(
    _ base: [String: Value], _ ours: [String: Value], _ theirs: [String: Value]
  ) -> [String: Value] {
    var result: [String: Value] = [:]
    for name in Set(ours.keys).union(theirs.keys) { result[name] = choose(base[name], ours[name], theirs[name]) }
    return result
  }

  private static func pages(_ hashes: [UInt8]) -> [PageHashes] { PageHashFile.pages(hashes) ?? [] }

  private static func choose<Value: Equatable>(_ base: Value, _ ours: Value, _ theirs: Value) -> Value {
    ours == base ? theirs : ours
  }

  /// A stretch of one side's pages that takes the place of a stretch of the base.
  private struct Hunk {
    var base: Range<Int>
    var side: Range<Int>
  }

  /// The stretches in which a side differs from the base, in order.
  private static func hunks(_ base: [PageHashes], _ side: [PageHashes]) -> [Hunk] {
    // As many pages: each stands for the one of its number, so that neighbours are told apart.
    if base.count == side.count {
      return base.indices.filter { base[$0] != side[$0] }.map { Hunk(base: $0..<$0 + 1, side: $0..<$0 + 1) }
    }
    let difference = side.difference(from: base)
    var removed = [Bool](repeating: false, count: base.count)
    var inserted = [Bool](repeating: false, count: side.count)
    for change in difference {
      switch change {
      case .remove(let offset, _, _): removed[offset] = true
      case .insert(let offset, _, _): inserted[offset] = true
      }
    }
    var hunks: [Hunk] = []
    var (i, j) = (0, 0)
    while i < base.count || j < side.count {
      let (from, start) = (i, j)
      while i < base.count, removed[i] { i += 1 }
      while j < side.count, inserted[j] { j += 1 }
      if i > from || j > start {
        hunks.append(Hunk(base: from..<i, side: start..<j))
      } else {
        i += 1
        j += 1
      }
    }
    return hunks
  }

  /// Pages of three sides joined (diff3).
  static func join(_ base: [PageHashes], _ ours: [PageHashes], _ theirs: [PageHashes]) -> [PageHashes] {
    let mine = hunks(base, ours)
    var result: [PageHashes] = []
    var place = 0
    var next = 0
    func meets(_ one: Range<Int>, _ other: Range<Int>) -> Bool {
      one.overlaps(other) || one == other || (one.isEmpty && other.contains(one.lowerBound))
        || (other.isEmpty && one.contains(other.lowerBound))
    }
    func take(_ hunk: Hunk, of side: [PageHashes]) {
      guard hunk.base.lowerBound >= place else { return }
      result += base[place..<hunk.base.lowerBound] + side[hunk.side]
      place = hunk.base.upperBound
    }
    for hunk in hunks(base, theirs) {
      while next < mine.count, mine[next].base.upperBound <= hunk.base.lowerBound, !meets(mine[next].base, hunk.base) {
        take(mine[next], of: ours)
        next += 1
      }
      // Both have changed it: ours comes when its turn does.
      let near = mine[next...].prefix { $0.base.lowerBound <= hunk.base.upperBound }
      if !near.contains(where: { meets($0.base, hunk.base) }) { take(hunk, of: theirs) }
    }
    for hunk in mine[next...] { take(hunk, of: ours) }
    return result + base[place...]
  }

  /// A unit for people to read and for Git to compare: its title, and a line for each page with its number.
  ///
  /// - Parameter lines: the first line of a page, where that is known.
  package static func description(_ bytes: [UInt8], line: (Int) -> String? = { _ in nil }) -> String? {
    guard case .success(let unit) = UnitText.parse(bytes) else { return nil }
    let result = unit.file.result
    var text = "\(result.key)\n\(result.title) [\(result.language)] \(result.outcome.rawValue)\n"
    if let failure = result.failure {
      text += "\(failure.phase) \(failure.chapter) \(failure.stack.joined(separator: " < "))\n"
    }
    for warning in result.warnings { text += "warning: \(warning)\n" }
    for face in unit.file.faces { text += "face \(face.family) \(face.style) \(face.file)\n" }
    for (index, page) in pages(unit.hashes).enumerated() {
      text += "page \(index + 1)  \(hexadecimal(page.display))  \(line(index + 1) ?? "")\n"
    }
    return text
  }
}
