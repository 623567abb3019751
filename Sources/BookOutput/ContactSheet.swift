import BookEngine
import ChapterEngine
import Graphics
import Primitives
import Publications
import RasterRendering

/// One image with all pages of the book, small, row by row in the direction in which they are read.
final class ContactSheet: PageOutput, @unchecked Sendable {
  private let resources: BookResources
  private let stream: OutputStream
  // Pages are appended by one worker at a time.
  private var grid: ThumbnailGrid

  init(_ resources: BookResources, to target: OutputTarget) throws(BookError) {
    self.resources = resources
    stream = try OutputStream(target)
    grid = ThumbnailGrid(isRightToLeft: resources.publication.metadata.pageProgression == .rightToLeft)
  }

  var needs: PageNeeds { .list }

  func makeTools() -> RasterRenderer { resources.renderer() }

  func prepare(_ page: BookPage, _ renderer: RasterRenderer) throws(BookError) -> PageBitmap? {
    guard let list = page.list else { return nil }
    let side = Swift.max(1, Swift.max(list.size.width, list.size.height).pixels)
    let bitmap = renderer.render(list, scale: Double(ThumbnailGrid.side) / side)
    if RasterRenderer.lacksCairo {
      throw BookError(.unavailable, "a page cannot be drawn: \(OptionalLibrary.cairo.absence)")
    }
    return bitmap
  }

  func append(_ page: PageBitmap?, number: Int) { if let page { grid.add(page) } }

  func finish(_ book: BookEnd) throws(BookError) -> DiagnosticSink {
    if book.error == nil {
      try stream.append(PNGEncoder().encode(grid.sheet()))
      try stream.finish()
    }
    return DiagnosticSink()
  }
}

/// Small pages in rows, in an image of bounded size: where there are too many for it, all of them become half as large.
struct ThumbnailGrid {
  /// The longer side of a page, in pixels of the sheet, as long as there are few.
  static let side = 256
  /// Pixels of all pages: a bound on memory, and on the sheet.
  private static let mostPixels = 16 << 20
  /// Pages become no smaller.
  private static let leastSide = 16
  /// The grey around the pages.
  private static let ground: UInt8 = 0xB0
  /// The sheet is about so many times as wide as it is high.
  private static let shape = 4.0 / 3

  private let isRightToLeft: Bool
  private var pages: [PageBitmap] = []
  private var pixels = 0
  /// How often pages have become half as large.
  private var halvings = 0

  init(isRightToLeft: Bool) { self.isRightToLeft = isRightToLeft }

  mutating func add(_ page: PageBitmap) {
    var page = page
    for _ in 0..<halvings { page = page.halved() }
    pages.append(page)
    pixels += page.width * page.height
    while pixels > Self.mostPixels, Self.side >> (halvings + 1) >= Self.leastSide {
      halvings += 1
      for index in pages.indices { pages[index] = pages[index].halved() }
      pixels = pages.reduce(0) { $0 + $1.width * $1.height }
    }
  }

  /// The pages in cells that the largest of them fills, each in the middle of its own.
  func sheet() -> PageBitmap {
    let gap = Swift.max(2, (Self.side >> halvings) / 16)
    let cell = (
      width: (pages.map(\.width).max() ?? 0) + gap, height: (pages.map(\.height).max() ?? 0) + gap
    )
    let wanted = (Double(pages.count * cell.height) * Self.shape / Double(cell.width)).squareRoot()
    let columns = Swift.max(1, Swift.min(pages.count, Int(wanted.rounded())))
    let rows = (pages.count + columns - 1) / columns
    let isGray = pages.allSatisfy { $0.format == .gray8 }
    var sheet = PageBitmap(
      width: columns * cell.width + gap, height: rows * cell.height + gap, format: isGray ? .gray8 : .bgra32,
      pixels: [])
    sheet.pixels = Array(
      repeating: Self.ground, count: sheet.width * sheet.height * sheet.format.bytesPerPixel)
    for (index, page) in pages.enumerated() {
      let column = isRightToLeft ? columns - 1 - index % columns : index % columns
      sheet.place(
        page, x: gap + column * cell.width + (cell.width - gap - page.width) / 2,
        y: gap + index / columns * cell.height + (cell.height - gap - page.height) / 2)
    }
    return sheet
  }
}

extension PageBitmap {
  /// Half as wide and high, each pixel the mean of those it stands for.
  fileprivate func halved() -> PageBitmap {
    let depth = format.bytesPerPixel
    var half = PageBitmap(width: (width + 1) / 2, height: (height + 1) / 2, format: format, pixels: [])
    half.pixels.reserveCapacity(half.width * half.height * depth)
    for y in 0..<half.height {
      let (top, bottom) = (y * 2 * width, Swift.min(y * 2 + 1, height - 1) * width)
      for x in 0..<half.width {
        let (left, right) = (x * 2, Swift.min(x * 2 + 1, width - 1))
        for channel in 0..<depth {
          let sum = [top + left, top + right, bottom + left, bottom + right].reduce(2) {
            $0 + Int(pixels[$1 * depth + channel])
          }
          half.pixels.append(UInt8(sum / 4))
        }
      }
    }
    return half
  }

  /// Copies a page into this one, which may have colours where the other is grey.
  fileprivate mutating func place(_ page: PageBitmap, x: Int, y: Int) {
    let depth = format.bytesPerPixel
    let step = page.format.bytesPerPixel
    for row in 0..<page.height {
      for column in 0..<page.width {
        let source = (row * page.width + column) * step
        let target = ((y + row) * width + x + column) * depth
        for channel in 0..<depth { pixels[target + channel] = page.pixels[source + (step == 1 ? 0 : channel)] }
      }
    }
  }
}
