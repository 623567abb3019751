/// A picture of premultiplied BGRA pixels, eight bits a channel: the memory layout of cairo's ARGB32 on little-endian
/// machines. Immutable once made, hence shared freely.
@safe public final class Bitmap: @unchecked Sendable {
  /// In pixels.
  public let width: Int
  /// In pixels.
  public let height: Int
  /// Bytes from a row to the next.
  public let stride: Int
  /// Alpha of every pixel is 255.
  public let isOpaque: Bool
  /// The rows. Valid as long as the bitmap lives; nobody writes to it after `init`.
  package let pixels: UnsafeMutableRawBufferPointer

  /// A bitmap whose memory `fill` writes; it starts out transparent.
  package init(
    width: Int, height: Int, isOpaque: Bool = false, fill: (UnsafeMutableRawBufferPointer) -> Void = { _ in }
  ) {
    self.width = Swift.max(width, 0)
    self.height = Swift.max(height, 0)
    self.isOpaque = isOpaque
    stride = self.width * 4
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Swift.max(stride * self.height, 4), alignment: 16)
    unsafe buffer.initializeMemory(as: UInt8.self, repeating: 0)
    unsafe fill(buffer)
    unsafe pixels = unsafe buffer
  }

  /// A bitmap whose bytes `write` changes; it starts out transparent.
  package static func written(width: Int, height: Int, by write: (inout MutableSpan<UInt8>) -> Void) -> Bitmap {
    unsafe Bitmap(width: width, height: height) { memory in
      var bytes = unsafe memory.assumingMemoryBound(to: UInt8.self).mutableSpan
      write(&bytes)
    }
  }

  /// A bitmap whose memory `fill` writes, all of it, telling whether every pixel is opaque; `nil` when it gives up.
  package init?(decodedWidth width: Int, height: Int, fill: (UnsafeMutableRawBufferPointer) -> Bool?) {
    self.width = Swift.max(width, 0)
    self.height = Swift.max(height, 0)
    stride = self.width * 4
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Swift.max(stride * self.height, 4), alignment: 16)
    guard let isOpaque = unsafe fill(buffer) else {
      unsafe buffer.deallocate()
      return nil
    }
    self.isOpaque = isOpaque
    unsafe pixels = unsafe buffer
  }

  deinit { unsafe pixels.deallocate() }

  /// The bitmap with each pixel as a rectangle: each pixel of the result is the nearest one of this.
  package func enlarged(width: Int, height: Int) -> Bitmap {
    guard (width, height) != (self.width, self.height), self.width > 0, self.height > 0 else { return self }
    let columns = (0..<width).map { ($0 * 2 + 1) * self.width / (width * 2) * 4 }
    return unsafe Bitmap(width: width, height: height, isOpaque: isOpaque) { out in
      for y in 0..<height {
        let row = (y * 2 + 1) * self.height / (height * 2) * stride
        for x in 0..<width {
          unsafe out.storeBytes(
            of: pixels.load(fromByteOffset: row + columns[x], as: UInt32.self), toByteOffset: (y * width + x) * 4,
            as: UInt32.self)
        }
      }
    }
  }

  /// The memory the bitmap takes.
  public var byteCount: Int { stride * height }

  /// Calls `body` with the rows from the top, `stride` bytes each: blue, green, red and alpha of every pixel, the colours
  /// multiplied by alpha.
  public func withBytes<Result, Failure: Error>(_ body: (Span<UInt8>) throws(Failure) -> Result) throws(Failure)
    -> Result
  {
    try unsafe body(UnsafeRawBufferPointer(pixels).assumingMemoryBound(to: UInt8.self).span)
  }

  /// A pixel as blue, green, red and alpha; transparent outside.
  public func pixel(x: Int, y: Int) -> (blue: UInt8, green: UInt8, red: UInt8, alpha: UInt8) {
    guard x >= 0, x < width, y >= 0, y < height else { return (0, 0, 0, 0) }
    let at = y * stride + x * 4
    return unsafe (pixels[at], pixels[at + 1], pixels[at + 2], pixels[at + 3])
  }
}
