import Typesetting

/// The place in two pages where lines begin to differ: what a thumbnail has to show.
enum LineFocus {
  /// - Parameters:
  ///   - old: the changed boxes of the old page, and its lines.
  ///   - new: those of the new one.
  /// - Returns: `x, y` on the old page and on the new one, in CSS px; nil where no text or run of the changed lines differs.
  static func place(
    _ old: (boxes: [Double], lines: [LineRecord]), _ new: (boxes: [Double], lines: [LineRecord])
  ) -> [Double]? {
    let before = changed(old.lines, old.boxes)
    let after = changed(new.lines, new.boxes)
    for (one, other) in zip(before, after) {
      guard one.writing == "horizontal-tb", other.writing == one.writing else { return nil }
      if one.text != other.text {
        let count = zip(one.text, other.text).prefix { $0 == $1 }.count
        return point(count, in: one) + point(count, in: other)
      }
      guard let run = differingRun(one, other) else { continue }
      return [one.runs[run].x, one.box.y, other.runs[run].x, other.box.y]
    }
    return nil
  }

  /// The first run that is set otherwise in its line.
  private static func differingRun(_ old: LineRecord, _ new: LineRecord) -> Int? {
    zip(old.runs, new.runs).enumerated().first { _, pair in
      pair.0.text != pair.1.text || pair.0.size != pair.1.size || pair.0.color != pair.1.color
        || abs(pair.0.width - pair.1.width) > 0.1
        || abs((pair.0.x - old.box.x) - (pair.1.x - new.box.x)) > 0.1
    }?.offset
  }

  /// The place of a line's character, as far as runs tell.
  private static func point(_ index: Int, in line: LineRecord) -> [Double] {
    var left = index
    for run in line.runs {
      let count = run.text.count
      if left <= count, count > 0 {
        let share = Double(left) / Double(count)
        return [run.x + run.width * (line.dir == "rtl" ? 1 - share : share), line.box.y]
      }
      left -= count
    }
    return [line.dir == "rtl" ? line.box.x : line.box.x + line.box.width, line.box.y]
  }

  private static func changed(_ lines: [LineRecord], _ boxes: [Double]) -> [LineRecord] {
    lines.filter { line in
      let middle = line.box.y + line.box.height / 2
      let right = line.box.x + line.box.width
      for at in stride(from: 0, to: boxes.count - 3, by: 4) {
        let (x, y) = (boxes[at], boxes[at + 1])
        if middle >= y, middle <= y + boxes[at + 3], line.box.x < x + boxes[at + 2], right > x { return true }
      }
      return false
    }
  }
}
