/// What a comparison of a unit left out though the other side has it: a gate that watches less than it did says so.
struct ComparisonGaps: Hashable, Codable, Sendable {
  /// Pages whose pixels differ, and no more than the tolerance allows.
  var toleratedPages = 0
  /// Pages that the new side was to be compared by their pixels, and the old side has no pixels of.
  var undrawnPages = 0
  /// The old side tells what its pages are in a PDF, and the new side does not.
  var ignoresPDF = false
  /// A side is of an older form, whose hashes of records cannot be compared.
  var ignoresRecords = false

  init() {}

  init(_ old: (file: UnitFile, pages: [PageHashes]), _ new: (file: UnitFile, pages: [PageHashes]), drawsAllPages: Bool)
  {
    ignoresPDF = new.file.result.outcome.isSuccess && Self.tellsOfPDF(old) && !Self.tellsOfPDF(new)
    ignoresRecords = !old.file.comparesRecords || !new.file.comparesRecords
    if drawsAllPages {
      let drawn = old.file.pixels(of: old.pages)
      undrawnPages = new.pages.count { drawn[$0.display] == nil }
    }
  }

  /// A PDF was read, or was to be.
  private static func tellsOfPDF(_ unit: (file: UnitFile, pages: [PageHashes])) -> Bool {
    unit.pages.contains { $0.pdf != 0 }
  }

  /// The gaps of all units, a line for each kind and profile.
  static func lines(_ gaps: [UnitKey: ComparisonGaps]) -> [String] {
    var lines: [String] = []
    for (profile, units) in Dictionary(grouping: gaps, by: \.key.profile).sorted(by: { $0.key < $1.key }) {
      let tolerated = units.reduce(0) { $0 + $1.value.toleratedPages }
      if tolerated > 0 {
        lines.append("profile \(profile): \(tolerated.counting("page")) differ within the tolerance")
      }
      let undrawn = units.reduce(0) { $0 + $1.value.undrawnPages }
      if undrawn > 0 {
        lines.append(
          "profile \(profile): \(undrawn.counting("page")) have no pixels to compare with; "
            + "record with --all-pixels keeps them")
      }
      let older = units.count(where: \.value.ignoresRecords)
      if older > 0 {
        lines.append(
          "profile \(profile): links, alternatives, roles and languages of \(older.counting("unit")) are not compared "
            + "where pages look equal: the baseline is of an older form; typeset snapshot record renews it")
      }
      if units.contains(where: \.value.ignoresPDF) {
        lines.append("profile \(profile): what pages are in a PDF and the text of books are no longer compared")
      }
    }
    return lines
  }
}

extension RunManifest {
  /// That the corpus was not taken whole; nil where it was, or that is not known.
  var choice: String? {
    guard part == nil, let others, !others.isEmpty else { return nil }
    return "\(units.count) of the corpus's \((units.count + others.count).counting("unit")) were chosen"
  }
}
