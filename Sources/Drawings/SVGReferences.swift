import ImageCodecs
import Platform
import Primitives

/// Rewrites the picture references of an SVG document to `data:` URIs.
package enum SVGReferences {
  /// Drawings that may stand in each other.
  private static let deepest = 4

  /// The document may refer to pictures.
  package static func mayOccur(in data: [UInt8]) -> Bool { data.contains("mage") }

  /// - Parameters:
  ///   - depth: How many drawings stand around this one.
  ///   - resolve: The file of a reference as written in the document; `nil` leaves it, and librsvg refuses it.
  package static func resolve(
    _ data: [UInt8], depth: Int = 0, _ resolve: (String) -> DrawingPictures.File?
  ) -> [UInt8] {
    var result: [UInt8] = []
    var at = 0
    var copied = 0
    while let start = data.firstIndex(of: 0x3C, from: at) {
      guard let tagEnd = endOfPictureTag(data, start) else {
        at = start + 1
        continue
      }
      var needsSide = true
      for range in referenceValues(data, start..<tagEnd) {
        let value = PredefinedEntities.resolved(in: String(decoding: data[range], as: UTF8.self)[...])
        if value.hasPrefix("#") || value.isEmpty { continue }
        guard let file = resolve(value), result.count + file.bytes.count * 4 / 3 < VectorImage.maximumSize else {
          continue
        }
        var bytes = file.bytes
        if needsSide, let side = missingSide(of: bytes, in: data, start..<tagEnd) {
          needsSide = false
          let place = data[start..<tagEnd].firstIndex { $0 <= 0x20 } ?? range.lowerBound
          result += data[copied..<place] + side
          copied = place
        }
        if ImageProbe.isSVG(bytes) {
          // Of a drawing in a drawing librsvg reads only what stands in it, so files that name each other end here.
          let inner = { (reference: String) in reference.hasPrefix("data:") ? resolve(reference) : nil }
          bytes = depth < deepest ? SVGDocument.prepared(bytes, depth: depth + 1, inner) ?? [] : []
        } else if !file.isConverted, value.hasPrefix("data:") {
          continue
        }
        result += data[copied..<range.lowerBound]
        result += Array("data:;base64,".utf8)
        Base64.append(bytes, to: &result)
        copied = range.upperBound
      }
      at = tagEnd
    }
    if copied == 0 { return data }
    result += data[copied...]
    return result
  }

  /// An attribute for the side of an `image` that it does not name beside the other: the picture's ratio gives it (SVG
  /// 2, section 12.4), which librsvg does not know. Nil where there is none to be added.
  private static func missingSide(of file: [UInt8], in data: [UInt8], _ tag: Range<Int>) -> [UInt8]? {
    func value(_ name: String) -> ArraySlice<UInt8>? { SVGRoot.value(of: name, in: data, tag).map { data[$0] } }
    let (width, height) = (value("width"), value("height"))
    guard (width == nil) != (height == nil), let known = width ?? height, value("result") == nil,
      let ratio = ImageProbe.probe(file, limits: Limits()).aspectRatio
    else { return nil }
    let digits = known.prefix { $0 >= 0x30 && $0 <= 0x39 || $0 == 0x2E }
    let unit = String(decoding: known[digits.endIndex...], as: UTF8.self)
    // A share of one side says nothing of the other.
    guard unit != "%", let number = Float(String(decoding: digits, as: UTF8.self)) else { return nil }
    let side = width == nil ? "width=\"\(number * ratio)" : "height=\"\(number / ratio)"
    return Array(" \(side)\(unit)\"".utf8)
  }

  /// The JPEG files that `data:` URIs of a document hold.
  static func photographs(in data: [UInt8]) -> [[UInt8]] {
    // The first three bytes of all JPEG files.
    let start = Array("base64,/9j/".utf8)
    var files: [[UInt8]] = []
    var at = 0
    while let found = data.firstIndex(of: start[0], from: at) {
      at = found + 1
      guard data[found...].starts(with: start) else { continue }
      let end = data[found...].firstIndex { $0 == 0x22 || $0 == 0x27 } ?? data.endIndex
      let text = data[(found + start.count - 4)..<end]
      if let file = Base64.decode(text, leniency: .none) { files.append(file) }
      at = end
    }
    return files
  }

  /// The end of an `<image>` or `<feImage>` start tag, with or without a prefix; `nil` for any other markup.
  private static func endOfPictureTag(_ data: [UInt8], _ start: Int) -> Int? {
    var name = data[(start + 1)...].prefix(64).prefix { $0 > 0x20 && $0 != 0x3E && $0 != 0x2F }
    if let colon = name.firstIndex(of: 0x3A) { name = name[(colon + 1)...] }
    guard name.elementsEqual("image".utf8) || name.elementsEqual("feImage".utf8) else { return nil }
    return StartTag.end(in: data, from: name.endIndex).map { $0 - 1 } ?? data.count
  }

  /// Ranges of the values of `href` and `xlink:href` in a tag.
  private static func referenceValues(_ data: [UInt8], _ tag: Range<Int>) -> [Range<Int>] {
    var values: [Range<Int>] = []
    var at = tag.lowerBound
    var nameStart = at
    while at < tag.upperBound {
      let byte = data[at]
      if byte <= 0x20 || byte == 0x3C { nameStart = at + 1 }
      if byte == 0x22 || byte == 0x27 {
        let start = at + 1
        var end = start
        while end < tag.upperBound, data[end] != byte { end += 1 }
        var name = data[nameStart..<at].prefix { $0 != 0x3D && $0 > 0x20 }
        if let colon = name.firstIndex(of: 0x3A) { name = name[(colon + 1)...] }
        if name.elementsEqual("href".utf8) { values.append(start..<end) }
        at = end
        nameStart = Swift.min(end + 1, tag.upperBound)
      }
      at += 1
    }
    return values
  }
}
