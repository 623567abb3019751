/// Pages whose structure or text in a PDF is another, though the same is painted on them (snapshot harness, 4.8).
enum TagChanges {
  /// A unit as this level reads it. `text` has the structure and the text of a page, from 1, where they are kept.
  typealias Side = (pages: [PageHashes], text: (Int) -> String?)

  /// The pages of both sides that tell what they are in a PDF, and not the same.
  static func changes(_ old: Side, _ new: Side) -> [PageChange] {
    func known(_ pages: [PageHashes]) -> [UInt64: [Int]] {
      Dictionary(grouping: pages.indices.filter { pages[$0].pdf != 0 }) { pages[$0].display }
    }
    if zip(old.pages, new.pages).allSatisfy({ $0.pdf == $1.pdf }), old.pages.count == new.pages.count { return [] }
    let (before, after) = (known(old.pages), known(new.pages))
    // Pages of equal display lists come in the same order on both sides.
    let pairs = after.flatMap { display, indices in zip(before[display] ?? [], indices) }
    let others = pairs.filter { old.pages[$0.0].pdf != new.pages[$0.1].pdf }.sorted { $0.1 < $1.1 }
    return others.map { other, index in
      var change = Change(
        kind: .taggingChanged, severity: ChangeClass.taggingChanged.severity,
        signature: ChangeClass.taggingChanged.rawValue, summary: TagAspects.summary([]))
      if let one = old.text(other + 1), let two = new.text(index + 1), let line = firstDifference(one, two) {
        let aspects = TagAspects.differences(one, two)
        change.signature = ChangeFolding.signature(.taggingChanged, causes: aspects)
        change.general = TagAspects.summary(aspects)
        change.severity = TagAspects.severity(aspects)
        change.summary = line
      }
      return PageChange(
        oldPage: other + 1, newPage: index + 1, chapter: 0, href: "", changes: [change],
        fingerprint: new.pages[index].pdf & 0xFFFF_FFFF_FFFF)
    }
  }

  /// The first line that differs, as a sentence; nil where all are equal.
  static func firstDifference(_ old: String, _ new: String) -> String? {
    let (before, after) = (lines(old), lines(new))
    let place = zip(before, after).prefix { $0 == $1 }.count
    guard place < max(before.count, after.count) else { return nil }
    let number = "line \(place + 1) of the page in a PDF"
    // The lines behind it are the same, whichever side has more of them.
    let (restOfOld, restOfNew) = (before.dropFirst(place), after.dropFirst(place))
    if restOfNew.isEmpty || restOfNew.count < restOfOld.count && restOfOld.suffix(restOfNew.count) == restOfNew {
      return "\(number) is lost: \(before[place].quoted)"
    }
    if restOfOld.isEmpty || restOfOld.count < restOfNew.count && restOfNew.suffix(restOfOld.count) == restOfOld {
      return "\(number) is new: \(after[place].quoted)"
    }
    let (one, two) = (before[place], after[place])
    if one.path != two.path { return "\(number): \(one.quoted) became \(two.path)" }
    let (lost, added) = ChapterDiff.difference(Array(one.text.unicodeScalars), Array(two.text.unicodeScalars))
    let change =
      lost.isEmpty
      ? "“\(clipped(added))” is new"
      : added.isEmpty ? "“\(clipped(lost))” is lost" : "“\(clipped(lost))” became “\(clipped(added))”"
    return "\(number), \(one.path): \(change)"
  }

  /// A line of a page as `PDFReading` tells it.
  private struct Line: Equatable {
    /// The types of an element and of those around it.
    var path: Substring
    var text: Substring
    var quoted: String { text.isEmpty ? String(path) : "\(path) “\(TagChanges.clipped(String(text)))”" }
  }

  private static func lines(_ tags: String) -> [Line] {
    tags.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let end = line.firstRange(of: ": ")
      return Line(path: line[..<(end?.lowerBound ?? line.endIndex)], text: line[(end?.upperBound ?? line.endIndex)...])
    }
  }

  private static let longest = 40

  private static func clipped(_ text: String) -> String {
    text.count <= longest ? text : text.prefix(longest - 1) + "…"
  }
}
