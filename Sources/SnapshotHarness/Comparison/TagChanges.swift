/// Pages whose structure or text in a PDF is another, though the same is painted on them.
enum TagChanges {
  /// - Returns: None unless both sides tell what their pages are in a PDF.
  static func changes(
    _ old: (file: UnitFile, pages: [PageHashes]), _ new: (file: UnitFile, pages: [PageHashes])
  ) -> [PageChange] {
    guard let oldTags = old.file.tags, let newTags = new.file.tags, oldTags.count == old.pages.count,
      newTags.count == new.pages.count
    else { return [] }
    // Pages of equal display lists come in the same order on both sides.
    var waiting: [UInt64: [Int]] = [:]
    for index in old.pages.indices.reversed() { waiting[old.pages[index].display, default: []].append(index) }
    return new.pages.indices.compactMap { index in
      guard let other = waiting[new.pages[index].display]?.popLast(), oldTags[other] != newTags[index] else {
        return nil
      }
      let change = Change(
        kind: .taggingChanged, severity: ChangeClass.taggingChanged.severity,
        signature: ChangeClass.taggingChanged.rawValue, summary: summary)
      return PageChange(
        oldPage: other + 1, newPage: index + 1, chapter: 0, href: "", changes: [change],
        fingerprint: (UInt64(newTags[index], radix: 16) ?? 0) & 0xFFFF_FFFF_FFFF)
    }
  }

  static let summary = "structure or text in a PDF changed, display list equal"
}
