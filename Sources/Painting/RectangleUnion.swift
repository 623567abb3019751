import Graphics
import Primitives

/// The shape that some rectangles make together.
struct RectangleUnion {
  /// The edges of all rectangles, in order.
  private let columns: [LayoutUnit]
  private let rows: [LayoutUnit]
  /// The fields between the edges that some rectangle covers, row by row.
  private var covered: [Bool]

  init(_ rects: [Rect]) {
    columns = Set(rects.flatMap { [$0.x, $0.maxX] }).sorted()
    rows = Set(rects.flatMap { [$0.y, $0.maxY] }).sorted()
    covered = [Bool](repeating: false, count: columns.count * rows.count)
    for (row, y) in rows.enumerated() {
      for (column, x) in columns.enumerated() {
        covered[row * columns.count + column] = rects.contains {
          $0.x <= x && x < $0.maxX && $0.y <= y && y < $0.maxY
        }
      }
    }
  }

  private func isCovered(_ column: Int, _ row: Int) -> Bool {
    column >= 0 && row >= 0 && column < columns.count && row < rows.count && covered[row * columns.count + column]
  }

  /// The lines around it, the shape on the right of each, with corners of a radius.
  func outline(radius: LayoutUnit) -> [PathElement] { corners().flatMap { Self.path($0, radius: radius) } }

  /// The corners of each line around it.
  private func corners() -> [[Point]] {
    var ends = [[Int]](repeating: [], count: columns.count * rows.count)
    func place(_ column: Int, _ row: Int) -> Int { row * columns.count + column }
    for row in rows.indices {
      for column in columns.indices where isCovered(column, row) {
        if !isCovered(column, row - 1) { ends[place(column, row)].append(place(column + 1, row)) }
        if !isCovered(column + 1, row) { ends[place(column + 1, row)].append(place(column + 1, row + 1)) }
        if !isCovered(column, row + 1) { ends[place(column + 1, row + 1)].append(place(column, row + 1)) }
        if !isCovered(column - 1, row) { ends[place(column, row + 1)].append(place(column, row)) }
      }
    }
    var lines: [[Point]] = []
    for start in ends.indices {
      while var end = ends[start].popLast() {
        var line = [point(start)]
        while end != start {
          let next = point(end)
          // Of edges in one direction the last one alone counts.
          if line.count > 1, Self.isStraight(line[line.count - 2], line[line.count - 1], next) { line.removeLast() }
          line.append(next)
          guard let following = ends[end].popLast() else { break }
          end = following
        }
        if line.count > 2, Self.isStraight(line[line.count - 2], line[line.count - 1], line[0]) { line.removeLast() }
        lines.append(line)
      }
    }
    return lines
  }

  private func point(_ place: Int) -> Point { Point(x: columns[place % columns.count], y: rows[place / columns.count]) }

  private static func isStraight(_ a: Point, _ b: Point, _ c: Point) -> Bool {
    a.x == b.x && b.x == c.x || a.y == b.y && b.y == c.y
  }

  private static func path(_ corners: [Point], radius: LayoutUnit) -> [PathElement] {
    var path: [PathElement] = []
    for (index, corner) in corners.enumerated() {
      let from = toward(corners[(index + corners.count - 1) % corners.count], from: corner, radius)
      let to = toward(corners[(index + 1) % corners.count], from: corner, radius)
      path.append(path.isEmpty ? .move(from) : .line(from))
      path.append(.curve(middle(from, corner), middle(to, corner), to))
    }
    path.append(.close)
    return path
  }

  /// The point on the way from a corner to the next one, half of it away at most.
  private static func toward(_ next: Point, from corner: Point, _ radius: LayoutUnit) -> Point {
    func step(_ way: LayoutUnit) -> LayoutUnit { Swift.max(-radius, Swift.min(radius, way / 2)) }
    return Point(x: corner.x + step(next.x - corner.x), y: corner.y + step(next.y - corner.y))
  }

  /// A control point of a quarter of a circle that ends at a point.
  private static func middle(_ end: Point, _ corner: Point) -> Point {
    let share = 0.552_284_75
    return Point(x: end.x + (corner.x - end.x) * share, y: end.y + (corner.y - end.y) * share)
  }
}
