import BookOutput
import Primitives
import Testing

/// Text and numbers in JSON (RFC 8259, sections 6 and 7).
@Suite struct JSONWriterTests {
  private func written(_ write: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter()
    write(&writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  @Test(arguments: [
    ("", #""""#), ("plain", #""plain""#), ("雨 🌧 é", #""雨 🌧 é""#), ("\"", #""\"""#), (#"a"b\c"#, #""a\"b\\c""#),
    ("\n\r\tend", #""\n\r\tend""#), ("start\n", #""start\n""#), ("\u{0}\u{1F} \u{7F}", #""\u0000\u001f \u007f""#),
  ])
  func textIsEscapedWhereItMust(_ text: String, _ json: String) {
    #expect(written { $0.value(text) } == json)
  }

  @Test func `Lengths are exact`() {
    let lengths = [LayoutUnit(rawValue: 0), LayoutUnit(rawValue: 1), LayoutUnit(rawValue: -96), .max]
    let json = written { writer in
      writer.beginArray()
      for length in lengths { writer.value(length) }
      writer.endArray()
    }
    #expect(json == "[0,0.015625,-1.5,33554431.984375]")
    #expect(lengths.map { Double($0.description)! * 64 } == lengths.map { Double($0.rawValue) })
  }
}
