import ChapterEngine
import Graphics
import Platform
import Primitives
import RasterRendering

/// What the bytes of a pixel are. Pages are opaque: an alpha is 255.
public enum PixelFormat: String, Hashable, Sendable, Codable, CaseIterable {
  /// Blue, green, red, alpha.
  case bgra
  /// Red, green, blue, alpha.
  case rgba
  /// One byte of light, by the weights of Rec. ITU-R BT.709.
  case gray

  /// Bytes that a pixel takes.
  public var bytesPerPixel: Int { self == .gray ? 1 : 4 }
}

/// A part of a page in device pixels from its top left corner.
public struct PixelArea: Hashable, Sendable, Codable {
  /// To the right.
  public var x: Int
  /// Downwards.
  public var y: Int
  /// From left to right.
  public var width: Int
  /// From top to bottom.
  public var height: Int
  /// An area by its top left corner and its size.
  public init(x: Int = 0, y: Int = 0, width: Int, height: Int) {
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }
}

/// The reason that a page cannot be drawn as it is asked for.
public enum DrawingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The scale is no positive number, or a side would have more than ``Page/largestSide`` pixels.
  case scale
  /// The clip is empty or reaches over the page.
  case clip
  /// Rows would overlap, or the last one would end behind the memory.
  case memory

  /// The reason, as a clause without a final stop.
  public var description: String {
    switch self {
    case .scale: "the scale is no positive number, or gives a side of more than \(Page.largestSide) pixels"
    case .clip: "the clip is empty or reaches over the page"
    case .memory: "the memory is too small for the rows"
    }
  }
}

extension Page {
  /// Pixels that a side of what is drawn has at most.
  public static var largestSide: Int { RasterRenderer.largestSide }

  /// All of the page in device pixels.
  ///
  /// - Parameter scale: Device pixels per CSS px; nil for the settings'.
  public func area(scale: Double? = nil) throws(DrawingError) -> PixelArea {
    let scale = scale ?? engine.settings.scale
    let longest = Swift.max(size.width.pixels, size.height.pixels) * scale
    guard scale.isFinite, scale > 0, longest.rounded() <= Double(Self.largestSide) else { throw .scale }
    let area = RasterRenderer.area(of: displayList, scale: scale)
    return PixelArea(width: area.width, height: area.height)
  }

  /// The part of the page that a clip is; all of it without one.
  private func area(of clip: PixelArea?, scale: Double?) throws(DrawingError) -> PixelArea {
    let all = try area(scale: scale)
    guard let clip else { return all }
    guard clip.x >= 0, clip.y >= 0, clip.width > 0, clip.height > 0, clip.x < all.width, clip.y < all.height,
      clip.width <= all.width - clip.x, clip.height <= all.height - clip.y
    else { throw .clip }
    return clip
  }

  /// Draws the page, or a part of it, into memory of the caller's.
  ///
  /// A part has the pixels that the whole page has there, but for filters of the book's that reach over its edge.
  ///
  /// - Parameters:
  ///   - memory: Room for the rows from the top; bytes between them are left as they are.
  ///   - stride: Bytes from a row to the next; nil for rows without a gap.
  ///   - format: What the bytes of a pixel are.
  ///   - scale: Device pixels per CSS px; nil for the settings'.
  ///   - clip: The part to draw; nil for all of it.
  ///   - annotations: The annotations to draw over it.
  public func draw(
    into memory: UnsafeMutableRawBufferPointer, stride: Int? = nil, format: PixelFormat = .bgra, scale: Double? = nil,
    clip: PixelArea? = nil, annotations: [Annotation] = []
  ) throws(DrawingError) {
    let clip = try area(of: clip, scale: scale)
    let row = clip.width * format.bytesPerPixel
    let stride = stride ?? row
    let (before, overflow) = stride.multipliedReportingOverflow(by: clip.height - 1)
    guard stride >= row, !overflow, before <= memory.count - row else { throw .memory }
    let list = annotations.isEmpty ? displayList : displayList(with: annotations)
    let bitmap = engine.renderer().render(
      list, scale: scale ?? engine.settings.scale,
      clip: PixelRect(left: clip.x, top: clip.y, right: clip.x + clip.width, bottom: clip.y + clip.height))
    unsafe bitmap.write(into: memory, stride: stride, format)
  }

  /// The pixels of the page, or of a part of it, row by row without gaps: as
  /// ``draw(into:stride:format:scale:clip:annotations:)`` has them, on a thread of the library's own.
  public func pixels(
    format: PixelFormat = .bgra, scale: Double? = nil, clip: PixelArea? = nil, annotations: [Annotation] = []
  ) async throws(DrawingError) -> [UInt8] {
    let area = try area(of: clip, scale: scale)
    let count = area.width * area.height * format.bytesPerPixel
    return try await Worker.perform { () -> Result<[UInt8], DrawingError> in
      var failure: DrawingError?
      let pixels = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
        do throws(DrawingError) {
          try unsafe self.draw(
            into: UnsafeMutableRawBufferPointer(buffer), format: format, scale: scale, clip: clip,
            annotations: annotations)
          filled = count
        } catch {
          failure = error
        }
      }
      return failure.map { .failure($0) } ?? .success(pixels)
    }.get()
  }
}

extension PageBitmap {
  /// Writes the rows in a format, whatever the bitmap's own.
  fileprivate func write(into memory: UnsafeMutableRawBufferPointer, stride: Int, _ wanted: PixelFormat) {
    guard let target = memory.baseAddress else { return }
    unsafe pixels.withUnsafeBytes { source in
      for y in 0..<height {
        let from = unsafe UnsafeRawBufferPointer(
          rebasing: source[y * width * format.bytesPerPixel..<(y + 1) * width * format.bytesPerPixel])
        let to = unsafe target + y * stride
        switch (format, wanted) {
        case (.gray8, .gray): unsafe to.copyMemory(from: from.baseAddress!, byteCount: width)
        case (.gray8, .bgra), (.gray8, .rgba):
          for x in 0..<width {
            unsafe to.storeBytes(of: 0xFF00_0000 | UInt32(from[x]) &* 0x010101, toByteOffset: x * 4, as: UInt32.self)
          }
        case (.bgra32, _):
          for x in 0..<width {
            let pixel = unsafe from.loadUnaligned(fromByteOffset: x * 4, as: UInt32.self)
            switch wanted {
            case .bgra: unsafe to.storeBytes(of: pixel | 0xFF00_0000, toByteOffset: x * 4, as: UInt32.self)
            case .rgba:
              let swapped = pixel & 0xFF00 | pixel >> 16 & 0xFF | (pixel & 0xFF) << 16 | 0xFF00_0000
              unsafe to.storeBytes(of: swapped, toByteOffset: x * 4, as: UInt32.self)
            case .gray:
              let light = (pixel >> 16 & 0xFF) * 54 + (pixel >> 8 & 0xFF) * 183 + (pixel & 0xFF) * 19 + 128
              unsafe to.storeBytes(of: UInt8(truncatingIfNeeded: light >> 8), toByteOffset: x, as: UInt8.self)
            }
          }
        }
      }
    }
  }
}
