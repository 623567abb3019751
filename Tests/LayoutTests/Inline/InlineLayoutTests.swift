import BoxGeneration
import Fonts
import Layout
import Primitives
import Styling
import TestSupport
import Testing

@Suite struct InlineLayoutTests {
  private let words = """
    one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen \
    nineteen twenty
    """

  @Test func `Preserved lines break after spaces where they must`() {
    func lines(_ text: String) -> [String] {
      LaidOut("<pre>\(text)</pre>", css: "pre { margin: 0; font: 16px Liberation Mono }", width: 200).lines
    }
    #expect(lines("  aaaaaa bbbbbb cccccccccc") == ["  aaaaaa bbbbbb", "cccccccccc"])
    // An indentation is no place to break after.
    #expect(lines("    aaaaaaaaaaaaaaaaaaaa").first == "    aaaaaaaaaaaaaaaa")
  }

  @Test func `Scripts of formulas are raised and lowered`() {
    let page = LaidOut(
      "<math xmlns='http://www.w3.org/1998/Math/MathML'><msubsup><mi>a</mi><mn>1</mn><mn>2</mn></msubsup></math>")
    let texts = page.fragments(.text)
    let baselines = texts.map { $0.offset.block + page.text($0).baseline }
    #expect(texts.map { page.text($0).size } == [16, 11.36, 11.36])
    #expect(baselines.count == 3 && baselines[1] > baselines[0] && baselines[2] < baselines[0])
    let plain = LaidOut("<math xmlns='http://www.w3.org/1998/Math/MathML'><mi>a</mi></math>")
    #expect(page.fragments(.line)[0].fragment.size.block == plain.fragments(.line)[0].fragment.size.block)
  }

  @Test func `Prescripts of formulas stand before their base`() throws {
    let page = LaidOut(
      """
      <math xmlns='http://www.w3.org/1998/Math/MathML'><mmultiscripts><mi>C</mi><mn>1</mn><mn>2</mn>
      <mprescripts/><mn>6</mn><mn>14</mn></mmultiscripts></math>
      """)
    var places: [String: (x: LayoutUnit, baseline: LayoutUnit)] = [:]
    for text in page.texts {
      places[text.string] = (text.placed.offset.inline, text.placed.offset.block + page.text(text.placed).baseline)
    }
    let base = try #require(places["C"])
    for (string, isBefore, isUpper) in [
      ("6", true, false), ("14", true, true), ("1", false, false), ("2", false, true),
    ] {
      let script = try #require(places[string])
      #expect((script.x < base.x) == isBefore, "\(string)")
      #expect((script.baseline < base.baseline) == isUpper, "\(string)")
    }
    // Prescripts end at the base.
    #expect(try #require(places["6"]).x > #require(places["14"]).x)
    // Without a separator all scripts stand behind.
    let plain = LaidOut(
      "<math xmlns='http://www.w3.org/1998/Math/MathML'><mmultiscripts><mi>R</mi><mi>i</mi><none/><none/><mi>k</mi></mmultiscripts></math>"
    )
    #expect(plain.texts.map(\.string) == ["R", "i", "k"])
  }

  @Test func `Brackets of formulas are as high as what is between`() {
    /// How many glyphs a bracket is made of, and how much it is scaled.
    func fences(_ inner: String, css: String = "") -> [(parts: Int, scale: Float)] {
      let page = LaidOut(
        "<math xmlns='http://www.w3.org/1998/Math/MathML'><mi>A</mi><mo>=</mo>\(inner)</math>", css: css)
      return page.texts.filter { "[]".contains($0.string) }.map { page.text($0.placed) }.map {
        ($0.glyphs.count, $0.stretch)
      }
    }
    let matrix = "<mtable>" + String(repeating: "<mtr><mtd><mn>1</mn></mtd></mtr>", count: 4) + "</mtable>"
    for body in ["<mrow><mo>[</mo>\(matrix)<mo>]</mo></mrow>", "<mfenced open='[' close=']'>\(matrix)</mfenced>"] {
      let found = fences(body)
      #expect(found.count == 2 && found.allSatisfy { $0.parts > 2 && abs($0.scale - 1) < 0.2 }, "\(found)")
      // A face without larger forms.
      let scaled = fences(body, css: "math { font-family: 'Liberation Serif' }")
      #expect(scaled.count == 2 && scaled.allSatisfy { $0.parts == 1 && $0.scale > 2.5 }, "\(scaled)")
    }
    #expect(
      fences("<mrow><mo>[</mo><mi>x</mi><mo>]</mo></mrow>\(matrix)").allSatisfy { $0.parts == 1 && $0.scale == 1 })
  }

  @Test func `Signs of formulas keep their distance`() {
    func width(_ inner: String) -> Float {
      let page = LaidOut("<math xmlns='http://www.w3.org/1998/Math/MathML'><mrow>\(inner)</mrow></math>")
      return page.line(page.fragments(.line)[0]).contentWidth.float
    }
    let one = "<mn>1</mn>"
    let space = width("\(one)<mo>+</mo>\(one)") - width("<mo>+</mo>\(one)\(one)")
    #expect(abs(space - 2 * 0.2222 * 16) < 0.1)
    #expect(width("\(one)<mo>=</mo><mo>-</mo>\(one)") - width("\(one)<mo>=</mo>\(one)<mo>-</mo>") < -6)
    let letters = LaidOut("<math xmlns='http://www.w3.org/1998/Math/MathML'><mi>x</mi><mi>sin</mi></math>")
    let fonts = letters.texts.map { letters.tree[$0.placed.fragment.box].style.font }
    #expect(fonts.count == 2 && fonts[0] != fonts[1])
  }

  @Test func `Fractions are stacked with their bar on the axis`() throws {
    func formula(_ inner: String, _ display: String = "inline") -> LaidOut {
      LaidOut("<math xmlns='http://www.w3.org/1998/Math/MathML' display='\(display)'><mi>x</mi>\(inner)</math>")
    }
    // However deep its parts are, the bar stays where it is above the baseline.
    let rises = try ["<mn>1</mn><mn>2</mn>", "<mfrac><mn>1</mn><mn>3</mn></mfrac><mn>2</mn>"].map { parts in
      let page = formula("<mfrac>\(parts)</mfrac>", "block")
      let letter = try #require(page.texts.first { $0.string == "x" }).placed
      let fraction = try #require(page.fragments(.box).first { !page.rules(of: $0).isEmpty })
      let bar = try #require(page.rules(of: fraction).first).rect.offset.block + fraction.offset.block
      return (letter.offset.block + page.text(letter).baseline - bar).pixels
    }
    #expect(abs(rises[0] - rises[1]) < 0.05 && rises[0] > 2 && rises[0] < 5, "\(rises)")
    // In a line of text and inside another fraction the parts are smaller.
    func sizes(_ page: LaidOut) -> [Float] { page.fragments(.text).dropFirst().map { page.text($0).size } }
    #expect(sizes(formula("<mfrac><mn>1</mn><mn>2</mn></mfrac>")).allSatisfy { abs($0 - 11.36) < 0.01 })
    #expect(sizes(formula("<mfrac><mn>1</mn><mn>2</mn></mfrac>", "block")) == [16, 16])
  }

  @Test func `Roots have a bar over what is under them`() throws {
    func sign(_ inner: String) throws -> (glyph: UInt16, stretch: Float) {
      let page = LaidOut("<math xmlns='http://www.w3.org/1998/Math/MathML'><msqrt>\(inner)</msqrt></math>")
      let text = page.text(try #require(page.texts.first { $0.string == "√" }).placed)
      return (page.pages[0].glyphs[Int(text.glyphs.lowerBound)].id, text.stretch)
    }
    let high = try sign("<mfrac><mi>a</mi><mi>b</mi></mfrac>")
    // The face's own larger sign.
    #expect(high.glyph != (try sign("<mi>a</mi>").glyph) && abs(high.stretch - 1) < 0.2)
  }

  @Test(arguments: ["msqrt", "mfrac"])
  func `Parts of formulas are boxes as far as anybody can see`(_ name: String) {
    // A fraction has two parts (MathML Core, section 3.3.2).
    let close = name == "mfrac" ? "<mn>2</mn></mfrac>" : "</\(name)>"
    let nested = String(repeating: "<\(name)>", count: 60) + "<mi>x</mi>" + String(repeating: close, count: 60)
    let page = LaidOut("<math xmlns='http://www.w3.org/1998/Math/MathML'>\(nested)</math>")
    let contexts = page.tree.boxes.count { $0.flags.contains([.formula, .formattingContext]) }
    #expect(
      page.texts.contains { $0.string.contains("x") } && contexts > 60 && contexts < 80, "\(contexts)")
  }

  @Test func `A brace under several terms is as long as they are`() throws {
    let page = LaidOut(
      "<math xmlns='http://www.w3.org/1998/Math/MathML'><munder><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mo>⏟</mo></munder></math>"
    )
    let brace = try #require(page.texts.first { $0.string == "⏟" }).placed
    let base = page.texts.filter { $0.string != "⏟" }.map(\.placed)
    let width = (base.map(\.right).max() ?? .zero) - (base.map(\.offset.inline).min() ?? .zero)
    let sign = page.text(brace)
    let glyphs = sign.glyphs.map { page.pages[0].glyphs[Int($0)] }
    #expect(abs(sign.compression - 1) < 0.3)
    let left = brace.offset.inline.pixels + glyphs[0].x.pixels * Double(sign.compression)
    let right = 2 * (brace.offset.inline.pixels + brace.fragment.size.inline.pixels / 2) - left
    #expect(abs((right - left) / width.pixels - 1) < 0.1)
  }

  @Test func `Limits of displayed formulas stand under and over the operator`() {
    func formula(_ display: String) -> LaidOut {
      LaidOut(
        "<math xmlns='http://www.w3.org/1998/Math/MathML' display='\(display)'>"
          + "<munderover><mo>∑</mo><mn>1</mn><mi>n</mi></munderover></math>")
    }
    let page = formula("block")
    let parts = page.fragments(.text).sorted { $0.offset.block < $1.offset.block }
    let baselines = parts.map { ($0.offset.block + page.text($0).baseline).pixels }
    #expect(parts.count == 3)
    // The upper limit, the operator, the lower limit, one over the other.
    #expect(parts.map { page.text($0).size } == [11.36, 16, 11.36])
    #expect(baselines[1] - baselines[0] > 12 && baselines[2] - baselines[1] > 8)
    #expect(parts[0].offset.inline > parts[1].offset.inline && parts[0].right < parts[1].right)
    // In a line of text they are its scripts, one over the other.
    let line = formula("inline")
    let scripts = line.fragments(.text).filter { line.text($0).size < 12 }
    let left = (line.fragments(.text).first { line.text($0).size == 16 })?.right ?? .zero
    #expect(
      scripts.count == 2 && scripts.allSatisfy { $0.offset.inline >= left && $0.offset.inline < left + LayoutUnit(2) })
  }

  @Test func `The bar of a root begins at its sign`() throws {
    let page = LaidOut(
      "<math xmlns='http://www.w3.org/1998/Math/MathML'><mfrac><msqrt><mi>π</mi></msqrt><mn>2</mn></mfrac></math>")
    let root = try #require(page.texts.first { $0.string == "√" }).placed
    let text = page.text(root)
    let face = try #require(page.fonts.face(text.font))
    let glyph = page.pages[0].glyphs[Int(text.glyphs.lowerBound)]
    let top = try #require(face.extents(glyph.id)).y
    let rise = LayoutUnit(face.metrics.scaled(top, size: text.size) * text.stretch)
    let sign = root.offset.block + text.baseline + text.stretchShift - rise
    let radical = try #require(page.fragments(.box).last { !page.rules(of: $0).isEmpty })
    let bar = try #require(page.rules(of: radical).first).rect.offset.block + radical.offset.block
    #expect(abs((sign - bar).pixels) < 0.5)
  }

  @Test func `Lines fill the measure`() {
    let page = LaidOut("<p>\(words)</p>", width: 200)
    #expect(page.lines.joined(separator: " ") == words)
    for line in page.fragments(.line) { #expect(page.line(line).contentWidth <= LayoutUnit(200)) }
    // No line could have taken the first word of the next one.
    let wide = LaidOut("<p>\(words)</p>", width: 10_000)
    #expect(wide.lines == [words])
  }

  @Test func `Justified lines reach both edges`() {
    let page = LaidOut("<p>\(words)</p>", css: "p { text-align: justify }", width: 200)
    let lines = page.fragments(.line)
    for line in lines.dropLast() {
      #expect(page.line(line).contentOffset == .zero)
      #expect(page.line(line).contentWidth == LayoutUnit(200))
      let ends = page.fragments(.text).filter { $0.offset.block == line.offset.block }.map(\.right)
      #expect(ends.max() == LayoutUnit(200))
    }
    #expect(page.line(lines[lines.count - 1]).contentWidth < LayoutUnit(200))
  }

  @Test func `Lines are aligned`() {
    for (value, share) in [("left", 0), ("right", 2), ("center", 1), ("start", 0), ("end", 2)] {
      let page = LaidOut("<p>ab</p>", css: "p { text-align: \(value) }", width: 200)
      let line = page.line(page.fragments(.line)[0])
      #expect(line.contentOffset == (LayoutUnit(200) - line.contentWidth) * share / 2)
    }
    let rightToLeft = LaidOut("<p dir='rtl'>ab</p>", width: 200)
    let line = rightToLeft.line(rightToLeft.fragments(.line)[0])
    #expect(line.contentOffset + line.contentWidth == LayoutUnit(200))
  }

  /// The lines of a word in a float of that width.
  private func lines(of word: String, width: Int) -> [String] {
    LaidOut("<p style='float: left; width: \(width)px'>\(word)</p>").lines
  }

  @Test func `Words that no line holds are broken behind separators first`() {
    let path = lines(of: "aaaa/bbbb/cccc_dddd.eeee", width: 60)
    #expect(path.count > 1 && path.joined() == "aaaa/bbbb/cccc_dddd.eeee")
    #expect(path.dropLast().allSatisfy { "/_.".contains($0.last ?? " ") })
  }

  @Test func `Numbers stick out of a narrow box whole, and marks that begin no line stay with what is before them`() {
    #expect(lines(of: "1234567", width: 20) == ["1234567"])
    #expect(lines(of: "12345678901234567890", width: 20).count > 1)
    #expect(lines(of: "元，元。", width: 18) == ["元，", "元。"])
  }

  @Test func `Only the first line is indented`() {
    let page = LaidOut("<p>\(words)<br/>more</p>", css: "p { text-indent: 30px }", width: 200)
    let offsets = page.fragments(.line).map { page.line($0).contentOffset }
    #expect(offsets[0] == LayoutUnit(30))
    #expect(offsets.dropFirst().allSatisfy { $0 == .zero })
  }

  @Test func `White space at the ends of lines hangs or collapses`() {
    #expect(LaidOut("<p>a <b> b</b> <br/> c</p>").lines == ["a b", "c"])
    #expect(LaidOut("<pre>a\n  b\n\nc\n</pre>").lines.map { $0.filter { $0 != "\n" } } == ["a", "  b", "", "c"])
    let unwrapped = "<p style='white-space: nowrap'>\(words)</p>"
    #expect(LaidOut(unwrapped, width: 200) { $0.deviations.shrinksWideTables = false }.lines.count == 1)
    #expect(LaidOut("<div style='width: 100px'>\(unwrapped)</div>", width: 3000).lines.count == 1)
    let tab = LaidOut("<pre>a\tb</pre>").texts
    let wider = LaidOut("<pre>aaaaa\tb</pre>").texts
    #expect(tab.last?.placed.offset.inline == wider.last?.placed.offset.inline)
  }

  @Test func `Tabs stop at places of their own size, counted in spaces of the block container`() {
    func place(_ body: String, _ css: String = "") -> Int? {
      LaidOut(body, css: "pre { tab-size: 10 } " + css).texts.last?.placed.offset.inline.roundedPixels
    }
    let expected = place("<pre>\tb</pre>")
    #expect(place("<pre><b>\t\tb</b></pre>", "b { tab-size: 5 }") == expected)
    #expect(place("<pre><b>\tb</b></pre>", "b { font-size: 1px }") == expected)
    // A line that begins before the edge has a stop at it, and none nearer than half a digit.
    #expect(place("<pre>\tb</pre>", "pre { text-indent: -20px }") == 0)
    #expect(place("<pre>\tb</pre>", "pre { text-indent: -0.4ch }") == expected)
    // The widest line is as wide as it is set.
    let float = LaidOut("<pre><b>\t</b>b</pre>", css: "pre { float: left; tab-size: 2 } b { tab-size: 20 }")
    #expect(float.fragments(.line).count == 1)
    #expect(float.fragments(.box).last!.fragment.size.inline == float.texts.last!.placed.right)
  }

  @Test func `Words wider than the line stick out or break`() {
    // Wider than its block only: it sticks out.
    let narrow = LaidOut("<p style='width: 20px'>incomprehensible</p>", width: 300)
    #expect(narrow.lines == ["incomprehensible"])
    let broken = LaidOut("<p style='width: 40px; overflow-wrap: break-word'>incomprehensible</p>", width: 300)
    #expect(broken.lines.count > 1)
    #expect(broken.lines.joined() == "incomprehensible")
    // Wider than the page: broken all the same.
    let letters = String(repeating: "abcdefghij", count: 50)
    let page = LaidOut("<p>\(letters)</p>", width: 300)
    #expect(page.lines.joined() == letters)
    for line in page.fragments(.line) { #expect(page.line(line).contentWidth <= LayoutUnit(300)) }
  }

  @Test func `Soft hyphens are shown where lines end`() {
    let page = LaidOut("<p>extra\u{AD}ordinary</p>", width: 60)
    let lines = page.fragments(.line)
    #expect(lines.count == 2)
    #expect(page.line(lines[0]).isHyphenated)
    #expect(!page.line(lines[1]).isHyphenated)
    // The hyphen is a glyph beyond the letters.
    #expect(page.text(page.fragments(.text)[0]).glyphs.count == 6)
  }

  @Test func `Line boxes exist for content only`() {
    func height(_ body: String) -> LayoutUnit { LaidOut(body).fragments(.box)[2].fragment.size.block }
    #expect(height("<p></p>") == .zero)
    #expect(height("<p> <span> </span> </p>") == .zero)
    #expect(height("<p><span style='padding-left: 1px'></span></p>") > .zero)
    #expect(height("<p>x</p>") == height("<p>x<br/></p>"))
    #expect(height("<p>x<br/><br/></p>") == height("<p>x</p>") * 2)
  }

  @Test func `Text of an element without a box has an inline box with its styles`() {
    let css = "div { font: 10px/1.5 serif } span { display: contents; font-size: 40px; letter-spacing: 3px }"
    func heights(_ body: String) -> [LayoutUnit] {
      LaidOut(body, css: css).fragments(.line).map(\.fragment.size.block)
    }
    #expect(heights("<div><span>a</span></div>") == [LayoutUnit(60)])
    #expect(heights("<div><span><b style='font-size: 10px'>a</b></span></div>") == [LayoutUnit(15)])
    #expect(heights("<div><span>a<p>b</p> </span>c</div>") == [LayoutUnit(60), LayoutUnit(60), LayoutUnit(15)])
  }

  @Test func `Boxes stand on the baseline, or are shifted`() {
    let css = "p { line-height: 20px } b { font-weight: normal }"
    let plain = LaidOut("<p>x</p>", css: css).fragments(.line)[0].fragment.size.block
    #expect(plain == LayoutUnit(20))
    // Small shifts inside the leading do not open the line; large ones do.
    #expect(
      LaidOut("<p>x<b style='vertical-align: 30px'>y</b></p>", css: css).fragments(.line)[0].fragment.size.block
        == LayoutUnit(50))
    // Boxes aligned to the line's edges: the leading of their 20 px lies inside.
    for value in ["top", "bottom"] {
      let page = LaidOut(
        "<p>x<i style='display: inline-block; width: 5px; height: 60px'></i><b style='vertical-align: \(value)'>y</b></p>",
        css: css)
      let line = page.fragments(.line)[0]
      let box = page.fragments(.inlineBox)[0]
      let leading = LayoutUnit(20) - box.fragment.size.block
      let gap = value == "top" ? box.offset.block - line.offset.block : line.bottom - box.bottom
      #expect(abs((gap - leading / 2).roundedPixels) <= 1)
    }
    // An image or inline-block without lines stands on the baseline with its margin box.
    let page = LaidOut("<p>x<i style='display: inline-block; width: 5px; height: 60px; margin-bottom: 7px'></i></p>")
    let line = page.fragments(.line)[0]
    let box = page.fragments(.box)[3]
    #expect(box.bottom + LayoutUnit(7) == line.offset.block + page.line(line).baseline)
  }

  @Test func `Inline boxes are cut at lines`() {
    let page = LaidOut("<p>one <b>\(words)</b> two</p>", css: "b { padding: 0 10px; border: 1px solid }", width: 200)
    let boxes = page.fragments(.inlineBox)
    #expect(boxes.count > 2)
    #expect(boxes.first?.fragment.flags == [.continuesAfter])
    #expect(boxes.last?.fragment.flags == [.continuesBefore])
    #expect(boxes.dropFirst().dropLast().allSatisfy { $0.fragment.flags == [.continuesBefore, .continuesAfter] })
    let geometry = page.pages[0].geometries[Int(boxes[0].fragment.payload)]
    #expect(geometry.padding.lineLeft == LayoutUnit(10))
    #expect(geometry.padding.lineRight == .zero)
  }

  @Test func `Lines are reordered by their embedding levels`() {
    let page = LaidOut("<p>abc <b>\u{5D0}\u{5D1} \u{5D2}</b> def</p>")
    let texts = page.texts.sorted { $0.placed.offset.inline < $1.placed.offset.inline }
    #expect(texts.map(\.string) == ["abc ", "\u{5D0}\u{5D1} \u{5D2}", " def"])
    // Numbers stand left to right inside.
    let mixed = LaidOut("<p dir='rtl'>\u{5D0} 12 \u{5D1}</p>")
    let order = mixed.texts.sorted { $0.placed.offset.inline < $1.placed.offset.inline }.map(\.string)
    #expect(order.count == 3)
    #expect(order[1] == "12")
    #expect(order[2].hasPrefix("\u{5D0}"))
    // A box that starts in right-to-left text has its start edge on the right.
    let edges = LaidOut("<p dir='rtl'>\u{5D0} <b style='padding-right: 20px'>\u{5D1}</b></p>")
    let box = edges.fragments(.inlineBox)[0]
    let text = edges.texts.first { $0.string == "\u{5D1}" }
    #expect(text.map { box.right - $0.placed.right } == LayoutUnit(20))
  }

  @Test func `Annotations stand above their bases`() {
    let page = LaidOut(
      "<p>\u{6F22}<ruby>\u{5B57}<rt>\u{304B}\u{3093}\u{3058}</rt></ruby>\u{3002}</p>", language: "ja")
    let annotation = page.fragments(.text).first { page.text($0).isAnnotation }
    let base = page.texts.first { $0.string == "\u{5B57}" }
    guard let annotation, let base else {
      Issue.record("the ruby is not set")
      return
    }
    // Three kana of half size are wider than one ideograph: the base is centred under them.
    #expect(annotation.fragment.size.inline > base.placed.fragment.size.inline)
    let middle = annotation.offset.inline + annotation.fragment.size.inline / 2
    let baseMiddle = base.placed.offset.inline + base.placed.fragment.size.inline / 2
    #expect(abs(middle.rawValue - baseMiddle.rawValue) <= 64)
    #expect(page.lines == ["\u{6F22}\u{5B57}\u{3002}"])
  }

  @Test func `Lines beside floats are shorter`() {
    let page = LaidOut("<p><i style='float: left; width: 80px; height: 30px'></i>\(words)</p>", width: 200)
    let lines = page.fragments(.line)
    #expect(lines[0].offset.inline == LayoutUnit(80))
    #expect(lines[1].offset.inline == LayoutUnit(80))
    #expect(lines[3].offset.inline == .zero)
    #expect(page.lines.joined(separator: " ") == words)
    // A float met in a line that has no room for it goes below that line.
    let late = LaidOut(
      "<p>one two three four <i style='float: left; width: 80px; height: 30px'></i>five six</p>", width: 150)
    let float = late.fragments(.box).first { $0.fragment.size.inline == LayoutUnit(80) }
    #expect(float?.offset.block == late.fragments(.line)[0].bottom)
  }

  @Test func `Pages go on where they end`() {
    let whole = LaidOut("<p>\(words) \(words) \(words)</p>", width: 120)
    for height in [40, 60, 100, 130] {
      let paged = LaidOut("<p>\(words) \(words) \(words)</p>", width: 120, height: height)
      #expect(paged.pages.count > 1)
      #expect(paged.lines == whole.lines)
    }
  }

  @Test func `Orphans and widows are avoided`() {
    let css = "p { line-height: 20px; orphans: 2; widows: 3 }"
    let lines = "a<br/>b<br/>c<br/>d<br/>e<br/>f"
    // Five lines fit, so one would remain: two more go with it.
    let page = LaidOut("<p>\(lines)</p>", css: css, height: 100)
    #expect(page.pages.map { $0.lines.count } == [3, 3])
    // One line fits below the first paragraph: the second one goes to the next page whole.
    let second = LaidOut("<p>x<br/>y<br/>z</p><p>\(lines)</p>", css: css, height: 80)
    #expect(second.pages.map { $0.lines.count } == [3, 3, 3])
  }

  @Test func `Floats inside a word wait for its end`() {
    let page = LaidOut("<p>a bcd<i style='float: left; width: 20px; height: 20px'></i>efgh</p>", width: 300)
    #expect(page.lines == ["a bcdefgh"])
    #expect(page.fragments(.line)[0].offset.inline == LayoutUnit(20))
  }

  @Test func `Markers stand beside the first line`() {
    let page = LaidOut("<ol><li>one</li><li><p>two</p></li></ol>", width: 300)
    let item = page.texts.first { $0.string == "two" }
    let marker = page.texts.first { $0.string.hasPrefix("2.") }
    guard let item, let marker else {
      Issue.record("a marker is missing")
      return
    }
    #expect(marker.placed.right <= item.placed.offset.inline)
    #expect(marker.placed.offset.block == item.placed.offset.block)
  }

  @Test func `E5: emphasis marks do not change the pitch where the gap holds them`() {
    func pitch(_ css: String) -> LayoutUnit {
      let page = LaidOut(
        "<p>山<br/><em>川</em><br/>草</p>", css: "p { font: 16px/28px 'Noto Serif CJK JP' } em { \(css) }", language: "ja")
      let lines = page.fragments(.line)
      return lines[2].offset.block - lines[0].offset.block
    }
    #expect(pitch("text-emphasis: dot") == pitch(""))
  }

  @Test func `B4: word spaces of a filled paragraph keep near their natural width`() {
    let words = "so the day went on and no one came to see what had been done in the old house by the sea "
    let page = LaidOut(
      "<p>\(String(repeating: words, count: 6))</p>",
      css: "p { font: 16px 'Liberation Serif'; text-align: justify; text-wrap: pretty }", width: 360)
    // The natural space of the face is a quarter of an em: 4 px.
    for (line, text) in zip(page.fragments(.line), page.lines).dropLast() {
      let alone = LaidOut("<p>\(text)</p>", css: "p { font: 16px 'Liberation Serif' }", width: 10_000)
      let excess = page.line(line).contentWidth.float - alone.line(alone.fragments(.line)[0]).contentWidth.float
      let space = 4 + excess / Float(text.filter { $0 == " " }.count)
      #expect(space >= 4 * 0.8 - 0.02 && space <= 4 * 1.6, "\(space): \(text)")
    }
  }

  @Test(
    .enabled(if: InstalledPatterns.include("en"), "no hyphenation patterns for English are installed"),
    arguments: ["auto", "pretty"])
  func `B5: wide gaps are mended by hyphenation`(wrap: String) {
    let text =
      "it was an extraordinary undertaking in a remarkably uncomfortable neighbourhood with understandable reservations"
    let font = "p { font: 16px 'Liberation Serif'"
    /// The widest gap of the paragraph in px; the natural one has 4.
    func widestGap(_ hyphens: String, width: Int) -> Float {
      let page = LaidOut(
        "<p>\(text)</p>", css: font + "; text-align: justify; hyphens: \(hyphens); text-wrap: \(wrap) }", width: width)
      return zip(page.fragments(.line), page.lines).dropLast().reduce(0) { widest, line in
        let alone = LaidOut("<p>\(line.1)</p>", css: font + " }", width: 10_000)
        let hyphen: Float = page.line(line.0).isHyphenated ? 5.33 : 0
        let excess = Float(width) - hyphen - alone.line(alone.fragments(.line)[0]).contentWidth.float
        return Swift.max(widest, 4 + excess / Float(Swift.max(1, line.1.filter { $0 == " " }.count)))
      }
    }
    var mended = 0
    for width in stride(from: 160, through: 260, by: 20) {
      let (without, with) = (widestGap("none", width: width), widestGap("auto", width: width))
      if wrap == "pretty" { #expect(with <= without, "\(width)") }
      if without > 12, with < 12 { mended += 1 }
    }
    #expect(mended > 0)
  }

  @Test func `B7: one word on a line keeps its natural advances`() {
    let css = "p { font: 16px 'Liberation Serif'; text-align: justify }"
    let page = LaidOut("<p>extraordinarily misrepresented consequences</p>", css: css, width: 120)
    let natural = LaidOut("<p>extraordinarily</p>", css: css, width: 1000)
    #expect(page.lines.first == "extraordinarily")
    #expect(page.texts[0].placed.fragment.size.inline == natural.texts[0].placed.fragment.size.inline)
  }

  @Test func `B8: a word too long for its line is broken if asked, else noted where it leaves the page`() {
    let word = String(repeating: "abcdefghij", count: 10)
    let broken = LaidOut("<p>\(word)</p>", css: "p { overflow-wrap: anywhere }", width: 100)
    #expect(broken.lines.count > 5 && broken.lines.joined() == word)
    #expect(!broken.pages.contains { $0.fragments.contains { $0.flags.contains(.overflows) } })
    #expect(broken.fragments(.text).allSatisfy { $0.right <= LayoutUnit(100) + .epsilon })
    // A page cannot be scrolled: what does not wrap is broken between words at its edge.
    let verse = "one two three four five six seven eight nine ten"
    for css in ["", "div { width: fit-content }", "div { float: left }"] {
      let poem = LaidOut("<div><p style='white-space: nowrap'>\(verse)</p></div>", css: css, width: 100)
      #expect(poem.lines.count > 2 && poem.lines.joined(separator: " ") == verse)
      #expect(poem.fragments(.text).allSatisfy { $0.right <= LayoutUnit(100) + .epsilon })
    }
    let kept = LaidOut("<p>a<span style='white-space: nowrap'>\(word)</span></p>", width: 100)
    #expect(kept.texts.map(\.string).joined().contains("a"))
    #expect(kept.lines.joined() == "a" + word)
    let noted = kept.pages.contains { $0.fragments.contains { $0.flags.contains(.overflows) } }
    #expect(noted || kept.fragments(.text).allSatisfy { $0.right <= LayoutUnit(100) + .epsilon })
  }
}
