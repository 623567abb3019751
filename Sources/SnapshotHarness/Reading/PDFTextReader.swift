import PDFRendering

/// Reads the text of pages: what codes of fonts stand for by their character maps, or what replaces it (ISO 32000-1,
/// sections 9.10 and 14.9.4).
struct PDFTextReader {
  private let file: ParsedPDF
  /// By object number of a font.
  private var maps: [Int: [UInt16: [UInt16]]] = [:]
  /// The characters of all texts so far.
  private(set) var characters: Set<Unicode.Scalar> = []

  init(_ file: ParsedPDF) { self.file = file }

  /// Content that is marked (section 14.6).
  private struct Mark {
    /// The number by which the structure names it.
    var id: Int?
    var isArtifact = false
    /// Another text stands for what is shown.
    var isReplaced = false
  }

  private struct State {
    var text: [Int: [UInt16]] = [:]
    var marks: [Mark] = []
    var font: Int?
    var saved: [Int?] = []
    var depth = 0
  }

  /// By number of marked content: the text; that of content without a number has none below 0.
  mutating func texts(ofPage page: PDFValue?) -> [Int: [UInt16]] {
    guard let page, let content = file.stream(page["Contents"]) else { return [:] }
    var state = State()
    read(content, resources: file.resolved(page["Resources"]), &state)
    for units in state.text.values { characters.formUnion(String(decoding: units, as: UTF16.self).unicodeScalars) }
    return state.text
  }

  private static let deepest = 8

  private mutating func read(_ content: [UInt8], resources: PDFValue?, _ state: inout State) {
    let fonts = file.resolved(resources?["Font"])
    let objects = file.resolved(resources?["XObject"])
    var scanner = PDFScanner(content)
    var operands: [(kind: PDFScanner.Token, range: Range<Int>)] = []
    func name(_ index: Int) -> ArraySlice<UInt8>? {
      operands.indices.contains(index) && operands[index].kind == .name
        ? content[operands[index].range].dropFirst() : nil
    }
    while let token = scanner.token() {
      guard token.kind == .keyword else {
        operands.append(token)
        continue
      }
      let keyword = content[token.range]
      if keyword.elementsEqual("Tj") || keyword.elementsEqual("TJ") || keyword.elementsEqual("'")
        || keyword.elementsEqual("\"")
      {
        for operand in operands where operand.kind == .string { show(content[operand.range], &state) }
      } else if keyword.elementsEqual("Tf") {
        state.font = nil
        if let name = name(0), case .reference(let number)? = fonts?[name] { state.font = number }
      } else if keyword.elementsEqual("BDC") || keyword.elementsEqual("BMC") {
        begin(operands, content, &state)
      } else if keyword.elementsEqual("EMC") {
        _ = state.marks.popLast()
      } else if keyword.elementsEqual("q") {
        state.saved.append(state.font)
      } else if keyword.elementsEqual("Q") {
        if let font = state.saved.popLast() { state.font = font }
      } else if keyword.elementsEqual("Do"), let name = name(0), state.depth < Self.deepest {
        draw(objects?[name], &state)
      }
      operands.removeAll(keepingCapacity: true)
    }
  }

  /// Reads a form that has fonts.
  private mutating func draw(_ object: PDFValue?, _ state: inout State) {
    guard case .reference(let number)? = object, let form = file.object(number),
      form.value["Subtype"]?.isName("Form") == true,
      let resources = file.resolved(form.value["Resources"]), resources["Font"] != nil,
      let content = file.decoded(form)
    else { return }
    state.depth += 1
    read(content, resources: resources, &state)
    state.depth -= 1
  }

  private func begin(
    _ operands: [(kind: PDFScanner.Token, range: Range<Int>)], _ content: [UInt8], _ state: inout State
  ) {
    var mark = Mark()
    var replacement: [UInt8]?
    for (index, operand) in operands.enumerated() where operand.kind == .name {
      let name = content[operand.range].dropFirst()
      if index == 0 { mark.isArtifact = name.elementsEqual("Artifact") }
      guard index + 1 < operands.count else { continue }
      let value = content[operands[index + 1].range]
      if name.elementsEqual("MCID") { mark.id = Int(String(decoding: value, as: UTF8.self)) }
      if name.elementsEqual("ActualText") { replacement = PDFScanner.decoded(value) }
    }
    state.marks.append(mark)
    guard let replacement else { return }
    append(Self.units(ofText: replacement), &state)
    state.marks[state.marks.count - 1].isReplaced = true
  }

  private static func units(ofText bytes: [UInt8]) -> [UInt16] {
    guard bytes.starts(with: [0xFE, 0xFF]) else { return bytes.map { UInt16($0) } }
    return stride(from: 2, to: bytes.count - 1, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
  }

  private func append(_ units: [UInt16], _ state: inout State) {
    guard !state.marks.contains(where: { $0.isArtifact || $0.isReplaced }) else { return }
    let id = state.marks.last { $0.id != nil }?.id ?? -1
    state.text[id, default: []] += units
  }

  private mutating func show(_ string: ArraySlice<UInt8>, _ state: inout State) {
    guard !state.marks.contains(where: { $0.isArtifact || $0.isReplaced }), let codes = PDFScanner.decoded(string)
    else {
      return
    }
    let map = state.font.map { characterMap(ofFont: $0) } ?? [:]
    var units: [UInt16] = []
    for index in stride(from: 0, to: codes.count - 1, by: 2) {
      units += map[UInt16(codes[index]) << 8 | UInt16(codes[index + 1])] ?? [0xFFFD]
    }
    append(units, &state)
  }

  /// The character map of a font; empty where it has none.
  private mutating func characterMap(ofFont number: Int) -> [UInt16: [UInt16]] {
    if let known = maps[number] { return known }
    let map = file.stream(file.object(number)?.value["ToUnicode"]).map { Self.map(of: $0) } ?? [:]
    maps[number] = map
    return map
  }

  /// Reads a character map (section 9.10.3).
  private static func map(of bytes: [UInt8]) -> [UInt16: [UInt16]] {
    var map: [UInt16: [UInt16]] = [:]
    var strings: [[UInt16]] = []
    var scanner = PDFScanner(bytes)
    while let token = scanner.token() {
      let text = bytes[token.range]
      switch token.kind {
      case .string: strings.append(units(ofCodes: PDFScanner.decoded(text) ?? []))
      case .keyword:
        if text.elementsEqual("endbfchar") {
          for index in stride(from: 0, to: strings.count - 1, by: 2) {
            if let code = strings[index].first { map[code] = strings[index + 1] }
          }
        } else if text.elementsEqual("endbfrange") {
          for index in stride(from: 0, to: strings.count - 2, by: 3) {
            guard let first = strings[index].first, let last = strings[index + 1].first, first <= last,
              let end = strings[index + 2].last
            else { continue }
            for code in first...last { map[code] = strings[index + 2].dropLast() + [end &+ (code - first)] }
          }
        }
        strings.removeAll()
      default: break
      }
    }
    return map
  }

  private static func units(ofCodes bytes: [UInt8]) -> [UInt16] {
    stride(from: 0, to: bytes.count - 1, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
  }
}
