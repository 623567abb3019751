/// What two pages of a PDF differ in: their text, links, structure and so on, each by itself (snapshot harness, 4.8).
struct TagAspects {
  /// The aspects, in the order in which one explains others: what has no structure has no alternative texts either.
  enum Aspect: String, CaseIterable {
    case structure
    case text
    case alternatives = "alternative texts"
    case languages
    case links
    case destinations = "places that links lead to"
    case positions = "positions of places"
    case labels = "labels of pages"
  }

  private var values: [Aspect: [Substring]] = [:]

  /// - Parameter page: A page as `PDFReading` tells it.
  init(_ page: String) {
    for line in page.split(separator: "\n") {
      if line.hasPrefix("place ") {
        let end = line.firstRange(of: " at ")
        add(line[..<(end?.lowerBound ?? line.endIndex)], to: .destinations)
        if let end { add(line[end.upperBound...], to: .positions) }
      } else if line.hasPrefix("label ") {
        add(line, to: .labels)
      } else {
        let end = line.firstRange(of: ": ")
        read(path: line[..<(end?.lowerBound ?? line.endIndex)], text: end.map { line[$0.upperBound...] } ?? "")
      }
    }
  }

  private mutating func add(_ value: Substring, to aspect: Aspect) { values[aspect, default: []].append(value) }

  private mutating func read(path: Substring, text: Substring) {
    var structure = path
    if let link = path.firstRange(of: "Link to ") {
      let target = path[link.upperBound...]
      // One that leads nowhere is none.
      if target != "nothing", !target.hasSuffix(PDFReading.nowhere) { add(target, to: .links) }
      structure = path[..<link.upperBound]
    } else if !text.isEmpty {
      add(text, to: .text)
    }
    for (name, aspect) in [(" alt=", Aspect.alternatives), (" lang=", .languages)] {
      var rest = structure
      var plain = ""
      while let start = rest.firstRange(of: name) {
        let value = rest[start.upperBound...]
        let end = Self.endOfAttribute(value)
        add(value[..<end], to: aspect)
        plain += rest[..<start.lowerBound]
        rest = value[end...]
      }
      structure = Substring(plain + rest)
    }
    add(structure, to: .structure)
  }

  /// The end of an attribute's value: where another attribute or an element begins.
  private static func endOfAttribute(_ value: Substring) -> Substring.Index {
    var place = value.startIndex
    while place < value.endIndex {
      let rest = value[place...]
      if rest.first == "/", rest.dropFirst().first?.isUppercase == true { return place }
      if [" alt=", " lang=", " scope=", " columns=", " rows="].contains(where: rest.hasPrefix) { return place }
      place = value.index(after: place)
    }
    return place
  }

  /// The aspects in which a page is another, in words: `text`, or `text gone` where nothing is left of it.
  static func differences(_ old: String, _ new: String) -> Set<String> {
    let (before, after) = (TagAspects(old).values, TagAspects(new).values)
    return Set(
      Aspect.allCases.compactMap { aspect in
        let (one, two) = (before[aspect] ?? [], after[aspect] ?? [])
        // The positions of other places are others.
        if one == two || aspect == .positions && before[.destinations] != after[.destinations] { return nil }
        if aspect == .text, unknownCharacters(in: two) > unknownCharacters(in: one) { return unreadable }
        return two.isEmpty ? aspect.rawValue + gone : aspect.rawValue
      })
  }

  private static let gone = " gone"
  /// Text of characters that nothing tells: where a font has no character map, or one with gaps.
  static let unreadable = "unreadable text"
  private static let lostText = Aspect.text.rawValue + gone
  static let characters: Set = [unreadable, Aspect.text.rawValue, lostText]
  static let alternatives: Set = [Aspect.alternatives.rawValue, Aspect.alternatives.rawValue + gone]
  static let deadLinks = Aspect.links.rawValue + gone
  static let places: Set = [Aspect.destinations.rawValue, lostPlaces]
  static let lostPlaces = Aspect.destinations.rawValue + gone

  private static func unknownCharacters(in text: [Substring]) -> Int {
    text.reduce(0) { $0 + $1.unicodeScalars.count { $0 == "\u{FFFD}" } }
  }

  /// The rank of an aspect in words, the one that explains others first.
  static func rank(_ words: String) -> Int {
    if words == unreadable { return rank(Aspect.text.rawValue) }
    return Aspect.allCases.firstIndex { words == $0.rawValue || words == $0.rawValue + gone } ?? Aspect.allCases.count
  }

  /// Text that is no longer there is lost, though it is seen.
  static func severity(_ differences: Set<String>) -> Severity {
    let isLost = differences.contains(unreadable) || differences.contains(lostText)
    return isLost ? .high : ChangeClass.taggingChanged.severity
  }

  static func summary(_ differences: Set<String>) -> String {
    guard let only = differences.first, differences.count == 1 else {
      return ChangeTable.onlySummary(of: .taggingChanged)
    }
    if only == unreadable { return "text in PDFs cannot be copied, display list equal" }
    let isGone = only.hasSuffix(gone)
    let aspect = isGone ? String(only.dropLast(gone.count)) : only
    let verb = aspect == Aspect.links.rawValue && isGone ? "lead nowhere" : isGone ? "gone" : "changed"
    return "\(aspect) in PDFs \(verb), display list equal"
  }
}
