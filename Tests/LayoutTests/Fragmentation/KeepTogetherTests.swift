import BoxGeneration
import Layout
import Primitives
import TestSupport
import Testing

/// Boxes that are not to be broken, and headings before them, on pages of ten lines of 10 px.
@Suite struct KeepTogetherTests {
  private static let css = """
    body { font: 8px/10px 'DejaVu Sans Mono' } p { orphans: 1; widows: 1 } figure { margin: 0 }
    h2 { font: inherit; margin: 0 } .a, figure { break-inside: avoid } svg { display: block }
    """

  private func laidOut(_ body: String, css: String = "") -> LaidOut {
    LaidOut(body, css: Self.css + css, width: 200, height: 100)
  }

  private func pages(_ laidOut: LaidOut) -> [String] {
    var pages = laidOut.pages.map { _ in "" }
    for (text, placed) in zip(laidOut.lines, laidOut.fragments(.line)) {
      let plain = text.replacing("\u{FFFC}", with: "picture")
      pages[placed.page] += (pages[placed.page].isEmpty ? "" : " ") + plain
    }
    return pages
  }

  private func lines(_ count: Int, _ name: String = "") -> String {
    (1...count).map { "<p>\(name)\($0)</p>" }.joined()
  }

  /// A picture of that height, 20 px wide for each 10 of it.
  private func picture(_ height: Int, _ attributes: String = "") -> String {
    """
    <svg xmlns="http://www.w3.org/2000/svg" width="\(height * 2)" height="\(height)" viewBox="0 0 2 1" \(attributes)>
    <rect width="2" height="1"/></svg>
    """
  }

  /// Heights of the pictures, with their pages.
  private func pictures(_ laidOut: LaidOut) -> [(page: Int, height: Double)] {
    laidOut.fragments(.box).filter { laidOut.tree.boxes[$0.fragment.box.index].content == .replaced }
      .map { ($0.page, $0.fragment.size.block.pixels) }
  }

  // MARK: Captions

  @Test func `G3 A paragraph that looks like a caption stays with the picture before it`() {
    func page(ofPictureBefore caption: String, _ picture: String) -> Int? {
      pictures(
        laidOut("\(lines(5))\(picture)\(caption)<p>Z</p>", css: "svg.i { display: inline; vertical-align: top }")
      )
      .first?.page
    }
    let alone = [picture(50), "<div>\(picture(50))</div>", "<p>\n\(picture(50, "class='i'"))</p>"]
    let captions = [
      "<p><b>Fig.</b> c</p>", "<p><i>c</i></p>", "<p style='text-align: center'>c</p>",
      "<p style='font-size: 7px'>c</p>",
    ]
    for picture in alone {
      for caption in captions { #expect(page(ofPictureBefore: caption, picture) == 1, "\(caption) behind \(picture)") }
      for other in ["<p>c</p>", "<h2><i>c</i></h2>", "<p><b>c</b></p>"] {
        #expect(page(ofPictureBefore: other, picture) == 0, "\(other) behind \(picture)")
      }
      let long = String(repeating: "word ", count: 60)
      #expect(page(ofPictureBefore: "<p><i>\(long)</i></p>", picture) == 0)
    }
    // Nor is what stands behind a picture that has text beside it.
    #expect(page(ofPictureBefore: captions[0], "<p>a \(picture(50, "class='i'"))</p>") == 0)
  }

  // MARK: Boxes that no page can hold

  @Test func `An avoid box that no page can hold begins where it stands`() {
    let result = pages(laidOut("<p>A</p><p>B</p><div class='a'>\(lines(12))</div><p>Z</p>"))
    #expect(result == ["A B 1 2 3 4 5 6 7 8", "9 10 11 12 Z"])
    // One that a page can hold moves there, unless that would leave much of this one blank.
    let eight = "ABCDEFGH".map { "<p>\($0)</p>" }.joined()
    #expect(pages(laidOut("\(eight)<div class='a'>\(lines(10))</div>")) == ["A B C D E F G H", "1 2 3 4 5 6 7 8 9 10"])
    #expect(pages(laidOut("<p>A</p><p>B</p><div class='a'>\(lines(10))</div>")) == ["A B 1 2 3 4 5 6 7 8", "9 10"])
  }

  @Test(arguments: ["", "display: flow-root", "display: flex; flex-direction: column"])
  func `G2 What is divided leaves enough lines for the next page`(_ display: String) {
    func divided(_ before: Int, _ inside: Int) -> [String] {
      pages(laidOut("\(lines(before, "l"))<div class='a' style='\(display)'>\(lines(inside))</div>"))
    }
    // Nine lines have room for all but one of ten, and two of them are left.
    #expect(divided(1, 10) == ["l1 1 2 3 4 5 6 7 8", "9 10"])
    // Where five lines stand above, four have to stand on each side.
    #expect(divided(5, 8) == ["l1 l2 l3 l4 l5 1 2 3 4", "5 6 7 8"])
    #expect(divided(5, 7) == ["l1 l2 l3 l4 l5", "1 2 3 4 5 6 7"])
  }

  @Test func `A heading stays with an avoid box that no page can hold`() {
    let body = "<p>A</p><h2>H</h2><div class='a'>\(lines(12))</div>"
    #expect(pages(laidOut(body)) == ["A H 1 2 3 4 5 6 7 8", "9 10 11 12"])
    // Nor with the heading above it.
    let tight = "<p>A</p><h2>H</h2><div class='a'>\(lines(10))</div>"
    #expect(pages(laidOut(tight)) == ["A H 1 2 3 4 5 6 7 8", "9 10"])
    #expect(pages(laidOut("<h2>H</h2><div class='a'>\(lines(10))</div>")) == ["H 1 2 3 4 5 6 7 8 9", "10"])
    // A page can hold both: they move together, unless that would leave much of this one blank.
    let full = "\(lines(6, "l"))<h2>H</h2><div class='a'>\(lines(8))</div>"
    #expect(pages(laidOut(full)) == ["l1 l2 l3 l4 l5 l6", "H 1 2 3 4 5 6 7 8"])
    let loose = "<p>A</p><p>B</p><h2>H</h2><div class='a'>\(lines(8))</div>"
    #expect(pages(laidOut(loose)) == ["A B H 1 2 3 4 5 6", "7 8"])
    // At the foot of a page, there are no two lines below the heading.
    let low = "\(lines(8, "l"))<h2>H</h2><div class='a'>\(lines(12))</div>"
    #expect(pages(laidOut(low)) == ["l1 l2 l3 l4 l5 l6 l7 l8", "H 1 2 3 4 5 6 7 8 9", "10 11 12"])
  }

  @Test func `Inside a box that is broken after all the rules of its content hold`() {
    let body = "<div class='a'>\(lines(9))<h2>H</h2>\(lines(4, "m"))</div>"
    #expect(pages(laidOut(body)) == ["1 2 3 4 5 6 7 8 9", "H m1 m2 m3 m4"])
    // Of boxes around each other, the inner one stays whole.
    let nested = "<p>A</p><div class='a'>\(lines(5))<div class='a'>\(lines(6, "m"))</div></div>"
    #expect(pages(laidOut(nested)) == ["A 1 2 3 4 5", "m1 m2 m3 m4 m5 m6"])
  }

  @Test(arguments: ["display: flow-root", "display: table; width: 100%", "display: flex; flex-direction: column"])
  func `So do boxes of other formatting contexts`(_ display: String) {
    let css = display.contains("table") ? ".a p { display: table-row }" : ""
    let body = "<p>A</p><h2>H</h2><div class='a' style='\(display)'>\(lines(12))</div>"
    #expect(pages(laidOut(body, css: css)) == ["A H 1 2 3 4 5 6 7 8", "9 10 11 12"])
  }

  @Test func `Columns grow to hold an avoid box before they break it`() {
    let body = "<div style='columns: 2'><p>A</p><div class='a'>\(lines(6))</div></div>"
    #expect(pages(laidOut(body)) == ["A 1 2 3 4 5 6"])
  }

  @Test(.timeLimit(.minutes(60)), arguments: ["", "<p style='float: left'>f</p>", "display: flow-root"])
  func `Boxes in boxes are not tried again and again`(_ float: String) {
    let css = float.hasPrefix("<") ? "" : ".a { \(float) }"
    let open = String(repeating: "<div class='a'>\(css.isEmpty ? float : "")<p>x</p>", count: 40)
    let result = pages(laidOut("\(open)\(lines(60))\(String(repeating: "</div>", count: 40))", css: css))
    #expect(result.joined(separator: " ").hasSuffix(" 58 59 60"))
  }

  // MARK: Pictures

  @Test(arguments: [
    ("", ""), ("<figure>", "</figure>"), ("<p>", "</p>"), ("<div><div>", "</div></div>"),
    ("<figure style='display: flow-root'>", "</figure>"),
  ])
  func `A picture a few per cent too tall shrinks to stand below its heading`(_ open: String, _ close: String) {
    let css = open == "<p>" ? "svg { display: inline; vertical-align: top }" : ""
    let laidOut = laidOut("<p>A</p><h2>H</h2>\(open)\(picture(95))\(close)<p>Z</p>", css: css)
    #expect(laidOut.pages.count == 3)
    let picture = pictures(laidOut)
    #expect(picture.map(\.page) == [1], "\(open)")
    #expect(picture.allSatisfy { $0.height > 85 && $0.height <= 90 }, "\(picture)")
    #expect(pages(laidOut)[1].hasPrefix("H"))
  }

  @Test func `A caption stays with its picture, too`() {
    let figure = "<figure>\(picture(90))<figcaption>C</figcaption></figure>"
    let both = laidOut("<h2>H</h2>\(figure)")
    #expect(pages(both) == ["H C"] && pictures(both).allSatisfy { $0.height > 79 && $0.height <= 80 })
    let alone = laidOut("<p>A</p>\(figure.replacing("90", with: "98").replacing("180", with: "196"))<p>Z</p>")
    #expect(pages(alone) == ["A", "C", "Z"] && pictures(alone).allSatisfy { $0.page == 1 && $0.height > 89 })
  }

  @Test func `No picture shrinks by more than three tenths, nor one of several`() {
    let tall = laidOut("<h2>H</h2><h2>H</h2><h2>H</h2><h2>H</h2>\(picture(98))")
    #expect(pictures(tall).map(\.height) == [98])
    let two = laidOut("<h2>H</h2><figure>\(picture(50))\(picture(45))</figure>")
    #expect(pictures(two).map(\.height) == [50, 45])
  }

  @Test func `A page is the same from its start and from the chapter's`() {
    // The first page has a picture that is made to fit it; the third a figure that fits but for its caption.
    let first = picture(400)
    let figure = "<figure>\(picture(100))<figcaption>C</figcaption></figure>"
    for before in ["", first] {
      let body = "\(before)<p style='break-before: page'>A</p><div style='break-before: page'>\(figure)</div>"
      let laidOut = laidOut(body)
      let last = pictures(laidOut).last
      #expect(last.map { $0.height > 89 && $0.height <= 90 } == true)
      #expect(pages(laidOut).last == "C")
    }
  }
}
