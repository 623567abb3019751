import Primitives
import Text

extension PageMap {
  /// The ranges of text in a rectangle, line by line.
  func ranges(in rect: Rect, _ text: ChapterText) -> [Range<Locator>] {
    var found: [(paragraph: Int, units: Range<Int>)] = []
    // The last line's end, where the text in the rectangle reaches it.
    var open: Int?
    for line in lines where line.rect.intersects(rect) {
      let paragraph = Int(line.paragraph)
      let runs = runs[Int(line.runs.lowerBound)..<Int(line.runs.upperBound)]
      let pieces = pieces(of: line, in: rect, text)
      for (index, piece) in pieces.enumerated() {
        if index == 0, let last = found.last, last.paragraph == paragraph, open == Int(line.units.lowerBound),
          piece.lowerBound == runs.map({ Int($0.units.lowerBound) }).min()
        {
          found[found.count - 1].units = last.units.lowerBound..<piece.upperBound
        } else {
          found.append((paragraph, piece))
        }
      }
      let end = runs.map { Int($0.units.upperBound) }.max()
      open = pieces.last.map(\.upperBound) == end ? Int(line.units.upperBound) : nil
    }
    return found.map { text.locators($0.units, of: $0.paragraph) }
  }

  /// The units of a line whose characters have their middle in a rectangle, in the order of the text.
  private func pieces(of line: Line, in rect: Rect, _ text: ChapterText) -> [Range<Int>] {
    var pieces: [Range<Int>] = []
    for run in runs[Int(line.runs.lowerBound)..<Int(line.runs.upperBound)] {
      let carets = TextBoundaries.carets(in: text.units, Int(run.units.lowerBound)..<Int(run.units.upperBound))
      for (start, end) in zip(carets, carets.dropFirst()) {
        let box = self.rect(run, from: edge(start, of: run), to: edge(end, of: run), in: line)
        let middle = Point(x: box.x + box.width / 2, y: box.y + box.height / 2)
        if rect.distance(to: middle) == 0 { pieces.append(start..<end) }
      }
    }
    pieces.sort { $0.lowerBound < $1.lowerBound }
    return pieces.reduce(into: []) { joined, piece in
      if let last = joined.last, last.upperBound == piece.lowerBound {
        joined[joined.count - 1] = last.lowerBound..<piece.upperBound
      } else {
        joined.append(piece)
      }
    }
  }
}
