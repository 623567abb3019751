import SnapshotHarness
import Testing

@Suite struct LayoutRecordReaderTests {
  /// Escapes, unknown fields, numbers with fractions and exponents, and a string like the one before it.
  @Test func `Records are read`() throws {
    let text = #"""
      {"type":"book","title":"A \"B\"","language":"en","engine":{"x":["]",{"y":"}"}]},"fonts":[{"id":3,"family":"F","style":"R","weight":400,"file":"f.otf","embedded":true}]}
      {"type":"page","number":2,"chapter":1,"href":"c.xhtml","size":[600,800.5],"lines":[{"text":"caf\u00e9 \ud83d\ude00\\\n","box":[-48.25,1e2,5,6],"baseline":7.015625,"dir":"ltr","source":{"node":"/4/2","start":1,"end":9},"role":"h1","level":2,"unknown":[1,[2,{"a":null}]],"marker":"•","runs":[{"font":3,"size":16,"color":"#000000","text":"x","x":1,"width":2,"y":3,"height":4}]},{"text":"","source":{"node":"/4/2","start":9,"end":9},"hyphenated":true,"role":"h1","runs":[]}],"images":[{"href":"a.png","box":[1,2,3,4],"alt":"A","missing":true}],"links":[]}
      """#
    let read = try #require(LayoutRecordReader.read(Array(text.utf8)))
    #expect(read.book.title == "A \"B\"")
    #expect(read.book.faces == [FaceRecord(id: 3, family: "F", style: "R", weight: 400, file: "f.otf")])
    let page = try #require(read.pages.first)
    #expect(page.size == [600, 800.5])
    #expect(page.lines.map(\.text) == ["café 😀\\\n", ""])
    #expect(page.lines[0].box == RecordBox(x: -48.25, y: 100, width: 5, height: 6))
    #expect(page.lines[0].baseline == 7.015625)
    #expect(page.lines.map(\.source.node) == ["/4/2", "/4/2"])
    #expect(page.lines[0].level == 2 && page.lines[0].marker == "•")
    #expect(page.lines[0].runs.first?.height == 4)
    #expect(page.lines[1].hyphenated)
    #expect(
      page.images == [
        PlacedRecord(href: "a.png", box: RecordBox(x: 1, y: 2, width: 3, height: 4), missing: true, alt: "A")
      ])
  }

  /// A record that is cut off is none, wherever the cut is.
  @Test func `Broken records are refused`() {
    let text = #"{"type":"page","number":2,"size":[1,2],"lines":[{"text":"a\u0041","runs":[]}],"other":[{"x":"y"}]}"#
    let bytes = Array(text.utf8)
    #expect(LayoutRecordReader.read(bytes) != nil)
    for count in 1..<bytes.count { #expect(LayoutRecordReader.read(Array(bytes[..<count])) == nil, "\(count) bytes") }
  }
}
