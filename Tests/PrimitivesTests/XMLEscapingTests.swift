import Primitives
import Testing

@Suite struct XMLEscapingTests {
  @Test func `Markup becomes references`() {
    #expect(XMLEscaping.escaped("<a b=\"c\">&amp;") == "&lt;a b=&quot;c&quot;&gt;&amp;amp;")
  }

  @Test func `What no document of XML holds becomes a replacement character`() {
    #expect(XMLEscaping.escaped("a\u{0}b\u{1F}c\u{FFFE}d\u{FFFF}e") == "a\u{FFFD}b\u{FFFD}c\u{FFFD}d\u{FFFD}e")
    #expect(XMLEscaping.escaped("\u{FFFD}\u{FFBE}\u{1F3BE}é漢") == "\u{FFFD}\u{FFBE}\u{1F3BE}é漢")
  }

  @Test func `Spaces of a value are kept where that matters`() {
    #expect(XMLEscaping.escaped("a\tb\nc\r") == "a\tb\nc\r")
    #expect(XMLEscaping.escaped("a\tb\nc\r", keepsSpaces: true) == "a&#9;b&#10;c&#13;")
  }
}
