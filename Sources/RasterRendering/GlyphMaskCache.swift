import CFreeType
import Fonts
import Graphics
import Primitives
import Synchronization

/// The coverage of one glyph at one sub-pixel position. Its rows follow it in memory.
struct GlyphMask {
  /// From the pixel of the origin to the mask's left edge, and from the baseline up to its top edge.
  var left: Int32 = 0
  var top: Int32 = 0
  var width: Int32 = 0
  var height: Int32 = 0
  /// Bytes from a row to the next: the width rounded up to a multiple of eight, the rest zero.
  var pitch: Int32 = 0

  fileprivate static let rowOffset = 24
}

/// A mask to draw from; valid until the next one is asked for.
@safe struct GlyphMaskReference {
  fileprivate let memory: UnsafeRawPointer

  @inline(__always)
  var mask: GlyphMask { unsafe memory.load(as: GlyphMask.self) }
  /// `pitch` bytes each.
  @inline(__always)
  var rows: UnsafePointer<UInt8> { unsafe (memory + GlyphMask.rowOffset).assumingMemoryBound(to: UInt8.self) }
}

/// Coverage masks of glyphs by face, size, rotation, expansion and quarter-pixel phase, rasterised once by FreeType: the way of one renderer to
/// the masks that all share.
@safe final class GlyphMaskCache {
  struct StrikeKey: Hashable {
    var font: FontID
    /// 1/64 device px per em.
    var size: Int
    var rotation: GlyphRotation
    /// Thousandths by which glyphs are wider.
    var expansion: Int16 = 0
  }

  /// The masks of one face at one size.
  @safe private struct Strike {
    var key: StrikeKey
    var entry: GlyphFaces.Entry
    var blockCount: Int
    /// For each block of 64 glyphs the place of a table, which has 256 places of masks, by glyph and phase, and 64 of outlines; nil
    /// when the arena has no room.
    var blocks: GlyphArena.Places?
    /// By glyph and the colour of the text, which some pictures take up.
    var colorGlyphs: [UInt64: ColorGlyph?] = [:]
  }

  private static let blockSize = 320

  /// Sizes above this are drawn as paths: 1/64 device px per em.
  static let largestSize = 320 * 64

  let faces: GlyphFaces
  private(set) var rasterised = 0
  private let store: GlyphMaskStore
  private var arena: GlyphArena
  private var strikes: [Strike] = []
  private var strikeIndex: [StrikeKey: Int] = [:]
  /// For a mask that the arena has no room for.
  private var spare: UnsafeMutableRawPointer
  private var spareSize = GlyphMask.rowOffset

  init(faces: GlyphFaces, store: GlyphMaskStore) {
    self.faces = faces
    self.store = store
    arena = store.arena()
    unsafe spare = .allocate(byteCount: spareSize, alignment: 8)
  }

  deinit { unsafe spare.deallocate() }

  /// The strike of a run; `nil` when the face cannot be drawn. Positions are valid until the next call.
  func strike(_ key: StrikeKey) -> Int? {
    if arena.isFull {
      strikes = []
      strikeIndex = [:]
      arena = store.arena(instead: arena)
    }
    if let known = strikeIndex[key] { return known }
    guard let entry = faces.entry(key.font) else { return nil }
    let blockCount = (Swift.max(entry.face.glyphCount, 1) + 63) / 64
    unsafe strikes.append(
      Strike(key: key, entry: entry, blockCount: blockCount, blocks: arena.blocks(of: key, count: blockCount)))
    strikeIndex[key] = strikes.count - 1
    return strikes.count - 1
  }

  /// The mask of a glyph at a quarter-pixel phase. An empty one has no width.
  @inline(__always)
  func mask(_ glyph: UInt16, phase: Int, strike: Int) -> GlyphMaskReference {
    let block = Int(glyph >> 6)
    if block < strikes[strike].blockCount, let blocks = unsafe strikes[strike].blocks {
      let table = unsafe blocks[block].load(ordering: .acquiring)
      if table != 0 {
        let place = unsafe arena.table(table)[Int(glyph & 63) << 2 | phase].load(ordering: .acquiring)
        if place != 0 { return unsafe GlyphMaskReference(memory: arena.memory(place)) }
      }
    }
    return make(glyph, phase: phase, strike: strike)
  }

  private func make(_ glyph: UInt16, phase: Int, strike: Int) -> GlyphMaskReference {
    let number = Int(glyph >> 6)
    let block = unsafe strikes[strike].blocks.flatMap {
      unsafe number < strikes[strike].blockCount ? arena.block(number, of: $0, count: Self.blockSize) : nil
    }
    let place = unsafe rasterise(glyph, phase: phase, strike: strike, block) ?? save(GlyphMask()).place
    if place != 0 { unsafe block?[Int(glyph & 63) << 2 | phase].store(place, ordering: .releasing) }
    return unsafe GlyphMaskReference(memory: place == 0 ? spare : arena.memory(place))
  }

  /// - Returns: The mask's place, zero where it is the spare one; nil when there is nothing to see.
  private func rasterise(_ glyph: UInt16, phase: Int, strike: Int, _ block: GlyphArena.Places?) -> GlyphPlace? {
    let key = strikes[strike].key
    let entry = strikes[strike].entry
    let outlinePlace = 256 + Int(glyph & 63)
    if let saved = unsafe block?[outlinePlace].load(ordering: .acquiring), saved != 0 {
      return unsafe SavedOutline.withOutline(at: saved, in: arena) {
        unsafe fill($0, phase: phase, key)
      }
    }
    guard key.size > 0, key.size <= Self.largestSize, faces.setSize(key.size, of: entry),
      let outline = unsafe faces.outline(glyph, of: entry)
    else { return nil }
    if let block = unsafe block {
      let saved = unsafe SavedOutline.save(outline.pointee, in: arena)
      if saved != 0 { unsafe block[outlinePlace].store(saved, ordering: .releasing) }
    }
    return unsafe fill(outline, phase: phase, key)
  }

  private func fill(_ outline: UnsafeMutablePointer<FT_Outline>, phase: Int, _ key: StrikeKey) -> GlyphPlace? {
    rasterised += 1
    if key.expansion != 0 {
      var wider = FT_Matrix(xx: 0x10000 + FT_Fixed(key.expansion) * 0x10000 / 1000, xy: 0, yx: 0, yy: 0x10000)
      unsafe FT_Outline_Transform(outline, &wider)
    }
    switch key.rotation {
    case .none: unsafe FT_Outline_Translate(outline, FT_Pos(phase * 16), 0)
    case .clockwise90:
      var turn = FT_Matrix(xx: 0, xy: 0x10000, yx: -0x10000, yy: 0)
      unsafe FT_Outline_Transform(outline, &turn)
      // The phase moves along the line, which runs downwards.
      unsafe FT_Outline_Translate(outline, 0, FT_Pos(-phase * 16))
    case .counterclockwise90:
      var turn = FT_Matrix(xx: 0, xy: -0x10000, yx: 0x10000, yy: 0)
      unsafe FT_Outline_Transform(outline, &turn)
      unsafe FT_Outline_Translate(outline, 0, FT_Pos(-phase * 16))
    }
    var box = FT_BBox()
    unsafe FT_Outline_Get_CBox(outline, &box)
    let left = box.xMin >> 6
    let bottom = box.yMin >> 6
    let width = Int((box.xMax + 63) >> 6) - Int(left)
    let height = Int((box.yMax + 63) >> 6) - Int(bottom)
    // A lying outline may be of any extent.
    guard width > 0, height > 0, width <= 4096, height <= 4096 else { return nil }
    unsafe FT_Outline_Translate(outline, -left * 64, -bottom * 64)
    let mask = GlyphMask(
      left: Int32(left), top: Int32(Int(bottom) + height), width: Int32(width), height: Int32(height),
      pitch: Int32((width + 7) & ~7))
    let (place, rows) = unsafe save(mask)
    return unsafe faces.rasterise(outline, into: rows, width: width, height: height, pitch: Int(mask.pitch))
      ? place : nil
  }

  /// Writes a mask whose rows are zero, to the arena or to the spare memory.
  private func save(_ mask: GlyphMask) -> (place: GlyphPlace, rows: UnsafeMutablePointer<UInt8>) {
    let rowBytes = Int(mask.pitch) * Int(mask.height)
    let place = arena.take(GlyphMask.rowOffset + rowBytes)
    if place == 0 {
      reserveSpare(GlyphMask.rowOffset + rowBytes)
      unsafe (spare + GlyphMask.rowOffset).initializeMemory(as: UInt8.self, repeating: 0, count: rowBytes)
    }
    let memory = unsafe place == 0 ? spare : arena.memory(place)
    unsafe memory.storeBytes(of: mask, as: GlyphMask.self)
    return unsafe (place, (memory + GlyphMask.rowOffset).assumingMemoryBound(to: UInt8.self))
  }

  private func reserveSpare(_ size: Int) {
    guard size > spareSize else { return }
    unsafe spare.deallocate()
    unsafe spare = .allocate(byteCount: size, alignment: 8)
    spareSize = size
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
