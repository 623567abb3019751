import Markup
import Primitives
import Testing

private func dump(_ source: String, as kind: MarkupReader.Kind = .html) -> String {
  let document = MarkupReader.read(Array(source.utf8), as: kind).document
  // The body without itself, two levels to the left.
  let lines = document.dump().split(separator: "\n").drop { $0 != "  <body>" }.dropFirst()
  return lines.map { $0.dropFirst(4) }.joined(separator: "\n")
}

private func text(_ source: String, as kind: MarkupReader.Kind = .html) -> String {
  let document = MarkupReader.read(Array(source.utf8), as: kind).document
  return document.textContent(of: document.root)
}

/// The meaning of HTML's source, told from the trees that come of it.
@Suite struct HTMLTokenizerTests {
  @Test func `Text without markup is that of elements the tree has`() {
    #expect(
      dump("<textarea>\n<b>&amp;</textarea><xmp>&amp;<b></xmp><svg><title><b>x</b></title><style><g/></style></svg>")
        == """
        <textarea>
          "<b>&"
        <xmp>
          "&amp;<b>"
        <svg:svg>
          <svg:title>
            <b>
              "x"
          <svg:style>
            <svg:g>
        """)
    // An element of HTML inside SVG.
    #expect(dump("<svg><desc><style><p></style></desc></svg>").contains("\"<p>\""))
    #expect(text("<p>a<plaintext><b>c</plaintext>") == "a<b>c</plaintext>")
  }

  @Test func `Only their own end tag ends texts`() {
    #expect(text("<title>a</titles></b></TITLE x=y>b") == "a</titles></b>b")
    #expect(dump("<script>a<!--<script></script>b--></script>c") == "\"c\"")
    #expect(text("<p><script><!-->a</script>b") == "<!-->ab")
    #expect(text("<p><script><!--<script></script></script>b") == "<!--<script></script>b")
    #expect(text("<p><script><!--<script>--></script>b") == "<!--<script>-->b")
  }

  @Test func `Sections of character data are those of foreign content`() {
    #expect(
      dump("<p><![CDATA[a]]>b<svg><text><![CDATA[<c>]]]]>&amp;</text></svg>") == """
        <p>
          "b"
          <svg:svg>
            <svg:text>
              "<c>]]&"
        """)
    #expect(text("<svg><desc><p><![CDATA[a]]>b</p><![CDATA[c]]></desc></svg>") == "bc")
  }

  @Test func `Comments end as browsers end them`() {
    #expect(text("a<!-->b<!--->c<!-- -- > --!>d<!--x->y-->e<!f>g<?h>i</ j>k</>l<!--m") == "abcdegikl")
  }

  @Test func `Characters of the source are read`() {
    #expect(text("<p>a\r\nb\rc\r&#13;d\0e<svg><text>\0f</text></svg>") == "a\nb\nc\n\rde\u{FFFD}f")
    #expect(text("<p>&#x110000;&#xD800;&#0;&#x80;&#65 &#x;&#;&") == "\u{FFFD}\u{FFFD}\u{FFFD}€A &#x;&#;&")
    #expect(text("<p>1 < 2 <3 a<b>c</b> d <") == "1 < 2 <3 ac d <")
  }

  @Test func `Attributes are read as browsers read them`() {
    #expect(
      dump("<p A=1 a=2 b='&lt;\r\n' c=d>e</p><a href=x/>f</a><i/class='g'h>i</i><u =j k = l>m</u><p x='") == """
        <p a="1" b="<\\n" c="d">
          "e"
        <a href="x/">
          "f"
        <i class="g" h="">
          "i"
        <u =j="" k="l">
          "m"
        """)
    #expect(
      dump("<body><svg:svg viewbox='0'><svg:g id=a xmlns:x=y xlink:href='#b'/></svg:svg>") == """
        <svg:svg viewBox="0">
          <svg:g id="a" xlink:href="#b">
        """)
  }

  @Test func `Text in tables is judged as a whole`() {
    #expect(
      dump("<table> <tr> &nbsp; <td>a</table>") == """
        " \u{A0} "
        <table>
          " "
          <tbody>
            <tr>
              <td>
                "a"
        """)
  }

  @Test(arguments: [
    ("<!DOCTYPE html>", Document.Mode.noQuirks), ("<!doctype HTML SYSTEM 'about:legacy-compat'>", .noQuirks),
    ("", .quirks), ("<!DOCTYPE html x>", .quirks), ("<!DOCTYPE svg>", .quirks), ("<!DOCTYPE html PUBLIC 'a>", .quirks),
    ("<!-- a --> <!DOCTYPE html>", .noQuirks), ("a<!DOCTYPE html>", .quirks), ("<!DOCTYPE x><!DOCTYPE html>", .quirks),
  ])
  func `The mode of a page follows its doctype`(source: String, mode: Document.Mode) {
    #expect(MarkupReader.read(Array((source + "<p>a").utf8), as: .html).document.mode == mode)
  }

  @Test func `Lines are those of the source`() {
    let source = "<!--\n\n--><p>a\r\nb\rc<b\n>d</b>&#10;<i>e</i><style>\n</style><u>f</u>"
    let document = MarkupReader.read(Array(source.utf8), as: .html).document
    let lines = ["p", "b", "i", "u"].map { name in
      document.nodes.first { document.names.name(of: $0.name) == name }?.line
    }
    #expect(lines == [3, 6, 6, 7])
  }

  // MARK: XHTML that is not well formed

  @Test func `Broken XHTML loses no text to what never ends`() {
    let start = "<html><body><p>a"
    for (source, expected) in [
      ("<b title='x>y</b>z", "ayz"), ("<b>c<!-- x>y", "acy"), ("<?x>y", "ay"), ("<style>p {}</p>y", "ap {}y"),
      ("<b/>c<i/>d<td>", "acd"), ("</ b>", "a</ b>"), ("<b<i>c</i", "ac"), ("<![CDATA[<c>&]]>d</q>", "a<c>&d"),
      ("<a href=x/>y</p>", "ay"), ("<title/>b</i>", "ab"),
    ] {
      #expect(text(start + source, as: .xml) == expected, "\(source)")
    }
  }

  @Test func `Broken XHTML knows the entities it declares`() {
    let source = """
      <!DOCTYPE html [<!ENTITY chap 'I >'><!ELEMENT p ANY>]>
      <html><body><p>&chap;&nbsp;<b>c</p></body></html>
      """
    let (document, sink) = MarkupReader.read(Array(source.utf8), as: .xml)
    #expect(sink.diagnostics.map(\.code) == ["markup-not-well-formed"])
    #expect(document.textContent(of: document.root) == "I >\u{A0}c")
    #expect(!document.isXML)
  }

  @Test func `Style sheets in sections of broken XHTML are read`() {
    #expect(text("<html><style>/*<![CDATA[*/p > q {}/*]]>*/</style><p>a", as: .xml) == "/**/p > q {}/**/a")
  }

  // MARK: Time

  @Test(
    .timeLimit(.minutes(60)),
    arguments: [
      "<", "<!--", "<!-- -", "<?", "</", "<a b='", "<a b=\"c' d='", "<title>", "<script><!--", "<![CDATA[", "&", "&#",
      "a&b;",
      "<!DOCTYPE '", "<svg><title>", "]]", "<svg><![CDATA[]", "\r", "\0", "<b x", "<style>",
    ])
  func `Reading takes linear time`(piece: String) {
    let source = Array(String(repeating: piece, count: 20_000).utf8)
    var limits = Limits()
    limits.nodes = 1000
    for kind in [MarkupReader.Kind.html, .xml] {
      #expect(!MarkupReader.read(source, as: kind).document.nodes.isEmpty)
      _ = MarkupReader.read(Array("<html><p>".utf8) + source, as: kind, limits: limits)
    }
  }

  @Test(.timeLimit(.minutes(60))) func `Attributes beyond measure are bounded`() {
    let attributes = (0..<20_000).map { "a\($0)=b" }.joined(separator: " ")
    let source = "<html \(attributes)><html \(attributes)><b \(attributes)><b \(attributes)>x</b></b>"
    let document = MarkupReader.read(Array(source.utf8), as: .html).document
    #expect(document[document.root].range.count == 20_000)
    #expect(document.textContent(of: document.root) == "x")
    let same = MarkupReader.read(Array("<p \(String(repeating: "a=b ", count: 20_000))>x".utf8), as: .html).document
    #expect(same.attributes.count == 1)
  }

  @Test func `Nodes are limited`() {
    var limits = Limits()
    limits.nodes = 1000
    let source = String(repeating: "<p>x</p>", count: 5000)
    let (document, sink) = MarkupReader.read(Array(source.utf8), as: .html, limits: limits)
    #expect(document.nodes.count <= 1001)
    #expect(sink.diagnostics.map(\.code) == ["too-many-nodes"])
  }
}
