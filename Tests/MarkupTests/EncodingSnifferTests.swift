import Markup
import Primitives
import Testing

@Suite struct EncodingSnifferTests {
  /// “第一章：中文内容，标点。他说了什么？” in GB 18030.
  private let gb18030: [UInt8] = [
    0xB5, 0xDA, 0xD2, 0xBB, 0xD5, 0xC2, 0xA3, 0xBA, 0xD6, 0xD0, 0xCE, 0xC4, 0xC4, 0xDA, 0xC8, 0xDD, 0xA3, 0xAC, 0xB1,
    0xEA, 0xB5, 0xE3,
    0xA1, 0xA3, 0xCB, 0xFB, 0xCB, 0xB5, 0xC1, 0xCB, 0xCA, 0xB2, 0xC3, 0xB4, 0xA3, 0xBF,
  ]
  private let chinese = "第一章：中文内容，标点。他说了什么？"

  private func markup(_ bytes: [UInt8]) -> EncodingSniffer.Decoded {
    var sink = DiagnosticSink()
    return EncodingSniffer.decodeMarkup(bytes, resource: "", diagnostics: &sink)
  }
  private func string(_ decoded: EncodingSniffer.Decoded?) -> String {
    String(decoding: decoded?.bytes ?? [], as: UTF8.self)
  }

  @Test func `Declared encodings are taken at their word`() {
    let declared = Array("<?xml version='1.0' encoding='gb2312'?><p>".utf8) + gb18030 + Array("</p>".utf8)
    #expect(string(markup(declared)).contains(chinese))
    let meta = Array("<meta http-equiv=content-type content='text/html; charset=GBK'><p>".utf8) + gb18030
    #expect(markup(meta).encoding == "gb18030")
    let wrong = Array("<?xml version='1.0' encoding='utf-8'?><p>".utf8) + gb18030 + Array("</p>".utf8)
    #expect(string(markup(wrong)).contains(chinese))
    let noise = Array("<?xml version='1.0' encoding='utf-8'?><p>a \u{FF}b</p>".utf8) + [0xFF, 0xFE, 0xC0, 0x80]
    #expect(markup(noise).encoding == "UTF-8")
  }

  @Test func `Encodings of plain texts are guessed`() {
    #expect(string(EncodingSniffer.decodePlainText(gb18030)) == chinese)
    // Cut in the middle of a character.
    #expect(string(EncodingSniffer.decodePlainText(gb18030 + [0xB5])).hasPrefix(chinese))
    let wide = Array((chinese + " abc\n").utf16).flatMap {
      [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)]
    }
    #expect(string(EncodingSniffer.decodePlainText(wide)) == chinese + " abc\n")
    #expect(string(EncodingSniffer.decodePlainText([0xFE, 0xFF, 0x4E, 0x00, 0x4E])).hasPrefix("一"))
    // Мама мыла раму, in Windows-1251.
    let russian: [UInt8] = [0xCC, 0xE0, 0xEC, 0xE0, 0x20, 0xEC, 0xFB, 0xEB, 0xE0, 0x20, 0xF0, 0xE0, 0xEC, 0xF3]
    #expect(string(EncodingSniffer.decodePlainText(russian)) == "Мама мыла раму")
    // 日本語の文章です, in Shift_JIS.
    let japanese: [UInt8] = [
      0x93, 0xFA, 0x96, 0x7B, 0x8C, 0xEA, 0x82, 0xCC, 0x95, 0xB6, 0x8F, 0xCD, 0x82, 0xC5, 0x82, 0xB7,
    ]
    #expect(string(EncodingSniffer.decodePlainText(japanese)) == "日本語の文章です")
    // 한국어로 쓴 글이다, in EUC-KR.
    let korean: [UInt8] = [
      0xC7, 0xD1, 0xB1, 0xB9, 0xBE, 0xEE, 0xB7, 0xCE, 0x20, 0xBE, 0xB4, 0x20, 0xB1, 0xDB, 0xC0, 0xCC, 0xB4, 0xD9,
    ]
    #expect(string(EncodingSniffer.decodePlainText(korean)) == "한국어로 쓴 글이다")
    // One broken line spoils no other.
    let mixed = Array(String(repeating: chinese + "\n", count: 9).utf8) + gb18030 + Array("\nend".utf8)
    #expect(string(EncodingSniffer.decodePlainText(mixed)) == String(repeating: chinese + "\n", count: 10) + "end")
    #expect(string(EncodingSniffer.decodePlainText(Array("a\0中b".utf8))) == "a\0中b")
  }
}
