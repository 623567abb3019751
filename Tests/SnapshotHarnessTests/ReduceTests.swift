import Foundation
import Markup
import Primitives
import Testing

@testable import SnapshotHarness

@Suite(.enabled(if: LittleCorpus.canRun, "\(LittleCorpus.needs)")) struct ReduceTests {
  private static let book = """
    <!DOCTYPE html><html lang="en"><head><title>Long</title><style>
    @media screen { h2 { color: navy; margin: 1em 0 } .lead { font-style: italic } }
    p { text-indent: 1em; margin: 0 } /* { */ q::before { content: "}" }
    </style></head><body><div id="all" class="wide">
    \(String(repeating: "<p>Nothing happens in this one.</p><ul><li>here</li><li>nor here</li></ul>", count: 30))
    <section><h2>The <em>heading</em></h2><p class="lead">And a wolf in it &amp; a fox.</p></section>
    \(String(repeating: "<p>Nothing happens in this one either.</p>", count: 30))
    </div></body></html>
    """

  private func session(
    _ name: String, in folder: TestFolder, of book: String = "long.html", css: String? = nil, worker: String? = nil,
    seconds: Double = 20
  ) throws -> Session {
    let path = folder["books/" + book]
    if !Files.exists(path) { try Files.write(Self.book, to: path) }
    var corpus = try Corpus.read([path])
    for index in corpus.profiles.indices { corpus.profiles[index].userCSS = css }
    corpus.books[0].limits.seconds = seconds
    var selection = UnitSelection()
    selection.profiles = ["ereader"]
    let program = try #require(LittleCorpus.program)
    var session = try Session(
      corpus: corpus, paths: [path], selection: selection, into: folder["work/" + name], program: program)
    session.pool.isStopped = { false }
    if let worker {
      // The first path of a spec is the book's.
      let script = """
        book=$(grep -o '"path":"[^"]*"' "$1" | head -1 | cut -d'"' -f4)
        if grep -rq wolf "$book"; then \(worker); fi
        exec \(program) snapshot render-unit "$1"
        """
      try Files.write(script, to: folder[name + ".sh"])
      session.pool.worker = ["/bin/sh", folder[name + ".sh"]]
    }
    return session
  }

  private func reduce(
    _ sides: Reducer.Sides, reader: [String]? = nil, in folder: TestFolder
  ) throws -> (made: Reduction, text: String) {
    let program = try #require(LittleCorpus.program)
    var reducer = try Reducer(
      sides, reader: reader ?? [program, "snapshot", "extract"], folder: folder["work"], seconds: 3600)
    let made = try reducer.run(out: folder["case"])
    return (made, try #require(Files.text(made.path)))
  }

  @Test func `What differs between two sheets is left`() throws {
    let folder = TestFolder()
    let (made, text) = try reduce(
      Reducer.Sides(
        old: session("old", in: folder),
        new: session("new", in: folder, css: "h2 { position: relative; left: 3px }")), in: folder)
    #expect(made.isMinimal)
    #expect(made.path == folder["case.html"])
    #expect(text.contains("<h2>"))
    #expect(!text.contains("<p>") && !text.contains("<style") && !text.contains("class="))
    #expect(made.bytes == text.utf8.count && made.bytes < 300)
    #expect(!Files.exists(folder["work"]))
  }

  @Test func `A crash is reduced to its cause`() throws {
    let folder = TestFolder()
    let (made, text) = try reduce(
      Reducer.Sides(old: nil, new: session("new", in: folder, worker: "kill -SEGV $$")), in: folder)
    #expect(made.summary == "crash: open, signal 11")
    #expect(text.contains("wolf"))
    #expect(!text.contains("fox") && !text.contains("<section") && !text.contains("heading") && made.bytes < 300)
  }

  /// A source that cannot be parsed without a crash loses lines instead of elements.
  @Test func `What cannot be read is reduced by lines`() throws {
    let folder = TestFolder()
    let (made, text) = try reduce(
      Reducer.Sides(old: nil, new: session("new", in: folder, worker: "kill -SEGV $$")),
      reader: ["/bin/sh", "-c", "kill -SEGV $$"], in: folder)
    #expect(made.path == folder["case.html"])
    #expect(text.contains("wolf") && !text.contains("Nothing") && !text.contains("DOCTYPE"))
  }

  /// The files of an EPUB of chapters, and of a sheet that is only named.
  private static func epub(_ chapters: [(name: String, text: String)]) -> [(String, String)] {
    let items = chapters.map { "<item id='\($0.name)' href='\($0.name)' media-type='application/xhtml+xml'/>" }
    let references = chapters.map { "<itemref idref='\($0.name)'/>" }
    return [
      ("mimetype", "application/epub+zip"),
      (
        "META-INF/container.xml",
        "<container xmlns='urn:oasis:names:tc:opendocument:xmlns:container' version='1.0'><rootfiles><rootfile "
          + "full-path='b.opf' media-type='application/oebps-package+xml'/></rootfiles></container>"
      ),
      (
        "b.opf",
        "<package xmlns='http://www.idpf.org/2007/opf' version='3.0'><metadata/><manifest>\(items.joined())"
          + "<item id='s' href='s.css' media-type='text/css'/></manifest><spine>\(references.joined())</spine></package>"
      ),
    ] + chapters.map { ($0.name, $0.text) }
  }

  /// So does a chapter of an EPUB, beside the files that are not needed.
  @Test func `A chapter that cannot be read is reduced by pieces`() throws {
    let folder = TestFolder()
    let program = try #require(LittleCorpus.program)
    let chapter = Self.book.replacing("<html", with: "<html xmlns='http://www.w3.org/1999/xhtml'")
    for (name, text) in Self.epub([("c.xhtml", chapter)]) + [("s.css", "p { color: red }")] {
      try Files.write(text, to: folder["books/book/" + name])
    }
    let reader =
      "if grep -qE '\"page\":|\"chapter\":' \"$1\"; then kill -SEGV $$; fi; exec \(program) snapshot extract \"$1\""
    try Files.write(reader, to: folder["reader.sh"])
    var reducer = try Reducer(
      Reducer.Sides(old: nil, new: session("new", in: folder, of: "book", worker: "kill -SEGV $$")),
      reader: ["/bin/sh", folder["reader.sh"]], folder: folder["work"], seconds: 3600)
    let made = try reducer.run(out: folder["case"])
    let text = try #require(Files.text(folder["case/c.xhtml"]))
    #expect(text.contains("wolf") && !text.contains("Nothing") && !text.contains("<div") && text.utf8.count < 60)
    #expect(!Files.exists(folder["case/s.css"]) && made.isMinimal)
  }

  /// A plain text, of which lines are left out.
  @Test func `A hang is reduced to its cause`() throws {
    let folder = TestFolder()
    let lines = (1...8).map { "Line \($0) says " + ($0 == 5 ? "wolf." : "nothing.") }
    try Files.write(lines.joined(separator: "\n\n"), to: folder["books/long.txt"])
    let (made, text) = try reduce(
      Reducer.Sides(old: nil, new: session("new", in: folder, of: "long.txt", worker: "sleep 60", seconds: 1)),
      in: folder)
    #expect(made.summary.hasPrefix("hang"))
    #expect(made.path == folder["case.txt"])
    #expect(text == "wolf.")
  }

  /// An EPUB stays one, and its text loses words.
  @Test func `An EPUB stays an EPUB`() throws {
    let folder = TestFolder()
    let chapter = { (text: String) in
      "<html xmlns='http://www.w3.org/1999/xhtml'><head><title>t</title></head><body>\(text)</body></html>"
    }
    let book = Self.epub([
      ("c.xhtml", chapter("<p>Nothing happens here.</p>")),
      ("d.xhtml", chapter("<p>Many words, and then an <i>odd</i> one at the end of them.</p><p>More.</p>")),
    ])
    try Files.write(StoredArchive.bytes(book.map { ($0, Array($1.utf8)) }), to: folder["books/book.epub"])
    let (made, _) = try reduce(
      Reducer.Sides(
        old: session("old", in: folder, of: "book.epub"),
        new: session("new", in: folder, of: "book.epub", css: "i { position: relative; left: 3px }")), in: folder)
    #expect(made.isMinimal && made.path == folder["case.epub"])
    let bytes = try #require(Files.read(made.path))
    // `mimetype` stands first and is not packed, so that a file is known by its first bytes.
    #expect(bytes[30..<58].elementsEqual("mimetypeapplication/epub+zip".utf8))
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.contains("<i>odd") && !text.contains("Many") && !text.contains("c.xhtml") && !text.contains("end of"))
  }

  @Test func `What is equal is not reduced`() throws {
    let folder = TestFolder()
    let error = #expect(throws: HarnessError.self) {
      try reduce(Reducer.Sides(old: session("old", in: folder), new: session("new", in: folder)), in: folder)
    }
    #expect(error?.code == 66)
  }
}

@Suite struct ReductionPartTests {
  @Test func `Sheets keep their meaning in parts`() {
    var style = StyleText(
      "@import \"a.css\"; /* p { */ @media print { a{color:red} }\nb > i { content: \"}\"; x: url(a;b) }"
        + " @page { @top-left { content: none } margin: 0 }")
    #expect(
      style.text == """
        @import "a.css";
        @media print {
          a { color:red; }
        }
        b > i { content: "}"; x: url(a;b); }
        @page { @top-left { content: none } margin: 0; }

        """)
    let colour = style.parts.firstIndex { $0.text == "color:red" }
    colour.map { style.remove($0) }
    #expect(style.text.contains("@media print {\n  a {  }\n}"))
    // Open blocks end with the sheet.
    #expect(StyleText("a { b: c").text == "a { b: c; }\n")
  }

  @Test func `Documents stay well formed`() {
    let source =
      "<p>a<br>b & c<svg viewBox='0 0 1 1'><path d='M0 0'/></svg><math><mi>x</mi></math><table><tr><td>1</table>"
    var tree = MarkupTree(MarkupReader.read(Array(source.utf8), as: .html).document)
    let text = tree.text()
    let read = XMLReader.read(Array(text.utf8), limits: Limits())
    #expect(read.fault == nil)
    // The same tree comes back, but for the white space that lines are parted by.
    func names(_ tree: MarkupTree) -> [String] { tree.nodes.filter(\.isElement).map(\.name) }
    #expect(names(MarkupTree(read.document)) == names(tree))
    if let index = tree.first("tbody") { tree.nodes[index].isRemoved = true }
    #expect(XMLReader.read(Array(tree.text().utf8), limits: Limits()).fault == nil)
  }
}
