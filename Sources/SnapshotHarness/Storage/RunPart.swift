import FoundationEssentials
import Primitives

/// Of which parts of a run a folder holds the units, where it is not the whole run.
package struct RunPart: Hashable, Codable, Sendable {
  /// The parts, of `count`, from 1.
  package var shards: [Int]
  package var count: Int
  /// The number of units of the whole run.
  package var units: Int
  /// A digest of what is to be rendered, by which program, and how it is dealt out: the same in all parts of a run.
  package var plan: String

  /// The parts that are missing.
  package var missing: [Int] {
    let known = Set(shards)
    return (1...max(1, count)).filter { !known.contains($0) }
  }

  /// - Parameters:
  ///   - units: Those of the whole run.
  ///   - weights: What they are dealt out by.
  ///   - binary: The identity of the program that renders.
  static func plan(_ units: [UnitKey], weights: [Double], of corpus: Corpus, binary: String) -> String {
    struct Inputs: Encodable {
      var binary: String
      var profiles: [Profile]
      var fonts: [String: String]
    }
    var hasher = SHA256()
    func take(_ bytes: [UInt8]) { hasher.update(bytes.span) }
    take(Files.json(Inputs(binary: binary, profiles: corpus.profiles, fonts: corpus.fonts.versions)))
    let hashes = Dictionary(corpus.books.map { ($0.id, $0.hash) }, uniquingKeysWith: { first, _ in first })
    let profiles = Dictionary(
      corpus.profiles.enumerated().map { ($1.name, UInt32($0)) }, uniquingKeysWith: { first, _ in first })
    var book = ""
    var pending: [UInt8] = []
    for (unit, weight) in zip(units, weights) {
      if unit.book != book {
        book = unit.book
        pending += "\n\(book) \(hashes[book] ?? "")\n".utf8
      }
      pending.append(littleEndian: profiles[unit.profile] ?? 0)
      pending.append(littleEndian: weight.bitPattern)
      if pending.count > 1 << 16 {
        take(pending)
        pending.removeAll(keepingCapacity: true)
      }
    }
    take(pending)
    return hasher.hex()
  }
}
