import Graphics
import Primitives
import TestSupport
import Testing

@testable import Drawings
@testable import ImageCodecs
@testable import Images

@Suite struct ImageStoreTests {
  private func store(_ bytes: [UInt8]?, limits: Limits = Limits()) -> (ImageStore, ImageID) {
    let store = ImageStore(limits: limits)
    return (store, store.image(path: "a", load: { bytes }))
  }

  /// 2 × 1 px, the left one red, the right one transparent; a GIF by hand.
  private let gif: [UInt8] =
    Array("GIF89a".utf8) + [2, 0, 1, 0, 0x80, 0, 0, 255, 0, 0, 0, 0, 255, 0x21, 0xF9, 4, 1, 0, 0, 1, 0]
    + [0x2C, 0, 0, 0, 0, 2, 0, 1, 0, 0, 2, 2, 0x44, 0x0A, 0, 0x3B]

  @Test(.enabled(if: LoadedLibrary.areInstalled(.rsvg, .gif, .webp), "librsvg or libgif or libwebp is not installed"))
  func `Bytes decide the kind`() throws {
    let (store, id) = store(gif)
    #expect(store.info(id).kind == .gif)
    #expect(store.info(id).width == 2 && store.info(id).height == 1)
    let bitmap = try #require(store.bitmap(id, width: 2, height: 1))
    #expect(bitmap.pixel(x: 0, y: 0) == (0, 0, 255, 255))
    #expect(bitmap.pixel(x: 1, y: 0).alpha == 0)
    #expect(store.bitmap(id, width: 20, height: 10)?.width == 20)
  }

  @Test func `Pixels are enlarged as squares where a style wants that`() throws {
    let picture = Bitmap.written(width: 2, height: 1) { bytes in
      for (at, value) in ([0, 0, 255, 255, 255, 0, 0, 255] as [UInt8]).enumerated() { bytes[at] = value }
    }
    let (store, smooth) = store(PNGWriter().encode(picture))
    let squares = store.image(smooth, presented: ImagePresentation(isPixelated: true))
    #expect(squares != smooth)
    #expect(store.image(smooth, presented: ImagePresentation(isAsStored: true)) == smooth)
    let bitmap = try #require(store.bitmap(squares, width: 9, height: 4))
    for x in 0..<9 { #expect(bitmap.pixel(x: x, y: 3) == (x < 4 ? (0, 0, 255, 255) : (255, 0, 0, 255))) }
    // Fewer pixels are those of a picture made smaller.
    let (one, other) = (store.bitmap(squares, width: 1, height: 1), store.bitmap(smooth, width: 1, height: 1))
    #expect(try #require(one).pixel(x: 0, y: 0) == #require(other).pixel(x: 0, y: 0))
    #expect(try #require(store.bitmap(smooth, width: 9, height: 4)).pixel(x: 4, y: 0) != (255, 0, 0, 255))
  }

  @Test func `Noise and absence are broken once`() {
    for bytes in [nil, [], [1, 2, 3], Array("\u{89}PNG\r\n\u{1a}\n".utf8), Array("GIF89a\0\0\0\0\0\0\0".utf8)]
      as [[UInt8]?]
    {
      let (store, id) = store(bytes)
      #expect(store.info(id).isBroken)
      #expect(store.bitmap(id, width: 5, height: 5) == nil)
      #expect(store.image(path: "a", load: { nil }) == id)
      #expect(store.diagnostics.diagnostics.count == 1)
    }
  }

  @Test func `Bombs are refused by their header`() {
    var png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
    png += [0, 0, 0xEA, 0x60, 0, 0, 0xEA, 0x60, 8, 2, 0, 0, 0, 0, 0, 0, 0]
    let (store, id) = store(png)
    #expect(store.info(id).isBroken && store.info(id).problem.contains("too many"))
  }

  @Test(.enabled(if: LoadedLibrary.areInstalled(.cairo, .rsvg), "libcairo or librsvg is not installed"))
  func `Vector images know their size`() throws {
    let head = "<?xml version='1.0'?>\n<!-- <html> -->\n"
    let (store, sized) = store(
      Array(
        (head
          + "<svg xmlns='http://www.w3.org/2000/svg' width='2in' height='50%' viewBox='0 0 40 20'><rect width='20' height='20' fill='#00f'/></svg>")
          .utf8))
    let info = store.info(sized)
    #expect(info.kind == .svg && info.width == 192 && info.height == nil && info.aspectRatio == 2)
    let bitmap = try #require(store.bitmap(sized, width: 8, height: 4))
    #expect(bitmap.pixel(x: 1, y: 1) == (255, 0, 0, 255))
    #expect(bitmap.pixel(x: 6, y: 1).alpha == 0)
    let plain = store.addInlineSVG(Array("<svg xmlns='http://www.w3.org/2000/svg'><circle r='9'/></svg>".utf8))
    #expect(!store.info(plain).isBroken && store.info(plain).width == nil && store.info(plain).aspectRatio == nil)
    #expect(store.info(store.addInlineSVG(Array("<svg".utf8))).isBroken)
  }

  @Test(.enabled(if: LoadedLibrary.areInstalled(.cairo, .rsvg), "libcairo or librsvg is not installed"))
  func `Parts of a drawing are written when it is first drawn`() throws {
    let store = ImageStore()
    let markup = Array("<svg xmlns='http://www.w3.org/2000/svg' width='4' height='4'><!--0--></svg>".utf8)
    nonisolated(unsafe) var completions = 0
    func add(_ identity: [UInt8], generation: Int = 0) -> ImageID {
      store.addInlineSVG(
        markup,
        parts: DrawingParts(identity: identity, generation: generation) { bytes in
          completions += 1
          #expect(bytes == markup)
          return Array(
            "<svg xmlns='http://www.w3.org/2000/svg' width='4' height='4'><rect width='4' height='4'/></svg>".utf8)
        })
    }
    let drawing = add([1])
    #expect(store.info(drawing).width == 4 && completions == 0)
    #expect(add([1]) == drawing && add([2]) != drawing && add([1], generation: 1) != drawing)
    #expect(try #require(store.bitmap(drawing, width: 4, height: 4)).pixel(x: 2, y: 2) == (0, 0, 0, 255))
    #expect(try #require(store.bitmap(drawing, width: 8, height: 8)).pixel(x: 6, y: 6) == (0, 0, 0, 255))
    #expect(completions == 1)
  }

  @Test(.enabled(if: LoadedLibrary.areInstalled(.cairo, .rsvg), "libcairo or librsvg is not installed"))
  func `Pictures inside vector images are resolved`() throws {
    let svg = """
      <svg:svg xmlns:svg='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' viewBox='0 0 2 1'>
      <svg:image width='2' height='1' xlink:href="a&amp;b.gif"/><svg:image xlink:href='file:///etc/passwd'/></svg:svg>
      """
    let store = ImageStore()
    nonisolated(unsafe) var asked: [String] = []
    let id = store.image(
      path: "a.svg", load: { Array(svg.utf8) },
      resolveReference: { name in
        asked.append(name)
        return name == "a&b.gif" ? gif : nil
      })
    #expect(asked.isEmpty)
    let bitmap = try #require(store.bitmap(id, width: 40, height: 20))
    #expect(asked == ["a&b.gif", "file:///etc/passwd"])
    #expect(bitmap.pixel(x: 3, y: 10).red == 255)
  }

  @Test func `Hostile vector images cost only themselves`() {
    #expect(
      String(
        decoding: SVGLimits.apply(Array("a{font-size: 1e9px} b{font-size:2em} <c font-size='-99999'/>".utf8)),
        as: UTF8.self)
        == "a{font-size: 10000px} b{font-size:2em} <c font-size='-10000'/>")
    let filters = "<filter id='f'>" + String(repeating: "<feTurbulence numOctaves='99'/>", count: 101) + "</filter>"
    let unfiltered = String(decoding: SVGLimits.apply(Array((filters + "<g filter='url(#f)'/>").utf8)), as: UTF8.self)
    #expect(unfiltered.contains("numOctaves='8'") && unfiltered.hasSuffix("<g xilter='url(#f)'/>"))
    let store = ImageStore()
    let head = "<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' "
    let huge = store.addInlineSVG(
      Array(
        (head + "width='1e30' height='1e30'><rect width='1e9' height='1e9'/><text font-size='1e9'>x</text></svg>").utf8)
    )
    _ = store.bitmap(huge, width: 30, height: 30)
    let loop = store.addInlineSVG(
      Array((head + "viewBox='0 0 9 9'><g id='a'><use xlink:href='#a'/></g><use xlink:href='#a'/></svg>").utf8))
    _ = store.bitmap(loop, width: 30, height: 30)
  }

  @Test func `Pictures made smaller are averaged`() {
    // A fine chequerboard becomes an even grey, and its mean stays.
    let size = 64
    var pixels = [UInt8](repeating: 255, count: size * size * 4)
    for y in 0..<size {
      for x in 0..<size where (x + y) % 2 == 0 {
        for channel in 0..<3 { pixels[(y * size + x) * 4 + channel] = 0 }
      }
    }
    let bitmap = pixels.withUnsafeBufferPointer {
      Resampler.resample(
        PixelRows(pixels: $0.baseAddress!, width: size, height: size, stride: size * 4), width: 9, height: 7,
        isOpaque: true)
    }
    for y in 0..<7 { for x in 0..<9 { #expect(abs(Int(bitmap.pixel(x: x, y: y).red) - 127) < 12) } }
  }

  @Test func `Bytes of a bitmap are its rows of pixels`() {
    let bitmap = Bitmap(width: 2, height: 2) { $0[12] = 0x40 }
    let bytes = bitmap.withBytes { bytes in bytes.indices.map { bytes[$0] } }
    #expect(bytes == [UInt8](repeating: 0, count: 12) + [0x40, 0, 0, 0])
    #expect(bitmap.pixel(x: 1, y: 1).blue == 0x40)
  }

  /// Most large pictures are drawn once.
  @Test(.enabled(if: LoadedLibrary.areInstalled(.cairo, .rsvg), "libcairo or librsvg is not installed"))
  func `Large bitmaps are kept from their second use`() {
    let store = ImageStore()
    let id = store.image(path: "a", load: { self.gif })
    let first = store.bitmap(id, width: 400, height: 400)
    #expect(store.cachedBytes == 0)
    let second = store.bitmap(id, width: 400, height: 400)
    #expect(store.cachedBytes == 640_000)
    #expect(first !== second && store.bitmap(id, width: 400, height: 400) === second)
    #expect(first.map { Array($0.pixels) } == second.map { Array($0.pixels) })
  }

  @Test(.enabled(if: LoadedLibrary.areInstalled(.cairo, .rsvg), "libcairo or librsvg is not installed"))
  func `Cache is bounded`() {
    let store = ImageStore(capacity: 100_000)
    let id = store.image(path: "a", load: { self.gif })
    for size in 1...200 { #expect(store.bitmap(id, width: size, height: size) != nil) }
    #expect(store.cachedBytes <= 100_000)
  }
}
