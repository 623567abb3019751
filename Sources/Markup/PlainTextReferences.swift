extension PlainTextBook {
  /// Takes out lines that name a chapter and head none: those of paragraphs, which break before “Chapter 5, …” by
  /// chance.
  ///
  /// A text heads its chapters in one way, so that what others of the same word do says which lines are headings.
  func dropReferences(_ candidates: inout [Candidate]) {
    if style.wrapColumn != nil {
      // Chinese and Japanese texts may have no blank lines around headings.
      if !style.isEastAsian {
        candidates.removeAll { runsOn($0) }
        dropInner(&candidates)
      }
      dropOutOfOrder(&candidates)
    }
    dropCommas(&candidates)
  }

  /// The line is full and one of more than a title has, or of a sentence with no sign behind the number.
  private func runsOn(_ candidate: Candidate) -> Bool {
    guard style.continues(candidate.line, source) else { return false }
    let block = source.lines[candidate.line...].prefix(Self.mostTitleLines + 1).prefix { !$0.isBlank }
    if block.count > Self.mostTitleLines { return true }
    let sign = candidate.heading.count?.delimiter
    let isSeparated = sign.map { PlainTextHeadings.separatorsOfTitles.contains(Character($0)) } ?? false
    return !isSeparated && PlainTextLines.endsSentence(source[block.endIndex - 1].last)
  }

  /// Takes out lines under others of a paragraph, where such a word mostly stands apart, or others do and this never
  /// does.
  private func dropInner(_ candidates: inout [Candidate]) {
    // Some texts have no blank lines at all.
    guard source.lines.count(where: \.isBlank) * 10 >= source.lines.count else { return }
    let lines = Set(candidates.map(\.line))
    let isApart = candidates.map { standsApart($0.line, among: lines) }
    var counts: [String: (apart: Int, all: Int)] = [:]
    for (candidate, isApart) in zip(candidates, isApart) {
      guard let unit = candidate.heading.count?.unit else { continue }
      counts[unit, default: (0, 0)].all += 1
      if isApart { counts[unit, default: (0, 0)].apart += 1 }
    }
    let areSomeApart = counts.values.contains { $0.apart >= 2 }
    candidates = zip(candidates, isApart).compactMap { candidate, isApart in
      guard !isApart, let unit = candidate.heading.count?.unit, let count = counts[unit] else { return candidate }
      return count.apart * 2 >= count.all || count.apart == 0 && areSomeApart ? nil : candidate
    }
  }

  /// Nothing but a blank line, another heading or a short line, such as a number of a page, is above.
  private func standsApart(_ line: Int, among headings: Set<Int>) -> Bool {
    guard line > 0, let column = style.wrapColumn else { return true }
    return source.lines[line - 1].isBlank || headings.contains(line - 1) || source.isRule(line - 1)
      || source.lines[line - 1].width * 2 < column
  }

  /// Takes out numbers with a comma behind them, where most of the same word have another sign there.
  private func dropCommas(_ candidates: inout [Candidate]) {
    var balance: [String: Int] = [:]
    for case let count? in candidates.lazy.map(\.heading.count) {
      balance[count.unit, default: 0] += count.delimiter == "," ? -1 : 1
    }
    candidates.removeAll { candidate in
      guard let count = candidate.heading.count, count.delimiter == "," else { return false }
      return balance[count.unit, default: 0] > 0
    }
  }

  /// Takes out a number between two of its word that follow each other, and one before the first that comes again.
  private func dropOutOfOrder(_ candidates: inout [Candidate]) {
    var places: [String: [Int]] = [:]
    for (place, candidate) in candidates.enumerated() {
      if let count = candidate.heading.count, count.number != nil { places[count.unit, default: []].append(place) }
    }
    var dropped: Set<Int> = []
    for places in places.values {
      let numbers = places.map { candidates[$0].heading.count?.number ?? 0 }
      if numbers.count >= 3, numbers[0] != 1, numbers[1] == 1, numbers.dropFirst(2).contains(numbers[0]) {
        dropped.insert(places[0])
      }
      for index in numbers.indices.dropFirst().dropLast() {
        let (previous, next) = (numbers[index - 1], numbers[index + 1])
        guard next == previous + 1, numbers[index] != previous, numbers[index] != next else { continue }
        dropped.insert(places[index])
      }
    }
    candidates = candidates.indices.filter { !dropped.contains($0) }.map { candidates[$0] }
  }
}
