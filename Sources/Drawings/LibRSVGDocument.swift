import CCairo
import CImageCodecs
import Cairo
import Graphics

/// An SVG document that librsvg has read. Serves one thread at a time.
@safe final class LibRSVGDocument {
  private let handle: UnsafeMutableRawPointer

  /// nil where librsvg is not installed or refuses the document.
  init?(_ data: [UInt8]) {
    guard let handle = unsafe codec_svg_open(data, data.count) else { return nil }
    unsafe self.handle = unsafe handle
  }

  deinit { unsafe codec_svg_close(handle) }

  var dimensions: VectorImage.Dimensions {
    var hasWidth: Int32 = 0
    var hasHeight: Int32 = 0
    var hasViewBox: Int32 = 0
    var width = codec_svg_length()
    var height = codec_svg_length()
    var viewBox = codec_svg_rectangle()
    unsafe codec_svg_measure(handle, &hasWidth, &width, &hasHeight, &height, &hasViewBox, &viewBox)
    var result = VectorImage.Dimensions()
    if hasWidth != 0 { result.width = VectorImage.Dimensions.pixels(width.length, unit: Int32(width.unit)) }
    if hasHeight != 0 { result.height = VectorImage.Dimensions.pixels(height.length, unit: Int32(height.unit)) }
    if hasViewBox != 0 { result.setViewBox(width: viewBox.width, height: viewBox.height) }
    result.settle()
    return result
  }

  /// The document drawn into a bitmap of a size; nil where it cannot be.
  ///
  /// - Parameter natural: The size that coordinates are those of; nil where a `viewBox` or the box says so.
  func bitmap(natural: SIMD2<Float>?, width: Int, height: Int) -> Bitmap? {
    var isDrawn = false
    let bitmap = unsafe Bitmap(width: width, height: height) { memory in
      let surface = unsafe CairoSurface.image(
        over: memory.baseAddress?.assumingMemoryBound(to: UInt8.self), CAIRO_FORMAT_ARGB32, width: width,
        height: height, stride: width * 4)
      guard let surface else { return }
      isDrawn = draw(on: surface, natural: natural, width: width, height: height)
      surface.finish()
    }
    return isDrawn ? bitmap : nil
  }

  /// The document drawn on the one page of a PDF file of a size in points; nil where it cannot be.
  func pdf(natural: SIMD2<Float>?, width: Int, height: Int) -> [UInt8]? {
    var file: [UInt8] = []
    return unsafe withUnsafeMutablePointer(to: &file) { file in
      let made = unsafe cairo_pdf_surface_create_for_stream(
        { file, bytes, count in
          guard let file = unsafe file?.assumingMemoryBound(to: [UInt8].self),
            unsafe file.pointee.count + Int(count) <= VectorImage.maximumSize
          else { return CAIRO_STATUS_WRITE_ERROR }
          unsafe file.pointee.append(contentsOf: UnsafeBufferPointer(start: bytes, count: Int(count)))
          return CAIRO_STATUS_SUCCESS
        }, file, Double(width), Double(height))
      guard let surface = unsafe CairoSurface(made) else { return nil }
      // Later versions pack objects into streams.
      unsafe cairo_pdf_surface_restrict_to_version(surface.pointer, CAIRO_PDF_VERSION_1_4)
      unsafe cairo_surface_set_fallback_resolution(surface.pointer, 72, 72)
      guard draw(on: surface, natural: natural, width: width, height: height) else { return nil }
      surface.finish()
      guard unsafe cairo_surface_status(surface.pointer) == CAIRO_STATUS_SUCCESS else { return nil }
      return unsafe file.pointee
    }
  }

  /// Draws the document over a whole surface.
  private func draw(on surface: CairoSurface, natural: SIMD2<Float>?, width: Int, height: Int) -> Bool {
    var isDrawn = false
    surface.draw { cairo in
      var viewport = codec_svg_rectangle(x: 0, y: 0, width: Double(width), height: Double(height))
      if let natural {
        // Without a viewBox nothing scales by itself.
        cairo.scale(Double(width) / Double(natural.x), Double(height) / Double(natural.y))
        viewport.width = Double(natural.x)
        viewport.height = Double(natural.y)
      }
      isDrawn = unsafe codec_svg_draw(handle, UnsafeMutableRawPointer(cairo.pointer), &viewport) != 0
    }
    return isDrawn
  }
}
