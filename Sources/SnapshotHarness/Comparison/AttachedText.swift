import Graphics
import Primitives

/// What stands on a page by a line and is placed by a rule of its own: list markers before it, ruby and emphasis
/// marks beside it, raised and lowered text in it.
///
/// Layout records tell where lines and their runs are; how far such pieces stand off is in display lists alone.
struct AttachedText {
  struct Piece {
    var element: ElementKind
    /// Equal for equal glyphs of one face and size, and for equal shapes.
    var content: Int
    /// From the beginning of the line's baseline, in 1/64 px: in the direction of the line, and across it, to the
    /// right or down.
    var along: Int32
    var across: Int32
    var box: RecordBox
    /// Of all that is painted with it.
    var runBox: RecordBox
  }

  /// A piece at another distance from its line.
  struct Move {
    var element: ElementKind
    /// In 1/64 px.
    var distance: Int32
    /// It moved up or down, and else to a side.
    var isDown: Bool
    var oldBox: RecordBox
    var newBox: RecordBox
    /// Of all that is painted with it, in the new run.
    var runBox: RecordBox
  }

  /// By line of the page.
  private(set) var pieces: [Int: [Piece]] = [:]

  /// Of the size of its line, text beside it is smaller than such a part.
  private static let largestRuby = 0.8
  /// Sums of 1/64 px may be rounded otherwise at another place of the page.
  private static let noise: Int32 = 2

  init(_ page: PageDisplay, _ record: PageRecord) {
    let markers = record.lines.indices.filter { record.lines[$0].marker != nil }
    for run in DisplayDiff.runs(page) {
      let glyphs = page.list.glyphs[run.glyphs]
      let own = Self.markers(of: glyphs, size: run.size, record.lines, markers)
      if !own.isEmpty {
        for (line, glyphs) in own { add(glyphs, as: .marker, of: run, to: line, record.lines[line]) }
      } else if let owner = Self.owner(of: run, in: record.lines) {
        add(Array(glyphs), as: owner.element, of: run, to: owner.line, record.lines[owner.line])
      }
    }
    if !markers.isEmpty { addShapes(page, record) }
  }

  private mutating func add(
    _ glyphs: [PositionedGlyph], as element: ElementKind, of run: DisplayDiff.Run, to index: Int, _ line: LineRecord
  ) {
    guard let first = glyphs.first else { return }
    var hasher = Hasher()
    hasher.combine(run.face)
    hasher.combine(run.size)
    for glyph in glyphs { hasher.combine(glyph.glyph) }
    let (along, across) = line.isVertical ? (first.y, first.x) : (first.x, first.y)
    var box = run.box
    if glyphs.count < run.glyphs.count {
      let (size, start) = (run.size.pixels, glyphs.map { $0.place(in: line) }.min() ?? 0)
      let length = (glyphs.map { $0.place(in: line) }.max() ?? 0) - start + size
      box =
        line.isVertical
        ? RecordBox(x: first.x.pixels - size / 2, y: start, width: size, height: length)
        : RecordBox(x: start, y: first.y.pixels - size, width: length, height: size * 1.25)
    }
    pieces[index, default: []].append(
      Piece(
        element: element, content: hasher.finalize(), along: along.rawValue - Self.units(line.start),
        across: across.rawValue - Self.units(line.baseline), box: box, runBox: run.box))
  }

  /// The glyphs that stand beside all lines at their height, as list markers do, by the nearest line that has one. They
  /// may be painted together with the text of their line, and of others.
  private static func markers(
    of glyphs: ArraySlice<PositionedGlyph>, size: LayoutUnit, _ lines: [LineRecord], _ markers: [Int]
  ) -> [(line: Int, glyphs: [PositionedGlyph])] {
    if markers.isEmpty { return [] }
    let reach = Double(size.rawValue) / 128
    func isAtHeight(_ glyph: PositionedGlyph, of line: LineRecord) -> Bool {
      abs((line.isVertical ? glyph.x : glyph.y).pixels - line.baseline) <= reach
    }
    func isBeside(_ glyph: PositionedGlyph, _ line: LineRecord) -> Bool {
      let place = glyph.place(in: line)
      return line.isBeside(
        line.isVertical
          ? RecordBox(x: line.box.x, y: place, width: line.box.width, height: 0)
          : RecordBox(x: place, y: line.box.y, width: 0, height: line.box.height))
    }
    var found: [Int: [PositionedGlyph]] = [:]
    for glyph in glyphs {
      let nearest = markers.filter { isAtHeight(glyph, of: lines[$0]) && isBeside(glyph, lines[$0]) }
        .min { lines[$0].distance(to: glyph) < lines[$1].distance(to: glyph) }
      guard let nearest else { continue }
      let isInLine = lines.contains { line in
        isAtHeight(glyph, of: line) && glyph.place(in: line) >= line.start - 1 && glyph.place(in: line) <= line.end
      }
      if !isInLine { found[nearest, default: []].append(glyph) }
    }
    return found.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// Markers that are drawn as shapes: discs, circles and squares.
  private mutating func addShapes(_ page: PageDisplay, _ record: PageRecord) {
    for shape in DisplayDiff.shapes(page) where shape.kind == .box || shape.kind == .shape {
      guard let rect = shape.rect else { continue }
      let box = RecordBox(rect)
      let owner = record.lines.indices.filter { index in
        let line = record.lines[index]
        return line.marker != nil && line.isBeside(box)
          && max(box.width, box.height) < line.largestSize
      }.min { record.lines[$0].gap(to: box) < record.lines[$1].gap(to: box) }
      guard let owner else { continue }
      let line = record.lines[owner]
      var hasher = Hasher()
      hasher.combine(rect.width)
      hasher.combine(rect.height)
      hasher.combine(shape.color)
      pieces[owner, default: []].append(
        Piece(
          element: .marker, content: hasher.finalize(), along: Self.units(line.start(of: box) - line.start),
          across: Self.units((line.isVertical ? box.x : box.y) - line.baseline), box: box, runBox: box))
    }
  }

  private static func units(_ pixels: Double) -> Int32 { abs(pixels) < 1e7 ? Int32((pixels * 64).rounded()) : 0 }

  /// The line that some glyphs are attached to, and as what; nil for those that stand on the baseline of a line.
  private static func owner(
    of run: DisplayDiff.Run, in lines: [LineRecord]
  ) -> (line: Int, element: ElementKind)? {
    var best: (line: Int, element: ElementKind, distance: Double)?
    let size = run.size.pixels
    for (index, line) in lines.enumerated() {
      // Small text, as letters and tones of bopomofo, may run otherwise than its line.
      let isSmall = size < line.largestSize * Self.largestRuby
      if let isVertical = run.isVertical, isVertical != line.isVertical, !isSmall { continue }
      let off = run.baseline(in: line) - line.baseline
      let start = line.start(of: run.origin)
      let isWithin = start >= line.start - 1 && start <= line.end
      if abs(off) * 64 <= Double(noise), isWithin { return nil }
      if let best, best.distance <= abs(off) { continue }
      if abs(off) <= line.extent * 1.5, start >= line.start - size, start <= line.end + size,
        let element = element(of: run, in: line, off: off)
      {
        best = (index, element, abs(off))
      }
    }
    return best.map { ($0.line, $0.element) }
  }

  /// What glyphs off a line's baseline are in it; nil where they are none of its.
  private static func element(of run: DisplayDiff.Run, in line: LineRecord, off: Double) -> ElementKind? {
    let size = run.size.pixels
    let start = line.start(of: run.origin)
    let largest = line.largestSize
    let isOfText = line.runs.contains { own in
      let (from, length) = line.isVertical ? (own.y ?? 0, own.height ?? 0) : (own.x, own.width)
      return abs(own.size - size) < 0.05 && start >= from - 1 && start <= from + length + 1
    }
    if isOfText {
      // Upright glyphs of vertical lines are centred on them.
      if line.isVertical, size > largest - 0.05 { return nil }
      return (off > 0) == line.isVertical ? .raised : .lowered
    }
    guard size < largest * largestRuby else { return nil }
    // The text of a line has its ruby, and its runs have not.
    let length = line.runs.reduce(0) { $0 + ChapterDiff.essence($1.text).count }
    return ChapterDiff.essence(line.text).count > length ? .ruby : .emphasis
  }

  /// The pieces of a line that stand otherwise by it than they did.
  ///
  /// - Parameter line: the line in the new run.
  static func moves(from old: [Piece], in oldLine: LineRecord, to new: [Piece], in line: LineRecord) -> [Move] {
    var waiting = Dictionary(grouping: old.reversed(), by: \.content)
    // Text along a line moves with what stands before it.
    let hasEqualRuns =
      oldLine.runs.count == line.runs.count
      && zip(oldLine.runs, line.runs).allSatisfy {
        $0.width == $1.width && $0.height == $1.height && $0.x - oldLine.box.x == $1.x - line.box.x
      }
    return new.compactMap { piece in
      guard let before = waiting[piece.content]?.popLast(), before.element == piece.element else { return nil }
      let (along, across) = (piece.along - before.along, piece.across - before.across)
      func move(_ distance: Int32, isDown: Bool) -> Move {
        Move(
          element: piece.element, distance: distance, isDown: isDown, oldBox: before.box, newBox: piece.box,
          runBox: piece.runBox)
      }
      if abs(across) > noise { return move(across, isDown: !line.isVertical) }
      guard abs(along) > noise, hasEqualRuns, piece.element != .raised, piece.element != .lowered else { return nil }
      return move(along, isDown: line.isVertical)
    }
  }
}

extension PositionedGlyph {
  /// Along a line, in CSS px.
  fileprivate func place(in line: LineRecord) -> Double { (line.isVertical ? y : x).pixels }
}

extension LineRecord {
  /// Along it, from its nearer end to a glyph beside it.
  fileprivate func distance(to glyph: PositionedGlyph) -> Double {
    min(abs(glyph.place(in: self) - start), abs(glyph.place(in: self) - end))
  }
}

extension DisplayDiff.Run {
  /// The place of its baseline across a line.
  fileprivate func baseline(in line: LineRecord) -> Double { line.isVertical ? origin.x : origin.y }
}
