package import Graphics
package import RasterRendering

/// A page's display list, apart from the book it came from. Its `FontID`s index `faces`, its `ImageID`s `images`; both name
/// what they stand for by content, so the displays of two runs can be compared item by item.
package struct PageDisplay: Hashable, Sendable {
  package var list: DisplayList
  /// By `FontID`: the key of the face (`FaceContent`).
  package var faces: [UInt64]
  /// By `FontID`: a stable hash of the outlines of its glyphs that stand on the page; zero where they are not known.
  package var outlines: [UInt64]
  /// By `ImageID`: a stable hash of the image's file.
  package var images: [UInt64]

  package init(list: DisplayList, faces: [UInt64] = [], outlines: [UInt64] = [], images: [UInt64] = []) {
    self.list = list
    self.faces = faces
    self.outlines = outlines
    self.images = images
  }
}

extension PageDisplay {
  /// The faces of both pages whose glyphs have other outlines on this one: another version of a font, or a slant, weight or palette
  /// that is made otherwise.
  func facesDrawnOtherwise(than old: PageDisplay) -> Set<UInt64> {
    let before = Dictionary(zip(old.faces, old.outlines), uniquingKeysWith: { first, _ in first })
    return Set(
      zip(faces, outlines).filter { key, own in before[key].map { $0 != 0 && own != 0 && $0 != own } ?? false }.map(\.0)
    )
  }
}

/// A unit of a run as the comparison reads it: what is known of the whole at once, its pages only when they are asked for.
///
/// Pages count from 1. A page whose `PageHashes.display` is equal in both runs needs none of the functions. They return nil
/// for what the run does not hold and what cannot be made again.
package protocol UnitSource {
  var result: UnitResult { get }
  /// The faces that `RunRecord.font` numbers.
  var faces: [FaceRecord] { get }
  /// Level C: the page's layout record.
  func record(of page: Int) -> PageRecord?
  /// The page's layout record as it is stored.
  func recordText(of page: Int) -> [UInt8]?
  /// Level B: what was painted.
  func displayList(of page: Int) -> PageDisplay?
  /// Level D: the page's pixels, drawn from its display list.
  func bitmap(of page: Int) -> PageBitmap?
}

extension UnitSource {
  package func recordText(of page: Int) -> [UInt8]? { nil }
}

/// A unit whose pages are at hand.
package struct UnitInMemory: UnitSource, Sendable {
  package var result: UnitResult
  package var faces: [FaceRecord]
  package var records: [PageRecord]
  package var displays: [PageDisplay]
  package var bitmaps: [PageBitmap]

  package init(
    result: UnitResult, faces: [FaceRecord] = [], records: [PageRecord] = [], displays: [PageDisplay] = [],
    bitmaps: [PageBitmap] = []
  ) {
    self.result = result
    self.faces = faces
    self.records = records
    self.displays = displays
    self.bitmaps = bitmaps
  }

  package func record(of page: Int) -> PageRecord? { Self.page(page, of: records) }
  package func displayList(of page: Int) -> PageDisplay? { Self.page(page, of: displays) }
  package func bitmap(of page: Int) -> PageBitmap? { Self.page(page, of: bitmaps) }

  private static func page<Value>(_ number: Int, of values: [Value]) -> Value? {
    number > 0 && number <= values.count ? values[number - 1] : nil
  }
}
