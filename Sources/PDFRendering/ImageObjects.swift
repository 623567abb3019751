import CImageCodecs
import Graphics
import ImageCodecs
import Images
import Primitives
import RasterRendering

/// Pictures as image objects (ISO 32000-1, section 8.9.5): JPEG files as they are, all others deflated without loss, what they
/// are transparent by as soft masks. Drawings are forms, and so are glyphs of faces that may not be embedded.
struct ImageObjects {
  private let images: ImageStore
  private let shapes: GlyphShapes
  private let deflater: Deflater
  private let leavesOut: Bool
  private var known: [PictureSource.Key: PDFObjectID] = [:]

  /// - Parameter leavesOut: `true` if nothing is to be seen in the place of a picture.
  init(images: ImageStore, shapes: GlyphShapes, deflater: Deflater, leavesOut: Bool = false) {
    self.leavesOut = leavesOut
    self.images = images
    self.shapes = shapes
    self.deflater = deflater
  }

  /// The object of a picture, written at its first use; nil where nothing can be read.
  mutating func object(_ source: PictureSource, in file: inout PDFFile) -> PDFObjectID {
    if let known = known[source.key] { return known }
    let id = file.allocate()
    known[source.key] = id
    if leavesOut {
      writeNothing(as: id, in: &file)
      return id
    }
    switch source {
    case .file(let image):
      if let data = images.source(of: image), let header = JPEGHeader(data), header.isPlain {
        var dictionary = Self.dictionary(width: header.width, height: header.height)
        if let profile = images.profile(of: image), profile.channels == header.components {
          let space = file.allocate()
          var entries = PDFBytes("/N")
          entries.integer(profile.channels)
          file.add(stream: profile.bytes, entries, as: space)
          dictionary.raw("/ColorSpace[/ICCBased")
          dictionary.reference(space)
          dictionary.raw("]")
        } else {
          dictionary.raw(header.components == 1 ? "/ColorSpace/DeviceGray" : "/ColorSpace/DeviceRGB")
        }
        dictionary.raw("/Filter/DCTDecode")
        file.add(stream: data, dictionary, isEncoded: true, as: id)
      } else {
        writeNothing(as: id, in: &file)
      }
    case .image(let image, let width, let height):
      if let form = drawing(image, width: width, height: height) {
        form.write(as: id, in: &file)
      } else if let bitmap = images.bitmap(image, width: width, height: height) {
        write(bitmap, as: id, in: &file)
      } else {
        writeNothing(as: id, in: &file)
      }
    case .bitmap(let bitmap, _): write(bitmap, as: id, in: &file)
    case .glyph(let glyph, let face): write(GlyphPath(shapes.outline(of: glyph, in: face) ?? []), as: id, in: &file)
    }
    return id
  }

  /// A glyph as a form whose unit is the em.
  private func write(_ path: GlyphPath, as id: PDFObjectID, in file: inout PDFFile) {
    var dictionary = PDFBytes("/Type/XObject/Subtype/Form/Matrix[.001 0 0 .001 0 0]/Resources<<>>/BBox[")
    for value in path.bounds { dictionary.integer(value) }
    dictionary.raw("]")
    file.add(stream: path.operators.bytes, dictionary, as: id)
  }

  /// Bytes from which on a drawing is compared with its pixels.
  private static let largeDrawing = 1 << 18

  /// A drawing of vectors; nil for pictures of pixels, and for drawings whose pixels take less than half of the room.
  private func drawing(_ image: ImageID, width: Int, height: Int) -> (any PDFForm)? {
    let area = SIMD2(Float(width), Float(height)) / Float(ContentStream.density)
    guard images.info(image).kind == .svg, let form = form(of: image, width: width, height: height, area) else {
      return nil
    }
    let size = form.byteCount
    if size > Self.largeDrawing, let bitmap = images.bitmap(image, width: width, height: height, area: area) {
      var trial = PDFFile(deflater: deflater)
      write(bitmap, as: trial.allocate(), in: &trial)
      if trial.takeOutput().count * 2 < size { return nil }
    }
    return form
  }

  /// Made of the drawing's list, or of what librsvg draws.
  private func form(of image: ImageID, width: Int, height: Int, _ area: SIMD2<Float>) -> (any PDFForm)? {
    if let list = images.list(of: image),
      let form = ListForm(list, width: width, height: height, area: area, deflater: deflater)
    {
      return form
    }
    return images.pdf(image, width: width, height: height, area: area).flatMap { page in
      DrawingForm(
        page, width: width, height: height, photographs: Photographs(of: image, in: images), deflater: deflater)
    }
  }

  private static func dictionary(width: Int, height: Int, bits: Int = 8) -> PDFBytes {
    var dictionary = PDFBytes("/Type/XObject/Subtype/Image/Width")
    dictionary.integer(width)
    dictionary.raw("/Height")
    dictionary.integer(height)
    dictionary.raw("/BitsPerComponent")
    dictionary.integer(bits)
    return dictionary
  }

  /// One transparent pixel, for a picture whose bytes are gone.
  private func writeNothing(as id: PDFObjectID, in file: inout PDFFile) {
    unsafe write(Bitmap(width: 1, height: 1), as: id, in: &file)
  }

  private func write(_ bitmap: Bitmap, as id: PDFObjectID, in file: inout PDFFile) {
    let (width, height) = (bitmap.width, bitmap.height)
    let pixels = StraightPixels(bitmap)
    var mask: PDFObjectID?
    if let alpha = pixels.alpha {
      let object = file.allocate()
      var dictionary = Self.dictionary(width: width, height: height)
      dictionary.raw("/ColorSpace/DeviceGray")
      file.add(stream: alpha, dictionary, as: object)
      mask = object
    }
    var dictionary: PDFBytes
    var data: [UInt8]
    if let (palette, rows, bits) = pixels.indexed {
      dictionary = Self.dictionary(width: width, height: height, bits: bits)
      dictionary.raw("/ColorSpace[/Indexed/DeviceRGB")
      dictionary.integer(palette.count / 3 - 1)
      dictionary.string(palette)
      dictionary.raw("]")
      data = rows
    } else if pixels.isGray {
      dictionary = Self.dictionary(width: width, height: height)
      dictionary.raw("/ColorSpace/DeviceGray")
      data = stride(from: 0, to: pixels.bgra.count, by: 4).map { pixels.bgra[$0] }
    } else {
      dictionary = Self.dictionary(width: width, height: height)
      dictionary.raw("/ColorSpace/DeviceRGB")
      var rows = [UInt8](repeating: 0, count: (width * 3 + 1) * height)
      if unsafe codec_png_scanlines(pixels.bgra, 4, width, height, &rows) != 0 {
        dictionary.raw("/DecodeParms<</Predictor 15/Colors 3/Columns")
        dictionary.integer(width)
        dictionary.raw(">>/Filter/FlateDecode")
        if let mask {
          dictionary.raw("/SMask")
          dictionary.reference(mask)
        }
        return file.add(stream: Deflater().compress(rows), dictionary, isEncoded: true, as: id)
      }
      data = []
      for at in stride(from: 0, to: pixels.bgra.count, by: 4) {
        data += [pixels.bgra[at + 2], pixels.bgra[at + 1], pixels.bgra[at]]
      }
    }
    if let mask {
      dictionary.raw("/SMask")
      dictionary.reference(mask)
    }
    file.add(stream: data, dictionary, as: id)
  }
}

/// Pixels whose colours are not multiplied by their alpha.
private struct StraightPixels {
  var bgra: [UInt8]
  /// A byte a pixel; nil where all are opaque.
  var alpha: [UInt8]?
  var isGray = true
  /// Few colours as a palette of red, green and blue, and rows of numbers of so many bits.
  var indexed: (palette: [UInt8], rows: [UInt8], bits: Int)?

  init(_ bitmap: Bitmap) {
    let count = bitmap.width * bitmap.height
    bgra = [UInt8](repeating: 0, count: count * 4)
    var alpha = [UInt8](repeating: 255, count: count)
    var isOpaque = true
    var colors: [UInt32: UInt8] = [:]
    var isIndexed = true
    for y in 0..<bitmap.height {
      for x in 0..<bitmap.width {
        let source = y * bitmap.stride + x * 4
        let target = (y * bitmap.width + x) * 4
        let opacity = unsafe bitmap.isOpaque ? 255 : bitmap.pixels[source + 3]
        var channels = unsafe (bitmap.pixels[source], bitmap.pixels[source + 1], bitmap.pixels[source + 2])
        if opacity < 255 {
          isOpaque = false
          alpha[target / 4] = opacity
          func straight(_ value: UInt8) -> UInt8 {
            opacity == 0 ? 0 : UInt8(Swift.min(255, (Int(value) * 255 + Int(opacity) / 2) / Int(opacity)))
          }
          channels = (straight(channels.0), straight(channels.1), straight(channels.2))
        }
        (bgra[target], bgra[target + 1], bgra[target + 2]) = channels
        if channels.0 != channels.1 || channels.1 != channels.2 { isGray = false }
        if isIndexed {
          let color = UInt32(channels.2) << 16 | UInt32(channels.1) << 8 | UInt32(channels.0)
          if colors[color] == nil {
            if colors.count < 256 { colors[color] = UInt8(colors.count) } else { isIndexed = false }
          }
        }
      }
    }
    self.alpha = isOpaque ? nil : alpha
    // Gray pictures of many levels are as small without a palette.
    guard isIndexed, !isGray || colors.count <= 16 else { return }
    let bits = colors.count <= 2 ? 1 : colors.count <= 4 ? 2 : colors.count <= 16 ? 4 : 8
    var palette = [UInt8](repeating: 0, count: colors.count * 3)
    for (color, number) in colors {
      for channel in 0..<3 {
        palette[Int(number) * 3 + channel] = UInt8(truncatingIfNeeded: color >> UInt32(16 - channel * 8))
      }
    }
    let rowBytes = (bitmap.width * bits + 7) / 8
    var rows = [UInt8](repeating: 0, count: rowBytes * bitmap.height)
    for y in 0..<bitmap.height {
      for x in 0..<bitmap.width {
        let at = (y * bitmap.width + x) * 4
        let color = UInt32(bgra[at + 2]) << 16 | UInt32(bgra[at + 1]) << 8 | UInt32(bgra[at])
        let shift = 8 - bits - x * bits % 8
        rows[y * rowBytes + x * bits / 8] |= (colors[color] ?? 0) << UInt8(shift)
      }
    }
    indexed = (palette, rows, bits)
  }
}

/// The frame header of a JPEG file (ITU-T T.81, section B.2.2).
struct JPEGHeader {
  var width = 0
  var height = 0
  var components = 0
  private var bits = 0

  /// The file is one that `/DCTDecode` reads, grey or of three channels: those of four may mean several things.
  var isPlain: Bool { bits == 8 && (components == 1 || components == 3) && width > 0 && height > 0 }

  init?(_ data: [UInt8]) {
    guard data.count > 4, data[0] == 0xFF, data[1] == 0xD8 else { return nil }
    var at = 2
    while at + 4 <= data.count {
      guard data[at] == 0xFF else {
        at += 1
        continue
      }
      let marker = data[at + 1]
      if marker == 0xFF {
        at += 1
        continue
      }
      if marker == 0x00 || marker == 0x01 || 0xD0...0xD8 ~= marker {
        at += 2
        continue
      }
      if marker == 0xD9 || marker == 0xDA { return nil }
      let length = Int(data[at + 2]) << 8 | Int(data[at + 3])
      // Baseline, extended and progressive frames.
      if 0xC0...0xC2 ~= marker {
        guard at + 10 <= data.count else { return nil }
        bits = Int(data[at + 4])
        height = Int(data[at + 5]) << 8 | Int(data[at + 6])
        width = Int(data[at + 7]) << 8 | Int(data[at + 8])
        components = Int(data[at + 9])
        return
      }
      if 0xC3...0xCF ~= marker, marker != 0xC4, marker != 0xC8, marker != 0xCC { return nil }
      at += 2 + Swift.max(2, length)
    }
    return nil
  }
}

extension PageEncoder {
  /// The JPEG file can be put into the file as it is.
  func passesThrough(_ image: ImageID) -> Bool {
    if let known = passing[image] { return known }
    let passes = images.source(of: image).flatMap { JPEGHeader($0) }?.isPlain ?? false
    passing[image] = passes
    return passes
  }
}

/// A drawing that stays operators, in the unit square.
protocol PDFForm {
  /// The bytes of all its streams, deflated.
  var byteCount: Int { get }
  func write(as id: PDFObjectID, in file: inout PDFFile)
}

extension PDFBytes {
  /// The first entries of the dictionary of a form (ISO 32000-1, section 8.10.2): its type, its box, and the matrix
  /// that makes it fill the unit square.
  init(formOf width: Int, _ height: Int, fillsUnitSquare: Bool) {
    self.init("/Type/XObject/Subtype/Form/BBox[0 0")
    integer(width)
    integer(height)
    raw("]")
    guard fillsUnitSquare else { return }
    raw("/Matrix[")
    real(1 / Double(width), decimals: 10)
    raw(" 0 0")
    real(1 / Double(height), decimals: 10)
    raw(" 0 0]")
  }
}
