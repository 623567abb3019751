import Testing

@testable import SnapshotHarness

/// What books are beyond their pages and what these are in a PDF change together where they have one cause.
extension ComparisonTests {
  /// The clusters of books by their texts beyond pages, and by the possible causes of changes of their pages in a PDF.
  private static func clusters(
    _ books: [(old: String, new: String, pages: [Set<String>])]
  ) -> [(summary: String, extent: String)] {
    var units = books.enumerated().map { index, book in
      var unit = unit(
        "\(index)", book.pages.map { (ChangeFolding.signature(.taggingChanged, causes: $0), .taggingChanged) })
      for page in unit.pages.indices {
        unit.pages[page].changes[0].general = TagAspects.summary(book.pages[page])
        unit.pages[page].changes[0].severity = TagAspects.severity(book.pages[page])
      }
      unit.changes = BeyondPages.changes(book.old, book.new, hash: 1)
      return unit
    }
    ChangeFolding.fold(&units)
    return Clustering.clusters(of: units).map { ($0.summary, $0.extent) }
  }

  private static let places: Set = ["places that links lead to gone"]

  @Test func `Characters follow from the text of pages`() {
    let (old, none) = ("text x\ncharacters abc", "text x\ncharacters \u{FFFD}")
    let clusters = Self.clusters([
      (old, none, [["unreadable text"], ["unreadable text"]]), (old, "text x", [["unreadable text"]]),
    ])
    #expect(clusters.map(\.summary) == ["text in PDFs cannot be copied, display list equal"])
    #expect(clusters.map(\.extent) == ["3 pages in 2 books"])
    // Pages whose display lists differ do not tell.
    #expect(Self.clusters([(old, "text x", [])]).map(\.summary) == ["characters of the text in PDFs gone"])
    #expect(Self.clusters([(old, "text x", [["links gone"]])]).count == 2)
  }

  @Test func `Links and the outline lead nowhere for one cause`() {
    let (old, new) = ("outline One to c1", "outline One to c1, which is nowhere")
    let clusters = Self.clusters([
      (old, new, [Self.places.union(["links gone"]), Self.places]), (old, new, [["links gone"], Self.places]),
      (old, new, [Self.places]),
    ])
    #expect(clusters.map(\.summary) == ["links in PDFs lead nowhere, display list equal"])
    // Where no link is dead, places are told by themselves.
    #expect(
      Self.clusters([(old, new, [Self.places])]).map(\.summary)
        == ["places that links lead to in PDFs gone, display list equal"])
    #expect(Self.clusters([(old, new, [])]).map(\.summary) == ["outline of PDFs leads nowhere"])
  }

  @Test func `An outline takes its places and its being shown with it`() {
    let old = "outline One to c1\ninformation PageMode: UseOutlines\ninformation language: en"
    let new = "information language: en"
    #expect(Self.clusters([(old, new, [])]).map(\.summary) == ["outline of PDFs gone"])
    #expect(Self.clusters([(old, new, [Self.places])]).map(\.summary) == ["outline of PDFs gone"])
    #expect(Self.clusters([(old, new, [["positions of places"]])]).count == 2)
    let hidden = Self.clusters([(old, "outline One to c1\ninformation language: en", [])])
    #expect(hidden.map(\.summary) == ["outline of PDFs changed: line 2, “PageMode: UseOutlines” is gone"])
  }

  @Test func `Contents take the outline and the names of chapters with them`() {
    func text(_ title: String, _ outline: String) -> String {
      "metadata title: T\nmetadata spine: c1 application/xhtml+xml \(title)\noutline \(outline)\ninformation language: en"
    }
    let old = text("One", "One to c1#a") + "\ncontents One to c1#a"
    let lost = Self.clusters([(old, text("", "Heading to c1"), [["places that links lead to"], Self.places])])
    #expect(lost.map(\.summary) == ["table of contents gone"])
    #expect(lost.map(\.extent) == ["2 pages in 1 book"])
    // What is lost altogether is told by itself.
    #expect(
      Self.clusters([
        (old, "metadata title: T\nmetadata spine: c1 application/xhtml+xml \ninformation language: en", [])
      ]).map(\.summary).sorted()
        == ["outline of PDFs gone", "table of contents gone"])
    #expect(
      Self.clusters([(old, text("Two", "One to c1#a") + "\ncontents One to c1#a", [])]).map(\.summary)
        == [
          "chapters changed: line 1, “spine: c1 application/xhtml+xml One” became “spine: c1 application/xhtml+xml Two”"
        ])
  }
}
