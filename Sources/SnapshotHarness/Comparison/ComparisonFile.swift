import FoundationEssentials
import Primitives

/// `comparison.json` of a run: JSON with sorted keys. Where all pages of many books change it is large, so its
/// lists are written and read some elements at a time.
package enum ComparisonFile {
  /// Elements that are encoded or decoded at once.
  private static let pieceLength = 256

  // MARK: Writing

  package static func write(_ comparison: RunComparison, to path: String) throws(HarnessError) {
    let file = try FileWriter(path)
    var frame = comparison
    frame.clusters = []
    frame.units = []
    try write(
      frame,
      [
        ("clusters", { () throws(HarnessError) in try write(clusters: comparison.clusters, to: file) }),
        ("units", { () throws(HarnessError) in try write(units: comparison.units, to: file) }),
      ], to: file)
    try file.write("\n".utf8)
    try file.finish()
  }

  private static func write(clusters: [Cluster], to file: FileWriter) throws(HarnessError) {
    for (index, cluster) in clusters.enumerated() {
      if index > 0 { try file.write(",".utf8) }
      var frame = cluster
      frame.members = []
      try write(
        frame, [("members", { () throws(HarnessError) in try write(elements: cluster.members, to: file) })], to: file)
    }
  }

  private static func write(units: [UnitComparison], to file: FileWriter) throws(HarnessError) {
    for (index, unit) in units.enumerated() {
      if index > 0 { try file.write(",".utf8) }
      var frame = unit
      frame.pages = []
      try write(frame, [("pages", { () throws(HarnessError) in try write(elements: unit.pages, to: file) })], to: file)
    }
  }

  private static func write(elements: [some Encodable], to file: FileWriter) throws(HarnessError) {
    for start in stride(from: 0, to: elements.count, by: pieceLength) {
      if start > 0 { try file.write(",".utf8) }
      let piece = Files.json(Array(elements[start..<min(start + pieceLength, elements.count)]))
      // Without its brackets and the end of the line.
      try file.write(piece.dropFirst().dropLast(2))
    }
  }

  /// Writes a value some of whose lists are empty, and what belongs into these, in the order of their names.
  private static func write(
    _ frame: some Encodable, _ lists: [(name: String, write: () throws(HarnessError) -> Void)], to file: FileWriter
  ) throws(HarnessError) {
    var rest = Files.json(frame).dropLast()
    for list in lists {
      guard let place = rest.firstRange(of: Array("\"\(list.name)\":[]".utf8)) else { continue }
      try file.write(rest[..<(place.upperBound - 1)])
      try list.write()
      rest = rest[(place.upperBound - 1)...]
    }
    try file.write(rest)
  }

  // MARK: Reading

  /// - Returns: nil where there is no such file, or it cannot be read.
  package static func read(_ path: String) -> RunComparison? {
    guard let data = try? Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe) else { return nil }
    let text = JSONText(data.span)
    guard let frame = text.frame(0..<data.count, without: ["clusters", "units"], as: RunComparison.self),
      let clusters = text.objects(of: frame.lists["clusters"], with: \Cluster.members, named: "members", pieceLength),
      let units = text.objects(of: frame.lists["units"], with: \UnitComparison.pages, named: "pages", pieceLength)
    else { return nil }
    var comparison = frame.value
    comparison.clusters = clusters
    comparison.units = units
    return comparison
  }
}

/// JSON of which only parts are decoded at a time.
private struct JSONText: ~Escapable {
  private let bytes: Span<UInt8>

  @_lifetime(copy bytes)
  init(_ bytes: Span<UInt8>) { self.bytes = bytes }

  /// Decodes an object of which some lists are taken for empty.
  ///
  /// - Returns: the object, and where those lists are.
  func frame<Value: Decodable>(
    _ range: Range<Int>, without names: Set<String>, as type: Value.Type
  ) -> (value: Value, lists: [String: Range<Int>])? {
    guard let fields = fields(of: range) else { return nil }
    var text: [UInt8] = []
    var lists: [String: Range<Int>] = [:]
    var place = range.lowerBound
    for field in fields where names.contains(field.name) {
      text.append(contentsOf: bytes.extracting(place..<field.value.lowerBound))
      text += "[]".utf8
      lists[field.name] = field.value
      place = field.value.upperBound
    }
    text.append(contentsOf: bytes.extracting(place..<range.upperBound))
    return (try? JSONDecoder().decode(type, from: Data(text))).map { ($0, lists) }
  }

  /// Decodes a list of objects, each with a list of its own whose elements are decoded so many at once.
  func objects<Value: Decodable, Element: Decodable>(
    of range: Range<Int>?, with list: WritableKeyPath<Value, [Element]>, named name: String, _ count: Int
  ) -> [Value]? {
    var values: [Value] = []
    let areRead = forEachElement(of: range) { range in
      guard var object = frame(range, without: [name], as: Value.self),
        let elements = elements(of: object.lists[name], as: Element.self, count)
      else { return false }
      object.value[keyPath: list] = elements
      values.append(object.value)
      return true
    }
    return areRead ? values : nil
  }

  /// Decodes a list, so many elements at once.
  func elements<Value: Decodable>(of range: Range<Int>?, as type: Value.Type, _ count: Int) -> [Value]? {
    var values: [Value] = []
    var waiting: (range: Range<Int>, count: Int)?
    func take() -> Bool {
      guard let piece = waiting else { return true }
      waiting = nil
      let text = [0x5B] + Array(bytes.extracting(piece.range)) + [0x5D]
      guard let decoded = try? JSONDecoder().decode([Value].self, from: Data(text)) else { return false }
      values += decoded
      return true
    }
    let areRead = forEachElement(of: range) { element in
      waiting = ((waiting?.range.lowerBound ?? element.lowerBound)..<element.upperBound, (waiting?.count ?? 0) + 1)
      return waiting?.count == count ? take() : true
    }
    return areRead && take() ? values : nil
  }

  /// Goes through the elements of a list until one is refused.
  ///
  /// - Returns: `false` where one was, or where this is no list.
  func forEachElement(of range: Range<Int>?, _ body: (Range<Int>) -> Bool) -> Bool {
    guard let range, range.count > 1, bytes[range.lowerBound] == 0x5B else { return false }
    var place = skipSpace(range.lowerBound + 1)
    while place < range.upperBound - 1 {
      let end = endOfValue(place, in: range)
      if !body(place..<end) { return false }
      place = skipSpace(end)
      if place < range.upperBound - 1 {
        guard bytes[place] == 0x2C else { return false }
        place = skipSpace(place + 1)
      }
    }
    return true
  }

  private func fields(of range: Range<Int>) -> [(name: String, value: Range<Int>)]? {
    var place = skipSpace(range.lowerBound)
    guard place < range.upperBound, bytes[place] == 0x7B else { return nil }
    var fields: [(name: String, value: Range<Int>)] = []
    place = skipSpace(place + 1)
    while place < range.upperBound, bytes[place] == 0x22 {
      let end = endOfValue(place, in: range)
      let name = String(decoding: bytes.extracting((place + 1)..<max(place + 1, end - 1)))
      place = skipSpace(end)
      guard place < range.upperBound, bytes[place] == 0x3A else { return nil }
      place = skipSpace(place + 1)
      let last = endOfValue(place, in: range)
      fields.append((name, place..<last))
      place = skipSpace(last)
      if place < range.upperBound, bytes[place] == 0x2C { place = skipSpace(place + 1) }
    }
    return fields
  }

  private func skipSpace(_ start: Int) -> Int {
    var place = start
    while place < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[place]) { place += 1 }
    return place
  }

  /// Behind the value that begins at a place.
  private func endOfValue(_ start: Int, in range: Range<Int>) -> Int {
    var depth = 0
    var isInString = false
    var place = start
    while place < range.upperBound {
      let byte = bytes[place]
      if isInString {
        if byte == 0x5C {
          place += 1
        } else if byte == 0x22 {
          isInString = false
          if depth == 0 { return place + 1 }
        }
      } else {
        switch byte {
        case 0x22: isInString = true
        case 0x5B, 0x7B: depth += 1
        case 0x5D, 0x7D:
          depth -= 1
          if depth <= 0 { return depth == 0 ? place + 1 : place }
        case 0x2C where depth == 0: return place
        default: break
        }
      }
      place += 1
    }
    return range.upperBound
  }
}
