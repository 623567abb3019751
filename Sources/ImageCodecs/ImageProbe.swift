import CImageCodecs
package import Primitives

/// Recognises images and reads their headers.
package enum ImageProbe {
  package static func probe(_ data: [UInt8], limits: Limits) -> ImageInfo {
    var info = ImageInfo()
    guard !data.isEmpty else {
      info.problem = "the file is empty"
      return info
    }
    var header = codec_info()
    let found = unsafe data.withUnsafeBufferPointer { unsafe codec_probe($0.baseAddress, $0.count, &header) != 0 }
    switch codec_kind(UInt32(header.kind)) {
    case CODEC_PNG: info.kind = .png
    case CODEC_JPEG: info.kind = .jpeg
    case CODEC_GIF: info.kind = .gif
    case CODEC_WEBP: info.kind = .webp
    case CODEC_AVIF: info.kind = .avif
    case CODEC_JXL: info.kind = .jxl
    case CODEC_BMP: info.kind = .bmp
    case CODEC_ICO: info.kind = .ico
    default:
      info.problem = "the bytes are no image of a known kind"
      return info
    }
    info.missingDecoder = MissingDecoder(for: info.kind)
    if info.missingDecoder != nil { return info }
    guard found else {
      info.problem = "the image has no readable header"
      return info
    }
    let (pixels, overflow) = UInt64(header.width).multipliedReportingOverflow(by: UInt64(header.height))
    // An image that is read row by row needs no memory for its size, only time.
    let bound = UInt64(limits.imagePixels) * (header.needs_whole_image != 0 ? 1 : 4)
    guard !overflow, pixels <= bound, header.width <= 1_000_000, header.height <= 1_000_000 else {
      info.problem = "the image claims \(header.width) × \(header.height) pixels, which is too many"
      return info
    }
    info.orientation = UInt8(clamping: header.orientation)
    let turned = info.orientation >= 5
    info.width = Float(turned ? header.height : header.width)
    info.height = Float(turned ? header.width : header.height)
    info.aspectRatio = info.width! / info.height!
    info.isBroken = false
    return info
  }

  /// The bytes are a JPEG file of four channels.
  package static func hasInks(_ data: [UInt8]) -> Bool {
    var header = codec_info()
    return unsafe data.withUnsafeBufferPointer { unsafe codec_probe($0.baseAddress, $0.count, &header) } != 0
      && header.has_inks != 0
  }

  /// The bytes are an SVG document: its root element comes before any other.
  package static func isSVG(_ data: [UInt8]) -> Bool {
    // UTF-16 is told by its byte order mark and read every other byte.
    let wide = data.count >= 2 && (data[0] == 0xFF && data[1] == 0xFE || data[0] == 0xFE && data[1] == 0xFF)
    // Nothing else starts with white space, a tag or the mark of UTF-8.
    guard wide || [0x20, 0x0A, 0x0D, 0x09, 0x3C, 0xEF].contains(data.first) else { return false }
    // The root is looked for in the first 65,536 characters.
    var head = data.prefix(65536)
    if wide {
      let units = stride(from: data[0] == 0xFF ? 2 : 3, to: Swift.min(data.count, 131_072), by: 2)
      head = units.map { data[$0] }[...]
    }
    if head.starts(with: [0xEF, 0xBB, 0xBF]) { head = head.dropFirst(3) }
    var at = head.startIndex
    func skip(past end: StaticString) {
      while at < head.endIndex, !stands(end) { at += 1 }
      at += end.utf8CodeUnitCount
    }
    func stands(_ text: StaticString) -> Bool {
      let bytes = unsafe UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
      return unsafe head[at] == bytes[0] && head[at...].starts(with: bytes)
    }
    while at < head.endIndex {
      let byte = head[at]
      if byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
        at += 1
      } else if stands("<?") {
        skip(past: "?>")
      } else if stands("<!--") {
        skip(past: "-->")
      } else if stands("<!") {
        // A document type, perhaps with an internal subset.
        while at < head.endIndex, head[at] != 0x3E, head[at] != 0x5B { at += 1 }
        if at < head.endIndex, head[at] == 0x5B { skip(past: "]") }
        skip(past: ">")
      } else if byte == 0x3C {
        // The root, perhaps with a prefix.
        var name = head[(at + 1)...].prefix { $0 > 0x20 && $0 != 0x3E && $0 != 0x2F }
        if let colon = name.firstIndex(of: 0x3A) { name = name[(colon + 1)...] }
        return name.elementsEqual("svg".utf8)
      } else {
        return false
      }
    }
    return false
  }
}
