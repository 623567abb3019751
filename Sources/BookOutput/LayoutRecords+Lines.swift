import BookEngine
import BoxGeneration
import CSS
import ChapterEngine
import Fonts
import Layout
import Markup
import Painting
import Primitives
import Styling
import Text

/// Lines in reading order.
extension LayoutRecorder {
  /// Boxes are in preorder, so paragraphs sorted by box are in reading order once those that lie inside another paragraph's
  /// lines stand where they are anchored.
  mutating func writeGroups(_ groups: [Group], on page: PageLayout, _ writer: inout JSONWriter) {
    var paragraphs: [Group] = []
    var markers: [(item: BoxID, text: String)] = []
    for group in groups {
      guard inputs.tree[group.owner].kind == .marker else {
        paragraphs.append(group)
        continue
      }
      var text = ""
      for line in group.lines {
        var inner = ""
        let range = page.lines[Int(page[line.fragment].payload)].range
        text += formatted.string(group.text, range, generated: .kept, marker: &inner)
      }
      markers.append((item(of: group.owner), Self.trimmed(marker: text)))
    }
    // The text of an outside marker goes with the first line of its item on the page.
    for marker in markers {
      if let first = paragraphs.firstIndex(where: { isDescendant($0.owner, of: marker.item) }) {
        paragraphs[first].marker += marker.text
      }
    }
    var index = 0
    while index < paragraphs.count { index = write(paragraphs, at: index, on: page, &writer) }
  }

  /// The list item that a marker belongs to.
  private mutating func item(of marker: BoxID) -> BoxID {
    if items.isEmpty {
      for (index, box) in inputs.tree.boxes.enumerated() where !box.marker.isNone { items[box.marker] = BoxID(index) }
    }
    return items[marker] ?? inputs.tree[marker].parent
  }

  /// A marker's text without the space that sets it off.
  private static func trimmed(marker text: String) -> String {
    var view = Substring(text)
    while let last = view.last, last.isWhitespace { view.removeLast() }
    while let first = view.first, first.isWhitespace { view.removeFirst() }
    return String(view)
  }

  /// Writes a paragraph and what is anchored in it.
  ///
  /// - Returns: The position after them.
  private mutating func write(
    _ groups: [Group], at index: Int, on page: PageLayout, _ writer: inout JSONWriter
  ) -> Int {
    let group = groups[index]
    var end = index + 1
    while end < groups.count, isDescendant(groups[end].owner, of: group.owner) { end += 1 }
    if let picture = group.picture {
      write(textIn: picture, group, on: page, &writer)
      return end
    }
    // The anchors of the paragraphs inside this one.
    var anchored: [(unit: UInt32, isObject: Bool, groups: Range<Int>)] = []
    if end > index + 1 {
      let anchors = formatted.anchors(of: group.text).filter { !$0.run.box.isNone }
      var next = index + 1
      while next < end {
        var after = next + 1
        let anchor = anchors.last { isDescendant(groups[next].owner, of: $0.run.box) }
        while after < end, anchor.map({ isDescendant(groups[after].owner, of: $0.run.box) }) ?? false { after += 1 }
        anchored.append((anchor?.unit ?? .max, anchor?.run.kind == .object, next..<after))
        next = after
      }
      anchored.sort { ($0.unit, $0.groups.lowerBound) < ($1.unit, $1.groups.lowerBound) }
    }
    var nextAnchored = 0
    func isBefore(_ unit: UInt32) -> Bool { nextAnchored < anchored.count && anchored[nextAnchored].unit < unit }
    for line in group.lines {
      let fragment = page.lines[Int(page[line.fragment].payload)]
      var start = fragment.range.lowerBound
      while nextAnchored < anchored.count, anchored[nextAnchored].unit <= start,
        !anchored[nextAnchored].isObject || anchored[nextAnchored].unit < start
      {
        writeAll(groups, anchored[nextAnchored].groups, on: page, &writer)
        nextAnchored += 1
      }
      // A line with blocks in it is given in parts, so that all text comes once and in order.
      var floats: [Range<Int>] = []
      while isBefore(fragment.range.upperBound) {
        let anchor = anchored[nextAnchored]
        nextAnchored += 1
        guard anchor.isObject else {
          floats.append(anchor.groups)
          continue
        }
        write(line, part: start..<anchor.unit, isWhole: false, on: page, group, &writer)
        writeAll(groups, anchor.groups, on: page, &writer)
        start = anchor.unit + 1
      }
      write(
        line, part: start..<Swift.max(start, fragment.range.upperBound), isWhole: start == fragment.range.lowerBound,
        on: page, group,
        &writer)
      for range in floats { writeAll(groups, range, on: page, &writer) }
    }
    while nextAnchored < anchored.count {
      writeAll(groups, anchored[nextAnchored].groups, on: page, &writer)
      nextAnchored += 1
    }
    return end
  }

  private mutating func writeAll(
    _ groups: [Group], _ range: Range<Int>, on page: PageLayout, _ writer: inout JSONWriter
  ) {
    var index = range.lowerBound
    while index < range.upperBound { index = write(groups, at: index, on: page, &writer) }
  }

  private mutating func write(
    _ entry: LineEntry, part: Range<UInt32>, isWhole: Bool, on page: PageLayout, _ group: Group,
    _ writer: inout JSONWriter
  ) {
    let fragment = page[entry.fragment]
    let line = page.lines[Int(fragment.payload)]
    var insideMarker = ""
    let text = FormattedText.trimmed(formatted.string(group.text, part, generated: generated, marker: &insideMarker))
    if !isWhole, text.isEmpty { return }
    var runs: [(fragment: FragmentID, offset: LogicalOffset, start: UInt32)] = []
    var child = fragment.firstChild
    while !child.isNone {
      let piece = page[child]
      if piece.kind == .text, Int(piece.payload) < page.texts.count {
        let content = page.texts[Int(piece.payload)]
        if content.text == group.text, !content.isAnnotation, content.range.lowerBound >= part.lowerBound,
          content.range.lowerBound < part.upperBound
        {
          runs.append((child, entry.offset + piece.offset, content.range.lowerBound))
        }
      }
      child = piece.nextSibling
    }
    // In the terms of the line, which may run otherwise than the page.
    let mode = line.writingMode
    let area = page.physicalRect(entry.offset, fragment.size)
    var left = line.contentOffset
    var width = line.contentWidth
    if !isWhole {
      let places = runs.map {
        mode.ofLines.logical(page.physicalRect($0.offset, page[$0.fragment].size), in: area)
      }
      left = places.map(\.offset.inline).min() ?? left
      width = (places.map(\.inlineEnd).max() ?? left) - left
    }
    func place(_ block: LayoutUnit, _ size: LogicalSize) -> Rect {
      let rect = LogicalRect(offset: LogicalOffset(inline: left, block: block), size: size)
      return fit(mode.ofLines.physical(rect, in: area))
    }
    runs.sort { $0.start < $1.start }

    let description = describe(group.owner)
    beginLine(text, &writer)
    writer.key("box")
    let thickness = mode.logical(Size(width: area.width, height: area.height)).block
    let box = place(.zero, LogicalSize(inline: width, block: thickness))
    writer.value(box)
    writer.key("baseline")
    let baseline = place(line.baseline, .zero)
    writer.value(mode.isHorizontal ? baseline.y : baseline.x)
    writer.key("dir")
    writer.value(line.direction == .rtl ? "rtl" : "ltr")
    writer.key("writing")
    writer.value(mode.name)
    writer.key("hyphenated")
    writer.value(line.isHyphenated && part.upperBound == line.range.upperBound)
    if line.breaksLineStartRule {
      writer.key("brokenRule")
      writer.value("line-start")
    }
    if line.looseness > 0 {
      writer.key("loose")
      writer.value(Double((line.looseness * 1000).rounded() / 1000))
    }
    if line.glyphFit != .none {
      writer.key("expansion")
      writer.value(Double(line.glyphFit.expansion) / 1000)
      writer.key("letterFit")
      writer.value(Double(line.glyphFit.letterFit) / 10_000)
    }
    let source = write(sourceOf: part, of: group.text, description.path, description.element, &writer)
    if !text.isEmpty { noteOverflow(box, on: page, node: description.path, range: source) }
    writer.key("role")
    writer.value(description.role)
    if let level = description.level {
      writer.key("level")
      writer.value(level)
    }
    writer.key("lang")
    writer.value(description.language)
    if let fingerprint = description.fingerprint {
      writer.key("style")
      writer.value(String(fingerprint, radix: 16))
    }
    if let face = description.primaryFace {
      writer.key("primary")
      writer.raw([PageRecordTemplate.fontMark] + Array(String(number(of: face)).utf8) + [PageRecordTemplate.endMark])
    }
    if let table = description.table {
      writer.key("table")
      writer.value(table)
    }
    if let scale = runs.first.map({ page.texts[Int(page[$0.fragment].payload)].scale }), scale != 1 {
      writer.key("scale")
      writer.value(Double(scale))
    }
    let isFirst = group.lines.first?.fragment == entry.fragment && part.lowerBound == line.range.lowerBound
    let shownMarker = (isFirst ? group.marker : "") + Self.trimmed(marker: insideMarker)
    if !shownMarker.isEmpty {
      writer.key("marker")
      writer.value(shownMarker)
    }
    writer.key("runs")
    writer.beginArray()
    for run in runs { write(run: run.fragment, at: run.offset, on: page, part: part, mode, &writer) }
    writer.endArray()
    writer.endObject()
  }

  private func beginLine(_ text: String, _ writer: inout JSONWriter) {
    writer.beginObject()
    if isOfMarginBoxes {
      writer.key("marginBox")
      writer.value(true)
    }
    writer.key("text")
    writer.value(text)
  }

  /// The text of a picture: its lines, each in an equal share of the picture, since only its renderer knows where they are.
  private mutating func write(textIn picture: Rect, _ group: Group, on page: PageLayout, _ writer: inout JSONWriter) {
    let text = inputs.tree.texts[group.text]
    var ranges: [Range<UInt32>] = []
    var start: UInt32 = 0
    for index in text.runs where inputs.tree.texts.runs[index].kind == .lineBreak {
      let end = inputs.tree.texts.runs[index].end
      ranges.append(start..<Swift.max(start, end - 1))
      start = end
    }
    ranges.append(start..<Swift.max(start, UInt32(clamping: text.units.count)))
    let description = describe(group.owner)
    for (index, range) in ranges.enumerated() {
      var marker = ""
      let string = FormattedText.trimmed(formatted.string(group.text, range, generated: .kept, marker: &marker))
      guard !string.isEmpty else { continue }
      let top = picture.height * (Double(index) / Double(ranges.count))
      let bottom = picture.height * (Double(index + 1) / Double(ranges.count))
      beginLine(string, &writer)
      writer.key("box")
      writer.value(Rect(x: picture.x, y: picture.y + top, width: picture.width, height: bottom - top))
      writer.key("baseline")
      writer.value(picture.y + bottom)
      writer.key("dir")
      writer.value(text.direction == .rtl ? "rtl" : "ltr")
      writer.key("writing")
      writer.value(page.writingMode.name)
      writer.key("hyphenated")
      writer.value(false)
      write(sourceOf: range, of: group.text, description.path, description.element, &writer)
      writer.key("role")
      writer.value(description.role)
      writer.key("lang")
      writer.value(description.language)
      writer.key("inPicture")
      writer.value(true)
      writer.key("runs")
      writer.beginArray()
      writer.endArray()
      writer.endObject()
    }
  }

  @discardableResult
  private func write(
    sourceOf part: Range<UInt32>, of text: TextID, _ path: String, _ element: NodeID, _ writer: inout JSONWriter
  ) -> Range<Int> {
    let (start, end) = sourceRange(of: text, part, in: element)
    writer.key("source")
    writer.beginObject()
    writer.key("node")
    writer.value(path)
    writer.key("start")
    writer.value(start)
    writer.key("end")
    writer.value(end)
    writer.endObject()
    return start..<end
  }

  /// The source range of a line's text, in UTF-16 units of an element's text. In text that a transform has changed the
  /// places are near ones.
  private func sourceRange(of text: TextID, _ part: Range<UInt32>, in element: NodeID) -> (start: Int, end: Int) {
    let pieces = formatted.pieces(of: inputs.tree.texts[text], part).filter { !$0.isGenerated }
    guard let first = pieces.first, let last = pieces.last else { return (0, 0) }
    func offset(_ piece: FormattedText.Piece, at unit: UInt32) -> Int {
      positions.offset(
        of: piece.span.node, Int(piece.span.sourceOffset) + Int(unit) - Int(piece.span.start), in: element)
    }
    let start = offset(first, at: first.range.lowerBound)
    return (start, Swift.max(start, offset(last, at: last.range.upperBound - 1) + 1))
  }

  private mutating func write(
    run id: FragmentID, at offset: LogicalOffset, on page: PageLayout, part: Range<UInt32>, _ mode: WritingMode,
    _ writer: inout JSONWriter
  ) {
    let fragment = page[id]
    let text = page.texts[Int(fragment.payload)]
    let attributes = inputs.tree.texts.attributes[text.attributes]
    var marker = ""
    let range =
      text.range.lowerBound..<Swift.max(text.range.lowerBound, Swift.min(text.range.upperBound, part.upperBound))
    let string = formatted.string(text.text, range, generated: .kept, annotates: false, marker: &marker)
    writer.beginObject()
    writer.key("font")
    writer.raw([PageRecordTemplate.fontMark] + Array(String(number(of: text.font)).utf8) + [PageRecordTemplate.endMark])
    writer.key("size")
    writer.value(fit(LayoutUnit(text.size)))
    writer.key("color")
    writer.value(attributes.color.description)
    writer.key("text")
    writer.value(string)
    let rect = rect(page, offset, fragment.size)
    writer.key("x")
    writer.value(rect.x)
    writer.key("width")
    writer.value(rect.width)
    if !mode.isHorizontal {
      // The other two sides tell of a line that runs downwards.
      writer.key("y")
      writer.value(rect.y)
      writer.key("height")
      writer.value(rect.height)
    }
    writer.endObject()
  }

  private mutating func number(of font: FontID) -> Int {
    if let known = fontNumbers[font] { return known }
    fontNumbers[font] = fonts.count
    fonts.append(font)
    return fonts.count - 1
  }
}
