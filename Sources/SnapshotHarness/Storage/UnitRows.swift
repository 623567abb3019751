import FoundationEssentials
import Platform
import Synchronization

/// The results of units that were found equal to a baseline where they were rendered: `units.rows` of a run,
/// Zstandard frames of lines of book, profile, number of pages, and the unit's file as JSON, with tabs between.
final class UnitRows: Sendable {
  static let name = "units.rows"

  private let text: [UInt8]
  /// Where each line's number of pages begins, and its end.
  private let places: [UnitKey: Range<Int>]

  private init(_ text: [UInt8]) {
    self.text = text
    var places: [UnitKey: Range<Int>] = [:]
    var start = 0
    while let end = text[start...].firstIndex(of: 0x0A) {
      let fields = text[start..<end].split(separator: 0x09, maxSplits: 2, omittingEmptySubsequences: false)
      if fields.count == 3 {
        let key = UnitKey(
          book: String(decoding: fields[0], as: UTF8.self), profile: String(decoding: fields[1], as: UTF8.self))
        places[key] = fields[2].startIndex..<end
      }
      start = end + 1
    }
    self.places = places
  }

  func row(_ key: UnitKey) -> (file: UnitFile, pages: Int)? {
    guard let place = places[key] else { return nil }
    let fields = text[place].split(separator: 0x09, maxSplits: 1)
    guard fields.count == 2, let pages = Int(String(decoding: fields[0], as: UTF8.self)),
      let file = try? JSONDecoder().decode(UnitFile.self, from: Data(fields[1]))
    else { return nil }
    return (file, pages)
  }

  /// By path and stamp: those that were read last.
  private static let known = Lock<[String: UnitRows]>([:])

  /// The rows of a run; nil for one that holds all units itself.
  static func of(_ run: RunFolder) -> UnitRows? {
    let path = Files.join(run.path, name)
    guard let stamp = FileHashes.stamp(path) else { return nil }
    return known.withLock { known in
      if let rows = known["\(path) \(stamp)"] { return rows }
      var text: [UInt8] = []
      Zstd.forEachFrame(in: Files.read(path) ?? []) { content, _ in text += content }
      let rows = UnitRows(text)
      known = ["\(path) \(stamp)": rows]
      return rows
    }
  }

  /// The frame of some units of a run.
  static func frame(of units: [UnitKey], in run: RunFolder) -> [UInt8] {
    var text: [UInt8] = []
    for key in units {
      guard let file = run.unitFile(key) else { continue }
      // What pages are made of and with is of no use without them.
      let row = UnitFile(cacheKey: "", result: file.result)
      text += "\(key.book)\t\(key.profile)\t\(run.pageCount(of: key))\t".utf8 + Files.json(row)
    }
    return Zstd.compress(text)
  }
}

extension RunFolder {
  /// It holds only those units that differ from what it was compared with.
  package var isMadeOfDifferences: Bool { Files.exists(Files.join(path, UnitRows.name)) }
}
