import CFreeType
import Fonts
import Graphics
import Primitives

/// The coverage of one glyph at one sub-pixel position.
struct GlyphMask {
  /// From the pixel of the origin to the mask's left edge, and from the baseline up to its top edge.
  var left: Int32
  var top: Int32
  var width: Int32
  var height: Int32
  /// Bytes from a row to the next: the width rounded up to a multiple of eight, the rest zero.
  var pitch: Int32
  /// Where its rows start in the cache's store.
  var offset: Int
}

/// Coverage masks of glyphs by face, size, rotation and quarter-pixel phase, rasterised once by FreeType.
///
/// All masks lie in one block of memory; when that is full everything is dropped, which costs time and changes no pixel.
final class GlyphMaskCache {
  struct StrikeKey: Hashable {
    var font: FontID
    /// 1/64 device px per em.
    var size: Int
    var rotation: GlyphRotation
  }

  /// The masks of one face at one size.
  struct Strike {
    var key: StrikeKey
    var entry: GlyphFaces.Entry
    /// For each block of 64 glyphs: 256 positions in `masks` plus one, by glyph and phase, and 64 in `outlines` plus one;
    /// empty until needed.
    var blocks: [[Int32]]
    /// By glyph and the colour of the text, which some pictures take up.
    var colorGlyphs: [UInt64: ColorGlyph?] = [:]
  }

  /// Sizes above this are drawn as paths: 1/64 device px per em.
  static let largestSize = 320 * 64

  let faces: GlyphFaces
  @exclusivity(unchecked) private(set) var rasterised = 0
  @exclusivity(unchecked) private var strikes: [Strike] = []
  @exclusivity(unchecked) private var strikeIndex: [StrikeKey: Int] = [:]
  @exclusivity(unchecked) private var masks: [GlyphMask] = []
  @exclusivity(unchecked) private var outlines = OutlineStore()
  @exclusivity(unchecked) private var store: UnsafeMutablePointer<UInt8>
  @exclusivity(unchecked) private var capacity = 1 << 20
  @exclusivity(unchecked) private var used = 0
  private let maximum: Int

  init(faces: GlyphFaces, maximum: Int = 24 << 20) {
    self.faces = faces
    self.maximum = maximum
    store = .allocate(capacity: capacity)
  }

  deinit { store.deallocate() }

  /// The strike of a run; `nil` when the face cannot be drawn. Positions are valid until the next call.
  func strike(_ key: StrikeKey) -> Int? {
    if used + outlines.byteCount > maximum { reset() }
    if let known = strikeIndex[key] { return known }
    guard let entry = faces.entry(key.font) else { return nil }
    let blockCount = (Swift.max(entry.face.glyphCount, 1) + 63) / 64
    strikes.append(Strike(key: key, entry: entry, blocks: [[Int32]](repeating: [], count: blockCount)))
    strikeIndex[key] = strikes.count - 1
    return strikes.count - 1
  }

  private func reset() {
    strikes = []
    strikeIndex = [:]
    masks = []
    outlines.removeAll()
    used = 0
  }

  /// The mask of a glyph at a quarter-pixel phase. An empty one has no width.
  @inline(__always)
  func mask(_ glyph: UInt16, phase: Int, strike: Int) -> GlyphMask {
    let block = Int(glyph >> 6)
    if block < strikes[strike].blocks.count, !strikes[strike].blocks[block].isEmpty {
      let position = strikes[strike].blocks[block][Int(glyph & 63) << 2 | phase]
      if position != 0 { return masks[Int(position) - 1] }
    }
    return make(glyph, phase: phase, strike: strike)
  }

  /// The rows of a mask, `pitch` bytes each; valid until the next mask is asked for.
  @inline(__always)
  func rows(_ mask: GlyphMask) -> UnsafePointer<UInt8> { UnsafePointer(store + mask.offset) }

  private func make(_ glyph: UInt16, phase: Int, strike: Int) -> GlyphMask {
    let block = Int(glyph >> 6)
    let empty = GlyphMask(left: 0, top: 0, width: 0, height: 0, pitch: 0, offset: 0)
    guard block < strikes[strike].blocks.count else { return empty }
    if strikes[strike].blocks[block].isEmpty { strikes[strike].blocks[block] = [Int32](repeating: 0, count: 320) }
    let mask = rasterise(glyph, phase: phase, strike: strike) ?? empty
    masks.append(mask)
    strikes[strike].blocks[block][Int(glyph & 63) << 2 | phase] = Int32(masks.count)
    return mask
  }

  private func rasterise(_ glyph: UInt16, phase: Int, strike: Int) -> GlyphMask? {
    let key = strikes[strike].key
    let entry = strikes[strike].entry
    let block = Int(glyph >> 6)
    let place = 256 + Int(glyph & 63)
    let saved = Int(strikes[strike].blocks[block][place]) - 1
    if saved >= 0 { return outlines.withOutline(saved) { fill($0, phase: phase, rotation: key.rotation) } }
    guard key.size > 0, key.size <= Self.largestSize, faces.setSize(key.size, of: entry),
      let outline = faces.outline(glyph, of: entry)
    else { return nil }
    if let number = outlines.save(outline.pointee) { strikes[strike].blocks[block][place] = Int32(number + 1) }
    return fill(outline, phase: phase, rotation: key.rotation)
  }

  private func fill(_ outline: UnsafeMutablePointer<FT_Outline>, phase: Int, rotation: GlyphRotation) -> GlyphMask? {
    rasterised += 1
    switch rotation {
    case .none: FT_Outline_Translate(outline, FT_Pos(phase * 16), 0)
    case .clockwise90:
      var turn = FT_Matrix(xx: 0, xy: 0x10000, yx: -0x10000, yy: 0)
      FT_Outline_Transform(outline, &turn)
      // The phase moves along the line, which runs downwards.
      FT_Outline_Translate(outline, 0, FT_Pos(-phase * 16))
    case .counterclockwise90:
      var turn = FT_Matrix(xx: 0, xy: -0x10000, yx: 0x10000, yy: 0)
      FT_Outline_Transform(outline, &turn)
      FT_Outline_Translate(outline, 0, FT_Pos(-phase * 16))
    }
    var box = FT_BBox()
    FT_Outline_Get_CBox(outline, &box)
    let left = box.xMin >> 6
    let bottom = box.yMin >> 6
    let width = Int((box.xMax + 63) >> 6) - Int(left)
    let height = Int((box.yMax + 63) >> 6) - Int(bottom)
    // A lying outline may be of any extent.
    guard width > 0, height > 0, width <= 4096, height <= 4096 else { return nil }
    FT_Outline_Translate(outline, -left * 64, -bottom * 64)
    let pitch = (width + 7) & ~7
    let size = pitch * height
    reserve(size)
    (store + used).initialize(repeating: 0, count: size)
    guard faces.rasterise(outline, into: store + used, width: width, height: height, pitch: pitch) else { return nil }
    let mask = GlyphMask(
      left: Int32(left), top: Int32(Int(bottom) + height), width: Int32(width), height: Int32(height),
      pitch: Int32(pitch), offset: used)
    used += size
    return mask
  }

  private func reserve(_ size: Int) {
    guard used + size > capacity else { return }
    while used + size > capacity { capacity *= 2 }
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    larger.update(from: store, count: used)
    store.deallocate()
    store = larger
  }

  /// The coloured picture of a glyph of a colour face.
  func colorGlyph(_ glyph: UInt16, strike: Int, foreground: Color) -> ColorGlyph? {
    let rgb = UInt64(foreground.red) << 16 | UInt64(foreground.green) << 8 | UInt64(foreground.blue)
    let key = UInt64(glyph) << 24 | rgb
    if let known = strikes[strike].colorGlyphs[key] { return known }
    let made = faces.colorGlyph(
      glyph, of: strikes[strike].entry, size: strikes[strike].key.size, foreground: foreground)
    strikes[strike].colorGlyphs[key] = .some(made)
    return made
  }

  func entry(of strike: Int) -> GlyphFaces.Entry { strikes[strike].entry }
}
