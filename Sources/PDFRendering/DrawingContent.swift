/// The content stream of a drawing with its text turned into outlines: it is a picture, none of whose characters are the book's.
struct DrawingContent {
  private let file: ParsedPDF
  private let fontResources: PDFValue?
  private var fonts: [ArraySlice<UInt8>: DrawingFont] = [:]
  private var output = PDFBytes()

  private var font: ArraySlice<UInt8>?
  private var size = 0.0
  private var matrix = Matrix()
  private var lineMatrix = Matrix()

  /// A map of the plane: `x' = a x + c y + e`, `y' = b x + d y + f`.
  private struct Matrix {
    var a = 1.0
    var b = 0.0
    var c = 0.0
    var d = 1.0
    var e = 0.0
    var f = 0.0

    mutating func translate(_ x: Double, _ y: Double) {
      e += a * x + c * y
      f += b * x + d * y
    }
  }

  private init(resources: PDFValue?, in file: ParsedPDF) {
    self.file = file
    fontResources = file.resolved(file.resolved(resources)?["Font"])
  }

  /// The content without text operators and marks; nil where it has such as cairo does not write.
  static func outlined(_ content: [UInt8], resources: PDFValue?, in file: ParsedPDF) -> [UInt8]? {
    var writer = DrawingContent(resources: resources, in: file)
    return writer.rewrite(content) ? writer.output.bytes : nil
  }

  private mutating func rewrite(_ content: [UInt8]) -> Bool {
    var scanner = PDFScanner(content)
    var start: Int?
    while let (kind, range) = scanner.token() {
      guard kind == .keyword, !Self.isValue(content[range]) else {
        start = start ?? range.lowerBound
        continue
      }
      let operands = content[(start ?? range.lowerBound)..<range.lowerBound]
      start = nil
      guard apply(content[range], operands) else { return false }
    }
    scanner.skipSpace()
    return scanner.position >= content.endIndex
  }

  private static func isValue(_ word: ArraySlice<UInt8>) -> Bool {
    word.elementsEqual("true") || word.elementsEqual("false") || word.elementsEqual("null")
  }

  private mutating func apply(_ name: ArraySlice<UInt8>, _ operands: ArraySlice<UInt8>) -> Bool {
    switch String(decoding: name, as: UTF8.self) {
    case "BT":
      matrix = Matrix()
      lineMatrix = matrix
    case "ET", "BMC", "BDC", "EMC", "MP", "DP": break
    case "Tf":
      let values = Self.values(operands)
      guard values.count == 2, case .name(let name) = values[0], let size = values[1].number, isKnown(name) else {
        return false
      }
      font = name
      self.size = size
    case "Tm":
      let numbers = Self.values(operands).compactMap(\.number)
      guard numbers.count == 6 else { return false }
      matrix = Matrix(a: numbers[0], b: numbers[1], c: numbers[2], d: numbers[3], e: numbers[4], f: numbers[5])
      lineMatrix = matrix
    case "Td":
      let numbers = Self.values(operands).compactMap(\.number)
      guard numbers.count == 2 else { return false }
      lineMatrix.translate(numbers[0], numbers[1])
      matrix = lineMatrix
    case "Tj", "TJ":
      let values = Self.values(operands)
      guard values.count == 1 else { return false }
      return show(values[0].elements ?? values)
    // Inline pictures are no tokens, and other text operators change what is done above.
    case "BI", "ID", "EI", "'", "\"", "T*", "TD", "TL", "Tc", "Tr", "Ts", "Tw", "Tz", "d0", "d1": return false
    case "m", "l", "c", "v", "y", "re":
      var scanner = PDFScanner(operands)
      while let operand = scanner.token() {
        guard operand.kind == .number else { return false }
        append(number: operands[operand.range])
      }
      output.word(name)
      output.raw("\n")
    default:
      output.raw(operands)
      output.raw(name)
      output.raw("\n")
    }
    return true
  }

  /// A number of a path to five digits: fewer than cairo writes, and more than can be seen.
  private mutating func append(number: ArraySlice<UInt8>) {
    var digits = 0.0
    var places = 0
    var point = false
    for byte in number {
      if byte == 0x2E { point = true }
      guard (0x30...0x39).contains(byte), digits < 1e12 else { continue }
      digits = digits * 10 + Double(byte - 0x30)
      if point { places += 1 }
    }
    var value = digits
    for _ in 0..<places { value /= 10 }
    let decimals = value < 1 ? 5 : value < 10 ? 4 : value < 100 ? 3 : value < 1000 ? 2 : 1
    output.real(number.first == 0x2D ? -value : value, decimals: decimals)
  }

  private static func values(_ operands: ArraySlice<UInt8>) -> [PDFValue] {
    var scanner = PDFScanner(operands)
    var values: [PDFValue] = []
    while let value = scanner.value() { values.append(value) }
    return values
  }

  private mutating func isKnown(_ name: ArraySlice<UInt8>) -> Bool {
    if fonts[name] == nil {
      fonts[name] = file.resolved(fontResources?[name]).flatMap { DrawingFont($0, in: file) }
    }
    return fonts[name] != nil
  }

  private mutating func show(_ elements: [PDFValue]) -> Bool {
    guard let font else { return false }
    for element in elements {
      if let space = element.number {
        matrix.translate(-space / 1000 * size, 0)
        continue
      }
      guard case .string(let string) = element, let bytes = PDFScanner.decoded(string),
        let codes = fonts[font]?.codes(bytes)
      else { return false }
      for code in codes {
        if let path = fonts[font]?.path(of: code), !path.isEmpty { put(path) }
        matrix.translate((fonts[font]?.width(of: code) ?? 0) / 1000 * size, 0)
      }
    }
    return true
  }

  private mutating func put(_ path: [UInt8]) {
    output.raw("q")
    let scale = size / 1000
    for value in [matrix.a * scale, matrix.b * scale, matrix.c * scale, matrix.d * scale] {
      output.real(value, decimals: 6)
    }
    output.real(matrix.e)
    output.real(matrix.f)
    output.raw(" cm ")
    output.raw(path)
    output.raw(" Q\n")
  }
}
