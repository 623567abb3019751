import Markup
import Primitives
import Testing

private func read(_ source: String, as kind: MarkupReader.Kind = .xml) -> (
  document: Document, diagnostics: DiagnosticSink
) {
  MarkupReader.read(Array(source.utf8), as: kind)
}

private func codes(_ sink: DiagnosticSink) -> [String] { sink.diagnostics.map(\.code) }

/// Preorder, links and subtree ends agree with each other.
private func isConsistent(_ document: Document) -> Bool {
  for index in document.nodes.indices {
    let node = document.nodes[index]
    var next = index + 1
    for child in document.children(of: NodeID(index)) {
      guard child.index == next, document[child].parent.index == index else { return false }
      next = document[child].subtreeEnd.index
    }
    guard node.subtreeEnd.index == next else { return false }
  }
  return true
}

@Suite struct MarkupReaderTests {
  @Test func `Namespaces and prefixed attributes are told apart`() {
    let (document, sink) = read(
      """
      <?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml" xmlns:e="http://www.idpf.org/2007/ops" xml:lang="en"
      xmlns:x="http://www.w3.org/1999/xlink"><body><p e:type="note">a<svg xmlns="http://www.w3.org/2000/svg"><use x:href="#a"/>\
      </svg><math xmlns="http://www.w3.org/1998/Math/MathML"><mi>x</mi></math></p></body></html>
      """)
    #expect(sink.diagnostics.isEmpty)
    #expect(
      document.dump() == """
        <html xml:lang="en">
          <body>
            <p epub:type="note">
              "a"
              <svg:svg>
                <svg:use xlink:href="#a">
              <mathML:math>
                <mathML:mi>
                  "x"

        """)
    #expect(isConsistent(document))
  }

  @Test func `Long text comes through unchanged`() {
    let ideographs = String(repeating: "天地玄黄,宇宙洪荒。日月盈昃¥", count: 20)
    let latin = String(repeating: "Text that is long enough to be passed over, ", count: 5)
    let pieces = [
      ideographs, latin, "\u{7F}", ideographs + "\u{7F}" + latin, "a\u{7F}b", "\u{FFFD}" + ideographs,
      "]]" + latin + "]",
      ideographs + "😀" + latin,
    ]
    for piece in pieces {
      for before in ["", "<b/>", "x\n"] {
        let (document, sink) = read(
          "<html><body><p>\(before)\(piece)&#127;&amp;\(piece)<![CDATA[\u{7F}\(piece)]]></p></body></html>")
        #expect(sink.diagnostics.isEmpty)
        let text = document.textContent(of: document.root)
        let plain = before.hasPrefix("<") ? "" : before
        #expect(text == plain + piece + "\u{7F}&" + piece + "\u{7F}" + piece)
      }
    }
    // In an attribute the character is only itself.
    let (document, _) = read("<html title='\u{7F}&#127;'>\(latin)</html>")
    #expect(document.attributeValue(.title, of: document.root) == "\u{7F}\u{7F}")
    #expect(document.textContent(of: document.root) == latin)
  }

  @Test func `Prefixes of long documents are found`() throws {
    let paragraphs = (0..<400).map { "<p class='n\($0)'>\(String(repeating: "word ", count: 20))</p>" }
    let (document, _) = read(
      "<html><body><h1>A</h1><div>\(paragraphs.joined(separator: "\n"))</div><p>End</p></body></html>")
    let part = try #require(document.prefix(textBytes: 2000))
    #expect(isConsistent(part.document))
    #expect(part.document.isElement(part.container, .div))
    #expect(
      (20...40).contains(part.document.children(of: part.container).filter { part.document[$0].kind == .element }.count)
    )
    #expect(document.dump().hasPrefix(part.document.dump().dropLast(1)))
    // Not several times as long; nothing to cut between; a sheet that counts for the beginning too.
    #expect(document.prefix(textBytes: 20_000) == nil)
    let (style, _) = read("<html><body><div>\(paragraphs.joined())</div><style>p { color: red }</style></body></html>")
    #expect(style.prefix(textBytes: 2000) == nil)
    let (single, _) = read("<html><body><p>\(String(repeating: "word ", count: 4000))</p></body></html>")
    #expect(single.prefix(textBytes: 2000) == nil)
  }

  @Test func `Books without the namespace are read`() {
    let (document, _) = read("<html><body><p epub:type='x'>a</p></body></html>")
    #expect(document.isXML)
    #expect(document[document.root].namespace == .html)
    let p = document.children(of: document[document.root].firstChild).first { _ in true }
    #expect(p.flatMap { document.attributeValue(.epubType, of: $0) } == "x")
  }

  @Test func `References without a DTD are resolved`() {
    let (document, sink) = read(
      "<p t='&eacute;&lt;&quot;&foo;'>A&nbsp;&hellip; &foo; R&D &#0;&#x85; &lt;b&gt; a < b</p>")
    #expect(document.textContent(of: document.root) == "A\u{A0}… &foo; R&D \u{FFFD}… <b> a < b")
    #expect(
      document.attributeValue(.init(rawValue: document.names.lookup("t")?.rawValue ?? 0), of: document.root)
        == "é<\"&foo;")
    #expect(document.isXML)
    #expect(codes(sink) == ["unknown-entity", "unknown-entity"])
  }

  @Test func `Entities never expand`() {
    let (document, _) = read(
      """
      <!DOCTYPE html [<!ENTITY a "lol"><!ENTITY b "&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">]>
      <html><body>&a; &b; &c;</body></html>
      """)
    #expect(document.textContent(of: document.root) == "lol &b; &c;")
  }

  @Test func `Comments keep texts apart`() {
    let (document, _) = read("<p>a<!-- x -- y -->b<?p i?>c<![CDATA[<&]]></p>")
    #expect(document.children(of: document.root).map { document.string(document[$0].range) } == ["a", "b", "c<&"])
    let (lines, _) = read("<p>a<!-- x\n -->b<?p\n?>c</p>")
    #expect(lines.textContent(of: lines.root) == "abc")
  }

  @Test func `Broken XHTML loses no text`() {
    let (document, sink) = read(
      "<html xmlns='http://www.w3.org/1999/xhtml'>\n<head><title/></head><body><p>one <b>two <i>three</b> four</i><p>five<br>six\0seven</body></html>"
    )
    #expect(codes(sink) == ["markup-not-well-formed"])
    #expect(sink.diagnostics.first?.line == 2)
    #expect(!document.isXML)
    #expect(document.mode == .noQuirks)
    #expect(
      document.textContent(of: document.root) == "one two three fourfivesixseven"
        || document.textContent(of: document.root).contains("fivesixseven"))
    #expect(isConsistent(document))
  }

  @Test(arguments: [true, false]) func `Deep nesting is flattened`(closed: Bool) {
    let depth = 30_000
    let source =
      "<html><body>" + String(repeating: "<div>", count: depth) + "deep"
      + (closed ? String(repeating: "</div>", count: depth) + "<p>after</p></body></html>" : "")
    let (document, _) = read(source)
    #expect(document.nodes.count >= depth)
    #expect(isConsistent(document))
    var deepest = 0
    var depths = [Int](repeating: 0, count: document.nodes.count)
    for index in document.nodes.indices.dropFirst() {
      depths[index] = depths[document.nodes[index].parent.index] + 1
      deepest = max(deepest, depths[index])
    }
    #expect(deepest <= Limits().depth + 1)
    #expect(document.textContent(of: document.root) == (closed ? "deepafter" : "deep"))
  }

  @Test func `Nodes are limited`() {
    var limits = Limits()
    limits.nodes = 1000
    let (document, sink) = MarkupReader.read(
      Array(("<div>" + String(repeating: "<p>x</p>", count: 5000) + "</div>").utf8), as: .xml, limits: limits)
    #expect(document.nodes.count <= 1001)
    #expect(codes(sink) == ["too-many-nodes"])
    #expect(isConsistent(document))
  }

  @Test func `Names that begin with a known one are read as far as it goes`() {
    let (document, _) = read("<p title='&notit;&copy=1'>&notit; &notin; &nosuch; &copy2026</p>", as: .html)
    #expect(document.textContent(of: document.root) == "¬it; ∉ &nosuch; ©2026")
    let p = document.nodes.indices.map { NodeID($0) }.first { document.isElement($0, .p) }
    #expect(p.flatMap { document.attributeValue(.title, of: $0) } == "&notit;&copy=1")
  }

  @Test func `HTML structure and modes are read`() {
    let (document, _) = read("<title>t &amp; <b></title><p class=a>one<p>two", as: .html)
    #expect(document.mode == .quirks)
    #expect(
      document.dump() == """
        <html>
          <head>
            <title>
              "t & <b>"
          <body>
            <p class="a">
              "one"
            <p>
              "two"

        """)
    #expect(read("<!DOCTYPE html><p>a", as: .html).document.mode == .noQuirks)
    let transitional =
      "<!DOCTYPE HTML PUBLIC \"-//W3C//DTD HTML 4.01 Transitional//EN\" \"http://www.w3.org/TR/html4/loose.dtd\">"
    #expect(read(transitional + "<p>a", as: .html).document.mode == .limitedQuirks)
  }

  @Test func `HTML tree is that of browsers`() {
    let (document, _) = read("<!DOCTYPE html><p>1<b>2<i>3</b>4</i><table>5<td>6<td>7</table><p/>8<br/>9", as: .html)
    #expect(
      document.dump() == """
        <html>
          <head>
          <body>
            <p>
              "1"
              <b>
                "2"
                <i>
                  "3"
              <i>
                "4"
            "5"
            <table>
              <tbody>
                <tr>
                  <td>
                    "6"
                  <td>
                    "7"
            <p>
              "8"
              <br>
              "9"

        """)
    #expect(isConsistent(document))
  }

  @Test func `Embedded SVG in HTML gets its capitals`() {
    let (document, _) = read(
      "<svg viewbox='0 0 1 1'><lineargradient/><foreignobject><p>x</p></foreignobject></svg>", as: .html)
    let svg = document.children(of: document[document.root].lastChild).first { _ in true } ?? .none
    #expect(document.attributeValue(.viewBox, of: svg) == "0 0 1 1")
    #expect(
      document.children(of: svg).map { document.names.name(of: document[$0].name) } == [
        "linearGradient", "foreignObject",
      ])
    #expect(document.nodes.contains { $0.namespace == .html && $0.name == .p })
  }
}
