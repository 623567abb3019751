extension PlainTextBook {
  /// Adds the titles of sections within chapters, which have the chapter's number and count on: 2.1, 2.1.1, A.1.
  mutating func addInnerSections() {
    for index in chapters.indices where !chapters[index].headings.isEmpty {
      let chapter = chapters[index]
      guard let own = chapter.headings.last, let first = chapter.headingLines.last else { continue }
      var previous: [Int] = []
      var line = first.subtitle.isEmpty ? first.line + 1 : first.subtitle.upperBound
      while line < chapter.lines.upperBound {
        guard source.lines[line].indent <= 2, let number = source.sectionNumber(of: line), number.count >= 2,
          previous.isEmpty ? number.count == 2 && number[1] <= 1 : Self.counts(number, on: previous),
          let lines = innerTitle(from: line, before: chapter.lines.upperBound)
        else {
          line += 1
          continue
        }
        previous = number
        chapters[index].headings.append(
          Heading(title: title(on: lines), level: own.level + number.count - 1, id: Self.id(ofLine: line)))
        chapters[index].headingLines.append((line, Self.levelOfSections, line + 1..<lines.upperBound))
        line = lines.upperBound
      }
    }
  }

  /// The level of headings that begin no chapter.
  static let levelOfSections = 2

  /// The number is greater, and no part of it by much: some titles are not known for such.
  private static func counts(_ number: [Int], on previous: [Int]) -> Bool {
    guard number.count <= previous.count + 1, number[0] == previous[0], previous.lexicographicallyPrecedes(number)
    else {
      return false
    }
    guard let place = number.indices.first(where: { $0 >= previous.count || number[$0] != previous[$0] }) else {
      return false
    }
    return number[place] - (place < previous.count ? previous[place] : 0) <= mostMissing
      && number[(place + 1)...].allSatisfy { $0 <= 1 }
  }

  private static let mostMissing = 4

  /// The lines of a title that stands apart.
  private func innerTitle(from line: Int, before end: Int) -> Range<Int>? {
    guard source.lines[line - 1].isBlank else { return nil }
    if line + 1 >= end || source.lines[line + 1].isBlank { return line..<line + 1 }
    return continuation(from: line + 1, before: end).map { line..<$0.upperBound }
  }
}
