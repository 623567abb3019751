import PDFRendering
import Testing

@Suite struct PDFBytesTests {
  private func text(_ build: (inout PDFBytes) -> Void) -> String {
    var bytes = PDFBytes()
    build(&bytes)
    return String(decoding: bytes.bytes, as: UTF8.self)
  }

  @Test func `Numbers are written short and apart`() {
    #expect(
      text {
        $0.integer(-12)
        $0.real(0.5)
        $0.real(-1.25)
        $0.real(3)
        $0.real(0.0004)
        $0.real(12.3456, decimals: 2)
      } == "-12 .5 -1.25 3 0 12.35")
    #expect(text { $0.real(.nan) } == "0")
    #expect(text { $0.real(0.015625, decimals: 6) } == ".015625")
  }

  @Test func `Names and strings escape what has a meaning`() {
    #expect(text { $0.name("A B/C") } == "/A#20B#2FC")
    #expect(text { $0.string("a(b)\\".utf8) } == "(a\\(b\\)\\\\)")
    #expect(text { $0.string("a\r\n\n\n".utf8) } == "(a\\r\n\\n\n)")
    #expect(text { $0.text("plain") } == "(plain)")
    var bytes = PDFBytes()
    bytes.text("é")
    #expect(bytes.bytes == [0x28, 0xFE, 0xFF, 0x00, 0xE9, 0x29])
  }
}
