import PDFRendering

/// What a PDF tells beside how its pages look, read back from its bytes: text by the fonts' character maps, structure,
/// links and where they lead, outline, labels of pages, metadata (ISO 32000-1, sections 12.3, 14.3, 14.7 to 14.9).
struct PDFReading: Sendable {
  /// By page, a line for each stretch of text of one element in the order of the structure, with the types of the
  /// elements around it; for each link; for each place that something leads to; and for its label where that begins
  /// there.
  private(set) var pages: [String] = []
  /// A line for each entry, indented by its level, with the name of its destination.
  private(set) var outline: [String] = []
  /// A line for each entry of the document's information and metadata, without those of the program and the time.
  private(set) var metadata: [String] = []
  /// The characters that text is copied as, in order.
  private(set) var characters = ""

  private let file: ParsedPDF
  private var lines: [[String]]
  /// Those of places, which come last: a heading that is none any more loses its place, too.
  private var places: [[String]]
  /// By object number: the index of a page.
  private var pageIndices: [Int: Int] = [:]
  /// By page and number: the text of marked content.
  private var texts: [[Int: [UInt16]]] = []
  private var destinations: Set<[UInt8]> = []
  /// Structure elements that have been read, and by page the one that its last line is of.
  private var elementCount = 0
  private var lastElements: [Int]

  /// - Returns: nil for a file that cannot be read.
  init?(_ bytes: [UInt8]) {
    guard let file = ParsedPDF(bytes), let root = file.root else { return nil }
    self.file = file
    lines = []
    places = []
    lastElements = []
    var objects: [Int] = []
    Self.gather(root["Pages"], file, depth: 0, into: &objects)
    for (index, object) in objects.enumerated() { pageIndices[object] = index }
    var reader = PDFTextReader(file)
    for object in objects { texts.append(reader.texts(ofPage: file.object(object)?.value)) }
    lines = [[String]](repeating: [], count: objects.count)
    places = lines
    lastElements = [Int](repeating: 0, count: objects.count)
    characters = String(String.UnicodeScalarView(reader.characters.sorted()))
    readDestinations(file.resolved(root["Names"]).flatMap { file.resolved($0["Dests"]) }, depth: 0)
    readStructure(root)
    readOutline(root)
    readLabels(file.resolved(root["PageLabels"]))
    readMetadata(root)
    pages = zip(lines, places).map { ($0 + $1).joined(separator: "\n") }
    lines = []
    places = []
    texts = []
  }

  private static let deepest = 64

  private static func gather(_ node: PDFValue?, _ file: ParsedPDF, depth: Int, into pages: inout [Int]) {
    guard depth < deepest, case .reference(let number)? = node, let value = file.object(number)?.value else { return }
    guard let kids = file.resolved(value["Kids"])?.elements else { return pages.append(number) }
    for kid in kids { gather(kid, file, depth: depth + 1, into: &pages) }
  }

  // MARK: Destinations

  private mutating func readDestinations(_ node: PDFValue?, depth: Int) {
    guard depth < Self.deepest, let node else { return }
    let names = file.resolved(node["Names"])?.elements ?? []
    for index in stride(from: 0, to: names.count - 1, by: 2) {
      guard let name = names[index].bytes, let place = file.resolved(names[index + 1])?.elements,
        case .reference(let object)? = place.first, let page = pageIndices[object]
      else { continue }
      destinations.insert(name)
      let numbers = place.dropFirst(2).map { $0.number.map { "\($0)" } ?? "null" }
      places[page].append("place \(String(decoding: name, as: UTF8.self)) at \(numbers.joined(separator: " "))")
    }
    for kid in file.resolved(node["Kids"])?.elements ?? [] { readDestinations(file.resolved(kid), depth: depth + 1) }
  }

  /// What the target of a link or of an outline entry ends with that no place of the file has.
  static let nowhere = ", which is nowhere"

  /// The target of a link or of an outline entry, in words.
  private func target(of value: PDFValue) -> String {
    if let name = file.resolved(value["Dest"])?.bytes {
      return "to " + String(decoding: name, as: UTF8.self) + (destinations.contains(name) ? "" : Self.nowhere)
    }
    guard let action = file.resolved(value["A"]) else { return "to nothing" }
    return "to " + (file.resolved(action["URI"])?.bytes.map { String(decoding: $0, as: UTF8.self) } ?? "nothing")
  }

  // MARK: Structure

  private mutating func readStructure(_ root: PDFValue) {
    var seen: Set<Int> = []
    if let tree = file.resolved(root["StructTreeRoot"]) {
      readChildren(tree["K"], path: "", page: nil, depth: 0, element: 0, &seen)
    }
    // Links of a file without structure, and those that no element has.
    for (object, index) in pageIndices.sorted(by: { $0.value < $1.value }) {
      for link in file.resolved(file.object(object)?.value["Annots"])?.elements ?? [] {
        if case .reference(let number) = link, seen.contains(number) { continue }
        if let link = file.resolved(link) { addLink(link, path: "Link", page: index) }
      }
      // Text that no element has.
      for number in texts[index].keys.sorted() { takeText(number, path: "text", page: index, element: -1) }
    }
  }

  private mutating func readChildren(
    _ value: PDFValue?, path: String, page: Int?, depth: Int, element: Int, _ seen: inout Set<Int>
  ) {
    guard depth < Self.deepest * 4, let value else { return }
    switch value {
    case .array(let children):
      for child in children { readChildren(child, path: path, page: page, depth: depth + 1, element: element, &seen) }
    case .word:
      guard let number = value.number.flatMap({ Int(exactly: $0) }), let page else { return }
      takeText(number, path: path, page: page, element: element)
    case .reference(let number):
      guard seen.insert(number).inserted, let kid = file.object(number)?.value else { return }
      readElement(kid, path: path, page: page, depth: depth, in: element, &seen)
    case .dictionary: readElement(value, path: path, page: page, depth: depth, in: element, &seen)
    default: break
    }
  }

  private mutating func readElement(
    _ value: PDFValue, path: String, page: Int?, depth: Int, in element: Int, _ seen: inout Set<Int>
  ) {
    var page = page
    if case .reference(let object)? = value["Pg"] { page = pageIndices[object] ?? page }
    if value["Type"]?.isName("MCR") == true {
      guard let number = value["MCID"]?.number.flatMap({ Int(exactly: $0) }), let page else { return }
      return takeText(number, path: path, page: page, element: element)
    }
    if value["Type"]?.isName("OBJR") == true {
      guard case .reference(let object)? = value["Obj"], let link = file.object(object)?.value, let page else { return }
      seen.insert(object)
      return addLink(link, path: path, page: page)
    }
    guard case .name(let type)? = value["S"] else { return }
    var name = String(decoding: type, as: UTF8.self)
    if let language = text(value["Lang"]) { name += " lang=\(language)" }
    if let alternative = text(value["Alt"]) { name += " alt=\(alternative)" }
    if let attributes = file.resolved(value["A"]) {
      if case .name(let scope)? = attributes["Scope"] { name += " scope=\(String(decoding: scope, as: UTF8.self))" }
      if let columns = attributes["ColSpan"]?.number { name += " columns=\(Int(columns))" }
      if let rows = attributes["RowSpan"]?.number { name += " rows=\(Int(rows))" }
    }
    let own = path.isEmpty ? name : path + "/" + name
    elementCount += 1
    readChildren(value["K"], path: own, page: page, depth: depth + 1, element: elementCount, &seen)
  }

  private mutating func takeText(_ number: Int, path: String, page: Int, element: Int) {
    guard let text = texts[page].removeValue(forKey: number) else { return }
    let string = String(decoding: text, as: UTF16.self)
    if lastElements[page] == element {
      lines[page][lines[page].count - 1] += string
    } else {
      lines[page].append("\(path): \(string)")
      lastElements[page] = element
    }
  }

  private mutating func addLink(_ link: PDFValue, path: String, page: Int) {
    lastElements[page] = 0
    lines[page].append("\(path) \(target(of: link)): \(text(link["Contents"]) ?? "")")
  }

  // MARK: The document

  private mutating func readOutline(_ root: PDFValue) {
    var seen: Set<Int> = []
    func read(_ first: PDFValue?, level: Int, _ lines: inout [String]) {
      var next = first
      while level < Self.deepest, case .reference(let number)? = next, seen.insert(number).inserted,
        let entry = file.object(number)?.value
      {
        lines.append(String(repeating: "  ", count: level) + (text(entry["Title"]) ?? "") + " " + target(of: entry))
        read(entry["First"], level: level + 1, &lines)
        next = entry["Next"]
      }
    }
    var lines: [String] = []
    read(file.resolved(root["Outlines"])?["First"], level: 0, &lines)
    outline = lines
  }

  private mutating func readLabels(_ tree: PDFValue?) {
    let entries = file.resolved(tree?["Nums"])?.elements ?? []
    for index in stride(from: 0, to: entries.count - 1, by: 2) {
      guard let page = entries[index].number.flatMap({ Int(exactly: $0) }), lines.indices.contains(page),
        let label = file.resolved(entries[index + 1])
      else { continue }
      var style = ""
      if case .name(let name)? = label["S"] { style = "numbers of style " + String(decoding: name, as: UTF8.self) }
      lines[page].append("label " + (text(label["P"]) ?? "") + style)
    }
  }

  /// Entries that tell of the program, or of the time.
  private static let ofProgram = ["Producer", "Creator", "CreationDate", "ModDate"]

  private mutating func readMetadata(_ root: PDFValue) {
    if case .dictionary(let entries)? = file.information {
      for (key, value) in entries {
        let name = String(decoding: key, as: UTF8.self)
        if !Self.ofProgram.contains(name) { metadata.append("\(name): \(text(value) ?? "")") }
      }
    }
    if let language = text(root["Lang"]) { metadata.append("language: \(language)") }
    for key in ["MarkInfo", "ViewerPreferences", "PageLayout", "PageMode"] as [StaticString] {
      if let value = file.resolved(root[key]) { metadata.append("\(key): \(value.written)") }
    }
    let packet = file.stream(root["Metadata"]).map { String(decoding: $0, as: UTF8.self) } ?? ""
    for line in packet.split(separator: "\n")
    where !["Tool", "Producer", "Date", "InstanceID", "DocumentID", "<?xpacket"].contains(where: line.contains) {
      metadata.append(String(line.trimmingPrefix { $0 == " " }))
    }
  }

  /// A text string (section 7.9.2.2).
  private func text(_ value: PDFValue?) -> String? {
    guard let bytes = file.resolved(value)?.bytes else { return nil }
    if bytes.starts(with: [0xFE, 0xFF]) {
      let units = stride(from: 2, to: bytes.count - 1, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
      return String(decoding: units, as: UTF16.self)
    }
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return String(decoding: bytes.dropFirst(3), as: UTF8.self) }
    return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }
}

extension PDFValue {
  /// The bytes that a string stands for; nil for other values.
  var bytes: [UInt8]? {
    guard case .string(let bytes) = self else { return nil }
    return PDFScanner.decoded(bytes)
  }

  /// The value as it is written, references and strings aside.
  fileprivate var written: String {
    switch self {
    case .word(let bytes), .name(let bytes): String(decoding: bytes, as: UTF8.self)
    case .string, .reference: ""
    case .array(let elements): "[" + elements.map(\.written).joined(separator: " ") + "]"
    case .dictionary(let entries):
      entries.map { "\(String(decoding: $0.key, as: UTF8.self)) \($0.value.written)" }.joined(separator: " ")
    }
  }
}
