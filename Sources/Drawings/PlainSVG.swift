/// The natural size of an SVG document that is certainly well-formed, read without librsvg, which takes longer to load
/// than most books to lay out.
///
/// A document is plain when librsvg cannot refuse it: a root `svg` in its namespace, tags that match, attributes in
/// quotes and each once, characters and references that XML 1.0 allows, no declarations but that of the document type,
/// no inclusions; and when its size can stand nowhere but in the attributes of the root. Of any other document there is
/// no `PlainSVG`: it may be quite as good.
struct PlainSVG {
  private(set) var dimensions = VectorImage.Dimensions()
  /// The rectangle that fills the picture, of a document that has one.
  private(set) var viewBox: (corner: SIMD2<Float>, size: SIMD2<Float>)?
  let tree: SVGTree

  /// Bytes of a document: no text in it is too long.
  private static let greatestSize = 8 << 20

  init?(_ data: [UInt8]) {
    guard data.count <= Self.greatestSize, (try? UTF8Span(validating: data.span)) != nil else { return nil }
    var scanner = SVGScanner(bytes: data)
    guard scanner.scan() else { return nil }
    tree = scanner.tree
    guard measure() else { return nil }
  }

  /// The size by the root's attributes; false where one of them is written in an unusual way.
  private mutating func measure() -> Bool {
    for attribute in tree.attributes(of: 0) {
      let value = tree.bytes[attribute.value]
      switch tree.text(attribute.name) {
      case "width":
        guard let length = Self.length(value) else { return false }
        dimensions.width = length
      case "height":
        guard let length = Self.length(value) else { return false }
        dimensions.height = length
      case "viewBox":
        guard let box = Self.viewBox(value) else { return false }
        dimensions.setViewBox(width: Double(box.size.x), height: Double(box.size.y))
        viewBox = dimensions.hasViewBox ? box : nil
      case "style":
        guard !SVGScanner.namesSize(tree.bytes, attribute.value) else { return false }
      default: break
      }
    }
    dimensions.settle()
    return true
  }

  /// A number with a unit that CSS knows, in px; nil inside for per cent, nil for anything else.
  private static func length(_ value: ArraySlice<UInt8>) -> Float?? {
    var at = value.startIndex
    guard let number = number(value, &at) else { return nil }
    let unit = String(decoding: value[at...], as: UTF8.self)
    if unit == "%" { return .some(nil) }
    let units = ["", "px", "em", "ex", "in", "cm", "mm", "pt", "pc"]
    guard let place = units.firstIndex(of: unit) else { return nil }
    return .some(VectorImage.Dimensions.pixels(number, unit: Int32(Swift.max(place, 1))))
  }

  /// A length of the element `image`; nil for one in units that need a font, and for what is none.
  static func length(ofPicture value: ArraySlice<UInt8>) -> PictureFrame.Length? {
    if value.elementsEqual("auto".utf8) { return .natural }
    let isNegative = value.first == UInt8(ascii: "-")
    var at = isNegative ? value.startIndex + 1 : value.startIndex
    guard let number = number(value, &at) else { return nil }
    let used = Float(isNegative ? -number : number)
    return switch String(decoding: value[at...], as: UTF8.self) {
    case "", "px": .units(used)
    case "%": .share(used / 100)
    default: nil
    }
  }

  /// Four numbers with spaces or commas between them.
  private static func viewBox(
    _ value: ArraySlice<UInt8>
  ) -> (corner: SIMD2<Float>, size: SIMD2<Float>)? {
    var numbers: [Float] = []
    var at = value.startIndex
    while at < value.endIndex {
      if !numbers.isEmpty {
        let start = at
        while at < value.endIndex, value[at] == 0x20 { at += 1 }
        if at < value.endIndex, value[at] == 0x2C { at += 1 }
        while at < value.endIndex, value[at] == 0x20 { at += 1 }
        guard at > start else { return nil }
      }
      let isNegative = numbers.count < 2 && at < value.endIndex && value[at] == 0x2D
      if isNegative { at += 1 }
      guard let number = number(value, &at) else { return nil }
      numbers.append(Float(isNegative ? -number : number))
    }
    return numbers.count == 4 ? (SIMD2(numbers[0], numbers[1]), SIMD2(numbers[2], numbers[3])) : nil
  }

  /// Digits, with a fraction or without, as exact as the parser that librsvg uses reads them.
  static func number(_ value: ArraySlice<UInt8>, _ at: inout Int) -> Double? {
    var number = 0.0
    let start = at
    while at < value.endIndex, value[at] &- 0x30 < 10 {
      number = number * 10 + Double(value[at] - 0x30)
      at += 1
    }
    guard at > start, at - start < 9 else { return nil }
    if at < value.endIndex, value[at] == 0x2E {
      at += 1
      let start = at
      var factor = 0.1
      var fraction = 0.0
      while at < value.endIndex, value[at] &- 0x30 < 10 {
        fraction += Double(value[at] - 0x30) * factor
        factor *= 0.1
        at += 1
      }
      guard at > start else { return nil }
      number += fraction
    }
    return Double(Float(number))
  }
}
