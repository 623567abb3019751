import CSS
import Layout
import Primitives
import Styling
import TestSupport
import Testing

@Suite struct PageComposerTests {
  /// One word for each page: its first line, or `-` for an empty page.
  private func firstLines(_ laidOut: LaidOut) -> String {
    var lines = laidOut.pages.map { _ in "-" }
    for placed in laidOut.fragments(.line).reversed() {
      let line = laidOut.line(placed)
      lines[placed.page] = laidOut.string(line.text, line.range)
    }
    return lines.joined(separator: " ")
  }

  @Test func `Forced breaks ask for a side and merge`() {
    let css = """
      .l { break-before: left } .r { break-before: right } .p { page-break-before: always } .o { break-after: verso }
      .a { break-after: page }
      """
    #expect(firstLines(LaidOut("<p>A</p><p class='r'>B</p><p class='l'>C</p>", css: css)) == "A - B C")
    #expect(firstLines(LaidOut("<p>A</p><p class='l'>B</p><p class='p'>C</p>", css: css)) == "A B C")
    // All of one boundary merge, the last that names a side wins; an empty block makes no page.
    #expect(firstLines(LaidOut("<p class='a'>A</p><div class='p'><p class='r'>B</p></div>", css: css)) == "A - B")
    #expect(firstLines(LaidOut("<div class='o'><p class='a'>A</p></div><p>B</p>", css: css)) == "A B")
    #expect(firstLines(LaidOut("<p>A</p><div class='p'></div><p class='p'>B</p>", css: css)) == "A B")
    // The pages before the chapter count.
    #expect(firstLines(LaidOut("<p class='r'>A</p>", css: css)) == "A")
    #expect(firstLines(LaidOut("<p class='r'>A</p>", css: css, pagesBefore: 3)) == "- A")
  }

  @Test func `Pages of another name do not share a page, and have their own page box`() {
    let css = """
      @page { margin: 10px } @page wide { size: 500px 200px } @page wide:left { margin-left: 40px }
      div, .w { page: wide }
      """
    let laidOut = LaidOut("<p>A</p><div><p>B</p><p>C</p></div><p class='w'>D</p><p>E</p>", css: css, height: 400)
    #expect(firstLines(laidOut) == "A B E")
    #expect(laidOut.pages.map { $0.traits.name } == ["", "wide", ""])
    #expect(laidOut.pages.map { $0.size.width } == [300, 500, 300].map { LayoutUnit($0) })
    #expect(laidOut.pages.map { $0.contentArea.x } == [10, 40, 10].map { LayoutUnit($0) })
  }

  @Test func `Rules for the first page, sides and blank pages weigh as their selectors do`() {
    let css = """
      @page :first { margin-left: 30px } @page :left { margin-left: 20px } @page { margin: 10px }
      @page :blank { margin-left: 40px } .r { break-before: right } .p { break-before: page }
      """
    let laidOut = LaidOut("<p>A</p><p class='r'>B</p><p class='p'>C</p>", css: css)
    #expect(laidOut.pages.map { $0.contentArea.x } == [30, 40, 10, 20].map { LayoutUnit($0) })
    // A blank page before the chapter is not its first.
    let moved = LaidOut("<p class='r'>A</p>", css: css, pagesBefore: 1)
    #expect(moved.pages.map { $0.contentArea.x } == [40, 30].map { LayoutUnit($0) })
  }

  @Test func `A rule that leaves no room for text is not followed`() {
    let laidOut = LaidOut("<p>A</p>", css: "@page { margin: 140px }")
    #expect(laidOut.pages[0].contentArea.width == LayoutUnit(300))
  }

  @Test func `Text keeps from the edge of the paper`() {
    let css = "@page { margin: 0 30px 0 5px } .p { break-before: page; width: 20px; height: 20px; background: red }"
    let laidOut = LaidOut("<p>A</p><div class='p'></div>", css: css, margin: 40)
    #expect(laidOut.pages[0].contentArea.x == LayoutUnit(40))
    #expect(laidOut.pages[0].contentArea.maxX == LayoutUnit(270))
    // Boxes without text may fill the page.
    let picture = LaidOut("<div class='p'></div>", css: css, margin: 40)
    #expect(picture.pages[0].contentArea.x == LayoutUnit(5))
    // An indent does not keep it from the edge; the middle of the page is away from both.
    let indented = LaidOut("<p style='text-indent: 40px'>A</p>", css: css, margin: 40)
    #expect(indented.pages[0].contentArea.x == LayoutUnit(40))
    let centered = LaidOut("<p style='text-align: center'>A</p>", css: css, margin: 40)
    #expect(centered.pages[0].contentArea.x == LayoutUnit(5))
  }

  @Test func `All pages of a style keep their text as far from the edge, whatever is on them`() {
    // Sheets of converters: first pages begin with a title that is far from the edge by itself.
    let css = """
      @page { margin-top: 5px; margin-bottom: 5px } h1 { font-size: 20px; margin: 100px 0 } p { break-before: page }
      img { break-before: page }
      """
    let laidOut = LaidOut("<h1>A</h1><p>B</p><p>C</p><p>D</p>", css: css, height: 400, margin: 40)
    #expect(laidOut.pages.map { $0.contentArea.y } == [40, 40, 40, 40].map { LayoutUnit($0) })
    #expect(laidOut.pages.map { $0.contentArea.maxY } == [360, 360, 360, 360].map { LayoutUnit($0) })
    // A body that stands away from the edges keeps all of its text from them, along the lines.
    let wide = LaidOut(
      "<h1>A</h1><p>B</p>", css: "@page { margin: 50px 5px } body { margin: 0 20px } \(css)", height: 400, margin: 40)
    #expect(wide.pages.map { $0.contentArea.x } == [5, 5].map { LayoutUnit($0) })
    let inner = LaidOut(
      "<div style='width: 50%; margin: 0 auto'><p>A</p></div>", css: "@page { margin: 50px 5px }", height: 400,
      margin: 40)
    #expect(inner.pages[0].contentArea.x == LayoutUnit(5))
    // Text that is centred counts where it is long.
    let long = String(repeating: "long ", count: 30)
    let centered = LaidOut(
      "<p style='text-align: center'>\(long)</p>", css: "@page { margin: 50px 5px }", height: 400, margin: 40)
    #expect(centered.pages[0].contentArea.x == LayoutUnit(40))
    // Along vertical lines the other sides are judged so.
    let vertical = LaidOut(
      "<p>A</p>", css: "@page { margin: 5px } html { writing-mode: vertical-rl } body { margin: 20px 0 }", height: 400,
      margin: 40)
    #expect(vertical.pages[0].contentArea.x == LayoutUnit(40) && vertical.pages[0].contentArea.y == LayoutUnit(5))
  }

  @Test func `Pages of a name that hold no text may be filled`() {
    let css = """
      @page { margin: 5px } .c { page: cover } .c div { width: 20px; height: 20px; background: red }
      """
    let laidOut = LaidOut(
      "<div class='c'><div></div></div><p>A</p>", css: "@page cover { margin: 0 } \(css)", margin: 40)
    #expect(laidOut.pages.map { $0.contentArea.x } == [0, 40].map { LayoutUnit($0) })
  }

  @Test func `Cloned edges take room at every break`() {
    func tops(_ value: String) -> [[LayoutUnit]] {
      let css = "div { padding: 20px 0; box-decoration-break: \(value) } p { line-height: 20px; orphans: 1; widows: 1 }"
      let body = "<div><p>A</p><p>B</p><p>C</p><p>D</p><p>E</p></div>"
      let laidOut = LaidOut(body, css: css, height: 100)
      return laidOut.pages.indices.map { page in laidOut.fragments(.line).filter { $0.page == page }.map(\.offset.block)
      }
    }
    #expect(tops("slice") == [[20, 40, 60, 80], [0]].map { $0.map { LayoutUnit($0) } })
    #expect(tops("clone") == [[20, 40, 60], [20, 40]].map { $0.map { LayoutUnit($0) } })
  }
}
