import Markup
import Primitives
import Testing

/// The places and the words of elements, as links and titles have them.
@Suite struct DocumentWordsTests {
  private func document(_ body: String, as kind: MarkupReader.Kind = .html) -> Document {
    let source =
      kind == .html
      ? body
      : "<html xmlns=\"http://www.w3.org/1999/xhtml\" xmlns:epub=\"http://www.idpf.org/2007/ops\"><body>\(body)</body></html>"
    return MarkupReader.read(Array(source.utf8), as: kind).document
  }

  private func words(_ body: String, as kind: MarkupReader.Kind = .html, limit: Int = .max) -> String {
    let document = document(body, as: kind)
    let element = document.nodes.indices.first { document.isElement(NodeID($0), .h1) } ?? 0
    return document.words(of: NodeID(element), limit: limit)
  }

  @Test(arguments: [
    ("<h1>Chapter One<br>The Storm</h1>", "Chapter One The Storm"),
    ("<h1><div>Part</div><div>Two</div></h1>", "Part Two"),
    ("<h1> a\n\t b&nbsp; c </h1>", "a b c"), ("<h1>a<b>b</b>c</h1>", "abc"),
    ("<h1><span style='color:red; DISPLAY : block'>I</span>Storm</h1>", "I Storm"),
    ("<h1><div style='display:inline'>a</div><div style='display: inline-block'>b</div></h1>", "ab"),
    ("<h1>吾輩は\n  猫である<br>一</h1>", "吾輩は猫である 一"), ("<h1>한글\n한글 a\n国</h1>", "한글 한글 a 国"),
    ("<h1>第一章　嵐</h1>", "第一章 嵐"), ("<h1></h1>", ""), ("<h1><br>a<br><br></h1>", "a"),
  ])
  func `Words are parted where lines and blocks are, and by white space`(_ markup: String, _ expected: String) {
    #expect(words(markup) == expected)
  }

  @Test(arguments: [
    ("<h1><ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp></ruby>字</h1>", "漢字"),
    ("<h1><ruby><rb>東<rb>京<rtc><rt>とう<rt>きょう</rtc></ruby></h1>", "東京"),
    ("<h1>Soft&shy;hy&shy;phen&#x200B;ed&#x2060;.</h1>", "Softhyphened."),
    ("<h1>a<script>b</script><style>c</style><span hidden>d</span><i style='display:none'>e</i>f</h1>", "af"),
    ("<h1>Title<a epub:type='noteref' href='#n'>1</a><a role='doc-noteref' href='#n'>2</a></h1>", "Title"),
    ("<h1>Title<sup><a href='#n'>1</a></sup> two<a href='#m'> <sup>*</sup></a></h1>", "Title two"),
    ("<h1>1<sup>st</sup> <a href='toc'>Part</a> m<sup>2</sup></h1>", "1st Part m2"),
    ("<h1><span epub:type='pagebreak'>12</span>Part</h1>", "Part"),
    ("<h1><math><semantics><mi>x</mi><annotation>tex</annotation></semantics></math></h1>", "x"),
  ])
  func `What is not read as a word of the text is left out`(_ markup: String, _ expected: String) {
    #expect(words(markup) == expected)
  }

  @Test func `Pictures stand for their alternative text, and one of a letter begins its word`() {
    #expect(words("<h1><img alt='T'>he storm</h1>") == "The storm")
    #expect(words("<h1><img alt='Ornament'>Part<img alt=''>ing</h1>") == "Ornament Parting")
  }

  @Test func `Words are cut at a limit`() {
    #expect(words("<h1>ab cd<br>ef</h1>", limit: 4) == "ab c" && words("<h1>ab cd</h1>", limit: 0) == "")
  }

  @Test func `Fragments lead to ids before names of anchors, and to the first of each`() {
    let document = document(
      "<p id=p>0</p><a name=two>1</a><p id=two>2</p><a name=x>3</a><a name=x>4</a><p id=p>5</p><a id=i name=n>6</a>"
        + "<p name=q>7</p><map name=m></map><a name=''>8</a><p id='a%20b'>9</p><p id='Top'>10</p>")
    let places = document.elementsByFragment()
    func text(_ fragment: String) -> String? { places[fragment].map { document.words(of: $0) } }
    #expect(text("p") == "0" && text("two") == "2" && text("x") == "3" && text("i") == "6" && text("n") == "6")
    #expect(text("q") == nil && text("m") == nil && text("") == nil && text("P") == nil)
    #expect(text("a b") == "9" && text("a%20b") == "9")
    // HTML begins at `top` where nothing has that name.
    #expect(text("Top") == "10" && places["top"] == document.root)
    #expect(self.document("<p>a</p><p id=top>b</p>").elementsByFragment()["top"] != document.root)
  }

  @Test func `Names of anchors are places in XML, too, but those of other vocabularies are not`() {
    let document = document("<svg xmlns='http://www.w3.org/2000/svg'><a name='s'/></svg><a name='h'/>", as: .xml)
    let places = document.elementsByFragment()
    #expect(places["h"] != nil && places["s"] == nil)
  }
}
