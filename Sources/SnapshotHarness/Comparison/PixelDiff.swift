import Primitives
package import RasterRendering

/// Level D: what differs between two pages as pixels.
package struct PixelDifference: Hashable, Sendable {
  /// Pixels whose channels differ by more than the tolerance's.
  package var count = 0
  package var maxChannel = 0
  /// The areas that differ, in device pixels, from top to bottom.
  package var boxes: [RecordBox] = []
  /// The mean structural similarity of 8 by 8 blocks of luminance, 1 for equal pages.
  package var similarity = 1.0
  /// The most differing pixels in any window of the tolerance.
  package var densest = 0

  package init() {}

  package func isWithin(_ tolerance: PixelTolerance) -> Bool {
    count <= tolerance.maxPixels && (tolerance.window == 0 || densest <= tolerance.maxInWindow)
  }

  private static let cell = 16
  private static let maximumBoxes = 64

  /// Compares two pages, aligned at the top left (4.7): what only the larger one has differs. Pixels inside `masks` (device
  /// pixels) are left out.
  package init(
    _ old: PageBitmap, _ new: PageBitmap, tolerance: PixelTolerance = .exact, masks: [RecordBox] = []
  ) {
    if old == new { return }
    let width = max(old.width, new.width)
    let height = max(old.height, new.height)
    var differs = [Bool](repeating: false, count: width * height)
    let ignored = Self.ignored(masks, width: width, height: height)
    for y in 0..<height {
      if y < old.height, y < new.height, Self.rowsAreEqual(old, new, y) { continue }
      for x in 0..<width where ignored.isEmpty || !ignored[y * width + x] {
        guard x < old.width, x < new.width, y < old.height, y < new.height else {
          differs[y * width + x] = true
          maxChannel = 255
          count += 1
          continue
        }
        let a = old.pixel(x: x, y: y)
        let b = new.pixel(x: x, y: y)
        let distance = max(
          abs(Int(a.red) - Int(b.red)), abs(Int(a.green) - Int(b.green)), abs(Int(a.blue) - Int(b.blue)))
        maxChannel = max(maxChannel, distance)
        if distance > tolerance.maxChannel {
          differs[y * width + x] = true
          count += 1
        }
      }
    }
    if count == 0 { return }
    boxes = Self.boxes(differs, width: width, height: height)
    similarity = Self.similarity(old, new, differs, width: width, height: height)
    if tolerance.window > 0 { densest = Self.densest(differs, width: width, height: height, window: tolerance.window) }
  }

  private static func ignored(_ masks: [RecordBox], width: Int, height: Int) -> [Bool] {
    if masks.isEmpty { return [] }
    var result = [Bool](repeating: false, count: width * height)
    func clamp(_ value: Double, _ limit: Int) -> Int { Int(max(0, min(Double(limit), value.rounded()))) }
    for mask in masks {
      let columns = clamp(mask.x, width)..<max(clamp(mask.x, width), clamp(mask.x + mask.width, width))
      for y in clamp(mask.y, height)..<max(clamp(mask.y, height), clamp(mask.y + mask.height, height)) {
        for x in columns { result[y * width + x] = true }
      }
    }
    return result
  }

  private static func rowsAreEqual(_ old: PageBitmap, _ new: PageBitmap, _ y: Int) -> Bool {
    guard old.format == new.format, old.width == new.width else { return false }
    let length = old.width * old.format.bytesPerPixel
    return unsafe old.pixels.withUnsafeBytes { a in
      unsafe new.pixels.withUnsafeBytes { b in
        unsafe a[y * length..<(y + 1) * length].elementsEqual(b[y * length..<(y + 1) * length])
      }
    }
  }

  /// Neighbouring cells of the grid that hold differences, joined, and shrunk to the differing pixels.
  private static func boxes(_ differs: [Bool], width: Int, height: Int) -> [RecordBox] {
    struct Extent {
      var left = Int.max
      var top = Int.max
      var right = 0
      var bottom = 0
    }
    let columns = (width + cell - 1) / cell
    let rows = (height + cell - 1) / cell
    var cells = [Extent](repeating: Extent(), count: columns * rows)
    for y in 0..<height {
      for x in 0..<width where differs[y * width + x] {
        let at = y / cell * columns + x / cell
        cells[at].left = min(cells[at].left, x)
        cells[at].right = max(cells[at].right, x + 1)
        cells[at].top = min(cells[at].top, y)
        cells[at].bottom = max(cells[at].bottom, y + 1)
      }
    }
    var boxes: [Extent] = []
    var seen = cells.map { $0.right == 0 }
    var waiting: [Int] = []
    for start in cells.indices where !seen[start] {
      var box = Extent()
      seen[start] = true
      waiting.append(start)
      while let at = waiting.popLast() {
        box.left = min(box.left, cells[at].left)
        box.right = max(box.right, cells[at].right)
        box.top = min(box.top, cells[at].top)
        box.bottom = max(box.bottom, cells[at].bottom)
        let (column, row) = (at % columns, at / columns)
        for y in max(0, row - 1)...min(rows - 1, row + 1) {
          for x in max(0, column - 1)...min(columns - 1, column + 1) where !seen[y * columns + x] {
            seen[y * columns + x] = true
            waiting.append(y * columns + x)
          }
        }
      }
      boxes.append(box)
    }
    if boxes.count > maximumBoxes {
      // The rest in one.
      var rest = boxes[maximumBoxes - 1]
      for box in boxes[maximumBoxes...] {
        rest.left = min(rest.left, box.left)
        rest.right = max(rest.right, box.right)
        rest.top = min(rest.top, box.top)
        rest.bottom = max(rest.bottom, box.bottom)
      }
      boxes.removeSubrange((maximumBoxes - 1)...)
      boxes.append(rest)
    }
    return boxes.map {
      RecordBox(
        x: Double($0.left), y: Double($0.top), width: Double($0.right - $0.left), height: Double($0.bottom - $0.top))
    }
  }

  /// Blocks without differences count as 1 without being looked at.
  private static func similarity(
    _ old: PageBitmap, _ new: PageBitmap, _ differs: [Bool], width: Int, height: Int
  ) -> Double {
    func luminance(_ page: PageBitmap, _ x: Int, _ y: Int) -> Double {
      guard x < page.width, y < page.height else { return 0 }
      let pixel = page.pixel(x: x, y: y)
      return 0.299 * Double(pixel.red) + 0.587 * Double(pixel.green) + 0.114 * Double(pixel.blue)
    }
    let size = 8
    var sum = 0.0
    var blocks = 0
    for top in stride(from: 0, to: height, by: size) {
      for left in stride(from: 0, to: width, by: size) {
        blocks += 1
        let rows = top..<min(top + size, height)
        let columns = left..<min(left + size, width)
        guard rows.contains(where: { y in columns.contains { differs[y * width + $0] } }) else {
          sum += 1
          continue
        }
        var (a, b, aa, bb, ab) = (0.0, 0.0, 0.0, 0.0, 0.0)
        for y in rows {
          for x in columns {
            let (p, q) = (luminance(old, x, y), luminance(new, x, y))
            a += p
            b += q
            aa += p * p
            bb += q * q
            ab += p * q
          }
        }
        let count = Double(rows.count * columns.count)
        let (meanA, meanB) = (a / count, b / count)
        let (varianceA, varianceB) = (aa / count - meanA * meanA, bb / count - meanB * meanB)
        let covariance = ab / count - meanA * meanB
        // The constants of Wang et al. 2004: (0.01 * 255)^2 and (0.03 * 255)^2.
        let (c1, c2) = (6.5025, 58.5225)
        sum +=
          (2 * meanA * meanB + c1) * (2 * covariance + c2)
          / ((meanA * meanA + meanB * meanB + c1) * (varianceA + varianceB + c2))
      }
    }
    return blocks == 0 ? 1 : sum / Double(blocks)
  }

  /// The most differing pixels in any square, from sums over all rectangles at the origin.
  private static func densest(_ differs: [Bool], width: Int, height: Int, window: Int) -> Int {
    let columns = width + 1
    var sums = [Int32](repeating: 0, count: columns * (height + 1))
    for y in 0..<height {
      var row: Int32 = 0
      for x in 0..<width {
        row += differs[y * width + x] ? 1 : 0
        sums[(y + 1) * columns + x + 1] = sums[y * columns + x + 1] + row
      }
    }
    let (w, h) = (min(window, width), min(window, height))
    var most: Int32 = 0
    for y in 0...(height - h) {
      for x in 0...(width - w) {
        let inside =
          sums[(y + h) * columns + x + w] - sums[y * columns + x + w] - sums[(y + h) * columns + x]
          + sums[y * columns + x]
        most = max(most, inside)
      }
    }
    return Int(most)
  }
}
