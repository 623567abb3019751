import CImageCodecs
package import Graphics
import Platform
package import Primitives
import Synchronization

/// An SVG document, drawn as a `Drawing` or a `SingleImageDrawing` where it is one, and else by librsvg, in a process
/// of its own where there is one (`DrawingHelper`). No address in it is ever followed: pictures come as `data:` URIs.
///
/// One thread at a time draws it.
package final class VectorImage: Sendable {
  /// The natural size in px where the document names one in absolute units, and the ratio of the `viewBox` or the size.
  package struct Dimensions: Equatable {
    package var width: Float?
    package var height: Float?
    package var aspectRatio: Float?
    var hasViewBox = false
    /// The document names its size in both directions.
    var isWhole: Bool { size != nil }
    var size: SIMD2<Float>? { width.flatMap { width in height.map { SIMD2(width, $0) } } }

    /// A length in px by its unit, as librsvg numbers them; nil for one that names no size.
    static func pixels(_ length: Double, unit: Int32) -> Float? {
      guard length.isFinite, length > 0 else { return nil }
      let factor: Double
      switch unit {
      case 1: factor = 1
      case 2: factor = 16
      case 3: factor = 8
      case 4: factor = 96
      case 5: factor = 96 / 2.54
      case 6: factor = 96 / 25.4
      case 7: factor = 96 / 72
      case 8: factor = 16
      default: return nil
      }
      return Float(Swift.min(length * factor, 1e6))
    }

    mutating func setViewBox(width: Double, height: Double) {
      guard width.isFinite, height.isFinite, width > 0, height > 0 else { return }
      hasViewBox = true
      aspectRatio = Float(width / height)
    }

    /// A size in both directions is the natural ratio, whatever the viewBox says (CSS Images 3, section 5.1).
    mutating func settle() {
      if let width, let height { aspectRatio = width / height }
    }
  }

  private struct State {
    /// The process of its own that draws the document; nil where this one does.
    var helper: DrawingHelper?
    /// nil once the document was refused when it was drawn, which may have taken long: it is not tried again.
    var source: DrawingSource?
  }

  private let state: Lock<State>
  package let dimensions: Dimensions
  /// The document may be drawn without librsvg.
  private let isPlain: Bool
  /// A document of nothing but a picture that stands in a file of its own.
  package let picture: (frame: PictureFrame, link: String)?
  /// It is part of another document and not enlarged with its box: only a `viewBox` does that.
  private let isInline: Bool

  /// Bytes a document may have after its references are resolved.
  static let maximumSize = 64 << 20

  /// A document that the helper draws, or this process where none is to be had.
  ///
  /// - Parameters:
  ///   - completion: Adds what the document lacks; called when it is first drawn.
  ///   - isInline: `true` for an element of another document.
  ///   - isLazy: `true` if librsvg is not asked before the document is drawn, where it is certain what it will say.
  package convenience init?(
    _ data: [UInt8], completion: DrawingSource.Completion? = nil, helper: DrawingHelper? = .shared,
    isInline: Bool = false, isLazy: Bool = true
  ) {
    guard data.count <= Self.maximumSize else { return nil }
    if isLazy, let plain = PlainSVG(data) {
      let natural = Self.natural(plain.dimensions, isInline: isInline)
      let framed = SingleImageDrawing(data, plain, natural: natural)
      if framed != nil || codec_svg_installed() != 0 || DrawingReader.read(plain, natural: natural) != nil {
        let picture = framed.flatMap { framed in framed.link.map { (framed.frame, $0) } }
        self.init(plain.dimensions, data, completion, helper, isInline: isInline, isPlain: true, picture: picture)
        return
      }
    }
    guard let helper else {
      self.init(here: data, completion: completion, isInline: isInline)
      return
    }
    switch helper.measure(data) {
    case .answer(let dimensions): self.init(dimensions, data, completion, helper, isInline: isInline)
    case .refused: return nil
    case .unavailable: self.init(here: data, completion: completion, isInline: isInline)
    }
  }

  /// A document that this process draws.
  convenience init?(here data: [UInt8], completion: DrawingSource.Completion? = nil, isInline: Bool = false) {
    guard let document = LibRSVGDocument(data) else { return nil }
    self.init(document.dimensions, data, completion, nil, isInline: isInline)
  }

  /// The source that is drawn.
  private static func source(_ data: [UInt8], _ dimensions: Dimensions) -> [UInt8] {
    dimensions.isWhole ? data : SVGRoot.filling(data)
  }

  /// A document of known dimensions.
  private init(
    _ dimensions: Dimensions, _ data: [UInt8], _ completion: DrawingSource.Completion?, _ helper: DrawingHelper?,
    isInline: Bool, isPlain: Bool = false, picture: (frame: PictureFrame, link: String)? = nil
  ) {
    self.dimensions = dimensions
    self.isInline = isInline
    self.isPlain = isPlain
    self.picture = picture
    state = Lock(State(helper: helper, source: DrawingSource(Self.source(data, dimensions), completion)))
  }

  /// The size that coordinates are those of without a `viewBox`: the document's own, which its box stretches; nil where
  /// they are those of the box.
  private static func natural(_ dimensions: Dimensions, isInline: Bool) -> SIMD2<Float>? {
    dimensions.hasViewBox || isInline ? nil : dimensions.size
  }
  private var natural: SIMD2<Float>? { Self.natural(dimensions, isInline: isInline) }
  /// The drawing depends on the size of its box in px.
  package var dependsOnArea: Bool { !dimensions.hasViewBox && natural == nil }

  /// The document drawn into a bitmap of the size; `nil` when it cannot be drawn, at any size.
  ///
  /// - Parameter area: The size of its box in px; nil where that is the bitmap's.
  package func draw(width: Int, height: Int, area: SIMD2<Float>? = nil, limits: Limits = Limits()) -> Bitmap? {
    defer { state.withLock { $0.source?.trim() } }
    if isPlain, let source, let plain = PlainSVG(source) {
      let own = dependsOnArea ? dimensions.size : nil
      let area = area ?? own ?? SIMD2(Float(width), Float(height))
      let drawn =
        DrawingReader.read(plain, natural: natural)?.draw(width: width, height: height, area: area)
        ?? SingleImageDrawing(source, plain, natural: natural)?.draw(
          width: width, height: height, area: area, limits: limits)
      if let drawn { return drawn }
    }
    let drawn = draw(
      on: area,
      by: { $0.draw($1, width: width, height: height) },
      here: { $0.bitmap(natural: $1, width: width, height: height) })
    // What has been refused takes no longer to be refused again.
    if drawn == nil { state.withLock { $0.source = nil } }
    return drawn
  }

  /// The document drawn on the one page of a PDF file of the size in points, as cairo writes it; `nil` when it cannot
  /// be drawn. What it has no operators for is drawn in pixels, one a point.
  ///
  /// - Parameter area: As `draw` has it.
  package func pdf(width: Int, height: Int, area: SIMD2<Float>? = nil) -> [UInt8]? {
    draw(
      on: area,
      by: { $0.pdf($1, width: width, height: height) },
      here: { $0.pdf(natural: $1, width: width, height: height) })
  }

  /// All of the document's source; nil where it was refused.
  private var source: [UInt8]? { state.withLock { $0.source?.complete() } }

  /// What the document draws, as a list; nil where it has parts that only librsvg knows.
  package var list: Drawing? {
    guard isPlain, let source else { return nil }
    return PlainSVG(source).flatMap { DrawingReader.read($0, natural: natural) }
  }

  /// The photographs in the document, as the JPEG files that they are.
  package var photographs: [[UInt8]] { source.map(SVGReferences.photographs(in:)) ?? [] }

  /// Draws in a process of its own where there is one, or else here.
  private func draw<Drawn: Sendable>(
    on area: SIMD2<Float>?, by ask: @Sendable (DrawingHelper, [UInt8]) -> DrawingHelper.Outcome<Drawn>,
    here: @Sendable (LibRSVGDocument, _ natural: SIMD2<Float>?) -> Drawn?
  ) -> Drawn? {
    let area = dependsOnArea ? area : nil
    return state.withLock { state in
      guard let whole = state.source?.complete() else { return nil }
      let document = area.map { SVGRoot.filling(whole, area: $0) } ?? whole
      if let helper = state.helper {
        guard whole.count <= Self.maximumSize else { return nil }
        switch ask(helper, document) {
        case .answer(let drawn): return drawn
        case .refused: return nil
        case .unavailable: state.helper = nil
        }
      }
      // librsvg's tree takes several times as much as the source: it is not kept.
      return LibRSVGDocument(document).flatMap { here($0, area == nil ? natural : nil) }
    }
  }
}

/// The source of an SVG document, made ready for librsvg.
package enum SVGDocument {
  /// In UTF-8, within the limits and with its pictures in it; nil where its text may be too large to be drawn.
  static func prepared(
    _ source: [UInt8], depth: Int = 0, _ resolve: (String) -> DrawingPictures.File?
  ) -> [UInt8]? {
    bounded(source).map { SVGReferences.resolve($0, depth: depth, resolve) }
  }

  /// In UTF-8 and within the limits; nil where its text may be too large to be drawn.
  package static func bounded(_ source: [UInt8]) -> [UInt8]? {
    let bounded = SVGPatterns.rewrite(SVGLimits.apply(utf8(source)))
    return SVGFontSizes.mayOverflow(bounded) ? nil : bounded
  }

  /// A document in UTF-16, told by its byte order mark, in UTF-8 without its XML declaration; others as they are.
  private static func utf8(_ source: [UInt8]) -> [UInt8] {
    guard source.count > 1, source[0] == 0xFF && source[1] == 0xFE || source[0] == 0xFE && source[1] == 0xFF else {
      return source
    }
    let low = source[0] == 0xFF ? 0 : 1
    let units = stride(from: 2, to: source.count - 1, by: 2).map {
      UInt16(source[$0 + low]) | UInt16(source[$0 + 1 - low]) << 8
    }
    let text = String(utf16: units)
    guard text.hasPrefix("<?xml "), let end = text.firstRange(of: "?>") else { return Array(text.utf8) }
    return Array(text[end.upperBound...].utf8)
  }
}

extension [UInt8] {
  func contains(_ text: StaticString) -> Bool {
    unsafe withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return false }
      var at = 0
      while let found = unsafe memchr(start + at, Int32(text.utf8Start[0]), bytes.count - at) {
        at = unsafe UnsafeRawPointer(found) - start
        guard at + text.utf8CodeUnitCount <= bytes.count else { return false }
        if unsafe memcmp(found, text.utf8Start, text.utf8CodeUnitCount) == 0 { return true }
        at += 1
      }
      return false
    }
  }

  /// The first place of a byte from `start` on; nil where there is none.
  func firstIndex(of byte: UInt8, from start: Int) -> Int? {
    unsafe withUnsafeBytes { bytes in
      guard start < bytes.count, let base = bytes.baseAddress,
        let found = unsafe memchr(base + start, Int32(byte), bytes.count - start)
      else { return nil }
      return unsafe UnsafeRawPointer(found) - base
    }
  }
}
