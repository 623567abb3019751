import BookOutput
import Graphics
import Platform
import Primitives
import RasterRendering
import Synchronization
import Typesetting

/// A pair of pages that a report shows.
struct PagePair: Hashable, Sendable {
  var old: Int?
  var new: Int?
}

/// The content that a report shows of a pair of pages beside the description of the change.
struct DrawnPages: Hashable, Sendable {
  struct Side: Hashable, Sendable {
    /// The image's name.
    var file: String
    /// CSS px.
    var width: Double
    var height: Double
    var lines: [LineRecord]
    var faces: [FaceRecord]
  }

  var old: Side?
  var new: Side?
  /// The difference of their pixels, where both are there.
  var pixels: PixelDifference?
}

/// Draws pages of old and new units into a folder.
///
/// An image is named by what it shows: equal pages are drawn once, and what is there is not drawn again.
struct PageImages: Sendable {
  let old: Reference?
  let new: Reference
  let folder: String
  /// Of the program that draws: another may draw the same display list otherwise.
  let program: String
  /// By unit whose book was renamed: what the old side calls it.
  var renamed: [UnitKey: UnitKey] = [:]

  /// A unit on both sides.
  func sides(_ key: UnitKey) -> (old: StoredUnit?, new: StoredUnit?) {
    (old?.source(renamed[key] ?? key), new.source(key))
  }

  /// Images of the pages are there already.
  func areDrawn(_ pair: PagePair, of units: (old: StoredUnit?, new: StoredUnit?)) -> Bool {
    [name(pair.old, of: units.old), name(pair.new, of: units.new)].contains { name in
      name.map { Files.exists(Files.join(folder, $0)) } ?? false
    }
  }

  private func name(_ page: Int?, of unit: StoredUnit?) -> String? {
    guard let page, let unit, page > 0, page <= unit.result.pages.count else { return nil }
    var hasher = StableHasher()
    hasher.combine(unit.result.pages[page - 1].display)
    hasher.combine(unit.scale.bitPattern as UInt64)
    hasher.combine(program)
    return "page-" + hexadecimal(hasher.value) + ".png"
  }

  /// Draws what is not there.
  ///
  /// - Parameter jobs: units in work at once.
  func draw(_ pairs: [(key: UnitKey, pairs: [PagePair])], jobs: Int) throws(HarnessError) -> [UnitKey: [PagePair:
    DrawnPages]]
  {
    if pairs.isEmpty { return [:] }
    try Files.makeFolder(folder)
    struct State {
      var drawn: [UnitKey: [PagePair: DrawnPages]] = [:]
      var failure: HarnessError?
    }
    let state = Lock(State())
    Parallel.forEach(pairs.count, jobs: jobs, tools: { PNGEncoder() }) { index, encoder in
      let (key, wanted) = pairs[index]
      let units = sides(key)
      do throws(HarnessError) {
        var drawn: [PagePair: DrawnPages] = [:]
        for pair in wanted {
          let bitmaps = (bitmap(pair.old, of: units.old), bitmap(pair.new, of: units.new))
          drawn[pair] = DrawnPages(
            old: try side(pair.old, of: units.old, bitmaps.0, encoder),
            new: try side(pair.new, of: units.new, bitmaps.1, encoder))
          if let old = bitmaps.0, let new = bitmaps.1 { drawn[pair]?.pixels = PixelDifference(old, new) }
        }
        state.withLock { $0.drawn[key] = drawn }
        return true
      } catch {
        state.withLock { $0.failure = error }
        return false
      }
    }
    let (drawn, failure) = state.withLock { ($0.drawn, $0.failure) }
    if let failure { throw failure }
    return drawn
  }

  /// Removes images that no changed page of the run shows any more.
  func removeOthers(than pairs: [(key: UnitKey, pairs: [PagePair])]) {
    var needed: Set<String> = []
    for (key, pairs) in pairs {
      let units = sides(key)
      for pair in pairs {
        for name in [name(pair.old, of: units.old), name(pair.new, of: units.new)] {
          if let name { needed.insert(name) }
        }
      }
    }
    for name in Files.walk(folder)
    where name.hasPrefix("page-") && name.hasSuffix(".png") && !needed.contains(name) {
      Files.remove(Files.join(folder, name))
    }
  }

  private func bitmap(_ page: Int?, of unit: StoredUnit?) -> PageBitmap? { page.flatMap { unit?.bitmap(of: $0) } }

  private func side(
    _ page: Int?, of unit: StoredUnit?, _ bitmap: PageBitmap?, _ encoder: PNGEncoder
  ) throws(HarnessError) -> DrawnPages.Side? {
    guard let page, let unit, let name = name(page, of: unit) else { return nil }
    let path = Files.join(folder, name)
    guard let list = unit.displayList(of: page)?.list else { return nil }
    if !Files.exists(path) {
      guard let bitmap else { return nil }
      try Files.write(encoder.encode(bitmap.withoutColorIfGray()), to: path)
    }
    return DrawnPages.Side(
      file: name, width: list.size.width.pixels, height: list.size.height.pixels,
      lines: unit.record(of: page)?.lines ?? [], faces: unit.faces)
  }
}
